/**
 * Replays a workflow: each job on a new machine, with the bundle as our action, stand-ins for GitHub's own actions, and bash
 * for scripts.
 */
import { globSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { matchesGlob } from 'node:path/posix'
import { parse } from 'yaml'
import { z } from 'zod'
import { readOwnName } from '../../scripts/own-name.ts'
import { runBash } from './bash.ts'
import { parseKeyValues } from './command-files.ts'
import { evaluate, fillText, holds, type Contexts } from './expressions.ts'
import { identityOf, makeBundle, startGh } from './gh.ts'
import type { GhFault, GhWorld, StoredArtifact } from './gh.ts'
import type { FakeGitHub } from './github.ts'
import { runAction, type ActionRun } from './runner.ts'
import { job as defaults } from './runner-environment.ts'
import { API_KEY } from './samples.ts'
import { makeWorkspace, type Workspace } from './workspace.ts'

/** The name of this action in the examples. */
export const ownName = readOwnName(resolve(import.meta.dirname, '../..'))

const secrets = { NOTARIZATION_API_KEY: API_KEY }

const text = z.coerce.string().default('')
const texts = z.record(z.string(), z.coerce.string()).default({})
const stepSchema = z.strictObject({
  id: text,
  if: text,
  uses: text,
  with: texts,
  run: text,
  shell: z.literal('bash').optional(),
  env: texts,
})
const jobSchema = z.strictObject({
  needs: text,
  if: text,
  'runs-on': z.string(),
  permissions: z.record(z.string(), z.enum(['read', 'write'])),
  concurrency: z.unknown().optional(),
  outputs: texts,
  env: texts,
  strategy: z
    .object({ matrix: z.record(z.string(), z.union([z.string(), z.array(z.string())])) })
    .default({ matrix: {} }),
  steps: z.array(stepSchema),
})
const workflowSchema = z.strictObject({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions: z.strictObject({}),
  concurrency: z.unknown().optional(),
  jobs: z.record(z.string(), jobSchema),
})

/** A workflow. Keys that the examples do not use are rejected; scalars become strings. */
export type Workflow = z.infer<typeof workflowSchema>
export type Step = z.infer<typeof stepSchema>
type Job = z.infer<typeof jobSchema>

export function parseWorkflow(yaml: string): Workflow {
  return workflowSchema.parse(parse(yaml))
}

type Texts = Readonly<Record<string, string>>
type Files = ReadonlyMap<string, Uint8Array>

/** Everything that outlives a job. */
export abstract class World implements GhWorld {
  abstract readonly github: FakeGitHub
  /** Replaces the value of `base-url`. */
  abstract readonly serviceUrl: string
  readonly artifacts: StoredArtifact[] = []
  readonly notes = new Map<number, string>()
  readonly caches = new Map<string, Files>()
  /** Bash scripts that stand in for commands other than `gh`, by name. */
  readonly commands: Record<string, string> = {}
  /** What happens to the step when it first calls the service. */
  disturbance: Disturbance | undefined
  /** Set here; the service calls it on each request. */
  onServiceCall = (): void => undefined
  abstract faultOf(call: string): GhFault | undefined
  /** Returns whether GoReleaser succeeds. */
  abstract runGoreleaser(): boolean
}

/** The job is canceled, the process is killed, or the machine dies. */
export type Disturbance = 'cancel' | 'kill' | 'machine'

/** One attempt of a workflow run. */
export interface RunFacts {
  /** File name of the workflow. */
  readonly file: string
  readonly runId: string
  readonly attempt: number
  readonly event: string
  readonly ref: string
  readonly sha: string
  readonly inputs: Readonly<Record<string, unknown>>
  /** The results of the previous attempt, for "Re-run failed jobs"; otherwise empty. */
  readonly before: Replay['results']
}

export interface Replay {
  readonly results: Record<string, Outcome>
  readonly runs: ActionRun[]
  /** Output of failed scripts. */
  readonly scriptErrors: string[]
}

/** How a job or step ended; `machine`: its machine died. */
interface Outcome {
  readonly result: 'success' | 'failure' | 'cancelled' | 'skipped' | 'machine'
  readonly outputs: Texts
}

/** What all jobs and steps of an attempt share. */
interface Stage extends Replay {
  readonly world: World
  readonly facts: RunFacts
  /** The `GITHUB_` variables. */
  readonly variables: Texts
}

type Context = Readonly<Record<string, unknown>>

/** Replays one attempt. */
export async function replay(workflow: Workflow, world: World, facts: RunFacts): Promise<Replay> {
  const variables = {
    GITHUB_API_URL: world.github.url,
    GITHUB_EVENT_NAME: facts.event,
    GITHUB_REF: facts.ref,
    GITHUB_REF_NAME: facts.ref.replace(/^refs\/(?:tags|heads|pull)\//, ''),
    GITHUB_REPOSITORY: defaults.repository,
    GITHUB_RUN_ATTEMPT: String(facts.attempt),
    GITHUB_RUN_ID: facts.runId,
    GITHUB_SHA: facts.sha,
    GH_STAND_IN: String(await startGh(world)),
  }
  const stage: Stage = { world, facts, variables, results: {}, runs: [], scriptErrors: [] }
  const { results } = stage
  const { before } = facts
  for (const [name, job] of Object.entries(workflow.jobs)) {
    const earlier = before[name]
    const isKept = earlier?.result === 'success' && results[job.needs] === before[job.needs]
    results[name] = isKept ? earlier : await replayJob(job, stage)
  }
  return stage
}

/** Returns the `github` context: the variables under their other names, the token and the event. */
function contextOf({ variables, world }: Stage): Context {
  const values = Object.entries(variables).map(
    ([name, value]) => [name.replace('GITHUB_', '').toLowerCase(), value] as const,
  )
  const event = { repository: { visibility: 'public' } }
  return { ...Object.fromEntries(values), token: world.github.token, event }
}

async function replayJob(job: Job, stage: Stage): Promise<Outcome> {
  const need = stage.results[job.needs]
  const needs = { [job.needs]: need }
  const context = { github: contextOf(stage), inputs: stage.facts.inputs, needs }
  const hasSucceeded = need === undefined || need.result === 'success'
  const contexts = { values: context, hasSucceeded }
  if (!holds(job.if, contexts)) return outcomeOf('skipped')

  stage.world.github.access = job.permissions['contents'] ?? 'none'
  const outcomes: Outcome[] = []
  for (const matrix of expandMatrix(job, contexts)) {
    outcomes.push(await replayMachine(job, { ...context, matrix, secrets }, stage))
  }
  const failed = outcomes.find(({ result }) => result !== 'success')
  const outputs = outcomes.flatMap(outcome => Object.entries(outcome.outputs))
  return { result: failed?.result ?? 'success', outputs: Object.fromEntries(outputs) }
}

function expandMatrix({ strategy }: Job, contexts: Contexts): readonly Context[] {
  let combinations: readonly Context[] = [{}]
  for (const [name, axis] of Object.entries(strategy.matrix)) {
    const value = typeof axis === 'string' ? evaluate(axis, contexts) : axis
    const list = z.array(z.string()).parse(value)
    combinations = combinations.flatMap(other => list.map(item => ({ ...other, [name]: item })))
  }
  return combinations
}

async function replayMachine(job: Job, context: Context, stage: Stage): Promise<Outcome> {
  const workspace = makeWorkspace()
  const steps: Record<string, unknown> = {}
  let state: Outcome['result'] = 'success'
  const now = (): Contexts => ({ values: { ...context, steps }, hasSucceeded: state === 'success' })
  const fill = (texts: Texts): Texts => {
    const entries = Object.entries(texts)
    return Object.fromEntries(entries.map(([key, value]) => [key, fillText(value, now())]))
  }
  for (const step of job.steps) {
    if (!holds(step.if, now())) continue
    const env = { ...fill(job.env), ...fill(step.env) }
    const outcome = await replayStep(step, { ...stage, workspace, inputs: fill(step.with), env })
    steps[step.id] = { outputs: outcome.outputs }
    if (outcome.result === 'machine') return outcomeOf('failure')
    if (outcome.result === 'cancelled' || state === 'success') state = outcome.result
  }
  return { result: state, outputs: fill(job.outputs) }
}

interface StepRun extends Stage {
  readonly workspace: Workspace
  readonly inputs: Texts
  readonly env: Texts
}

function outcomeOf(result: Outcome['result']): Outcome {
  return { result, outputs: {} }
}

const actions: Readonly<Record<string, (stepRun: StepRun) => Outcome | Promise<Outcome>>> = {
  [ownName]: stepRun => runOurs('action.yml', stepRun),
  [`${ownName}/verify`]: stepRun => runOurs('verify/action.yml', stepRun),
  'actions/checkout': () => outcomeOf('success'),
  'actions/setup-node': () => outcomeOf('success'),
  'actions/attest': attest,
  'actions/cache/restore': restoreCache,
  'actions/cache/save': saveCache,
  'actions/upload-artifact': uploadArtifact,
  'actions/download-artifact': downloadArtifact,
  'goreleaser/goreleaser-action': ({ world }) =>
    outcomeOf(world.runGoreleaser() ? 'success' : 'failure'),
}

function replayStep(step: Step, stepRun: StepRun): Outcome | Promise<Outcome> {
  if (step.run !== '') return runScript(step.run, stepRun)
  const action = actions[step.uses.replace(/@.*/, '')]
  if (action === undefined) throw new Error(`Unknown action "${step.uses}"`)
  return action(stepRun)
}

async function runOurs(actionFile: string, stepRun: StepRun): Promise<Outcome> {
  const { world, runs, variables, workspace } = stepRun
  const inputs: Record<string, string> = { ...stepRun.inputs }
  if ('base-url' in inputs) inputs['base-url'] = world.serviceUrl
  let ended: Disturbance | undefined
  const run = await runAction({
    workspace,
    actionFile,
    inputs,
    env: { ...variables, 'INPUT_GITHUB-TOKEN': world.github.token },
    secrets: [API_KEY, world.github.token],
    onStart: child => {
      world.onServiceCall = () => {
        ended ??= world.disturbance
        if (ended !== undefined) child.kill(ended === 'cancel' ? 'SIGINT' : 'SIGKILL')
        world.disturbance = undefined
      }
    },
  })
  runs.push(run)
  if (ended === 'machine') return outcomeOf('machine')
  const result = run.exitCode === 0 ? 'success' : 'failure'
  return { result: ended === undefined ? result : 'cancelled', outputs: run.outputs }
}

/** Reads the files of the input `path`, by base name. */
function readFiles({ workspace, inputs }: StepRun): Files {
  const files = globSync(inputs['path'] ?? '', { cwd: workspace.root })
  return new Map(files.map(file => [basename(file), readFileSync(workspace.path(file))]))
}

/** Includes the path: a cache that was saved with another path is not restored. */
function cacheKey({ inputs }: StepRun, key: 'key' | 'restore-keys'): string {
  return `${inputs['path'] ?? ''}: ${inputs[key] ?? ''}`
}

function restoreCache(stepRun: StepRun): Outcome {
  const { caches } = stepRun.world
  const prefix = cacheKey(stepRun, 'restore-keys')
  const newest = [...caches.keys()].findLast(key => key.startsWith(prefix)) ?? ''
  const files = caches.get(cacheKey(stepRun, 'key')) ?? caches.get(newest) ?? []
  for (const [file, bytes] of files) stepRun.workspace.write(file, bytes)
  return outcomeOf('success')
}

/** An existing key keeps its files. Saving nothing is only a warning. */
function saveCache(stepRun: StepRun): Outcome {
  const { caches } = stepRun.world
  const key = cacheKey(stepRun, 'key')
  const files = readFiles(stepRun)
  if (files.size > 0 && !caches.has(key)) caches.set(key, files)
  return outcomeOf('success')
}

function uploadArtifact(stepRun: StepRun): Outcome {
  const { world, facts, inputs } = stepRun
  const { name = '', overwrite } = inputs
  const files = readFiles(stepRun)
  const isRequired = inputs['if-no-files-found'] === 'error'
  if (files.size === 0) return outcomeOf(isRequired ? 'failure' : 'success')
  // A name must not contain these characters, and must be unique within the run.
  if (name === '' || /["/:<>|*?\r\n\\]/.test(name)) return outcomeOf('failure')
  const { runId } = facts
  const at = world.artifacts.findIndex(stored => stored.runId === runId && stored.name === name)
  if (at >= 0 && overwrite !== 'true') return outcomeOf('failure')
  if (at >= 0) world.artifacts.splice(at, 1)
  world.artifacts.push({ runId, name, files })
  return outcomeOf('success')
}

function downloadArtifact({ world, facts, workspace, inputs }: StepRun): Outcome {
  const { pattern = '*', path = '.', 'run-id': runId = facts.runId } = inputs
  const artifacts = world.artifacts.filter(
    stored => stored.runId === runId && matchesGlob(stored.name, pattern),
  )
  const isFlat = inputs['merge-multiple'] === 'true' || artifacts.length === 1
  for (const { name, files } of artifacts) {
    const folder = isFlat ? path : join(path, name)
    for (const [file, bytes] of files) workspace.write(join(folder, file), bytes)
  }
  return outcomeOf('success')
}

function attest({ facts, workspace, inputs }: StepRun): Outcome {
  const bundle = join(workspace.temp, 'attestation.json')
  const subject = readFileSync(workspace.path(inputs['subject-path'] ?? ''))
  workspace.write(bundle, makeBundle(subject, identityOf(facts.file, facts.ref)))
  return { result: 'success', outputs: { 'bundle-path': bundle } }
}

async function runScript(script: string, stepRun: StepRun): Promise<Outcome> {
  const { world, variables, workspace, env } = stepRun
  const output = join(workspace.temp, 'script-output')
  workspace.write(output, '')
  const all = { ...variables, ...env, GITHUB_OUTPUT: output }
  const ended = await runBash(`set -e\n${script}`, workspace, all, world.commands)
  const { status, stdout, stderr } = ended
  if (status !== 0) stepRun.scriptErrors.push(stdout, stderr)
  const outputs = parseKeyValues(workspace.read(output))
  return { result: status === 0 ? 'success' : 'failure', outputs }
}
