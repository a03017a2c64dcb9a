import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { makeFailure, type FailureInput } from '../../src/failure.ts'
import { failed, type Outcome } from '../../src/outcome.ts'
import type { Registration } from '../../src/plan.ts'
import { maxOutages, runPool } from '../../src/register/pool.ts'
import { Halt, notSavedFailure } from '../../src/runtime/halt.ts'
import { hashOf, openRun } from '../support/samples.ts'
import { TestClock } from '../service/support.ts'

const REPORT_TO = 'https://example.com/issues'

/** What one registration comes to, or what happens to the run when it begins. */
const steps = {
  registered: null,
  unavailable: { code: 'unavailable' },
  unpaid: { code: 'refused', status: 402 },
  forbidden: { code: 'request-refused', status: 403 },
  refused: { code: 'refused', status: 404 },
  mismatch: { code: 'record-mismatch', registered: 'unknown' },
  login: { code: 'login-refused', endsRun: true },
  cancel: null,
  full: null,
  bug: null,
} as const satisfies Readonly<Record<string, Partial<FailureInput> | null>>

type Step = keyof typeof steps

function outcomeOf(step: Step): Outcome {
  const changes = steps[step]
  if (changes !== null)
    return failed(makeFailure({ what: `for ${step}`, remedy: 'try', ...changes }))
  const record = { record: {}, redacted: [], maybeChargedAgain: false }
  return { state: 'registered', from: 'this-run', ...record }
}

function wordOf(outcome: Outcome | undefined): string {
  if (outcome?.state !== 'failed') return outcome?.state ?? 'none'
  return `${outcome.failure.code}/${outcome.failure.registered}`
}

interface PoolRun {
  readonly outcomes: readonly Outcome[]
  readonly words: readonly string[]
  /** How many were begun. */
  readonly begun: number
  readonly mostAtOnce: number
}

interface RunOptions {
  readonly concurrency?: number
  readonly open?: Registration['open']
}

/** Runs a pool whose registrations do what the steps say. */
async function runSteps(given: readonly Step[], options: RunOptions = {}): Promise<PoolRun> {
  const { concurrency = 1, open = null } = options
  const registrations = given.map((_, at) => ({ hash: hashOf(at), name: `${at}`, size: at, open }))
  const halt = new Halt(new TestClock('manual'))
  let [begun, now, mostAtOnce, reported] = [0, 0, 0, 0]
  const outcomes = await runPool(registrations, {
    concurrency,
    halt,
    reportTo: REPORT_TO,
    onDone: (_, done) => {
      reported += 1
      expect(done).toBeGreaterThanOrEqual(reported)
    },
    registerOne: async ({ size }) => {
      const at = size ?? 0
      // Each one is begun once, in order.
      expect(at).toBe(begun++)
      mostAtOnce = Math.max(mostAtOnce, ++now)
      const step = given[at] ?? 'registered'
      if (step === 'cancel') halt.cancel()
      if (step === 'full') halt.stop(notSavedFailure)
      // The first one ends before those that begin with it.
      for (let turn = at === 0 ? 1 : 3; turn > 0; turn--) await setImmediate()
      now -= 1
      if (step === 'bug') throw new Error('something broke')
      return outcomeOf(step)
    },
  })
  expect([outcomes.size, reported]).toEqual([given.length, begun])
  const inOrder = registrations.flatMap(({ hash }) => outcomes.get(hash) ?? [])
  return { outcomes: inOrder, words: inOrder.map(wordOf), begun, mostAtOnce }
}

const many = (count: number, step: Step): readonly Step[] => Array<Step>(count).fill(step)

describe('the workers', () => {
  it.each([1, 7, 64])('are at most %d, and as many as there are hashes', async concurrency => {
    const run = await runSteps(many(20, 'registered'), { concurrency })
    expect(run.mostAtOnce).toBe(Math.min(concurrency, 20))
  })

  it('end what they have begun by its own rules, whatever ends the run', async () => {
    const given = ['login', 'registered', 'bug', 'refused'] as const
    const { words } = await runSteps(given, { concurrency: 3 })
    const rest = 'login-refused/no'
    expect(words).toEqual([rest, 'registered', 'internal-error/unknown', rest])
  })
})

describe('no further hash is begun', () => {
  const five = many(maxOutages, 'unavailable')
  const mixed = ['unavailable', 'unpaid', 'forbidden', 'unavailable', 'unpaid'] as const
  it.each<[string, readonly Step[], rest: string]>([
    ['after five without a good answer', five, 'unavailable/no'],
    ['after five in any mix, with the code of the fifth', mixed, 'refused/no'],
    ['also with other failures in between', [...five.slice(1), 'refused', 'unpaid'], 'refused/no'],
    ['after a failure that ends the run', ['login'], 'login-refused/no'],
    ['after a signal', ['cancel'], 'cancelled/no'],
    ['when the records file cannot be written', ['full'], 'not-saved/no'],
    ['after a bug', ['bug'], 'internal-error/no'],
  ])('%s', async (_, given, rest) => {
    const { words, begun } = await runSteps([...given, 'registered', 'registered'])
    expect([begun, words.slice(given.length)]).toEqual([given.length, [rest, rest]])
  })

  it.each<[string, readonly Step[]]>([
    ['four', [...many(4, 'unavailable'), 'registered', ...many(4, 'unpaid'), 'registered']],
    ['refusals of their hash alone', many(9, 'refused')],
    ['contradicting records', many(9, 'mismatch')],
  ])('but %s end nothing', async (_, given) => {
    expect((await runSteps(given)).begun).toBe(given.length)
  })

  it('and what an earlier run left open stays so, under every code', async () => {
    const { words, outcomes } = await runSteps([...five, 'registered'], { open: openRun })
    expect(words.at(-1)).toBe('unavailable/unknown')
    const what = expect.stringMatching(/^not tried.*for unavailable.*2026-01-31 12:00:00/)
    expect(outcomes.at(-1)).toMatchObject({ failure: { what } })
  })
})

it('a bug is named with the address for reports', async () => {
  const { outcomes } = await runSteps(['bug'])
  const failure = { what: expect.stringContaining('something broke') }
  expect(outcomes).toMatchObject([
    { failure: { ...failure, remedy: expect.stringContaining(REPORT_TO) } },
  ])
})
