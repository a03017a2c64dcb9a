import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { Failure } from '../../src/failure.ts'
import { failed, type Outcome, type PlannedArtifact } from '../../src/outcome.ts'
import { maxOutages, runPool } from '../../src/register/pool.ts'
import { Halt, notSavedFailure } from '../../src/runtime/halt.ts'
import { hashOf, sampleTime } from '../support/samples.ts'

const reportTo = 'https://example.com/issues'

const failures: Readonly<Record<string, Partial<Failure>>> = {
  unavailable: { code: 'unavailable' },
  unpaid: { code: 'refused', status: 402 },
  forbidden: { code: 'request-refused', status: 403 },
  refused: { code: 'refused', status: 404 },
  mismatch: { code: 'record-mismatch', registered: 'unknown' },
  login: { code: 'login-refused', endsRun: true },
}

/** The outcome of a hash: the failure with this name, or registered if there is none. */
function outcomeOf(step: string): Outcome {
  const parts = failures[step]
  if (parts === undefined) {
    return { state: 'registered', from: 'this-run', record: {}, maybeChargedAgain: false }
  }
  const texts = { cause: `cause of ${step}`, detail: 'observed', remedy: 'try' }
  return failed(new Failure({ code: 'unavailable', ...texts, ...parts }))
}

/** Runs a pool with one hash per step, which two artifacts share. An earlier run sent the last hash. */
async function runSteps(steps: readonly string[], concurrency = 1) {
  const groups = steps.map((_, at) => {
    const openSince = at === steps.length - 1 ? sampleTime : null
    const outcome = { state: 'planned', openSince } as const
    const artifact = { source: 'path', name: `${at}`, size: at, hash: hashOf(at), outcome } as const
    return [artifact, { ...artifact, name: `${at} again` }]
  })
  const halt = new Halt()
  let [started, now, mostAtOnce] = [0, 0, 0]
  const registerOne = async ({ size }: PlannedArtifact): Promise<Outcome> => {
    const step = steps[size ?? 0] ?? ''
    started += 1
    mostAtOnce = Math.max(mostAtOnce, ++now)
    if (step === 'full') halt.stop(notSavedFailure)
    // The first registration ends before those that start with it.
    for (let turn = size === 0 ? 1 : 3; turn > 0; turn--) await setImmediate()
    now -= 1
    if (step === 'bug') throw new Error('something broke')
    return outcomeOf(step)
  }
  const outcomes = await runPool(groups, { concurrency, halt, registerOne, reportTo })
  const inOrder = groups.map(group => {
    const [first, second] = group.map(artifact => outcomes.get(artifact))
    expect(first).toBe(second)
    return first
  })
  const words = inOrder.map(outcome =>
    outcome?.state === 'failed'
      ? `${outcome.failure.code}/${outcome.failure.registered}`
      : outcome?.state,
  )
  return { outcomes: inOrder, words, started, mostAtOnce }
}

const many = (count: number, step: string): readonly string[] => Array<string>(count).fill(step)

it.each([1, 7, 64])('at most %d workers run, and at most one for each hash', async limit => {
  const run = await runSteps(many(20, 'registered'), limit)
  expect(run.mostAtOnce).toBe(Math.min(limit, 20))
})

it('registrations that have started are finished, even if the run ends', async () => {
  const steps = ['login', 'registered', 'bug', 'refused', 'refused']
  const { words, outcomes } = await runSteps(steps, 3)
  const started = ['login-refused/no', 'registered', 'internal-error/unknown']
  expect(words).toEqual([...started, 'login-refused/no', 'login-refused/unknown'])
  const detail = expect.stringContaining('something broke')
  const remedy = expect.stringContaining(reportTo)
  expect(outcomes[2]).toMatchObject({ failure: { detail, remedy } })
})

describe('a pool', () => {
  const five = many(maxOutages, 'unavailable')
  const mixed = ['unavailable', 'unpaid', 'forbidden', 'unavailable', 'unpaid']
  it.each<[string, readonly string[], code: string]>([
    ['after five without a good answer', five, 'unavailable'],
    ['after five outages and unpaid hashes, with the code of the fifth', mixed, 'refused'],
    ['after five with others in between', [...five.slice(1), 'refused', 'unpaid'], 'refused'],
    ['after a failure that ends the run', ['login'], 'login-refused'],
    ['when the records file cannot be written', ['full'], 'not-saved'],
    ['after a bug', ['bug'], 'internal-error'],
  ])('starts no further hash %s', async (_, steps, code) => {
    const { words, started } = await runSteps([...steps, 'registered', 'registered'])
    expect(started).toBe(steps.length)
    expect(words.slice(started)).toEqual([`${code}/no`, `${code}/unknown`])
  })

  it('continues after four without a good answer, or after failures of single hashes', async () => {
    const four = [...many(4, 'unavailable'), 'registered', ...many(4, 'unpaid')]
    const steps = [...four, ...many(5, 'refused'), ...many(5, 'mismatch')]
    expect((await runSteps(steps)).started).toBe(steps.length)
  })

  it('says why it stopped, and which hash an earlier run has sent', async () => {
    const { outcomes } = await runSteps([...five, 'registered', 'registered'])
    const cause = 'cause of unavailable'
    const open = 'an earlier run sent it on 2026-01-31 12:00:00 UTC'
    expect(outcomes.slice(-2)).toMatchObject([
      { failure: { cause, detail: expect.stringMatching(/^not tried[^;]*$/) } },
      { failure: { cause, detail: expect.stringMatching(new RegExp(`^not tried.*; ${open}`)) } },
    ])
  })
})
