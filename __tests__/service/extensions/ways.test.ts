import { afterEach, describe, expect, it } from '@jest/globals'
import { chooseWay } from '../../../src/register/way.ts'
import type { Notarization } from '../../../src/service/notarize.ts'
import { subscription, subscriptionSecrets } from '../../support/samples.ts'
import {
  answer,
  breakOff,
  closeAll,
  failureIn,
  goodRecord,
  HASH,
  inTurn,
  makeClient,
  makeIntent,
  startServer,
  SUBSCRIPTION,
  type Answerer,
  type ClientParts,
  type Seen,
} from '../support.ts'

afterEach(closeAll)

const given = { id: subscription.id, json: SUBSCRIPTION }
const otherData = { ...subscription, id: 'sub_of_the_answer', status: 'past_due' }
const good = answer(200, goodRecord)
const wrong = answer(200, { id: 7 })

interface Service {
  readonly request?: Answerer
  readonly active?: Answerer
  readonly complete?: Answerer
}

const kindOf = ({ path }: Seen): 'request' | 'active' | 'complete' =>
  path.endsWith('?subscription=true') ? 'request' : path.endsWith('/active') ? 'active' : 'complete'

/** Registers at a service that answers so; gives all that comes of it. */
async function notarizeAt(
  { request = answer(200, otherData), active = answer(200, otherData), complete = good }: Service,
  way: Parameters<typeof chooseWay>[1]['inputs']['way'],
  { times = 1, ...parts }: ClientParts & { readonly times?: number } = {},
) {
  const counts = { request: 0, active: 0, complete: 0 }
  const server = await startServer((response, seen) => {
    const kind = kindOf(seen)
    counts[kind] += 1
    return { request, active, complete }[kind](response, seen, counts[kind])
  })
  const { client, secrets, clock, masks } = makeClient(server.url, { maxAttempts: 2, ...parts })
  const said: string[] = []
  const source = { repository: 'octo/app', ref: 'refs/tags/v1' }
  const notarize = chooseWay(client, {
    inputs: { way, description: '{artifact} of {repository} at {ref}' },
    source: { sha: null, runId: null, runAttempt: null, commitUrl: null, runUrl: null, ...source },
    ...{ secrets, clock, warn: text => said.push(text), notice: text => said.push(text) },
  })
  const intent = makeIntent()
  const results: Notarization[] = []
  for (let nth = 0; nth < times; nth++) {
    results.push(await notarize({ hash: HASH, name: 'dist/app.zip' }, intent))
  }
  const [result] = results
  if (result === undefined) throw new Error('nothing was registered')
  const calls = server.completions().map(kindOf)
  const bodies = server.completions().map(({ body }) => body)
  return { result, results, calls, bodies, said, masks, notes: intent.notes.length, server }
}

const wordOf = (result: Notarization): string =>
  'failure' in result
    ? `${result.failure.code}/${result.failure.registered}`
    : (result.paymentId ?? 'no id')

describe('the given subscription', () => {
  it('pays for the completion, and nothing else is asked', async () => {
    const { result, calls, bodies, notes, said } = await notarizeAt(
      {},
      { kind: 'complete', subscription: given },
    )
    expect(result).toEqual({ record: goodRecord, paymentId: subscription.id, unansweredTries: 0 })
    expect({ calls, bodies, notes, said }).toEqual({
      calls: ['complete'],
      bodies: [SUBSCRIPTION],
      notes: 1,
      said: [],
    })
  })

  it('counts the completions that were lost', async () => {
    const service = { complete: inTurn(breakOff, good) }
    const { result } = await notarizeAt(service, { kind: 'complete', subscription: given })
    expect(result).toMatchObject({ unansweredTries: 1 })
  })
})

