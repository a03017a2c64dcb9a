/** Signals to real processes. `__tests__/world` explores every order of signals, kills and answers. */
import { expect, it } from '@jest/globals'
import { readRecordsFile } from '../support/finished-run.ts'
import { findUnsettled, isMaybeChargedAgain, readRecordsText } from '../support/record-lines.ts'
import { runAction, type StepProcess } from '../support/runner.ts'
import { endsOf, FILE, inputsOf, makeLetters, notarize, startService } from './support.ts'

// At the same time, because the process waits for 5 s.
it.concurrent(
  'after a signal, answers that arrive in time are kept, and all other hashes stay open or are not sent',
  async () => {
    let child: StepProcess | undefined
    const service = await startService({
      repeat: 'accept',
      faults: ({ endpoint, nthOfEndpoint }) => {
        const isFourth = endpoint === 'completion' && nthOfEndpoint === 4
        if (isFourth)
          for (const signal of ['SIGTERM', 'SIGINT', 'SIGINT'] as const) child?.kill(signal)
        return undefined
      },
      latencyMs: ({ endpoint, nthOfEndpoint }) => {
        if (endpoint !== 'completion' || nthOfEndpoint > 4) return 0
        return nthOfEndpoint < 3 ? 800 : 60_000
      },
    })
    const onStart = (started: StepProcess): void => {
      child = started
    }
    const workspace = makeLetters('abcdefgh')
    const run = await notarize({ service, workspace, onStart, mustFail: true })
    const [no, unknown] = ['cancelled/no', 'cancelled/unknown']
    const ends = [no, no, no, no, unknown, unknown, 'registered', 'registered']
    expect(Object.values(endsOf(run)).toSorted()).toEqual(ends)
    expect(readRecordsFile(run).records).toHaveLength(2)
    expect(run.annotations.error).toEqual([expect.stringMatching(/canceled/)])

    // Open hashes are counted separately, sent again, and may be charged more than once.
    const nextRun = await notarize({ service, workspace })
    expect(nextRun.annotations.warning).toContainEqual(
      expect.stringMatching(/^2 files were sent earlier/),
    )
    expect(nextRun.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 6 })
    const charged = nextRun.results.records?.filter(record => record.maybeChargedAgain === true)
    expect(charged).toHaveLength(2)
  },
)

it.concurrent(
  'what a killed run has sent is in the records file, and later runs account for it',
  async () => {
    const workspace = makeLetters('abcdefgh')
    const readFile = () => readRecordsText(workspace.read(FILE))
    let child: StepProcess | undefined
    let arrivalsLeft = 0
    const early: string[] = []
    const service = await startService({
      repeat: 'accept',
      // A completion is processed after its process was killed.
      latencyMs: ({ endpoint }) => (endpoint === 'completion' ? 25 : 0),
      faults: ({ endpoint, hash = '' }) => {
        if (endpoint !== 'completion') return undefined
        if (findUnsettled(readFile(), { service: service.url, hash }).length === 0) early.push(hash)
        arrivalsLeft -= 1
        if (arrivalsLeft === 0) child?.kill('SIGKILL')
        return undefined
      },
    })
    const onStart = (started: StepProcess): void => {
      child = started
    }
    for (const [attempt, arrivals] of [1, 6].entries()) {
      arrivalsLeft = arrivals
      const env = { GITHUB_RUN_ATTEMPT: String(attempt + 1) }
      const killed = await runAction({ workspace, inputs: inputsOf(service), env, onStart })
      expect(killed.signal).toBe('SIGKILL')
    }

    const last = await notarize({ service, workspace, env: { GITHUB_RUN_ATTEMPT: '3' } })
    expect(last.results).toMatchObject({ verdict: 'registered', 'registered-count': 8 })
    expect(early).toEqual([])
    const counts = [...service.completionCounts]
    const twice = counts.filter(([, count]) => count > 1).map(([hash]) => hash)
    expect(twice.length).toBeGreaterThan(0)
    const file = readFile()
    const isSaid = (hash: string) => isMaybeChargedAgain(file, { service: service.url, hash })
    expect(twice.filter(hash => !isSaid(hash))).toEqual([])
  },
)
