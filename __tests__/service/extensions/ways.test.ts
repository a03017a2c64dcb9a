import { afterEach, describe, expect, it } from '@jest/globals'
import { chooseWay } from '../../../src/register/way.ts'
import { subscription, subscriptionSecrets } from '../../support/samples.ts'
import {
  answer,
  closeAll,
  ending,
  failureIn,
  goodRecord,
  HASH,
  makeClient,
  makeIntent,
  meets,
  startServer,
  SUBSCRIPTION,
  type Answerer,
  type ClientParts,
  type Ended,
  type Seen,
} from '../support.ts'

afterEach(closeAll)

const given = { id: subscription.id, json: SUBSCRIPTION }
const otherData = { ...subscription, id: 'sub_of_the_answer', status: 'past_due' }
/** Data that nobody can write like this but who got it so. */
const otherText = `{"beyond":12345678901234567890, "a":[1.50],\n${JSON.stringify(otherData).slice(1)}`
const data = answer(200, otherText)
const good = answer(200, goodRecord)
const wrong = answer(200, { id: 7 })
const paidByData = 'paid by sub_of_the_answer'

const ways = {
  given: { kind: 'complete', subscription: given },
  active: { kind: 'complete', subscription: 'active' },
  'a request': { kind: 'request', subscription: null },
  'a request, given data': { kind: 'request', subscription: given },
  'a request, active data': { kind: 'request', subscription: 'active' },
} as const
type Way = keyof typeof ways

const noRun = { sha: null, runId: null, runAttempt: null, commitUrl: null, runUrl: null }

type Kind = 'request' | 'active' | 'complete'

/** How the service answers each kind of call, by names as in {@link meets}: `good` is the default, or `wrong` data. */
type Service = Partial<Record<Kind, string | Answerer>>

const kindOf = ({ path }: Seen): Kind =>
  path.endsWith('?subscription=true') ? 'request' : path.endsWith('/active') ? 'active' : 'complete'

/** Registers at a service that answers so, some times in turn; gives all that comes of it. */
async function notarizeBy(
  way: Way,
  { request = 'good', active = 'good', complete = 'good' }: Service = {},
  { times = 1, ...parts }: ClientParts & { readonly times?: number } = {},
) {
  const counts = { request: 0, active: 0, complete: 0 }
  const named = (given: string | Answerer, right: Answerer): Answerer =>
    typeof given === 'string' ? meets(given, { good: right, wrong }) : given
  const answers = {
    request: named(request, data),
    active: named(active, data),
    complete: named(complete, good),
  }
  const server = await startServer((response, seen) => {
    const kind = kindOf(seen)
    counts[kind] += 1
    return answers[kind](response, seen, counts[kind])
  })
  const { client, secrets, clock, masks } = makeClient(server.url, { maxAttempts: 2, ...parts })
  const said: string[] = []
  const notarize = chooseWay(client, {
    inputs: { way: ways[way], description: '{artifact} of {repository} at {ref}' },
    environment: { source: { ...noRun, repository: 'octo/app', ref: 'refs/tags/v1' } },
    runner: { warning: text => void said.push(text), notice: text => void said.push(text) },
    ...{ secrets, clock },
  })
  const intent = makeIntent()
  const results: Ended[] = []
  for (let nth = 0; nth < times; nth++)
    results.push(await ending(notarize({ hash: HASH, name: 'dist/app.zip' }, intent)))
  const [result] = results
  if (result === undefined) throw new Error('nothing was registered')
  const seen = server.completions()
  const calls = seen.map(kindOf).join(' ')
  const bodies = seen.map(({ body }) => body)
  return { result, results, calls, bodies, said, masks, notes: intent.notes.length, seen }
}

/** Whose subscription paid, or the code and certainty of the failure. */
function wordOf(result: Ended): string {
  if ('failure' in result) return `${result.failure.code}/${result.failure.registered}`
  return `paid by ${result.paymentId === subscription.id ? 'given' : (result.paymentId ?? 'no id')}`
}

