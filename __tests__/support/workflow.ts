/**
 * Replays a workflow: job after job on a machine of its own, step after step, with the bundle in the place of our action,
 * and look-alikes of the actions of GitHub. Scripts are run by bash, with the commands that the tests put on the PATH.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, globSync, readFileSync } from 'node:fs'
import { basename, delimiter, join, resolve } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { minimatch } from 'minimatch'
import { parse } from 'yaml'
import { z } from 'zod'
import { readOwnName } from '../../scripts/own-name.ts'
import { parseKeyValues } from './command-files.ts'
import { fillExpressions, fillText, holds, type Contexts } from './expressions.ts'
import { identityOf, makeBundle, shim, startGh, type GhWorld } from './gh.ts'
import { startAction, type ActionRun } from './runner.ts'
import { job as defaults } from './runner-environment.ts'
import { makeWorkspace, type Workspace } from './workspace.ts'

/** What the examples call this action. */
export const ownName = readOwnName(resolve(import.meta.dirname, '../..'))

const scalar = z.union([z.string(), z.number(), z.boolean()])
const values = z.record(z.string(), scalar)

/** One step, with the keys that our examples use. */
export const stepSchema = z.strictObject({
  id: z.string().optional(),
  if: scalar.optional(),
  uses: z.string().optional(),
  with: values.optional(),
  run: z.string().optional(),
  shell: z.literal('bash').optional(),
  env: values.optional(),
})

const concurrencySchema = z.strictObject({ group: z.string(), 'cancel-in-progress': z.boolean() })

const jobSchema = z.strictObject({
  needs: z.string().optional(),
  if: scalar.optional(),
  'runs-on': z.string(),
  permissions: z.record(z.string(), z.enum(['read', 'write'])),
  concurrency: concurrencySchema.optional(),
  outputs: z.record(z.string(), z.string()).default({}),
  env: values.optional(),
  strategy: z
    .strictObject({
      'fail-fast': z.boolean(),
      matrix: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
    })
    .optional(),
  steps: z.array(stepSchema),
})

const workflowSchema = z.strictObject({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions: z.strictObject({}),
  concurrency: concurrencySchema.optional(),
  jobs: z.record(z.string(), jobSchema),
})

/** A workflow as our examples write it; a key that is not known here is refused. */
export type Workflow = z.infer<typeof workflowSchema>
/** One step. */
export type Step = z.infer<typeof stepSchema>
type Job = z.infer<typeof jobSchema>

/** Reads a workflow. */
export function parseWorkflow(text: string): Workflow {
  return workflowSchema.parse(parse(text))
}

type Texts = Readonly<Record<string, string>>

/** All that outlives a job. */
export interface World extends GhWorld {
  /** Takes the place of `base-url`. */
  serviceUrl: string
  readonly secrets: Texts
  /** Actions that are neither ours nor known here, by name without version. */
  readonly foreign: Readonly<Record<string, () => void>>
  /** Commands beside `gh` that scripts call, by name: what bash runs in their place. */
  readonly commands: Texts
  readonly caches: { readonly key: string; readonly files: Files }[]
  /** What happens to the machine when the service is called; see {@link Disturbance}. */
  disturbance: Disturbance | undefined
  /** Set by the service when it is called. */
  onServiceCall: () => void
}

/** A cancel, a cancel that kills the process of the step, or a machine that dies. */
export type Disturbance = 'cancel' | 'kill' | 'machine'

type Files = ReadonlyMap<string, Uint8Array>

/** What a run is for. */
export interface RunFacts {
  /** Name of the file, which attestations give. */
  readonly file: string
  readonly runId: string
  readonly attempt: number
  readonly event: string
  readonly ref: string
  readonly sha: string
  readonly inputs: Readonly<Record<string, unknown>>
  /** The attempt before, of which only failed jobs, and those that need them, are run again. */
  readonly failedOf: Replay | undefined
}

/** What became of a run of a workflow. */
export interface Replay {
  /** By job. */
  readonly results: Readonly<Record<string, JobResult>>
  /** The runs of our actions. */
  readonly runs: readonly ActionRun[]
  /** What failing scripts wrote to stderr, and the errors that scripts reported. */
  readonly complaints: readonly string[]
}

