/** What each answer of the service means: the one table of codes and certainties. */
import { afterEach, describe, expect, it } from '@jest/globals'
import { subscription, subscriptionSecrets } from '../support/samples.ts'
import {
  answer,
  closeAll,
  failureIn,
  goodRecord,
  makeRun,
  makeSubject,
  serviceData,
  startServer,
  wordOf,
  type Answerer,
  type Ended,
  type Kind,
  type TaskOptions,
  type TestRun,
  type TestServer,
} from './support.ts'

afterEach(closeAll)

type Answers = Partial<Record<Kind, Answerer | string>>

interface Result extends TestRun {
  readonly server: TestServer
  readonly ended: Ended
  readonly word: string
}

/** Registers one hash at a service that answers so. */
async function register(answers: Answers, options: TaskOptions = {}): Promise<Result> {
  const server = await startServer(answers)
  const run = makeRun(server.url, { 'max-attempts': '2', ...options })
  const ended = await run.notarize()
  return { ...run, server, ended, word: wordOf(ended) }
}

describe('a completion', () => {
  it.each<[word: string, requests: number, answers: string]>([
    ['registered', 1, 'good'],
    ['registered', 2, '503|lost|429|500|408'],
    ['refused/no', 1, '400|402|403|404|405|409|410|422|451|499'],
    ['refused/unknown', 2, 'lost 404|503 409|500 402|504 422'],
    ['refused/no', 2, '429 404|408 422|425 409'],
    ['unavailable/no', 2, '408|425|429|429 408'],
    ['unavailable/unknown', 2, '500|502|503|504|lost|lost 429|429 503'],
    ['unavailable/unknown', 1, '501|505|511|599'],
    ['invalid-response/unknown', 1, '301|302|307|308|204|page|list|large|noise|600|799'],
    ['invalid-response/unknown', 2, 'lost page|429 302'],
    ['invalid-response/no', 1, 'large-404|large-429'],
    ['login-refused/no', 2, '401|401 401'],
    ['login-refused/unknown', 3, 'lost 401 401'],
  ])('is %s after %d requests: %s', async (word, requests, answers) => {
    for (const names of answers.split('|')) {
      const complete = word === 'registered' && names !== 'good' ? `${names} good` : names
      const result = await register({ complete })
      const seen = { names, word: result.word, requests: result.server.count('complete') }
      expect(seen).toEqual({ names, word, requests })
      const isDeferrable = 'failure' in result.ended && result.ended.failure.isDeferrable
      expect({ names, isDeferrable }).toEqual({ names, isDeferrable: word.startsWith('unavail') })
    }
  })

  it('keeps every field of an answer, also of one that contradicts its request', async () => {
    const record = { ...goodRecord, extra: { deep: [1, null] }, status: 'pending' }
    const { ended } = await register({ complete: answer(299, record) })
    expect(ended).toEqual({ record, paymentId: subscription.id, maybeChargedAgain: false })
  })

  it.each([
    ['lost good', true],
    ['503 good', true],
    ['429 good', false],
    ['401 good', false],
  ])('may have been charged before: %s is %s', async (complete, maybeChargedAgain) => {
    expect((await register({ complete })).ended).toMatchObject({ maybeChargedAgain })
  })

  it('is certainly not registered when no attempt could connect', async () => {
    const shut = { connection: 'close' }
    const server = await startServer({ login: answer(200, { token: 'token-1' }, shut) })
    const { notarize } = makeRun(server.url)
    // The login is answered, and then the service is gone.
    const subject = makeSubject({}, async () => {
      await server.close()
      return true
    })
    const failure = { code: 'unavailable', registered: 'no', isDeferrable: true, status: null }
    expect(failureIn(await notarize(subject))).toMatchObject(failure)
  })

  it('is not sent when its intent cannot be saved', async () => {
    const server = await startServer()
    const subject = makeSubject({}, () => false)
    expect(wordOf(await makeRun(server.url).notarize(subject))).toBe('not-saved/no')
    expect(server.calls()).toBe('')
  })
})

describe('a login', () => {
  it.each<[word: string, logins: number, answers: string]>([
    ['login-refused/no', 1, '400|401|403|422'],
    ['unavailable/no', 2, '408|429|500|503|lost'],
    ['unavailable/no', 1, '501'],
    ['invalid-response/no', 1, '402|404|409|302|204|page|list|odd|large|noise'],
  ])('is %s after %d requests, for all, and ends the run: %s', async (word, logins, answers) => {
    for (const login of answers.split('|')) {
      const server = await startServer({ login })
      const { notarize } = makeRun(server.url, { 'max-attempts': '2' })
      const subject = makeSubject()
      const together = await Promise.all([notarize(subject), notarize()])
      for (const ended of [...together, await notarize()]) {
        expect({ login, word: wordOf(ended) }).toEqual({ login, word })
        expect(failureIn(ended)).toMatchObject({ endsRun: true })
      }
      expect({ login, seen: server.seen.length }).toEqual({ login, seen: logins })
      expect(subject.saved()).toBe(0)
    }
  })
})

