/**
 * Replays a workflow: job after job on a machine of its own, step after step, with the bundle in the place of our action,
 * and look-alikes of the actions of GitHub. Scripts are run by bash, with the commands that the tests put on the PATH.
 */
import { globSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { matchesGlob } from 'node:path/posix'
import { parse } from 'yaml'
import { z } from 'zod'
import { readOwnName } from '../../scripts/own-name.ts'
import { runBash } from './bash.ts'
import { parseKeyValues } from './command-files.ts'
import { fillExpressions, fillText, holds, type Contexts } from './expressions.ts'
import { identityOf, makeBundle, startGh, type GhWorld } from './gh.ts'
import { startAction, type ActionRun } from './runner.ts'
import { job as defaults } from './runner-environment.ts'
import { makeWorkspace, type Workspace } from './workspace.ts'

/** What the examples call this action. */
export const ownName = readOwnName(resolve(import.meta.dirname, '../..'))

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

/** A workflow as our examples write it; a key that is not known here is refused. Scalars are texts. */
export type Workflow = z.infer<typeof workflowSchema>
/** One step. */
export type Step = z.infer<typeof stepSchema>
type Job = z.infer<typeof jobSchema>

/** Reads a workflow. */
export function parseWorkflow(yaml: string): Workflow {
  return workflowSchema.parse(parse(yaml))
}

type Texts = Readonly<Record<string, string>>
type Files = ReadonlyMap<string, Uint8Array>

/** All that outlives a job. */
export interface World extends GhWorld {
  /** Takes the place of `base-url`. */
  serviceUrl: string
  readonly secrets: Texts
  /** Actions that are neither ours nor known here, by name without version. */
  readonly foreign: Readonly<Record<string, () => void>>
  /** Commands beside `gh` that scripts call, by name: what bash runs in their place. */
  readonly commands: Record<string, string>
  readonly caches: Map<string, Files>
  /** What happens to the machine when the service is called; see {@link Disturbance}. */
  disturbance: Disturbance | undefined
  /** Set by the service when it is called. */
  onServiceCall: () => void
}

/** A cancel, a cancel that kills the process of the step, or a machine that dies. */
export type Disturbance = 'cancel' | 'kill' | 'machine'

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
  readonly results: Readonly<Record<string, Outcome>>
  /** The runs of our actions. */
  readonly runs: readonly ActionRun[]
  /** What failing scripts wrote, and the errors of other actions. */
  readonly complaints: readonly string[]
}

/** How a job or a step ended; `machine`: with its machine. */
interface Outcome {
  readonly result: 'success' | 'failure' | 'cancelled' | 'skipped' | 'machine'
  readonly outputs: Texts
}

/** What each job and step of a replay has. */
interface Stage {
  readonly world: World
  readonly facts: RunFacts
  readonly variables: Texts
  readonly port: number
  readonly runs: ActionRun[]
  readonly complaints: string[]
}

type Context = Readonly<Record<string, unknown>>

/** Replays one attempt of one run. */
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
  }
  const port = await startGh(world)
  const stage: Stage = { world, facts, variables, port, runs: [], complaints: [] }
  const results: Record<string, Outcome> = {}
  const before = facts.failedOf?.results ?? {}
  for (const [name, job] of Object.entries(workflow.jobs)) {
    const earlier = before[name]
    const isKept = earlier?.result === 'success' && results[job.needs] === before[job.needs]
    results[name] = isKept ? earlier : await replayJob(job, results, stage)
  }
  return { results, runs: stage.runs, complaints: stage.complaints }
}

/** The context `github`, which has the variables under other names. */
function contextOf({ variables, world }: Stage): Context {
  const named = Object.entries(variables).map(([name, value]) => {
    return [name.replace('GITHUB_', '').toLowerCase(), value] as const
  })
  const event = { repository: { visibility: 'public' } }
  return { ...Object.fromEntries(named), token: world.github.token, event }
}