it('the given subscription pays for the completion, and nothing else is asked', async () => {
  const { results, calls, bodies, notes, said } = await notarizeBy('given')
  expect(results).toEqual([{ record: goodRecord, paymentId: subscription.id, unansweredTries: 0 }])
  expect({ calls, bodies, notes, said }).toEqual({
    ...{ calls: 'complete', bodies: [SUBSCRIPTION], notes: 1, said: [] },
  })
})

describe('the active subscription', () => {
  it('is retrieved once, masked before it is used, and passed on to the character', async () => {
    const seen = await notarizeBy('active', {}, { times: 3 })
    expect(seen.results.map(wordOf)).toEqual(Array(3).fill(paidByData))
    expect(seen.calls).toBe('active complete complete complete')
    expect(seen.bodies[1]).toBe(otherText)
    expect(seen.masks).toEqual(expect.arrayContaining([...subscriptionSecrets]))
    expect(seen.said).toEqual([
      expect.stringMatching(/^the subscription data of the service has a status/),
    ])
    const path = '/api/v2/payment/subscription/active'
    expect(seen.seen[0]).toMatchObject({ method: 'GET', body: '', path })
  })

  it.each<[string, string | Answerer, string, RegExp]>([
    ['none', answer(404, { message: 'there is none' }), 'refused/no', /there is none/],
    ['no answer', 'lost', 'unavailable/no', /after 2 tries/],
    [
      'wrong data',
      'wrong',
      'invalid-response/no',
      /the active subscription has the wrong type in id/,
    ],
    ['no data', answer(200, '[]'), 'invalid-response/no', /cannot be understood/],
    ['401 twice', '401', 'login-refused/no', /refused a new token/],
  ])('that cannot be had ends the run, and nothing is registered: %s', async (...row) => {
    const [, active, word, what] = row
    const { results, calls, notes } = await notarizeBy('active', { active }, { times: 2 })
    for (const result of results) {
      expect(wordOf(result)).toBe(word)
      const failure = { endsRun: true, what: expect.stringMatching(what) }
      expect(failureIn(result)).toMatchObject(failure)
    }
    expect(calls).toMatch(/^active( active)?$/)
    expect(notes).toBe(0)
  })
})

