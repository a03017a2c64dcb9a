/** What each response of the service means: codes, reasons, and what may be registered. */
import { describe, expect, it } from '@jest/globals'
import { hashOf, subscriptionSecrets } from '../support/samples.ts'
import type { Reason } from '../../src/failure.ts'
import { findWords } from '../../src/report/words.ts'
import { byService, failureIn, respond, serviceData } from './support.ts'
import { TestRun, wordsOf, type Inputs } from './support.ts'

const twice = { 'max-attempts': '2' }

it.each<[word: string, requests: number, replies: string]>([
  ['registered', 2, '429|408|425|unconnected|407|503+1'],
  ['refused/no', 1, '400|402|403|404|405|410|422|451|499|403-page'],
  ['refused/no', 2, '429 404|408 422|unconnected 404|425 403|407 403|503+1 404'],
  ['refused/unknown', 1, '409|409-page|large-409'],
  ['refused/unknown', 2, '429 409'],
  ['unavailable/no', 2, '408|425|429|429 408|unconnected|407|429-page|503+1|503+60'],
  ['unavailable/no', 1, 'untrusted|expired|early|misnamed|proxy-noise|429+61|503+61'],
  // What may have acted is never sent again.
  ['unavailable/unknown', 1, '500|501|502-page|503|504|505|511|519|520|522|524|525|599|lost|500+1'],
  ['unavailable/unknown', 2, '429 503|503+1 lost|unconnected 504'],
  ['invalid-response/unknown', 1, '301|302|307|308|204|page|list|useless|large|noise|600|799'],
  ['invalid-response/unknown', 2, '429 302'],
  ['invalid-response/no', 1, 'large-404|large-429'],
  ['login-refused/no', 2, '401|401 401'],
  ['login-refused/no', 3, '401 503+1 401'],
])('a completion is %s after %d requests: %s', async (word, requests, replies) => {
  for (const names of replies.split('|')) {
    const end = word === 'registered' ? ' good' : ''
    const run = new TestRun(`complete ${names}${end}`, twice)
    const words = wordsOf(await run.register())
    const seen = { names, words, requests: run.count('complete') }
    expect(seen).toEqual({ names, words: [word], requests })
  }
})

it.each<[word: string, kind: string, requests: number, replies: string]>([
  ['login-refused/no', 'login', 1, '400|401|403|422|403-page'],
  ['unavailable/no', 'login', 2, '408|425|429|500|502|503|504|lost|late|520|521|522|523|524|407'],
  ['unavailable/no', 'login', 1, '501|early|proxy-noise'],
  ['invalid-response/no', 'login', 1, '402|404|409|302|204|page|list|useless|large|noise'],
  ['invalid-response/no', 'login', 1, 'unusable|blank|foreign|sorry|404-page'],
  ['refused/no', 'active', 2, '404|403-page'],
  ['unavailable/no', 'active', 3, '408|lost'],
  ['invalid-response/no', 'active', 2, 'useless|sorry'],
])('all hashes end %s if %s fails, after %d requests: %s', async (word, kind, requests, all) => {
  for (const reply of all.split('|')) {
    const subscription = kind === 'active' ? { subscription: kind } : {}
    const run = new TestRun(`${kind} ${reply}`, { ...twice, ...subscription })
    const ended = await run.register(7)
    expect({ reply, words: wordsOf(ended) }).toEqual({ reply, words: Array(7).fill(word) })
    expect(new Set(ended.map(one => failureIn([one]).observed)).size).toBe(1)
    expect({ reply, sent: run.sent.length }).toEqual({ reply, sent: requests })
  }
})

const keyAlone = { 'request-registration': 'true', subscription: '' }
const paid = { 'request-registration': 'true' }
const active = { subscription: 'active' }
const repeated = 'request 409, complete '

