/** What each answer of the service means: all codes, certainties and remedies. */
import { describe, expect, it } from '@jest/globals'
import { API_KEY, subscription, subscriptionSecrets } from '../support/samples.ts'
import { answer, failureIn, HASH, serviceData, TestRun, wordOf, type Inputs } from './support.ts'

const twice = { 'max-attempts': '2' }

it.each<[word: string, requests: number, replies: string]>([
  ['registered', 2, '503|lost|429|500|408'],
  ['refused/no', 1, '400|402|403|404|405|409|410|422|451|499'],
  ['refused/unknown', 2, 'lost 404|503 409|500 402|504 422'],
  ['refused/no', 2, '429 404|408 422|425 409|unconnected 404'],
  ['unavailable/no', 2, '408|425|429|429 408|unconnected'],
  ['unavailable/unknown', 2, '500|502|503|504|lost|lost 429|429 503'],
  ['unavailable/unknown', 1, '501|505|511|599'],
  ['unavailable/no', 1, 'untrusted'],
  ['invalid-response/unknown', 1, '301|302|307|308|204|page|list|large|noise|600|799'],
  ['invalid-response/unknown', 2, 'lost page|429 302'],
  ['invalid-response/no', 1, 'large-404|large-429'],
  ['login-refused/no', 2, '401|401 401'],
  ['login-refused/unknown', 3, 'lost 401 401'],
])('a completion is %s after %d requests: %s', async (word, requests, replies) => {
  for (const names of replies.split('|')) {
    const end = word === 'registered' ? ' good' : ''
    const run = new TestRun(`complete ${names}${end}`, twice)
    const result = await run.notarize()
    const isDeferrable = 'failure' in result && result.failure.isDeferrable
    const seen = { names, word: wordOf(result), requests: run.count('complete'), isDeferrable }
    const isOutage = word.startsWith('unavailable') && names !== 'untrusted'
    expect(seen).toEqual({ names, word, requests, isDeferrable: isOutage })
  }
})