describe('a request of the registration', () => {
  it('is completed with the data of its answer, to the character', async () => {
    const { results, calls, bodies, said, masks, notes } = await notarizeBy('a request')
    expect(results.map(wordOf)).toEqual([paidByData])
    expect(calls).toBe('request complete')
    expect(bodies[1]).toBe(otherText)
    expect(masks).toEqual(expect.arrayContaining([...subscriptionSecrets]))
    expect({ said: said.length, notes }).toEqual({ said: 1, notes: 1 })
  })

  const given = 'a request, given data'
  /** The way, what request, retrieval and completion meet, what comes of it, after which calls, and how often it was noted. */
  it.each<[Way, string, string, string, string, string, number]>([
    [given, 'good', 'good', 'good', 'paid by given', 'request complete', 1],
    ['a request, active data', 'good', 'good', 'good', paidByData, 'active request complete', 1],
    ['a request', 'wrong', 'good', 'good', 'invalid-response/unknown', 'request', 1],
    [given, 'wrong', 'good', 'good', 'paid by given', 'request complete', 1],
    [given, 'page', 'good', 'good', 'invalid-response/unknown', 'request', 1],
    [given, '402', 'good', 'good', 'refused/no', 'request', 1],
    [given, '403', 'good', 'good', 'refused/no', 'request', 1],
    ['a request', '501', 'good', 'good', 'unavailable/unknown', 'request', 1],
    [given, 'lost', 'good', 'good', 'unavailable/unknown', 'request request', 2],
    [given, 'lost good', 'good', 'good', 'paid by given', 'request request complete', 2],
    ['a request', '503 good', 'good', '404', 'refused/unknown', 'request request complete', 2],
    [given, 'good', 'good', '503 good', 'paid by given', 'request complete complete', 2],
    ['a request', '401 good', 'good', 'good', paidByData, 'request request complete', 1],
    ['a request', '401', 'good', 'good', 'login-refused/no', 'request request', 1],
    // What is refused may have been requested before.
    ['a request', '400', 'good', 'good', paidByData, 'request active complete', 1],
    ['a request', '404', 'good', 'good', paidByData, 'request active complete', 1],
    [given, '409', 'good', 'good', 'paid by given', 'request complete', 1],
    [given, '422', 'good', 'good', 'paid by given', 'request complete', 1],
    [given, '451', 'good', 'good', 'paid by given', 'request complete', 1],
    [given, '409', 'good', '404', 'request-refused/no', 'request complete', 1],
    [given, '409', 'good', '402', 'request-refused/no', 'request complete', 1],
    [given, '409', 'good', 'page', 'invalid-response/unknown', 'request complete', 1],
    [given, '409', 'good', 'lost', 'unavailable/unknown', 'request complete complete', 2],
    ['a request', '409', '404', 'good', 'request-refused/no', 'request active', 1],
    ['a request', '409', '503', 'good', 'request-refused/no', 'request active active', 1],
    ['a request', '409', 'wrong', 'good', 'request-refused/no', 'request active', 1],
    [given, 'lost 409', 'good', '404', 'request-refused/unknown', 'request request complete', 2],
    [
      given,
      'lost 409',
      'good',
      '429',
      'unavailable/unknown',
      'request request complete complete',
      2,
    ],
    [
      'a request',
      'lost 409',
      '401',
      'good',
      'login-refused/unknown',
      'request request active active',
      2,
    ],
  ])('by %s that meets %s, %s, %s: %s after %s', async (...row) => {
    const [way, request, active, complete, word, calls, notes] = row
    const seen = await notarizeBy(way, { request, active, complete })
    const { result } = seen
    expect({ word: wordOf(result), calls: seen.calls, notes: seen.notes }).toEqual({
      word,
      calls,
      notes,
    })
    if (!('failure' in result)) {
      expect(result.unansweredTries).toBe(complete === '503 good' ? 1 : 0)
      return
    }
    const { what, code, endsRun, isOutage, ofHash } = failureIn(result)
    expect(endsRun).toBe(code === 'login-refused')
    // The last answer to a request that was refused says nothing of the service or the account.
    if (code === 'request-refused') expect(isOutage).toBe(false)
    const isBoth = request.endsWith('409') && code !== 'login-refused'
    expect(/^the request of the registration failed.*; and then the /.test(what)).toBe(isBoth)
    const isOpen = word.endsWith('unknown') && calls.endsWith('request')
    expect(ofHash).toBe(isOpen ? 'it may be requested, but was not completed' : undefined)
  })

  it('that is refused, and no data to complete it with, is the failure of its hash alone', async () => {
    const service = { request: '409 good', active: '500' }
    const { result, results, calls } = await notarizeBy('a request', service, { times: 2 })
    expect(results.map(wordOf)).toEqual(['request-refused/no', paidByData])
    expect(calls).toBe('request active active request complete')
    expect(failureIn(result).what).toMatch(
      /^the request of the registration failed: .*HTTP 409.*; and then the retrieval of the active subscription failed.*HTTP 500/,
    )
  })

  it.each(['a request, given data', 'a request, active data'] as const)(
    'masks data that is not used, and says nothing of it: %s',
    async way => {
      const sessionId = 'cs_of_the_unused_data'
      const { planId } = otherData
      const unused = { ...otherData, sessionId, id: null, status: 'canceled', customer: planId }
      const service = { request: answer(200, unused), active: answer(200, subscription) }
      const { said, masks } = await notarizeBy(way, service)
      expect(said).toEqual([])
      expect(masks).toContain(sessionId)
      // It belongs to the record.
      expect(masks).not.toContain(planId)
    },
  )

  it('whose answer was lost is neither repeated nor completed with retry-unanswered: false', async () => {
    const { result, calls } = await notarizeBy(
      given,
      { request: 'lost' },
      { retryUnanswered: false },
    )
    expect(calls).toBe('request')
    expect(failureIn(result)).toMatchObject({
      ...{ code: 'unavailable', registered: 'unknown', isDeferrable: false },
      ofHash: 'it may be requested, but was not completed',
    })
  })
})
