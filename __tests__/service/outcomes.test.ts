/** What each answer of the service means: codes, what is registered, causes and remedies. */
import { describe, expect, it } from '@jest/globals'
import { API_KEY, hashOf, sampleTime, subscriptionSecrets } from '../support/samples.ts'
import { answer, failureIn, makeArtifacts, serviceData, TestRun, wordsOf } from './support.ts'
import type { Inputs } from './support.ts'

const twice = { 'max-attempts': '2' }

it.each<[word: string, requests: number, replies: string]>([
  ['registered', 2, '429|408|425|unconnected'],
  ['registered again', 2, '503|lost|500|502|504'],
  ['refused/no', 1, '400|402|403|404|405|410|422|451|499'],
  ['refused/no', 2, '429 404|408 422|unconnected 404'],
  ['refused/no, but known', 1, '409'],
  ['refused/no, but known', 2, '425 409'],
  ['refused/unknown', 2, 'lost 404|503 409|500 402|504 422'],
  ['unavailable/no', 2, '408|425|429|429 408|unconnected'],
  ['unavailable/unknown', 2, '500|502|503|504|lost|lost 429|429 503'],
  ['unavailable/unknown', 1, '501|505|511|599|503+61'],
  ['unavailable/no', 1, 'untrusted|429+61'],
  ['invalid-response/unknown', 1, '301|302|307|308|204|page|list|large|noise|600|799'],
  ['invalid-response/unknown', 2, 'lost page|429 302'],
  ['invalid-response/no', 1, 'large-404|large-429'],
  ['login-refused/no', 2, '401|401 401'],
  ['login-refused/unknown', 3, 'lost 401 401'],
])('a completion is %s after %d requests: %s', async (word, requests, replies) => {
  for (const names of replies.split('|')) {
    const end = word.startsWith('registered') ? ' good' : ''
    const run = new TestRun(`complete ${names}${end}`, twice)
    const words = wordsOf(await run.register())
    const seen = { names, words, requests: run.count('complete') }
    expect(seen).toEqual({ names, words: [word], requests })
  }
})

it.each<[word: string, kind: string, requests: number, replies: string]>([
  ['login-refused/no', 'login', 1, '400|401|403|422'],
  ['unavailable/no', 'login', 2, '408|429|500|503|lost'],
  ['unavailable/no', 'login', 1, '501'],
  ['invalid-response/no', 'login', 1, '402|404|409|302|204|page|list|useless|unusable|large|noise'],
  ['refused/no', 'active', 2, '404'],
  ['unavailable/no', 'active', 3, '408|lost'],
  ['invalid-response/no', 'active', 2, 'useless'],
])('all hashes end %s if %s fails, after %d requests: %s', async (word, kind, requests, all) => {
  for (const reply of all.split('|')) {
    const subscription = kind === 'active' ? { subscription: kind } : {}
    const run = new TestRun(`${kind} ${reply}`, { ...twice, concurrency: '2', ...subscription })
    const ended = await run.register(makeArtifacts(7))
    expect({ reply, words: wordsOf(ended) }).toEqual({ reply, words: Array(7).fill(word) })
    expect(new Set(ended.map(artifact => failureIn([artifact]).detail)).size).toBe(1)
    expect({ reply, sent: run.sent.length }).toEqual({ reply, sent: requests })
  }
})

const keyAlone = { 'request-registration': 'true', subscription: '' }
const paid = { 'request-registration': 'true' }
const active = { subscription: 'active' }
const byService = 'registered by service data'

