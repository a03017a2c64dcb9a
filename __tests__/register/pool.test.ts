import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { makeFailure } from '../../src/failure.ts'
import { Halt, notSavedFailure } from '../../src/halt.ts'
import type { Outcome } from '../../src/outcome.ts'
import { maxOutages, runPool, type Tried } from '../../src/register/pool.ts'
import { settle } from '../../src/register/registration.ts'
import { failing, refusal, registered, registrationsOf } from './registrations.ts'

const REPORT_TO = 'https://example.com/issues'

type Befalls = 'cancel' | 'not-saved'

/** What one registration does: settles after so many turns, or throws. */
interface Step {
  readonly turns: number
  readonly does: Outcome | 'throws' | 'throws at once' | 'throws nothing'
  /** What befalls the run when it begins. */
  readonly befalls?: Befalls | null
}

const step = (does: Step['does'], turns = 0): Step => ({ does, turns })

interface PoolRun {
  readonly outcomes: readonly Outcome[]
  /** Numbers of the registrations that were begun, in order. */
  readonly begun: readonly number[]
  readonly mostAtOnce: number
  /** What `onSettled` was given. */
  readonly counted: readonly number[]
}

/** Runs a pool whose registrations do what the steps say. */
async function runSteps(steps: readonly Step[], concurrency = 1): Promise<PoolRun> {
  const registrations = registrationsOf(steps.length)
  const halt = new Halt()
  const begun: number[] = []
  const counted: number[] = []
  let [inFlight, mostAtOnce] = [0, 0]
  const work = async ({ turns, does }: Step): Promise<Tried> => {
    mostAtOnce = Math.max(mostAtOnce, ++inFlight)
    for (let turn = 0; turn < turns; turn++) await Promise.resolve()
    inFlight -= 1
    if (does === 'throws') throw new Error('something broke')
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- others may throw anything
    if (does === 'throws nothing') throw undefined
    return triedOf(does === 'throws at once' ? registered : does)
  }
  const outcomes = await runPool(registrations, {
    concurrency,
    halt,
    reportTo: REPORT_TO,
    settle,
    onSettled: (_, done) => counted.push(done),
    registerOne: ({ size }) => {
      const number = size ?? -1
      const doing = steps[number] ?? step(registered)
      begun.push(number)
      if (doing.befalls === 'cancel') halt.cancel()
      if (doing.befalls === 'not-saved') halt.stop(notSavedFailure)
      if (doing.does === 'throws at once') throw new Error('something broke at once')
      return work(doing)
    },
  })
  expect([...outcomes.keys()].sort()).toEqual(registrations.map(({ hash }) => hash))
  const ordered = registrations.flatMap(({ hash }) => outcomes.get(hash) ?? [])
  return { outcomes: ordered, begun, mostAtOnce, counted }
}

const endsRun = (outcome: Outcome): boolean => outcome.state === 'failed' && outcome.failure.endsRun

const codesOf = ({ outcomes }: Pick<PoolRun, 'outcomes'>): readonly string[] =>
  outcomes.map(outcome =>
    outcome.state === 'failed'
      ? `${outcome.failure.code}/${outcome.failure.registered}`
      : 'registered',
  )

const many = (count: number, does: Step['does']): readonly Step[] =>
  Array.from({ length: count }, () => step(does))

describe('the workers', () => {
  it('make no registration when there is none', async () => {
    expect(await runSteps([])).toMatchObject({ outcomes: [], begun: [] })
  })

  it('make all, in order, one after the other', async () => {
    const run = await runSteps(many(4, registered))
    expect(run.begun).toEqual([0, 1, 2, 3])
    expect(run.mostAtOnce).toBe(1)
    expect(codesOf(run)).toEqual(Array.from({ length: 4 }, () => 'registered'))
  })

  it.each([1, 2, 7, 64])('are %d at most, and as many as there may be', async concurrency => {
    const run = await runSteps(
      Array.from({ length: 20 }, () => step(registered, 3)),
      concurrency,
    )
    expect(run.mostAtOnce).toBe(Math.min(concurrency, 20))
  })

  it('do not wait for a slow one', async () => {
    const run = await runSteps([step(registered, 500), ...many(9, registered)], 2)
    expect(run.begun).toHaveLength(10)
    expect(run.counted).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })
})