const keyAlone = { 'request-registration': 'true', subscription: '' }
const given = { 'request-registration': 'true' }
const active = { subscription: 'active' }
const activeForRequest = { 'request-registration': 'true', subscription: 'active' }
const byService = 'registered by service data'

/** Reads `complete lost 404, active 500`: the kind of call, then its answers in turn. */
function readAnswers(text: string): Answers {
  const answers: Record<string, string> = {}
  for (const part of text.split(', ')) {
    const [kind = '', ...names] = part.split(' ')
    answers[kind] = names.join(' ')
  }
  return answers
}

describe('a registration that this run requests', () => {
  it.each<[TaskOptions, answers: string, word: string, calls: string]>([
    [keyAlone, '', byService, 'request complete'],
    [given, '', 'registered', 'request complete'],
    [activeForRequest, '', byService, 'active request complete'],
    [given, 'request odd', 'registered', 'request complete'],
    [keyAlone, 'request odd', 'invalid-response/unknown', 'request'],
    [given, 'request page', 'invalid-response/unknown', 'request'],
    [given, 'request 402', 'request-refused/no', 'request'],
    [given, 'request 403', 'request-refused/no', 'request'],
    [given, 'request 429', 'unavailable/no', 'request request'],
    [given, 'request lost', 'unavailable/unknown', 'request request'],
    [given, 'request 401', 'login-refused/no', 'request request'],
    // A request that was answered in the end decides nothing, and is not repeated.
    [given, 'request lost good', 'registered', 'request request complete'],
    [given, 'request lost good, complete 404', 'refused/no', 'request request complete'],
    [given, 'complete 503', 'unavailable/unknown', 'request complete complete'],
    // One that was refused may have been made before.
    [keyAlone, 'request 400', byService, 'request active complete'],
    [given, 'request 409', 'registered', 'request complete'],
    [given, 'request 409, complete 404', 'request-refused/no', 'request complete'],
    [given, 'request 409, complete page', 'invalid-response/unknown', 'request complete'],
    [given, 'request 409, complete lost', 'unavailable/unknown', 'request complete complete'],
    [keyAlone, 'request 409, active 404', 'request-refused/no', 'request active'],
    [keyAlone, 'request 409, active 500', 'request-refused/no', 'request active active'],
    [keyAlone, 'request 409, active odd', 'request-refused/no', 'request active'],
    [
      given,
      'request lost 409, complete 404',
      'request-refused/unknown',
      'request request complete',
    ],
    [
      keyAlone,
      'request lost 409, active 401',
      'login-refused/unknown',
      'request request active active',
    ],
  ])('with %j at a service with "%s" is %s after: %s', async (options, text, word, calls) => {
    const result = await register(readAnswers(text), options)
    expect({ word: result.word, calls: result.server.calls() }).toEqual({ word, calls })
  })

  it.each(['complete 404', 'complete 409', 'active 500'])(
    'is known to the service if its request is refused with 409, then %s',
    async text => {
      const options = text.startsWith('active') ? keyAlone : given
      const { ended } = await register(readAnswers(`request 409, ${text}`), options)
      const failure = { code: 'request-refused', status: 409, isDeferrable: false, endsRun: false }
      expect(failureIn(ended)).toMatchObject(failure)
      expect(failureIn(ended).what).toMatch(/already has this hash.*HTTP 409.*HTTP/)
    },
  )

  it('is described, and completed with the data of the answer, to the character', async () => {
    const text = `{"beyond":12345678901234567890, "a":[1.50],\n${JSON.stringify(serviceData).slice(1)}`
    const { server, messages } = await register({ request: answer(200, text) }, keyAlone)
    const [request, completion] = server.seen.slice(1)
    expect(request).toMatchObject({
      method: 'POST',
      path: '/api/v2/registration/?subscription=true',
    })
    expect(JSON.parse(request?.body ?? '')).toEqual({
      blockchainType: 'ALGORAND',
      custody: 'false',
      description: 'app.zip of octo/app at refs/tags/v1.0.0',
      hash: goodRecord['hash'],
      signed: 'false',
      status: 'not_registered',
    })
    expect(completion?.body).toBe(text)
    expect(messages.masked).toEqual(expect.arrayContaining([...subscriptionSecrets]))
  })
})