describe('a registration that this run requests', () => {
  it.each<[Inputs, replies: string, word: string, calls: string]>([
    [keyAlone, '', byService, 'request complete'],
    [{ ...paid, ...active }, '', byService, 'active request complete'],
    [paid, 'request useless', 'registered', 'request complete'],
    [keyAlone, 'request useless', 'invalid-response/unknown', 'request'],
    [paid, 'request 402', 'request-refused/no', 'request'],
    [paid, 'request 403', 'request-refused/no', 'request'],
    [paid, 'request 429', 'unavailable/no', 'request request'],
    [paid, 'request lost', 'unavailable/unknown', 'request request'],
    // Once a request succeeds, lost requests no longer count.
    [paid, 'request lost good, complete 404', 'refused/no', 'request request complete'],
    [paid, 'request lost good, complete good', 'registered', 'request request complete'],
    // A rejected request may have been made earlier. Only a completion tells whether the hash is known.
    [keyAlone, 'request 400', byService, 'request active complete'],
    [paid, 'request lost 400', 'registered', 'request request complete'],
    [paid, 'request 409, complete 422', 'request-refused/no', 'request complete'],
    [paid, 'request 409, complete 409', 'request-refused/no, but known', 'request complete'],
    [paid, 'request 409, complete 404', 'request-refused/no', 'request complete'],
    [paid, 'request lost 409, complete 404', 'request-refused/unknown', 'request request complete'],
    [paid, 'request 409, complete page', 'invalid-response/unknown', 'request complete'],
    [paid, 'request 409, complete lost', 'unavailable/unknown', 'request complete complete'],
    [keyAlone, 'request 409, active useless', 'request-refused/no', 'request active'],
    [keyAlone, 'request 409, active 500', 'request-refused/no', 'request active active'],
    [keyAlone, 'request lost 409, active 401', 'login-refused/unknown', 'request request active'],
  ])('with %j and the replies "%s" ends %s after: %s', async (inputs, text, word, calls) => {
    const run = new TestRun(text, { ...twice, ...inputs })
    expect(wordsOf(await run.register())).toEqual([word])
    expect(run.calls.slice(0, calls.length)).toBe(calls)
  })

  it('has a description, and is completed with the exact data of the answer', async () => {
    const text = `{"beyond":12345678901234567890, "a":[1.50],\n${JSON.stringify(serviceData).slice(1)}`
    const run = new TestRun({ request: () => answer(200, text) }, keyAlone)
    await run.register()
    const [, request, completion] = run.sent
    expect(request?.path).toBe('/api/v2/registration/?subscription=true')
    expect(JSON.parse(request?.body ?? '')).toEqual({
      blockchainType: 'ALGORAND',
      custody: 'false',
      description: 'app-0.zip of octo/app at refs/tags/v1.0.0',
      hash: hashOf(0),
      signed: 'false',
      status: 'not_registered',
    })
    expect(completion?.body).toBe(text)
    expect(run.masked).toEqual(expect.arrayContaining([...subscriptionSecrets]))
  })
})

it('the active subscription is retrieved once, masked, and passed on with its warnings', async () => {
  const late = { ...serviceData, status: 'past_due' }
  const run = new TestRun({ active: () => answer(200, late) }, active)
  expect(wordsOf(await run.register(makeArtifacts(2)))).toEqual([byService, byService])
  expect(run.calls).toBe('active complete complete')
  const [, retrieval, completion] = run.sent
  expect(retrieval).toMatchObject({ body: null, path: '/api/v2/payment/subscription/active' })
  expect(completion?.body).toBe(JSON.stringify(late))
  expect(run.masked).toEqual(expect.arrayContaining([...subscriptionSecrets]))
  expect(run.warned).toEqual([expect.stringContaining('status')])
})

