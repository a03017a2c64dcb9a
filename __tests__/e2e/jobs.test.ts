/** Jobs that keep their records, also when they are canceled, and the next attempt on a new machine. */
import { readFileSync } from 'node:fs'
import { expect, it } from '@jest/globals'
import type { SeenRequest, Simulator } from '../../simulator/index.ts'
import { lineOf } from '../records/entries.ts'
import { startArtifactService, type ArtifactService } from '../support/artifact-service.ts'
import { job, type StepProcess } from '../support/runner.ts'
import { source } from '../support/samples.ts'
import { until } from '../support/until.ts'
import { FILE, makeLetters, notarize, startService } from './support.ts'

/** Returns the environment of an attempt. */
const attempt = (number: number, { env }: ArtifactService) => ({
  ...env,
  GITHUB_RUN_ATTEMPT: `${number}`,
})

it('records are kept, and the next attempt, on a new machine, registers nothing again', async () => {
  const artifacts = await startArtifactService()
  const service = await startService()
  const env = attempt(1, artifacts)
  const first = await notarize({ service, env, workspace: makeLetters('ab') })
  expect(first.visibleLog).not.toContain(artifacts.token)
  const text = first.workspace.read(FILE)
  const kept = [FILE, 'notarization-evidence.md'].map(file => Object.values(artifacts.kept(file)))
  expect(kept).toEqual([[text], [readFileSync(first.results['evidence-path'], 'utf8')]])

  const calls = service.requests.length
  const workspace = makeLetters('ab')
  const inputs = { 'records-path': 'below/records.jsonl' }
  const next = await notarize({ service, inputs, workspace, env: attempt(2, artifacts) })
  expect(next.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 0 })
  expect(service.requests).toHaveLength(calls)
  expect(workspace.read('below/records.jsonl')).toBe(text)

  // Another step of the job of the first attempt, which stops.
  const wrong = { concurrency: '0' }
  const step = await notarize({ service, inputs: wrong, workspace: first.workspace, env })
  expect(step.results.verdict).toBe('stopped')
  expect(step.summary).toContain('/artifacts/3"')
  expect(Object.values(artifacts.kept(FILE))).toEqual([text, text, text])
})

const countCompletions = ({ requests }: Simulator): number =>
  requests.filter(({ endpoint }) => endpoint === 'completion').length

/** Of the completions, one is answered at once, one after the signal, and one never. */
const latencyMs = ({ endpoint, nthOfEndpoint }: SeenRequest): number =>
  endpoint === 'completion' ? ([0, 800, 60_000][nthOfEndpoint - 1] ?? 0) : 0

it('a run that is canceled while it completes ends within 9 seconds, red, and prints what is registered', async () => {
  const service = await startService({ latencyMs })
  const artifacts = await startArtifactService()
  artifacts.fail('CreateArtifact', 'silence')
  const workspace = makeLetters('abcdef')
  // Another step of the job has registered the first of six files.
  const ofRun = { ...source, runId: job.runId, runAttempt: '1' }
  workspace.write(FILE, lineOf('a', { service: service.url, source: ofRun }))
  let canceledAt = 0
  const onStart = (child: StepProcess): void =>
    void until(() => countCompletions(service) === 3).then(() => {
      canceledAt = performance.now()
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGINT'] as const) child.kill(signal)
    })
  const inputs = { concurrency: '2' }
  const env = attempt(1, artifacts)
  const run = await notarize({ service, inputs, workspace, env, onStart, mustFail: true })
  expect((performance.now() - canceledAt) / 1000).toBeLessThan(9)
  expect(run.annotations.error).toEqual([expect.stringMatching(/cancel/)])
  const { failures } = run.results
  expect(failures.filter(({ code }) => code !== 'cancelled')).toEqual([])
  expect(failures.filter(({ registered }) => registered === 'unknown')).toHaveLength(1)
  const saved = workspace.read(FILE)
  const lines = saved.split('\n').filter(line => line.includes('"record":'))
  expect(lines).toHaveLength(3)
  expect(artifacts.kept(FILE)).toEqual({})
  expect(run.lines).toEqual(expect.arrayContaining(lines))
})
