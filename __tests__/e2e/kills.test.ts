/** SIGKILL to a real process. `__tests__/world` explores every order of kills, signals and answers. */
import { expect, it } from '@jest/globals'
import { findUnsettled, isMaybeChargedAgain, readRecordsText } from '../support/record-lines.ts'
import { runAction, type StepProcess } from '../support/runner.ts'
import { API_KEY, subscriptionText } from '../support/samples.ts'
import { FILE, makeLetters, notarize, startService } from './support.ts'

it('what a killed run has sent is in the records file, and later runs account for it', async () => {
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
  const secret = { 'api-key': API_KEY, subscription: subscriptionText }
  const inputs = { path: 'dist', 'base-url': service.url, ...secret }
  const onStart = (started: StepProcess): void => {
    child = started
  }
  for (const [attempt, arrivals] of [1, 6].entries()) {
    arrivalsLeft = arrivals
    const env = { GITHUB_RUN_ATTEMPT: String(attempt + 1) }
    expect(await runAction({ workspace, inputs, env, onStart })).toMatchObject({
      signal: 'SIGKILL',
    })
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
})