describe('a failure', () => {
  const [used, key] = ['renew the subscription', 'check the secret in "api-key"']
  it.each<[replies: string, Inputs, cause: string, detail: string, remedy: string]>([
    ['login 401', {}, 'API key', 'the login returned HTTP 401', key],
    ['login lost', {}, 'unavailable', 'after 2 attempts, the login got no answer: c', 'wait until'],
    ['login unconnected', {}, 'cannot be reached', 'after 2 attempts, ', 'check the network'],
    ['login noise', {}, '"base-url"', 'that is not HTTP', 'correct the input "base-url"'],
    ['login 302', {}, 'redirect', 'the login returned HTTP 302', 'the input "base-url"'],
    ['login useless', {}, '"base-url"', 'returned no usable token', 'the input "base-url"'],
    ['active 404', active, 'no active', 'lookup of the active subscription', 'activate a'],
    ['active useless', active, 'no subscription data', 'other data', 'the input "subscription"'],
    ['complete 400', {}, 'subscription data', 'returned HTTP 400: "no"', 'check the subscription'],
    ['complete 401', {}, 'new token', 'HTTP 401 after a new login', 'permissions of the API key'],
    ['complete 402', active, 'used up', 'the registration returned HTTP 402: "no"', used],
    ['complete 403', {}, 'no permission', 'HTTP 403', 'permissions of the account'],
    ['complete 404', {}, 'no request', 'HTTP 404', 'set the input "request-registration"'],
    ['complete 404', keyAlone, 'cannot find', 'HTTP 404', 'wait'],
    ['complete 409', {}, 'already has this hash', 'HTTP 409', 'restore the record'],
    ['complete lost 409', {}, 'already has', 'after 2 attempts, ', 'ask the service'],
    ['complete 429+60', {}, 'rate limit', 'after 2 attempts, ', 'wait a few'],
    ['complete 429+600', {}, 'rate limit', 'HTTP 429', 'wait 10 min'],
    ['complete 503', {}, 'unavailable', 'HTTP 503: "no"', 'wait until the service'],
    ['complete 503+600', {}, 'unavailable', 'HTTP 503: "no"', 'wait 10 min'],
    ['complete unconnected', {}, 'unavailable', 'got no answer', 'wait until the service'],
    ['complete untrusted', {}, 'not trusted', 'connection reset', 'NODE_EXTRA_CA_CERTS'],
    ['complete expired', {}, 'expired', 'CERT_HAS_EXPIRED', 'renewed'],
    ['complete large', {}, 'unexpected', 'HTTP 200 and a body over 1 MiB', 'report'],
    ['complete page', {}, 'unexpected', 'HTTP 200 and a body that is not a JSON object', 'report'],
    // The completion of a refused request decides, unless there was nothing to complete.
    ['request 400, complete 404', paid, 'rejected', 'HTTP 400: "no"; the reg', 'check the account'],
    ['request 409, complete 404', paid, 'has a request', 'HTTP 409: "no"; ', 'this request'],
    ['request 409, complete 402', paid, 'used up', 'HTTP 402', used],
    ['request 409, complete 409', paid, 'has this hash', 'HTTP 409', 'restore the record'],
    ['request lost 409, complete 409', paid, 'has this hash', 'HTTP 409', 'ask the service'],
    ['request 400, active 404', keyAlone, 'no active', 'HTTP 404', 'activate'],
  ])('after "%s" with %j has one cause, what was observed, and one remedy', async (...row) => {
    const [replies, inputs, ...parts] = row
    const run = new TestRun(replies, { ...twice, ...inputs })
    const { cause, detail, remedy } = failureIn(await run.register())
    const containing = parts.map(part => expect.stringContaining(part))
    expect([cause, detail, remedy]).toEqual(containing)
  })

  it.each([
    ['login 403', 403],
    ['login noise', null],
    ['login lost', null],
  ])('after "%s" has the HTTP status %s', async (replies, status) => {
    expect(failureIn(await new TestRun(replies).register()).status).toBe(status)
  })

  it('of an open hash with a 409 names no run whose record could be restored', async () => {
    const artifacts = await new TestRun('complete 409').register(makeArtifacts(1, sampleTime))
    const { cause, detail } = failureIn(artifacts)
    expect(cause).toMatch(/without an answer$/)
    expect(detail).toMatch(/an earlier run sent this hash on 2026-01-31 12:00:00 UTC/)
  })

  it('shows no secret and no line break, and is short', async () => {
    const message = `${API_KEY} token-1\n::error::x ${'y '.repeat(5000)}`
    const run = new TestRun({ complete: () => answer(400, { message }) })
    const { detail } = failureIn(await run.register())
    expect(detail).toMatch(/"\*\*\* \*\*\* ::error::x y/)
    expect(detail.length).toBeLessThan(300)
  })
})
