import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Outcome } from '../../src/outcome.ts'
import { Halt } from '../../src/register/halt.ts'
import { runPool, type Settled } from '../../src/register/pool.ts'
import { failing, refusal, registered, registrationsOf } from './registrations.ts'

const REPORT_TO = 'https://example.com/issues'

type Befalls = 'cancel' | 'not-saved'

/** What one registration does: settles after so many turns, or throws. */
interface Step {
  readonly turns: number
  readonly does: Settled | 'throws' | 'throws at once' | 'throws nothing'
  /** What befalls the run when it begins. */
  readonly befalls?: Befalls | null
}

const step = (does: Step['does'], turns = 0): Step => ({ does, turns })

interface PoolRun {
  readonly outcomes: readonly Outcome[]
  /** Numbers of the registrations that were begun, in order. */
  readonly begun: readonly number[]
  readonly mostAtOnce: number
  /** What `onSettled` was told. */
  readonly told: readonly number[]
}

/** Runs a pool whose registrations do what the steps say. */
async function runSteps(steps: readonly Step[], concurrency = 1): Promise<PoolRun> {
  const registrations = registrationsOf(steps.length)
  const halt = new Halt()
  const begun: number[] = []
  const told: number[] = []
  let [inFlight, mostAtOnce] = [0, 0]
  const settle = async ({ turns, does }: Step): Promise<Settled> => {
    mostAtOnce = Math.max(mostAtOnce, ++inFlight)
    for (let turn = 0; turn < turns; turn++) await Promise.resolve()
    inFlight -= 1
    if (does === 'throws') throw new Error('something broke')
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- others may throw anything
    if (does === 'throws nothing') throw undefined
    return does === 'throws at once' ? registered : does
  }
  const outcomes = await runPool(registrations, {
    concurrency,
    halt,
    reportTo: REPORT_TO,
    onSettled: done => told.push(done),
    registerOne: ({ size }) => {
      const number = size ?? -1
      const doing = steps[number] ?? step(registered)
      begun.push(number)
      if (doing.befalls === 'cancel') halt.cancel()
      if (doing.befalls === 'not-saved')
        halt.stop({ code: 'not-saved', what: 'the disk is full', remedy: 'make room' })
      if (doing.does === 'throws at once') throw new Error('something broke at once')
      return settle(doing)
    },
  })
  expect([...outcomes.keys()].sort()).toEqual(registrations.map(({ hash }) => hash))
  const ordered = registrations.flatMap(({ hash }) => outcomes.get(hash) ?? [])
  return { outcomes: ordered, begun, mostAtOnce, told }
}

const codesOf = ({ outcomes }: PoolRun): readonly string[] =>
  outcomes.map(outcome =>
    outcome.state === 'failed' ? `${outcome.code}/${outcome.registered}` : 'registered',
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
    expect(run.told).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('go on after any failure of one artifact alone', async () => {
    const run = await runSteps([
      ...many(9, failing('refused')),
      ...many(9, failing('invalid-response')),
      ...many(9, failing('record-mismatch')),
      step(registered),
    ])
    expect(run.begun).toHaveLength(28)
  })
})

describe('after five outages without a success between them', () => {
  const outage = failing('unavailable')
  const refused = failing('refused', { isOutage: true })

  it('no further one is begun, and the rest has the code of the fifth and was not tried', async () => {
    const run = await runSteps(many(8, outage))
    expect(run.begun).toEqual([0, 1, 2, 3, 4])
    expect(codesOf(run).slice(5)).toEqual(Array.from({ length: 3 }, () => 'unavailable/no'))
    for (const outcome of run.outcomes.slice(5))
      expect(outcome).toMatchObject({ message: expect.stringContaining('not tried') })
  })

  it('outages of all kinds count together, and the code is that of the fifth', async () => {
    const mixed = [outage, refused, outage, refused, refused, registered, registered]
    const run = await runSteps(mixed.map(does => step(does)))
    expect(run.begun).toHaveLength(5)
    expect(codesOf(run).slice(5)).toEqual(['refused/no', 'refused/no'])
  })

  it('other failures between them change nothing', async () => {
    const other = failing('invalid-response')
    const mixed = [outage, other, outage, other, outage, outage, other, outage, registered]
    const run = await runSteps(mixed.map(does => step(does)))
    expect(run.begun).toHaveLength(8)
    expect(codesOf(run).at(-1)).toBe('unavailable/no')
  })

  it('a success between them begins the count anew', async () => {
    const four = many(4, outage)
    const run = await runSteps([...four, step(registered), ...four, step(registered), ...four])
    expect(run.begun).toHaveLength(14)
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

describe('what ends the run', () => {
  it('leaves the rest with its code, not sent', async () => {
    const run = await runSteps([step(registered), step(refusal), ...many(3, registered)])
    expect(run.begun).toEqual([0, 1])
    expect(codesOf(run)).toEqual([
      'registered',
      'login-refused/unknown',
      ...Array.from({ length: 3 }, () => 'login-refused/no'),
    ])
  })

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
        const message = outcome.state === 'failed' ? outcome.message : ''
        expect(message).toContain(REPORT_TO)
        expect(message).not.toMatch(/undefined|\n\s+at /)
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

  it('is a record that cannot be saved', async () => {
    const run = await runSteps([
      { ...step(registered), befalls: 'not-saved' },
      ...many(2, registered),
    ])
    expect(codesOf(run)).toEqual(['registered', 'not-saved/no', 'not-saved/no'])
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
        { weight: 6, arbitrary: fc.constantFrom(...usual) },
        { weight: 1, arbitrary: fc.constantFrom(...rare) },
      ),
      turns: fc.nat(12),
      befalls: fc.option(fc.constantFrom(...befalls), { freq: 25 }),
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
        expect(run.told).toHaveLength(run.begun.length)
        // What was begun has its own outcome; the rest failed and was not sent.
        run.outcomes.forEach((outcome, index) => {
          const { does } = doing[index] ?? step(registered)
          const isBegun = index < run.begun.length
          if (!isBegun) expect(outcome).toMatchObject({ state: 'failed', registered: 'no' })
          else if (typeof does === 'string')
            expect(outcome).toMatchObject({ code: 'internal-error' })
          else expect(outcome).toBe(does.outcome)
        })
        // Nothing is begun long after a reason to stop: at most what the other workers had in hand.
        const stops = doing.findIndex(
          ({ does, befalls }) =>
            befalls !== null || typeof does === 'string' || does.endsRun !== null,
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
            const { outcome, isOutage, endsRun } = does
            if (outcome.state === 'registered') outages = 0
            else if (isOutage) outages += 1
            codes.push(outcome.state === 'registered' ? 'registered' : `${outcome.code}/unknown`)
            if (endsRun !== null) why = endsRun.code
            else if (outages >= 5 && outcome.state === 'failed') why = outcome.code
          }
          why ??= befalls === 'cancel' ? 'cancelled' : (befalls ?? null)
        }
        expect(codesOf(run)).toEqual(codes)
      }),
      { numRuns: 300, seed: 8 },
    )
  })
})