describe('the active subscription', () => {
  const way = { kind: 'complete', subscription: 'active' } as const

  it('is retrieved once, masked before it is used, and passed on as it came', async () => {
    const { results, calls, bodies, masks, said, server } = await notarizeAt({}, way, { times: 3 })
    expect(results.map(wordOf)).toEqual(Array.from({ length: 3 }, () => 'sub_of_the_answer'))
    expect(calls).toEqual(['active', 'complete', 'complete', 'complete'])
    expect(bodies[1]).toBe(JSON.stringify(otherData))
    expect(masks).toEqual(expect.arrayContaining([...subscriptionSecrets]))
    expect(said).toEqual([
      expect.stringMatching(/^the subscription data of the service has a status/),
    ])
    expect(server.completions()[0]).toMatchObject({
      method: 'GET',
      body: '',
      path: '/api/v2/payment/subscription/active',
    })
  })

  it.each<[string, Answerer, string, RegExp]>([
    ['none', answer(404, { message: 'there is none' }), 'refused/no', /there is none/],
    ['no answer', breakOff, 'unavailable/no', /after 2 tries/],
    [
      'data that is wrong',
      wrong,
      'invalid-response/no',
      /the active subscription has the wrong type in id/,
    ],
    ['no data', answer(200, '[]'), 'invalid-response/no', /cannot be understood/],
  ])(
    'that cannot be had ends the run, and nothing is registered: %s',
    async (_, active, word, what) => {
      const { results, calls, notes } = await notarizeAt({ active }, way, { times: 2 })
      for (const result of results) {
        expect(wordOf(result)).toBe(word)
        expect(failureIn(result)).toMatchObject({
          endsRun: true,
          what: expect.stringMatching(what),
        })
      }
      expect(calls).not.toContain('complete')
      expect(new Set(calls).size).toBe(1)
      expect(notes).toBe(0)
    },
  )

  it('without an id is not compared, which one notice says', async () => {
    const data = { ...subscription, id: null }
    const { results, said } = await notarizeAt({ active: answer(200, data) }, way, { times: 2 })
    expect(results.map(wordOf)).toEqual(['no id', 'no id'])
    expect(said.filter(text => text.includes('paymentId'))).toHaveLength(1)
  })
})