interface JobResult {
  readonly result: 'success' | 'failure' | 'cancelled' | 'skipped'
  readonly outputs: Texts
}

/** What each job and step of a replay has. */
interface Stage {
  readonly world: World
  readonly facts: RunFacts
  readonly port: number
  readonly runs: ActionRun[]
  readonly complaints: string[]
}

type Context = Readonly<Record<string, unknown>>

/** Replays one attempt of one run. */
export async function replay(workflow: Workflow, world: World, facts: RunFacts): Promise<Replay> {
  const stage: Stage = { world, facts, port: await startGh(world), runs: [], complaints: [] }
  const results: Record<string, JobResult> = {}
  const before = facts.failedOf?.results ?? {}
  for (const [name, job] of Object.entries(workflow.jobs)) {
    const need = job.needs ?? ''
    const earlier = before[name]
    const isKept = earlier?.result === 'success' && results[need] === before[need]
    results[name] = isKept ? earlier : await replayJob(job, results, stage)
  }
  return { results, runs: stage.runs, complaints: stage.complaints }
}

/** What the runner knows of a run, by the names of its variables. */
function variablesOf({ world, facts }: Stage): Texts {
  return {
    GITHUB_API_URL: world.github.url,
    GITHUB_EVENT_NAME: facts.event,
    GITHUB_REF: facts.ref,
    GITHUB_REF_NAME: facts.ref.replace(/^refs\/(?:tags|heads|pull)\//, ''),
    GITHUB_REPOSITORY: defaults.repository,
    GITHUB_RUN_ATTEMPT: String(facts.attempt),
    GITHUB_RUN_ID: facts.runId,
    GITHUB_SHA: facts.sha,
  }
}

/** The context `github`, which has the variables under other names. */
function contextOf(stage: Stage): Context {
  const named = Object.entries(variablesOf(stage)).map(([name, value]) => {
    return [name.replace('GITHUB_', '').toLowerCase(), value] as const
  })
  const event = { repository: { visibility: 'public' } }
  return { ...Object.fromEntries(named), token: stage.world.github.token, event }
}

async function replayJob(
  job: Job,
  results: Readonly<Record<string, JobResult>>,
  stage: Stage,
): Promise<JobResult> {
  const needs = job.needs === undefined ? {} : { [job.needs]: results[job.needs] }
  const context = { github: contextOf(stage), inputs: stage.facts.inputs, needs }
  const haveSucceeded = Object.values(needs).every(need => need?.result === 'success')
  const contexts = makeContexts(context, haveSucceeded ? 'success' : 'failure')
  if (!holds(String(job.if ?? ''), contexts)) return { result: 'skipped', outputs: {} }

  stage.world.github.setAccess(job.permissions['contents'] ?? 'none')
  const all: JobResult[] = []
  for (const [index, matrix] of expandMatrix(job, contexts).entries()) {
    const strategy = { 'job-index': index }
    const { secrets } = stage.world
    all.push(await replayMachine(job, { ...context, matrix, strategy, secrets }, stage))
  }
  const failed = all.find(({ result }) => result !== 'success')
  const outputs = all.flatMap(one => Object.entries(one.outputs))
  return { result: failed?.result ?? 'success', outputs: Object.fromEntries(outputs) }
}

function expandMatrix({ strategy }: Job, contexts: Contexts): readonly Context[] {
  let all: readonly Context[] = [{}]
  for (const [name, given] of Object.entries(strategy?.matrix ?? {})) {
    const filled = typeof given === 'string' ? fillExpressions(given, contexts) : given
    const list = z.array(z.string()).parse(filled)
    all = all.flatMap(one => list.map(value => ({ ...one, [name]: value })))
  }
  return all
}

async function replayMachine(job: Job, context: Context, stage: Stage): Promise<JobResult> {
  const workspace = makeWorkspace()
  const steps: Record<string, unknown> = {}
  const runner = { temp: workspace.temp, os: 'Linux' }
  let state: JobResult['result'] = 'success'
  const now = (): Contexts => makeContexts({ ...context, steps, runner }, state)
  const fill = (given: Step['with']): Texts => {
    const filled = Object.entries(given ?? {}).map(([key, value]) => {
      return [key, fillText(String(value), now())] as const
    })
    return Object.fromEntries(filled)
  }
  for (const step of job.steps) {
    if (!holds(String(step.if ?? ''), now())) continue
    const env = { ...fill(job.env), ...fill(step.env) }
    const outcome = await replayStep(step, { stage, workspace, inputs: fill(step.with), env })
    if (step.id !== undefined) steps[step.id] = { outputs: outcome.outputs }
    if (outcome.ended === 'machine') return { result: 'failure', outputs: {} }
    if (outcome.ended !== undefined) state = 'cancelled'
    else if (!outcome.isGood && state === 'success') state = 'failure'
  }
  return { result: state, outputs: fill(job.outputs) }
}

interface StepRun {
  readonly stage: Stage
  readonly workspace: Workspace
  readonly inputs: Texts
  readonly env: Texts
}

interface Outcome {
  readonly isGood: boolean
  readonly outputs: Texts
  /** What ended the step from outside. */
  readonly ended?: Disturbance
}

const outcomeOf = (isGood: boolean): Outcome => ({ isGood, outputs: {} })

/** The actions that are known here. */
const actions: Readonly<Record<string, (stepRun: StepRun) => Outcome | Promise<Outcome>>> = {
  [ownName]: stepRun => runOurs('action.yml', stepRun),
  [`${ownName}/verify`]: stepRun => runOurs('verify/action.yml', stepRun),
  'actions/checkout': () => outcomeOf(true),
  'actions/setup-node': () => outcomeOf(true),
  'actions/attest': attest,
  'actions/cache/restore': restoreCache,
  'actions/cache/save': saveCache,
  'actions/upload-artifact': uploadArtifact,
  'actions/download-artifact': downloadArtifact,
}

function replayStep(step: Step, stepRun: StepRun): Outcome | Promise<Outcome> {
  if (step.run !== undefined) return runScript(step.run, stepRun)
  const name = (step.uses ?? '').replace(/@.*/, '')
  const action = actions[name]
  if (action !== undefined) return action(stepRun)
  const foreign = stepRun.stage.world.foreign[name]
  if (foreign === undefined) throw new Error(`Unknown action "${name}"`)
  try {
    foreign()
    return outcomeOf(true)
  } catch (error) {
    stepRun.stage.complaints.push(String(error))
    return outcomeOf(false)
  }
}

async function runOurs(actionFile: string, stepRun: StepRun): Promise<Outcome> {
  const { stage, workspace } = stepRun
  const { world, runs } = stage
  const inputs: Record<string, string> = { ...stepRun.inputs }
  if ('base-url' in inputs) inputs['base-url'] = world.serviceUrl
  const { child, finished } = startAction({
    workspace,
    actionFile,
    inputs,
    env: { ...variablesOf(stage), 'INPUT_GITHUB-TOKEN': world.github.token },
    secrets: [...Object.values(world.secrets), world.github.token],
  })
  let ended: Disturbance | undefined
  world.onServiceCall = () => {
    ended ??= world.disturbance
    if (ended !== undefined) child.kill(ended === 'cancel' ? 'SIGINT' : 'SIGKILL')
    world.disturbance = undefined
  }
  const run = await finished
  runs.push(run)
  const outcome = { isGood: run.exitCode === 0, outputs: run.outputs }
  return ended === undefined ? outcome : { ...outcome, ended }
}

/** Reads a file or those that a pattern matches, by their last names; what is missing brings nothing. */
function readFiles({ workspace, inputs }: StepRun): Files {
  const found = globSync(inputs['path'] ?? '', { cwd: workspace.root })
  return new Map(found.map(file => [basename(file), readFileSync(workspace.path(file))]))
}

/** The version of a cache is made of its path: another one is another cache. */
function cacheKey({ inputs }: StepRun, key = ''): string {
  return `${inputs['path'] ?? ''}: ${key}`
}

function restoreCache(stepRun: StepRun): Outcome {
  const { caches } = stepRun.stage.world
  const exact = cacheKey(stepRun, stepRun.inputs['key'])
  const prefix = cacheKey(stepRun, stepRun.inputs['restore-keys'])
  const found =
    caches.find(({ key }) => key === exact) ?? caches.findLast(({ key }) => key.startsWith(prefix))
  for (const [file, bytes] of found?.files ?? []) stepRun.workspace.write(file, bytes)
  return outcomeOf(true)
}

function saveCache(stepRun: StepRun): Outcome {
  const { caches } = stepRun.stage.world
  const key = cacheKey(stepRun, stepRun.inputs['key'])
  const files = readFiles(stepRun)
  // A key that is there stays as it is, and nothing to save is only a warning.
  if (files.size > 0 && caches.every(cache => cache.key !== key)) caches.push({ key, files })
  return outcomeOf(true)
}

function uploadArtifact(stepRun: StepRun): Outcome {
  const { world, facts } = stepRun.stage
  const { name = '', overwrite = 'false' } = stepRun.inputs
  const files = readFiles(stepRun)
  if (files.size === 0) return outcomeOf(stepRun.inputs['if-no-files-found'] !== 'error')
  // Names of artifacts take none of these characters, and none twice in a run.
  if (name === '' || /["/:<>|*?\r\n\\]/.test(name)) return outcomeOf(false)
  const at = world.artifacts.findIndex(one => one.runId === facts.runId && one.name === name)
  if (at >= 0 && overwrite !== 'true') return outcomeOf(false)
  if (at >= 0) world.artifacts.splice(at, 1)
  world.artifacts.push({ runId: facts.runId, name, files })
  return outcomeOf(true)
}

function downloadArtifact({ stage, workspace, inputs }: StepRun): Outcome {
  const { pattern = '*', path = '.', 'run-id': runId = stage.facts.runId } = inputs
  const found = stage.world.artifacts.filter(
    one => one.runId === runId && minimatch(one.name, pattern),
  )
  const isFlat = inputs['merge-multiple'] === 'true' || found.length === 1
  for (const { name, files } of found) {
    for (const [file, bytes] of files) {
      workspace.write(isFlat ? join(path, file) : join(path, name, file), bytes)
    }
  }
  return outcomeOf(true)
}

function attest({ stage, workspace, inputs }: StepRun): Outcome {
  const bundle = join(workspace.temp, 'attestation.json')
  const subject = readFileSync(workspace.path(inputs['subject-path'] ?? ''))
  workspace.write(bundle, makeBundle(subject, identityOf(stage.facts.file, stage.facts.ref)))
  return { isGood: true, outputs: { 'bundle-path': bundle } }
}

async function runScript(script: string, { stage, workspace, env }: StepRun): Promise<Outcome> {
  const folder = (name: string): string => join(workspace.temp, 'script', name)
  for (const [name, text] of Object.entries({ gh: shim, ...stage.world.commands })) {
    workspace.write(folder(`bin/${name}`), text.startsWith('#!') ? text : `#!/bin/bash -e\n${text}`)
    chmodSync(folder(`bin/${name}`), 0o755)
  }
  workspace.write(folder('script'), script)
  workspace.write(folder('output'), '')
  const child = spawn('bash', ['-e', folder('script')], {
    cwd: workspace.root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...variablesOf(stage),
      ...env,
      PATH: [folder('bin'), process.env['PATH'] ?? ''].join(delimiter),
      GH_STAND_IN: String(stage.port),
      GITHUB_OUTPUT: folder('output'),
    },
  })
  const ended = once(child, 'close')
  const [stdout, stderr] = await Promise.all([readText(child.stdout), readText(child.stderr)])
  await ended
  const isGood = child.exitCode === 0
  if (!isGood)
    stage.complaints.push(...`${stdout}${stderr}`.split('\n').filter(line => line !== ''))
  return { isGood, outputs: parseKeyValues(readFileSync(folder('output'), 'utf8')) }
}

function makeContexts(given: Context, state: JobResult['result']): Contexts {
  const functions = {
    success: () => state === 'success',
    failure: () => state === 'failure',
    always: () => true,
    cancelled: () => state === 'cancelled',
  }
  return { values: given, functions }
}
