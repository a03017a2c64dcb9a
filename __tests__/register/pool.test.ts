import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { makeFailure, type FailureInput } from '../../src/failure.ts'
import { failed, type Outcome } from '../../src/outcome.ts'
import { maxOutages, runPool } from '../../src/register/pool.ts'
import { Halt, notSavedFailure } from '../../src/runtime/halt.ts'
import { hashOf, openRun } from '../support/samples.ts'

const reportTo = 'https://example.com/issues'

const failures: Readonly<Record<string, Partial<FailureInput>>> = {
  unavailable: { code: 'unavailable' },
  unpaid: { code: 'refused', status: 402 },
  forbidden: { code: 'request-refused', status: 403 },
  refused: { code: 'refused', status: 404 },
  mismatch: { code: 'record-mismatch', registered: 'unknown' },
  login: { code: 'login-refused', endsRun: true },
}

function outcomeOf(step: string): Outcome {
  const failure = failures[step]
  const base = { code: 'unavailable', what: `for ${step}`, remedy: 'try' } as const
  if (failure !== undefined) return failed(makeFailure({ ...base, ...failure }))
  const record = { record: {}, redacted: [], maybeChargedAgain: false }
  return { state: 'registered', from: 'this-run', ...record }
}

function wordOf(outcome: Outcome): string {
  return outcome.state === 'failed'
    ? `${outcome.failure.code}/${outcome.failure.registered}`
    : outcome.state
}

interface PoolRun {
  readonly outcomes: readonly Outcome[]
  readonly words: readonly string[]
  /** How many were begun. */
  readonly begun: number
  readonly mostAtOnce: number
}

/** Runs a pool whose registrations end as the steps say; an earlier run left the last one open. */
async function runSteps(steps: readonly string[], concurrency = 1): Promise<PoolRun> {
  const registrations = steps.map((_, at) => {
    const open = at === steps.length - 1 ? openRun : null
    return { hash: hashOf(at), name: `${at}`, size: at, open }
  })
  const halt = new Halt()
  let [begun, now, mostAtOnce] = [0, 0, 0]
  const done: number[] = []
  const outcomes = await runPool(registrations, {
    concurrency,
    halt,
    reportTo,
    onDone: (_, count) => done.push(count),
    registerOne: async ({ size }) => {
      const step = steps[size ?? 0] ?? ''
      begun += 1
      mostAtOnce = Math.max(mostAtOnce, ++now)
      if (step === 'full') halt.stop(notSavedFailure)
      // The first one ends before those that begin with it.
      for (let turn = size === 0 ? 1 : 3; turn > 0; turn--) await setImmediate()
      now -= 1
      if (step === 'bug') throw new Error('something broke')
      return outcomeOf(step)
    },
  })
  expect([outcomes.size, done.length]).toEqual([steps.length, begun])
  const inOrder = registrations.flatMap(({ hash }) => outcomes.get(hash) ?? [])
  return { outcomes: inOrder, words: inOrder.map(wordOf), begun, mostAtOnce }
}

const many = (count: number, step: string): readonly string[] => Array<string>(count).fill(step)

it.each([1, 7, 64])('the workers are at most %d, and as many as there are hashes', async limit => {
  const run = await runSteps(many(20, 'registered'), limit)
  expect(run.mostAtOnce).toBe(Math.min(limit, 20))
})

it('what has begun ends by its own rules, whatever ends the run', async () => {
  const steps = ['login', 'registered', 'bug', 'refused', 'refused']
  const { words, outcomes } = await runSteps(steps, 3)
  const begun = ['login-refused/no', 'registered', 'internal-error/unknown']
  expect(words).toEqual([...begun, 'login-refused/no', 'login-refused/unknown'])
  const what = expect.stringContaining('something broke')
  expect(outcomes[2]).toMatchObject({
    failure: { what, remedy: expect.stringContaining(reportTo) },
  })
})

describe('no further hash is begun', () => {
  const five = many(maxOutages, 'unavailable')
  const mixed = ['unavailable', 'unpaid', 'forbidden', 'unavailable', 'unpaid']
  it.each<[string, readonly string[], code: string]>([
    ['after five without a good answer', five, 'unavailable'],
    ['after five in any mix, with the code of the fifth', mixed, 'refused'],
    ['also with other failures in between', [...five.slice(1), 'refused', 'unpaid'], 'refused'],
    ['after a failure that ends the run', ['login'], 'login-refused'],
    ['when the records file cannot be written', ['full'], 'not-saved'],
    ['after a bug', ['bug'], 'internal-error'],
  ])('%s', async (_, steps, code) => {
    const { words, begun } = await runSteps([...steps, 'registered', 'registered'])
    expect(begun).toBe(steps.length)
    expect(words.slice(begun)).toEqual([`${code}/no`, `${code}/unknown`])
  })

  it('but four end nothing, nor do failures of their hash alone', async () => {
    const four = [...many(4, 'unavailable'), 'registered', ...many(4, 'unpaid')]
    const steps = [...four, ...many(5, 'refused'), ...many(5, 'mismatch')]
    expect((await runSteps(steps)).begun).toBe(steps.length)
  })

  it('and the message says why, and what an earlier run left open', async () => {
    const { outcomes } = await runSteps([...five, 'registered'])
    const what = expect.stringMatching(/^not tried.*for unavailable.*2026-01-31 12:00:00/)
    expect(outcomes.at(-1)).toMatchObject({ failure: { what } })
  })
})