it.each<[word: string, kind: string, requests: number, replies: string]>([
  ['login-refused/no', 'login', 1, '400|401|403|422'],
  ['unavailable/no', 'login', 2, '408|429|500|503|lost'],
  ['unavailable/no', 'login', 1, '501'],
  ['invalid-response/no', 'login', 1, '402|404|409|302|204|page|list|useless|large|noise'],
  ['refused/no', 'active', 2, '404'],
  ['unavailable/no', 'active', 3, '408|lost'],
  ['invalid-response/no', 'active', 2, 'useless'],
])('all hashes end %s if %s fails, after %d requests: %s', async (word, kind, requests, all) => {
  for (const reply of all.split('|')) {
    const subscription = kind === 'active' ? { subscription: kind } : {}
    const run = new TestRun(`${kind} ${reply}`, { ...twice, ...subscription })
    const together = await Promise.all([run.notarize(), run.notarize()])
    for (const result of [...together, await run.notarize()]) {
      expect({ reply, word: wordOf(result) }).toEqual({ reply, word })
      expect(failureIn(result)).toMatchObject({ endsRun: true })
    }
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
    [paid, 'request 403', 'request-refused/no', 'request'],
    [paid, 'request 429', 'unavailable/no', 'request request'],
    // Once a request succeeds, lost requests no longer count.
    [paid, 'request lost good, complete 404', 'refused/no', 'request request complete'],
    // A rejected request may have been made earlier.
    [keyAlone, 'request 400', byService, 'request active complete'],
    [paid, 'request 409, complete page', 'invalid-response/unknown', 'request complete'],
    [paid, 'request 409, complete lost', 'unavailable/unknown', 'request complete complete'],
    [keyAlone, 'request 409, active useless', 'request-refused/no', 'request active'],
    [keyAlone, 'request lost 409, active 401', 'login-refused/unknown', 'request request active'],
  ])('with %j and the replies "%s" ends %s after: %s', async (inputs, text, word, calls) => {
    const run = new TestRun(text, { ...twice, ...inputs })
    expect(wordOf(await run.notarize())).toBe(word)
    expect(run.calls.slice(0, calls.length)).toBe(calls)
  })

  it.each([
    ['complete 404', paid],
    ['complete 409', paid],
    ['active 500', keyAlone],
  ])(
    'is known to the service if its request is answered with 409, then %s',
    async (text, inputs) => {
      const run = new TestRun(`request 409, ${text}`, inputs)
      const failure = { code: 'request-refused', status: 409, isDeferrable: false, endsRun: false }
      expect(failureIn(await run.notarize())).toMatchObject(failure)
    },
  )

  it('explains the deciding answer first', async () => {
    const run = new TestRun('request 400, complete 402', paid)
    const { what } = failureIn(await run.notarize())
    expect(what).toMatch(/^payment required.*; the service rejected the registration request/)
  })

  it('has a description, and is completed with the exact data of the answer', async () => {
    const text = `{"beyond":12345678901234567890, "a":[1.50],\n${JSON.stringify(serviceData).slice(1)}`
    const run = new TestRun({ request: () => answer(200, text) }, keyAlone)
    await run.notarize()
    const [, request, completion] = run.sent
    expect(request?.path).toBe('/api/v2/registration/?subscription=true')
    expect(JSON.parse(request?.body ?? '')).toEqual({
      blockchainType: 'ALGORAND',
      custody: 'false',
      description: 'app.zip of octo/app at refs/tags/v1.0.0',
      hash: HASH,
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
  for (let nth = 1; nth <= 2; nth++) expect(wordOf(await run.notarize())).toBe(byService)
  expect(run.calls).toBe('active complete complete')
  const [, retrieval, completion] = run.sent
  expect(retrieval).toMatchObject({ body: null, path: '/api/v2/payment/subscription/active' })
  expect(completion?.body).toBe(JSON.stringify(late))
  expect(run.masked).toEqual(expect.arrayContaining([...subscriptionSecrets]))
  expect(run.warned).toEqual([expect.stringContaining('status')])
})

describe('the message of a failure', () => {
  it.each<[replies: string, Inputs, has: RegExp, lacks?: RegExp]>([
    ['login 401', {}, /API key.*HTTP 401/, /base-url|"no"/],
    ['login lost', {}, /after 2 attempts.*"base-url"/],
    ['login noise', {}, /not HTTP.*"base-url"/],
    ['login 302', {}, /redirect.*HTTP 302.*"base-url"/],
    ['login page', {}, /HTML page.*"base-url"/, /<html/],
    ['complete 400', {}, /HTTP 400: "no".*input "subscription"/, /base-url/],
    ['complete 422', keyAlone, /HTTP 422.*check the subscription/, /base-url/],
    ['complete 402', active, /payment.*HTTP 402.*renew/, /base-url/],
    ['complete 404', {}, /HTTP 404.*"request-registration"/, /after/],
    ['complete 404', keyAlone, /HTTP 404.*later/, /"request-registration"/],
    ['complete lost 404', {}, /^the service rejected.*after 2 attempts, .*HTTP 404/, /never/],
    ['complete 409', {}, /already has this hash.*HTTP 409.*restore/],
    ['complete lost 409', {}, /already has.*after 2 attempts, .*HTTP 409/, /rejected/],
    ['complete 429+600', {}, /rate limit.*HTTP 429.*in 10 min, as/, /later/],
    ['complete 429+999999999', {}, /HTTP 429.*later/, /\bh\b/],
    ['complete 503', {}, /unavailable.*after 2 attempts, .*HTTP 503: "no".*later/, /base-url/],
    ['complete untrusted', {}, /not trusted.*NODE_EXTRA_CA_CERTS/, /later/],
    ['complete 302', {}, /redirect.*HTTP 302/, /base-url/],
    ['complete large', {}, /unexpected.*HTTP 200 and a body over 1 MiB/, /base-url/],
    ['complete list', {}, /HTTP 200 and a body that is not a JSON object/, /base-url/],
    ['request 409, complete 404', paid, /HTTP 409.*HTTP 404.*restore/, /"request-registration"/],
    ['request 409, active 500', keyAlone, /HTTP 409.*HTTP 500.*later/, /"subscription"/],
  ])('after "%s" with %j matches %s', async (replies, inputs, has, lacks = /undefined/) => {
    const run = new TestRun(replies, { ...twice, ...inputs })
    const { what, remedy } = failureIn(await run.notarize())
    const text = `${what}; ${remedy}`
    expect(text).toMatch(has)
    expect(text).not.toMatch(lacks)
    expect(text.length).toBeLessThan(300)
  })

  it('shows no secret and no line break, and is short', async () => {
    const echo = `${'.'.repeat(20)} ${API_KEY} token-1\n::error::x ${subscription.id} `
    const complete = () => answer(400, { message: echo + 'y '.repeat(5000) })
    const { what } = failureIn(await new TestRun({ complete }).notarize())
    expect(what).toContain('*** ***')
    expect(what).not.toMatch(/\n|token-1|key_live/)
    expect(what.length).toBeLessThan(500)
  })
})