async function replayJob(
  job: Job,
  results: Readonly<Record<string, Outcome>>,
  stage: Stage,
): Promise<Outcome> {
  const need = results[job.needs]
  const needs = { [job.needs]: need }
  const context = { github: contextOf(stage), inputs: stage.facts.inputs, needs }
  const contexts = makeContexts(context, need === undefined ? 'success' : need.result)
  if (!holds(job.if, contexts)) return outcomeOf('skipped')

  stage.world.github.setAccess(job.permissions['contents'] ?? 'none')
  const all: Outcome[] = []
  for (const matrix of expandMatrix(job, contexts)) {
    const { secrets } = stage.world
    all.push(await replayMachine(job, { ...context, matrix, secrets }, stage))
  }
  const failed = all.find(({ result }) => result !== 'success')
  const outputs = all.flatMap(one => Object.entries(one.outputs))
  return { result: failed?.result ?? 'success', outputs: Object.fromEntries(outputs) }
}

function expandMatrix({ strategy }: Job, contexts: Contexts): readonly Context[] {
  let all: readonly Context[] = [{}]
  for (const [name, given] of Object.entries(strategy.matrix)) {
    const filled = typeof given === 'string' ? fillExpressions(given, contexts) : given
    const list = z.array(z.string()).parse(filled)
    all = all.flatMap(one => list.map(value => ({ ...one, [name]: value })))
  }
  return all
}

async function replayMachine(job: Job, context: Context, stage: Stage): Promise<Outcome> {
  const workspace = makeWorkspace()
  const steps: Record<string, unknown> = {}
  let state: Outcome['result'] = 'success'
  const now = (): Contexts => makeContexts({ ...context, steps }, state)
  const fill = (given: Texts): Texts => {
    const filled = Object.entries(given).map(([key, value]) => {
      return [key, fillText(value, now())] as const
    })
    return Object.fromEntries(filled)
  }
  for (const step of job.steps) {
    if (!holds(step.if, now())) continue
    const env = { ...fill(job.env), ...fill(step.env) }
    const outcome = await replayStep(step, { stage, workspace, inputs: fill(step.with), env })
    steps[step.id] = { outputs: outcome.outputs }
    if (outcome.result === 'machine') return outcomeOf('failure')
    if (outcome.result === 'cancelled' || state === 'success') state = outcome.result
  }
  return { result: state, outputs: fill(job.outputs) }
}

interface StepRun {
  readonly stage: Stage
  readonly workspace: Workspace
  readonly inputs: Texts
  readonly env: Texts
}

function outcomeOf(result: Outcome['result']): Outcome {
  return { result, outputs: {} }
}

/** The actions that are known here. */
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
}

function replayStep(step: Step, stepRun: StepRun): Outcome | Promise<Outcome> {
  if (step.run !== '') return runScript(step.run, stepRun)
  const name = step.uses.replace(/@.*/, '')
  const action = actions[name]
  if (action !== undefined) return action(stepRun)
  const foreign = stepRun.stage.world.foreign[name]
  if (foreign === undefined) throw new Error(`Unknown action "${name}"`)
  try {
    foreign()
    return outcomeOf('success')
  } catch (error) {
    stepRun.stage.complaints.push(String(error))
    return outcomeOf('failure')
  }
}