describe('a request of the registration', () => {
  const withAnswer = { kind: 'request', subscription: null } as const
  const withGiven = { kind: 'request', subscription: given } as const
  const withActive = { kind: 'request', subscription: 'active' } as const

  it('asks as documented, and is completed with the data of its answer', async () => {
    const { result, calls, bodies, said, masks, notes } = await notarizeAt({}, withAnswer)
    expect(wordOf(result)).toBe('sub_of_the_answer')
    expect(calls).toEqual(['request', 'complete'])
    expect(JSON.parse(bodies[0] ?? '')).toEqual({
      ...{
        blockchainType: 'ALGORAND',
        custody: 'false',
        signed: 'false',
        status: 'not_registered',
      },
      ...{ hash: HASH, description: 'dist/app.zip of octo/app at refs/tags/v1' },
    })
    expect(bodies[1]).toBe(JSON.stringify(otherData))
    expect(masks).toEqual(expect.arrayContaining([...subscriptionSecrets]))
    expect({ said: said.length, notes }).toEqual({ said: 1, notes: 1 })
  })

  it.each<
    [string, Service, typeof withAnswer | typeof withGiven | typeof withActive, string, string]
  >([
    ['the given data pays', {}, withGiven, subscription.id, 'request complete'],
    ['the active data pays', {}, withActive, 'sub_of_the_answer', 'active request complete'],
    [
      'data that is wrong does not matter where it is not needed',
      { request: wrong },
      withGiven,
      subscription.id,
      'request complete',
    ],
    [
      'data that is wrong is a failure where it is needed',
      { request: wrong },
      withAnswer,
      'invalid-response/unknown',
      'request',
    ],
    [
      'what was made before is completed with the given data',
      { request: answer(409) },
      withGiven,
      subscription.id,
      'request complete',
    ],
    [
      'what was made before is completed with the active data',
      { request: answer(409) },
      withAnswer,
      'sub_of_the_answer',
      'request active complete',
    ],
    [
      'refused, and its completion too',
      { request: answer(409), complete: answer(404) },
      withGiven,
      'request-refused/no',
      'request complete',
    ],
    [
      'refused, and its completion for want of payment',
      { request: answer(409), complete: answer(402) },
      withGiven,
      'request-refused/no',
      'request complete',
    ],
    [
      'answered after a 503, and its completion refused',
      { request: inTurn(answer(503), answer(200, otherData)), complete: answer(404) },
      withAnswer,
      'refused/unknown',
      'request request complete',
    ],
    [
      'refused, and no data to complete it with',
      { request: answer(409), active: answer(404) },
      withAnswer,
      'request-refused/no',
      'request active',
    ],
    [
      'refused, and the data cannot be had',
      { request: answer(409), active: answer(503) },
      withAnswer,
      'request-refused/no',
      'request active active',
    ],
    [
      'refused, and the data is wrong',
      { request: answer(409), active: wrong },
      withAnswer,
      'request-refused/no',
      'request active',
    ],
    [
      'refused, and no answer to the completion',
      { request: answer(409), complete: breakOff },
      withGiven,
      'unavailable/unknown',
      'request complete complete',
    ],
    [
      'lost, then refused, and its completion too',
      { request: inTurn(breakOff, answer(409)), complete: answer(404) },
      withGiven,
      'request-refused/unknown',
      'request request complete',
    ],
    [
      '402 is a refusal of the account',
      { request: answer(402) },
      withGiven,
      'refused/no',
      'request',
    ],
    [
      '403 is a refusal of the account',
      { request: answer(403) },
      withGiven,
      'refused/no',
      'request',
    ],
    ['no answer', { request: breakOff }, withGiven, 'unavailable/unknown', 'request request'],
    ['a trouble', { request: answer(501) }, withAnswer, 'unavailable/unknown', 'request'],
    [
      'a page',
      { request: answer(200, '<html>') },
      withGiven,
      'invalid-response/unknown',
      'request',
    ],
    [
      'answered after a lost try',
      { request: inTurn(breakOff, answer(200, otherData)) },
      withGiven,
      subscription.id,
      'request request complete',
    ],
    [
      'answered, and only the completion is tried again',
      { complete: inTurn(answer(503), good) },
      withGiven,
      subscription.id,
      'request complete complete',
    ],
  ])('%s', async (_, service, way, word, calls) => {
    const seen = await notarizeAt(service, way)
    expect(wordOf(seen.result)).toBe(word)
    expect(seen.calls.join(' ')).toBe(calls)
    // What was lost was noted before, and anew before it was repeated.
    const repeated = calls
      .split(' ')
      .filter((call, index, all) => call === all[index - 1] && call !== 'active')
    expect(seen.notes).toBe(1 + repeated.length)
    if (!('failure' in seen.result)) {
      const isLost = calls.includes('complete complete')
      expect(seen.result.unansweredTries).toBe(isLost ? 1 : 0)
      return
    }
    const { what, code, endsRun, isOutage } = seen.result.failure
    const isRefused = code === 'request-refused' || service.complete === breakOff
    expect(/^the request of the registration failed.*; and then the /.test(what)).toBe(isRefused)
    // The last answer to a request that was refused says nothing of the service or the account.
    if (code === 'request-refused') expect(isOutage).toBe(false)
    if (word.endsWith('unknown') && !isRefused && code !== 'refused') {
      expect(what).toContain('was not completed')
    }
    expect(endsRun).toBe(false)
  })

  it('that is refused, and no data to complete it with, is the failure of its hash alone', async () => {
    const request = inTurn(answer(409), answer(200, otherData))
    const service = { request, active: answer(500) }
    const { results, calls } = await notarizeAt(service, withAnswer, { times: 2 })
    expect(results.map(wordOf)).toEqual(['request-refused/no', 'sub_of_the_answer'])
    expect(calls).toEqual(['request', 'active', 'active', 'request', 'complete'])
    expect(failureIn(results[0] ?? {}).what).toMatch(
      /^the request of the registration failed: .*HTTP 409.*; and then the retrieval of the active subscription failed.*HTTP 500/,
    )
  })

  it.each([
    ['given', withGiven],
    ['active', withActive],
  ])('says nothing of data that is not used, if other data was %s', async (kind, way) => {
    const unused = answer(200, { ...otherData, id: null, status: 'canceled' })
    const { said } = await notarizeAt({ request: unused, active: answer(200, subscription) }, way)
    expect({ kind, said }).toEqual({ kind, said: [] })
  })

  it('whose answer was lost is neither repeated nor completed with retry-unanswered: false', async () => {
    const { result, calls } = await notarizeAt({ request: breakOff }, withGiven, {
      retryUnanswered: false,
    })
    expect(calls).toEqual(['request'])
    expect(failureIn(result)).toMatchObject({
      ...{ code: 'unavailable', registered: 'unknown', isDeferrable: false },
      what: expect.stringContaining('it may be requested, but was not completed'),
    })
  })
})