describe('the active subscription', () => {
  it('is retrieved once, masked before it is used, and passed on', async () => {
    const late = { ...serviceData, status: 'past_due' }
    const server = await startServer({ active: answer(200, late) })
    const { notarize, messages } = makeRun(server.url, active)
    const words = [wordOf(await notarize()), wordOf(await notarize())]
    expect(words).toEqual([byService, byService])
    expect(server.calls()).toBe('active complete complete')
    const [, retrieval, completion] = server.seen
    const path = '/api/v2/payment/subscription/active'
    expect(retrieval).toMatchObject({ method: 'GET', body: '', path })
    expect(completion?.body).toBe(JSON.stringify(late))
    expect(messages.masked).toEqual(expect.arrayContaining([...subscriptionSecrets]))
    expect(messages.warned).toEqual([expect.stringContaining('status')])
  })

  it.each([
    ['404', 'refused/no'],
    ['lost', 'unavailable/no'],
    ['odd', 'invalid-response/no'],
  ])('that cannot be retrieved ends the run before anything is sent: %s', async (names, word) => {
    const server = await startServer({ active: names })
    const { notarize } = makeRun(server.url, active)
    const subject = makeSubject()
    for (const ended of [await notarize(subject), await notarize()]) {
      expect(wordOf(ended)).toBe(word)
      expect(failureIn(ended)).toMatchObject({ endsRun: true })
    }
    expect([server.count('complete'), subject.saved()]).toEqual([0, 0])
  })
})

describe('the message of a failure', () => {
  const textOf = async (answers: Answers, options: TaskOptions = {}): Promise<string> => {
    const { what, remedy } = failureIn((await register(answers, options)).ended)
    expect(what.length + remedy.length).toBeLessThan(300)
    return `${what}; ${remedy}`
  }

  it.each<[answers: string, TaskOptions, has: RegExp, lacks: RegExp]>([
    ['login 401', {}, /API key.*HTTP 401/, /base-url/],
    ['login lost', {}, /after 2 attempts.*"base-url"/, /undefined/],
    ['login noise', {}, /not HTTP.*"base-url"/, /undefined/],
    ['login page', {}, /HTML page.*"base-url"/, /<html/],
    ['complete 400', {}, /HTTP 400: "no".*input "subscription"/, /base-url/],
    ['complete 422', keyAlone, /HTTP 422.*subscription/, /input "subscription"/],
    ['complete 402', active, /payment.*HTTP 402.*renew/, /input "subscription"/],
    ['complete 404', {}, /HTTP 404.*"request-registration"/, /undefined/],
    ['complete 404', keyAlone, /HTTP 404.*later/, /"request-registration"/],
    ['complete lost 404', {}, /^the service refuses.*after 2 attempts with HTTP 404/, /never/],
    ['complete 409', {}, /already has this hash.*HTTP 409.*restore/, /undefined/],
    ['complete lost 409', {}, /already has this hash.*after 2 attempts with HTTP 409/, /refuses/],
    ['complete 503', {}, /after 2 attempts with HTTP 503: "no".*later/, /base-url|correct/],
    ['complete page', {}, /cannot be understood.*HTTP 200/, /base-url/],
    ['complete list', {}, /HTTP 200 and a body that is not a JSON object/, /base-url/],
    ['request 409, complete 404', given, /HTTP 409.*HTTP 404.*restore/, /"request-registration"/],
    ['request 409, active 500', keyAlone, /HTTP 409.*HTTP 500.*later/, /"subscription"/],
  ])('with "%s" and %j has %s', async (answers, options, has, lacks) => {
    const text = await textOf(readAnswers(answers), options)
    expect(text).toMatch(has)
    expect(text).not.toMatch(lacks)
  })

  it('has the time that the service asks to wait', async () => {
    const complete = answer(429, '', { 'retry-after': '600' })
    expect(await textOf({ complete })).toMatch(/in 10 min/)
  })

  it('shows nothing of an answer to the login, and no secret of any other', async () => {
    expect(await textOf({ login: answer(401, { message: 'said' }) })).not.toContain('said')
    const echo = `${'.'.repeat(20)} key_live_e2e_5f3c9a71d2 token-1\n::error::x`
    const { ended } = await register({
      complete: answer(400, { message: `${echo} ${'y '.repeat(5000)}` }),
    })
    const { what } = failureIn(ended)
    expect(what).toContain('*** ***')
    expect(what).not.toMatch(/\n|token-1|key_live/)
    expect(what.length).toBeLessThan(500)
  })
})
