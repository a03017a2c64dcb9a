/** Signals to a real process. `__tests__/world` explores every order of signals, kills and answers. */
import { expect, it } from '@jest/globals'
import { readRecordsFile } from '../support/finished-run.ts'
import type { StepProcess } from '../support/runner.ts'
import { endsOf, makeLetters, notarize, startService } from './support.ts'

it('after a signal, answers that arrive in time are kept, and all other hashes stay open or are not sent', async () => {
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
  const ends = Object.values(endsOf(run)).toSorted()
  const no = 'cancelled/no'
  const unknown = 'cancelled/unknown'
  expect(ends).toEqual([no, no, no, no, unknown, unknown, 'registered', 'registered'])
  expect(readRecordsFile(run).records).toHaveLength(2)
  expect(run.annotations.error).toEqual([expect.stringMatching(/canceled/)])

  // Open hashes are counted separately, sent again, and may be charged more than once.
  const nextRun = await notarize({ service, workspace })
  expect(nextRun.annotations.warning).toContainEqual(expect.stringMatching(/^2 hashes are open/))
  expect(nextRun.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 6 })
  const charged = nextRun.results.records?.filter(record => record.maybeChargedAgain === true)
  expect(charged).toHaveLength(2)
})
