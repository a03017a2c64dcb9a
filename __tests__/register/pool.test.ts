import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { makeFailure, type Failure, type FailureCode } from '../../src/failure.ts'
import { Halt, notSavedFailure } from '../../src/halt.ts'
import { failed, type Outcome } from '../../src/outcome.ts'
import type { Registration } from '../../src/plan.ts'
import { maxOutages, runPool } from '../../src/register/pool.ts'
import { settle, type Tried } from '../../src/register/registration.ts'
import { hashOf } from '../support/samples.ts'

const REPORT_TO = 'https://example.com/issues'

/** So many registrations, their number as their size; nothing is open. */
const registrationsOf = (count: number): readonly Registration[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ hash: hashOf(at + 1), name: `file-${at + 1}`, size: at, open: null },
  }))

const registered: Outcome = {
  ...{ state: 'registered', from: 'this-run', record: {}, redacted: [], unansweredTries: 0 },
}

/** A registration that failed; nobody knows whether it is registered. */
function failing(code: FailureCode, changes: Partial<Failure> = {}): Outcome {
  const failure = { code, registered: 'unknown', what: `for ${code}`, remedy: 'try' } as const
  return failed(makeFailure({ ...failure, isOutage: code === 'unavailable', ...changes }))
}

const bugs = ['throws', 'throws at once', 'throws nothing'] as const

/** What one registration does: settles after so many turns, or throws. */
interface Step {
  readonly turns: number
  readonly does: Outcome | (typeof bugs)[number]
  /** What befalls the run when it begins. */
  readonly befalls: 'cancel' | 'not-saved' | null
}

const step = (does: Step['does'], turns = 0): Step => ({ does, turns, befalls: null })
const many = (count: number, does: Step['does'], turns = 0): readonly Step[] =>
  Array.from({ length: count }, () => step(does, turns))

/** Runs a pool whose registrations do what the steps say. */
async function runSteps(steps: readonly Step[], concurrency = 1) {
  const registrations = registrationsOf(steps.length)
  const halt = new Halt()
  /** Numbers of the registrations that were begun, in order. */
  const begun: number[] = []
  /** What `onSettled` was given. */
  const counted: number[] = []
  let [inFlight, mostAtOnce] = [0, 0]
  const work = async ({ turns, does }: Step): Promise<Tried> => {
    mostAtOnce = Math.max(mostAtOnce, ++inFlight)
    for (let turn = 0; turn < turns; turn++) await Promise.resolve()
    inFlight -= 1
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- others may throw anything
    if (does === 'throws nothing') throw undefined
    if (typeof does === 'string') throw new Error('something broke')
    const failure = does.state === 'failed' ? does.failure : null
    return { outcome: does, failure, saved: Promise.resolve() }
  }
  const outcomes = await runPool(registrations, {
    ...{ concurrency, halt, reportTo: REPORT_TO },
    onSettled: (_, done) => counted.push(done),
    registerOne: ({ size }) => {
      const doing = steps[size ?? -1] ?? step(registered)
      begun.push(size ?? -1)
      if (doing.befalls === 'cancel') halt.cancel()
      if (doing.befalls === 'not-saved') halt.stop(notSavedFailure)
      if (doing.does === 'throws at once') throw new Error('something broke at once')
      return work(doing)
    },
  })
  expect([...outcomes.keys()].sort()).toEqual(registrations.map(({ hash }) => hash))
  const ordered = registrations.flatMap(({ hash }) => outcomes.get(hash) ?? [])
  return { outcomes: ordered, codes: ordered.map(codeOf), begun, mostAtOnce, counted }
}

const codeOf = (outcome: Outcome): string =>
  outcome.state === 'failed'
    ? `${outcome.failure.code}/${outcome.failure.registered}`
    : 'registered'

describe('the workers', () => {
  it.each([1, 2, 7, 64])('are %d at most, and as many as there may be', async concurrency => {
    const steps = many(20, registered, 3)
    const run = await runSteps(steps, concurrency)
    expect(run.mostAtOnce).toBe(Math.min(concurrency, 20))
  })

  it('do not wait for a slow one', async () => {
    const run = await runSteps([step(registered, 500), ...many(9, registered)], 2)
    expect(run.begun).toHaveLength(10)
    expect(run.counted).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })
})

describe('what ends the run', () => {
  it.each(bugs)('may be a bug of ours, named with the address for reports (%s)', async does => {
    const run = await runSteps([step(does), ...many(3, registered)])
    const rest = Array<string>(3).fill('internal-error/no')
    expect(run.codes).toEqual(['internal-error/unknown', ...rest])
    for (const outcome of run.outcomes) {
      expect(outcome).toMatchObject({ failure: { remedy: expect.stringContaining(REPORT_TO) } })
      expect(JSON.stringify(outcome)).not.toMatch(/undefined|\\n\s+at /)
    }
  })

  it('leaves open what an earlier run left so, and says of the rest that it was not tried', async () => {
    const open = { count: 1, at: '2026-01-31T12:00:00.000Z', runUrl: null, lines: 'line 1 of "x"' }
    const registrations = registrationsOf(8).map((one, at) => (at === 6 ? one : { ...one, open }))
    const refused = { code: 'refused', what: 'HTTP 402', remedy: 'try', isOutage: true } as const
    const failure = makeFailure(refused)
    const outcomes = await runPool(registrations, {
      ...{ concurrency: 1, halt: new Halt(), reportTo: REPORT_TO },
      onSettled: () => undefined,
      registerOne: one => {
        const outcome = settle(one, failure, true)
        return Promise.resolve({ outcome, failure, saved: Promise.resolve() })
      },
    })
    const rest = [...outcomes.values()].slice(5)
    expect(rest.map(codeOf)).toEqual(['refused/unknown', 'refused/no', 'refused/unknown'])
    const whats = rest.map(one => (one.state === 'failed' ? one.failure.what : ''))
    // Nothing of the fifth, which the service refused, and which was left open as well.
    expect(whats.join()).not.toContain('refuses')
    expect(whats.map(what => what.split(open.at).length - 1)).toEqual([1, 0, 1])
    for (const what of whats) expect(what).toMatch(/^not tried, .*HTTP 402/)
  })
})

describe('a pool, whatever befalls it', () => {
  const seldom = <T, U>(weight: number, usual: fc.Arbitrary<T>, rare: readonly U[]) =>
    fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: fc.constantFrom(...rare) })
  const usual = fc.constantFrom<Step['does']>(registered, failing('unavailable'))
  const rare: readonly Step['does'][] = [
    ...[failing('refused', { isOutage: true }), failing('refused'), failing('record-mismatch')],
    ...[failing('login-refused', { endsRun: true }), ...bugs],
  ]
  const befalls = seldom(40, fc.constant(null), ['cancel', 'not-saved'] as const)
  const steps = fc.array(
    fc.record<Step>({ does: seldom(20, usual, rare), turns: fc.nat(12), befalls }),
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
        const endsRun = ({ does, befalls }: Step): boolean =>
          befalls !== null ||
          typeof does === 'string' ||
          (does.state === 'failed' && does.failure.endsRun)
        const stops = doing.findIndex(endsRun)
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
            codes.push(codeOf(does))
            if (does.state === 'failed' && (does.failure.endsRun || outages >= maxOutages))
              why = does.failure.code
          }
          why ??= befalls === 'cancel' ? 'cancelled' : befalls
        }
        expect(run.codes).toEqual(codes)
      }),
      { numRuns: 300, seed: 8 },
    )
  })
})