describe('a registration that this run requests', () => {
  it.each<[Inputs, word: string, calls: string, replies: string]>([
    [keyAlone, byService, 'request complete', ''],
    [{ ...paid, ...active }, byService, 'active request complete', ''],
    [paid, 'registered', 'request complete', 'request useless|request 404-page'],
    [keyAlone, 'invalid-response/no', 'request', 'request useless'],
    [paid, 'invalid-response/no', 'request', 'request page'],
    [paid, 'request-refused/no', 'request', 'request 402|request 403|request 403-page'],
    [paid, 'login-refused/no', 'request request', 'request 401'],
    [paid, 'unavailable/no', 'request request', 'request 429|request lost|request 500'],
    [paid, 'refused/no', 'request request complete', 'request lost good, complete 404'],
    // A request with a response is not repeated for its completion.
    [paid, 'registered', 'request complete complete', 'complete 429 good|complete 401 good'],
    // A refused request may have been made earlier. Only a completion tells.
    [keyAlone, byService, 'request active complete', 'request 400'],
    [paid, 'registered', 'request request complete', 'request lost 400'],
    [paid, 'request-refused/no', 'request complete', `${repeated}422`],
    [paid, 'request-refused/unknown', 'request complete', `${repeated}409`],
    [paid, 'invalid-response/unknown', 'request complete', `${repeated}page|${repeated}useless`],
    [paid, 'unavailable/unknown', 'request complete', `${repeated}lost`],
    [keyAlone, 'request-refused/no', 'request active', 'request 409, active useless'],
    [keyAlone, 'request-refused/no', 'request active active', 'request 409, active 500'],
    [keyAlone, 'login-refused/no', 'request active active', 'request 409, active 401'],
  ])('with %j ends %s after the calls %s: %s', async (inputs, word, calls, all) => {
    for (const replies of all.split('|')) {
      const run = new TestRun(replies, { ...twice, ...inputs })
      const words = wordsOf(await run.register())
      expect({ replies, words, calls: run.calls }).toEqual({ replies, words: [word], calls })
    }
  })

  it('has a description, and is completed with the exact data of the response', async () => {
    const text = `{"beyond":12345678901234567890, "a":[1.50],\n${JSON.stringify(serviceData).slice(1)}`
    const run = new TestRun({ request: () => respond(200, text) }, keyAlone)
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

it('the active subscription is retrieved once, masked, and passed on whatever it says', async () => {
  const late = { ...serviceData, status: 'past_due' }
  const run = new TestRun({ active: () => respond(200, late) }, active)
  expect(wordsOf(await run.register(2))).toEqual([byService, byService])
  expect(run.calls).toBe('active complete complete')
  const [, retrieval, completion] = run.sent
  expect(retrieval).toMatchObject({ body: null, path: '/api/v2/payment/subscription/active' })
  expect(completion?.body).toBe(JSON.stringify(late))
  expect(run.masked).toEqual(expect.arrayContaining([...subscriptionSecrets]))
  expect(run.warned).toEqual([])
})

const recordFields = ['hash', 'status', 'custody', 'signed']
it.each(recordFields)('%s alone makes an object a record', async field => {
  const run = new TestRun({ complete: () => respond(200, { [field]: 'x' }) })
  expect(wordsOf(await run.register())).toEqual(['record-mismatch/unknown'])
})

const login = 'the login returned'
const again = 'after 2 attempts,'
const lookUp = 'the look-up of the active subscription returned HTTP'
const request = 'the registration request returned HTTP'
const completion = 'the registration returned HTTP'
const notSent = 'the registration was not sent:'
const other = 'and a body that is not a JSON object'
const quota = '"the quota of *** is used up"'
const noData = `and no subscription data: ${quota}`

it.each<[replies: string, Inputs, Reason, status: number | null, observed: string]>([
  ['login 401', {}, 'wrong-key', 401, `${login} HTTP 401`],
  ['login useless', {}, 'wrong-key', 200, `${login} HTTP 200 and no usable token`],
  ['login sorry', {}, 'wrong-key', 200, `${login} HTTP 200 and no usable token`],
  ['login 403-page', {}, 'blocked', 403, `${login} HTTP 403`],
  ['login 404-page', {}, 'not-the-service', 404, `${login} HTTP 404`],
  ['login page', {}, 'not-the-service', 200, `${login} HTTP 200 ${other}`],
  ['login noise', {}, 'protocol', null, 'the login got an HTTP or TLS error'],
  ['login 302', {}, 'not-the-service', 302, `${login} HTTP 302`],
  ['login lost', {}, 'unavailable', null, `${again} the login got no response: connection reset`],
  ['active 403', active, 'forbidden', 403, `${lookUp} 403: "no"`],
  ['active 404', active, 'no-subscription', 404, `${lookUp} 404: "no"`],
  ['active list', active, 'unexpected-response', 200, `${lookUp} 200 ${other}`],
  ['active sorry', active, 'no-subscription', 200, `${lookUp} 200 ${noData}`],
  ['complete 400', {}, 'rejected', 400, `${completion} 400: "no"`],
  ['complete echo', {}, 'rejected', 418, `${completion} 418: "*** *** ::x::"`],
  ['complete 401', {}, 'forbidden', 401, `${completion} 401: "no"`],
  ['complete 401-page', {}, 'blocked', 401, `${completion} 401`],
  ['complete 402', active, 'unpaid', 402, `${completion} 402: "no"`],
  ['complete 403', {}, 'forbidden', 403, `${completion} 403: "no"`],
  ['complete 404', {}, 'no-request', 404, `${completion} 404: "no"`],
  ['complete 404', keyAlone, 'no-request', 404, `${completion} 404: "no"`],
  ['complete 409-page', {}, 'already-registered', 409, `${completion} 409`],
  ['complete 429 409', {}, 'already-registered', 409, `${again} ${completion} 409: "no"`],
  ['complete 429+60', {}, 'rate-limit', 429, `${again} ${completion} 429: "no"`],
  ['complete 429+600', {}, 'rate-limit', 429, `${completion} 429, asking to wait 10 min: "no"`],
  ['complete 503', {}, 'unavailable', 503, `${completion} 503: "no"`],
  ['complete 503+90', {}, 'rate-limit', 503, `${completion} 503, asking to wait 2 min: "no"`],
  ['complete unknown', {}, 'unreachable', null, `${again} ${notSent} the host name is unknown`],
  ['complete 407', {}, 'proxy', null, `${again} the proxy refused the connection (HTTP 407)`],
  ['complete proxy-noise', {}, 'proxy', null, 'the proxy caused a TLS error'],
  ['complete noise', {}, 'protocol', null, 'the registration got an HTTP or TLS error'],
  ['login late', {}, 'timeout', null, `${again} the login got no response within 60 s`],
  ['complete untrusted', {}, 'certificate', null, 'CERT_UNTRUSTED'],
  ['complete expired', {}, 'certificate-expired', null, 'CERT_HAS_EXPIRED'],
  ['complete early', {}, 'certificate-early', null, 'CERT_NOT_YET_VALID'],
  ['complete misnamed', {}, 'not-the-service', null, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['complete 307', {}, 'not-the-service', 307, `${completion} 307: "no"`],
  ['complete large', {}, 'unexpected-response', 200, `${completion} 200 and a body over 1 MiB`],
  ['complete page', {}, 'unexpected-response', 200, `${completion} 200 ${other}`],
  ['complete useless', {}, 'unexpected-response', 200, `${completion} 200 and no record`],
  ['complete sorry', {}, 'unexpected-response', 200, `${completion} 200 and no record: ${quota}`],
  ['request 402', paid, 'unpaid', 402, `${request} 402: "no"`],
  ['request 403', paid, 'forbidden', 403, `${request} 403: "no"`],
  ['request page', paid, 'unexpected-response', 200, `${request} 200 ${other}`],
  ['request sorry', keyAlone, 'no-subscription', 200, `${request} 200 ${noData}`],
])('after "%s" with %j, the failure has the reason %s', async (replies, inputs, ...seen) => {
  const run = new TestRun(replies, { ...twice, ...inputs })
  const { reason, status, observed, said } = failureIn(await run.register())
  expect([reason, status, observed.replace(' (ENOTFOUND)', '') + said]).toEqual(seen)
})

it.each([
  ['may be', 'login 302|login 404|login page|login misnamed|login noise'],
  ['is not', 'login 503|active 302|active 403-page|active unconnected|active noise'],
])('"base-url" %s wrong after: %s', async (is, all) => {
  for (const replies of all.split('|')) {
    const run = new TestRun(replies, { ...twice, ...active })
    const words = JSON.stringify(findWords(failureIn(await run.register()), run.inputs))
    expect([replies, words.includes('base-url')]).toEqual([replies, is === 'may be'])
  }
})

const asked = 'request-rejected'
it.each<[replies: string, Inputs, Reason, status: number, first: string, second: string]>([
  ['request 400, complete 404', paid, asked, 400, `${request} 400`, `${completion} 404`],
  ['request 400, complete 402', paid, 'unpaid', 402, `${completion} 402`, `${request} 400`],
  ['request 404, active 404', keyAlone, asked, 404, `${request} 404`, `${lookUp} 404`],
  ['request 404, active 503', keyAlone, asked, 404, `${request} 404`, `${lookUp} 503`],
  // A 409 to the request is not told where another call decides.
  ['request 409, active 404', keyAlone, 'no-subscription', 404, `${lookUp} 404`, ''],
  ['request 409, complete 404', paid, 'no-request', 404, `${completion} 404`, ''],
  ['request 409, complete 402', paid, 'unpaid', 402, `${completion} 402`, ''],
  ['request 409, complete 409', paid, 'already-registered', 409, `${completion} 409`, ''],
])('after "%s" with %j, what decides is %s, and is told first', async (...row) => {
  const [replies, inputs, reason, status, observed, second] = row
  const run = new TestRun(replies, { ...twice, ...inputs })
  const failure = failureIn(await run.register())
  expect(failure).toMatchObject({ code: 'request-refused', reason, status, observed })
  const others = second === '' ? '' : `; .*${second}: "no"`
  expect(failure.said).toMatch(new RegExp(`^: "no"${others}$`))
})
