/**
 * A job that is cancelled: what was done is kept and reported, and the next run goes on from there. Every order of signals,
 * kills and answers is explored in `__tests__/world`; here are real signals to a real process.
 */
import { readdirSync, readlinkSync, truncateSync } from 'node:fs'
import { expect, it } from '@jest/globals'
import type { StepProcess } from '../support/runner.ts'
import { until } from '../support/until.ts'
import { endsOf, makeLetters, makeRelease, notarize, readLines, startService } from './support.ts'

it('a signal ends the run: what is answered in time is kept, the rest is open or not sent', async () => {
  let child: StepProcess | undefined
  const signals = ['SIGTERM', 'SIGINT', 'SIGINT'] as const
  const service = await startService({
    repeat: 'accept',
    faults: ({ endpoint, nthOfEndpoint }) => {
      const isFourth = endpoint === 'completion' && nthOfEndpoint === 4
      if (isFourth) for (const signal of signals) child?.kill(signal)
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
  expect(readLines(run)).toHaveLength(2)
  expect(run.annotations.error).toEqual([expect.stringMatching(/2 of them may be.*cancelled/)])

  const again = await notarize({ service, workspace })
  expect(again.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 6 })
  const charged = again.results.records?.filter(one => one.maybeChargedAgain === true)
  expect(charged).toHaveLength(2)
})

it('sends nothing if the signal comes while files are hashed', async () => {
  const service = await startService()
  const workspace = makeRelease({ 'a.bin': 'a', 'large.bin': '', 'z.bin': 'z' })
  const large = workspace.path('dist/large.bin')
  // Sparse, and large enough to be read for a while.
  truncateSync(large, 8 * 1024 ** 3)
  const onStart = (child: StepProcess): void => {
    void until(() => hasOpen(child.pid, large)).then(() => child.kill('SIGTERM'))
  }
  const run = await notarize({ service, workspace, onStart, mustFail: true })
  truncateSync(large, 0)
  expect(service.requests).toEqual([])
  expect(endsOf(run)['dist/large.bin']).toBe('cancelled/no')
})

/** Whether a process has a file open. */
function hasOpen(pid: number | undefined, file: string): boolean {
  try {
    const folder = `/proc/${pid ?? 0}/fd`
    return readdirSync(folder).some(name => readlinkSync(`${folder}/${name}`) === file)
  } catch {
    // The process, or one of its files, is gone meanwhile.
    return false
  }
}