async function runOurs(actionFile: string, stepRun: StepRun): Promise<Outcome> {
  const { stage, workspace } = stepRun
  const { world, runs, variables } = stage
  const inputs: Record<string, string> = { ...stepRun.inputs }
  if ('base-url' in inputs) inputs['base-url'] = world.serviceUrl
  const { child, finished } = startAction({
    workspace,
    actionFile,
    inputs,
    env: { ...variables, 'INPUT_GITHUB-TOKEN': world.github.token },
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
  if (ended === 'machine') return outcomeOf('machine')
  const result = run.exitCode === 0 ? 'success' : 'failure'
  return { result: ended === undefined ? result : 'cancelled', outputs: run.outputs }
}

/** Reads a file or those that a pattern matches, by their last names; what is missing brings nothing. */
function readFiles({ workspace, inputs }: StepRun): Files {
  const found = globSync(inputs['path'] ?? '', { cwd: workspace.root })
  return new Map(found.map(file => [basename(file), readFileSync(workspace.path(file))]))
}

/** The version of a cache is made of its path: another one is another cache. */
function cacheKey({ inputs }: StepRun, key: 'key' | 'restore-keys'): string {
  return `${inputs['path'] ?? ''}: ${inputs[key] ?? ''}`
}

function restoreCache(stepRun: StepRun): Outcome {
  const { caches } = stepRun.stage.world
  const prefix = cacheKey(stepRun, 'restore-keys')
  const newest = [...caches.keys()].findLast(key => key.startsWith(prefix)) ?? ''
  const found = caches.get(cacheKey(stepRun, 'key')) ?? caches.get(newest)
  for (const [file, bytes] of found ?? []) stepRun.workspace.write(file, bytes)
  return outcomeOf('success')
}

/** A key that is there stays as it is, and nothing to save is only a warning. */
function saveCache(stepRun: StepRun): Outcome {
  const { caches } = stepRun.stage.world
  const key = cacheKey(stepRun, 'key')
  const files = readFiles(stepRun)
  if (files.size > 0 && !caches.has(key)) caches.set(key, files)
  return outcomeOf('success')
}

function uploadArtifact(stepRun: StepRun): Outcome {
  const { world, facts } = stepRun.stage
  const { name = '', overwrite = 'false' } = stepRun.inputs
  const files = readFiles(stepRun)
  const isRequired = stepRun.inputs['if-no-files-found'] === 'error'
  if (files.size === 0) return outcomeOf(isRequired ? 'failure' : 'success')
  // Names of artifacts take none of these characters, and none twice in a run.
  if (name === '' || /["/:<>|*?\r\n\\]/.test(name)) return outcomeOf('failure')
  const at = world.artifacts.findIndex(one => one.runId === facts.runId && one.name === name)
  if (at >= 0 && overwrite !== 'true') return outcomeOf('failure')
  if (at >= 0) world.artifacts.splice(at, 1)
  world.artifacts.push({ runId: facts.runId, name, files })
  return outcomeOf('success')
}

function downloadArtifact({ stage, workspace, inputs }: StepRun): Outcome {
  const { pattern = '*', path = '.', 'run-id': runId = stage.facts.runId } = inputs
  const found = stage.world.artifacts.filter(
    one => one.runId === runId && matchesGlob(one.name, pattern),
  )
  const isFlat = inputs['merge-multiple'] === 'true' || found.length === 1
  for (const { name, files } of found) {
    const folder = isFlat ? path : join(path, name)
    for (const [file, bytes] of files) workspace.write(join(folder, file), bytes)
  }
  return outcomeOf('success')
}

function attest({ stage, workspace, inputs }: StepRun): Outcome {
  const bundle = join(workspace.temp, 'attestation.json')
  const subject = readFileSync(workspace.path(inputs['subject-path'] ?? ''))
  workspace.write(bundle, makeBundle(subject, identityOf(stage.facts.file, stage.facts.ref)))
  return { result: 'success', outputs: { 'bundle-path': bundle } }
}

async function runScript(script: string, { stage, workspace, env }: StepRun): Promise<Outcome> {
  const output = join(workspace.temp, 'script-output')
  workspace.write(output, '')
  const own = { GH_STAND_IN: String(stage.port), GITHUB_OUTPUT: output }
  const { status, stdout, stderr } = await runBash(`set -e\n${script}`, workspace, {
    env: { ...stage.variables, ...env, ...own },
    commands: stage.world.commands,
  })
  if (status !== 0) stage.complaints.push(stdout, stderr)
  const outputs = parseKeyValues(readFileSync(output, 'utf8'))
  return { result: status === 0 ? 'success' : 'failure', outputs }
}

function makeContexts(values: Context, state: Outcome['result']): Contexts {
  const functions = { success: () => state === 'success', always: () => true }
  return { values, functions }
}