describe('after five outages without a success between them', () => {
  const outage = failing('unavailable')

  it('no further one is begun, and the rest has the code of the fifth and was not tried', async () => {
    const run = await runSteps(many(8, outage))
    expect(run.begun).toEqual([0, 1, 2, 3, 4])
    expect(codesOf(run).slice(5)).toEqual(Array.from({ length: 3 }, () => 'unavailable/no'))
    for (const outcome of run.outcomes.slice(5))
      expect(outcome).toMatchObject({ failure: { what: expect.stringContaining('not tried') } })
  })

  it('those in flight end by their own rules', async () => {
    const run = await runSteps([step(registered, 200), ...many(8, outage)], 2)
    expect(codesOf(run)[0]).toBe('registered')
    expect(run.begun).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('no success of one in flight makes the rest begin again', async () => {
    const run = await runSteps(
      [step(registered, 60), ...many(5, outage), ...many(50, registered)],
      2,
    )
    expect(run.begun.length).toBeLessThanOrEqual(7)
    expect(codesOf(run).at(-1)).toBe('unavailable/no')
  })
})

/** What a registration of the tests came to. */
function triedOf(outcome: Outcome): Tried {
  return { outcome, failure: outcome.state === 'failed' ? outcome.failure : null }
}

it('what is not begun stays open if an earlier run left it so, and has nothing of the others', async () => {
  const open = { count: 1, at: '2026-01-31T12:00:00.000Z', runUrl: null, lines: 'line 1 of "x"' }
  const registrations = registrationsOf(8).map((one, at) => (at === 6 ? one : { ...one, open }))
  const failure = makeFailure({
    ...{ code: 'refused', what: 'HTTP 402', remedy: 'try', isOutage: true },
  })
  const outcomes = await runPool(registrations, {
    ...{ concurrency: 1, halt: new Halt(), reportTo: REPORT_TO, settle },
    onSettled: () => undefined,
    registerOne: one => Promise.resolve({ outcome: settle(one, failure, true), failure }),
  })
  const whats = [...outcomes.values()].map(one => (one.state === 'failed' ? one.failure.what : ''))
  expect(codesOf({ outcomes: [...outcomes.values()].slice(5) })).toEqual([
    ...['refused/unknown', 'refused/no', 'refused/unknown'],
  ])
  expect(whats.slice(0, 5).join()).toContain('the service refuses it')
  expect(whats.slice(5).join()).not.toContain('refuses')
  expect(whats.map(what => what.split(open.at).length - 1)).toEqual([1, 1, 1, 1, 1, 1, 0, 1])
})

describe('what ends the run', () => {
  it.each(['throws', 'throws at once', 'throws nothing'] as const)(
    'is a bug of ours, named with the address for reports (%s)',
    async does => {
      const run = await runSteps([step(does), ...many(3, registered)])
      expect(run.begun).toEqual([0])
      expect(codesOf(run)).toEqual([
        'internal-error/unknown',
        ...Array.from({ length: 3 }, () => 'internal-error/no'),
      ])
      for (const outcome of run.outcomes) {
        expect(outcome).toMatchObject({ failure: { remedy: expect.stringContaining(REPORT_TO) } })
        expect(JSON.stringify(outcome)).not.toMatch(/undefined|\\n\s+at /)
      }
    },
  )

  it('is a signal: nothing new is begun, what is in flight keeps its outcome', async () => {
    const run = await runSteps([
      step(registered),
      { ...step(registered, 5), befalls: 'cancel' },
      ...many(3, registered),
    ])
    expect(run.begun).toEqual([0, 1])
    expect(codesOf(run)).toEqual([
      ...['registered', 'registered'],
      ...Array.from({ length: 3 }, () => 'cancelled/no'),
    ])
  })
})

describe('a pool, whatever befalls it', () => {
  const usual: readonly Step['does'][] = [registered, failing('unavailable')]
  const rare: readonly Step['does'][] = [
    ...[failing('refused', { isOutage: true }), failing('refused'), failing('record-mismatch')],
    ...([refusal, 'throws', 'throws at once', 'throws nothing'] as const),
  ]
  const befalls: readonly Befalls[] = ['cancel', 'not-saved']
  const steps = fc.array(
    fc.record({
      does: fc.oneof(
        { weight: 20, arbitrary: fc.constantFrom(...usual) },
        { weight: 1, arbitrary: fc.constantFrom(...rare) },
      ),
      turns: fc.nat(12),
      befalls: fc.oneof(
        { weight: 40, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.constantFrom(...befalls) },
      ),
    }),
    { maxLength: 40 },
  )

  it('gives one outcome for each, begins none twice, keeps its limits and stops when it must', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 9 }), async (doing, concurrency) => {
        const run = await runSteps(doing, concurrency)
        expect(run.outcomes).toHaveLength(doing.length)
        expect(new Set(run.begun).size).toBe(run.begun.length)
        expect(run.begun).toEqual(run.begun.map((_, index) => index))
        expect(run.mostAtOnce).toBeLessThanOrEqual(concurrency)
        expect(run.counted).toHaveLength(run.begun.length)
        // What was begun has its own outcome; the rest failed and was not sent.
        run.outcomes.forEach((outcome, index) => {
          const { does } = doing[index] ?? step(registered)
          const isBegun = index < run.begun.length
          if (!isBegun) expect(outcome).toMatchObject({ failure: { registered: 'no' } })
          else if (typeof does === 'string')
            expect(outcome).toMatchObject({ failure: { code: 'internal-error' } })
          else expect(outcome).toBe(does)
        })
        // Nothing is begun long after a reason to stop: at most what the other workers had in hand.
        const stops = doing.findIndex(
          ({ does, befalls }) => befalls !== null || typeof does === 'string' || endsRun(does),
        )
        if (stops === -1) return
        const slowest = Math.max(...doing.map(({ turns }) => turns)) + 2
        expect(run.begun.length).toBeLessThanOrEqual(stops + 1 + concurrency * (slowest + 1))
      }),
      { numRuns: 300, seed: 7 },
    )
  })

  it('one after the other does exactly what the contract says', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async doing => {
        const run = await runSteps(doing)
        let outages = 0
        const codes: string[] = []
        let why: string | null = null
        for (const { does, befalls } of doing) {
          if (why !== null) {
            codes.push(`${why}/no`)
            continue
          }
          if (typeof does === 'string') {
            codes.push('internal-error/unknown')
            // A signal that came first, or a full disk, stays the reason of the rest.
            why = 'internal-error'
          } else {
            if (does.state === 'registered') outages = 0
            else if (does.failure.isOutage) outages += 1
            codes.push(...codesOf({ outcomes: [does] }))
            if (does.state === 'failed' && (does.failure.endsRun || outages >= maxOutages))
              why = does.failure.code
          }
          why ??= befalls === 'cancel' ? 'cancelled' : (befalls ?? null)
        }
        expect(codesOf(run)).toEqual(codes)
      }),
      { numRuns: 300, seed: 8 },
    )
  })
})
