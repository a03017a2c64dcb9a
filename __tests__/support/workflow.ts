/**
 * Replays a workflow: job after job on a machine of its own, step after step, with the bundle in the place of our action
 * and look-alikes of the cache and of artifacts. Shell scripts are run by bash, with `make` and `gh` that tests control.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, delimiter, join, resolve } from 'node:path'
import { minimatch } from 'minimatch'
import { parse } from 'yaml'
import { z } from 'zod'
import { readOwnName } from '../../scripts/own-name.ts'
import type { FakeGitHub } from './github.ts'
import { parseKeyValues } from './command-files.ts'
import { fillExpressions, fillText, holds } from './expressions.ts'
import type { Contexts } from './expressions.ts'
import { runAction } from './runner.ts'
import type { ActionRun } from './runner.ts'
import { job as defaults } from './runner-environment.ts'
import { makeTemporaryFolder, makeWorkspace } from './workspace.ts'
import type { Workspace } from './workspace.ts'

/** What the examples call this action. */
export const ownName = readOwnName(resolve(import.meta.dirname, '../..'))

const scalar = z.union([z.string(), z.number(), z.boolean()])
const values = z.record(z.string(), scalar)

const stepSchema = z.strictObject({
  id: z.string().optional(),
  name: z.string().optional(),
  if: scalar.optional(),
  uses: z.string().optional(),
  with: values.optional(),
  run: z.string().optional(),
  env: values.optional(),
})

const jobSchema = z.strictObject({
  needs: z.union([z.string().transform(need => [need]), z.array(z.string())]).default([]),
  if: scalar.optional(),
  'runs-on': z.string(),
  permissions: z.record(z.string(), z.enum(['read', 'write'])),
  outputs: z.record(z.string(), z.string()).default({}),
  env: values.optional(),
  strategy: z
    .strictObject({
      'fail-fast': z.boolean().optional(),
      matrix: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
    })
    .optional(),
  steps: z.array(stepSchema),
})

const workflowSchema = z.looseObject({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions: z.record(z.string(), z.string()),
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

type Files = ReadonlyMap<string, Uint8Array>
type Texts = Readonly<Record<string, string>>

/** A step that uses an action of others, with its inputs. */
export interface ForeignStep {
  readonly inputs: Texts
  readonly workspace: Workspace
}

/** All that outlives a job. */
export interface World {
  readonly github: FakeGitHub
  /** Takes the place of `base-url`. */
  readonly serviceUrl: string
  readonly secrets: Texts
  /** What `make dist` puts into `dist`, by TARGET; that of the empty target without one. */
  readonly builds: Readonly<Record<string, Texts>>
  /** Actions that are neither ours nor known here, by name without version. */
  readonly foreign: Readonly<Record<string, (step: ForeignStep) => void>>
  /** Further commands that scripts call, by name: what bash runs in their place. */
  readonly commands: Texts
  readonly caches: { readonly key: string; readonly files: Files }[]
  readonly artifacts: Map<string, Files>
  /** Of releases, by tag. */
  readonly notes: Map<string, string>
}

/** What a run is for. */
export interface RunFacts {
  readonly runId: string
  readonly attempt: number
  readonly event: string
  readonly ref: string
  readonly inputs?: Readonly<Record<string, unknown>>
  /** The attempt before, of which only failed jobs, and those that need them, are run again. */
  readonly failedOf?: Replay
}

/** What became of a run of a workflow. */
export interface Replay {
  /** By job. */
  readonly results: Readonly<Record<string, JobResult>>
  /** The runs of our actions. */
  readonly runs: readonly ActionRun[]
}

interface JobResult {
  readonly result: 'success' | 'failure' | 'skipped'
  readonly outputs: Texts
}

/** What each job and step of a replay has. */
interface Stage {
  readonly world: World
  /** What the runner knows of the run, by the names of its variables. */
  readonly variables: Texts
  readonly runs: ActionRun[]
}

type Context = Readonly<Record<string, unknown>>

/** Replays one attempt of one run. */
export async function replay(workflow: Workflow, world: World, facts: RunFacts): Promise<Replay> {
  const results: Record<string, JobResult> = {}
  const before = facts.failedOf?.results ?? {}
  const stage: Stage = { world, variables: variablesOf(world, facts), runs: [] }
  const github = contextOf(stage)
  for (const [name, job] of Object.entries(workflow.jobs)) {
    const earlier = before[name]
    const isKept = job.needs.every(need => results[need] === before[need])
    const needs = Object.fromEntries(job.needs.map(need => [need, results[need]]))
    results[name] =
      earlier?.result === 'success' && isKept
        ? earlier
        : await replayJob(job, { github, inputs: facts.inputs ?? {}, needs }, stage)
  }
  return { results, runs: stage.runs }
}

function variablesOf({ github }: World, { runId, attempt, event, ref }: RunFacts): Texts {
  return {
    GITHUB_API_URL: github.url,
    GITHUB_EVENT_NAME: event,
    GITHUB_REF: ref,
    GITHUB_REF_NAME: ref.replace(/^refs\/(?:tags|heads|pull)\//, ''),
    GITHUB_REPOSITORY: defaults.repository,
    GITHUB_RUN_ATTEMPT: String(attempt),
    GITHUB_RUN_ID: runId,
    GITHUB_SHA: defaults.sha,
  }
}

/** The context `github`, which has the variables under other names. */
function contextOf({ world, variables }: Stage): Context {
  const named = Object.entries(variables).map(
    ([name, value]) => [name.replace('GITHUB_', '').toLowerCase(), value] as const,
  )
  return { ...Object.fromEntries(named), token: world.github.token }
}

async function replayJob(
  job: Job,
  context: Context & { readonly needs: Readonly<Record<string, JobResult | undefined>> },
  stage: Stage,
): Promise<JobResult> {
  const haveSucceeded = Object.values(context.needs).every(need => need?.result === 'success')
  const contexts = makeContexts(context, haveSucceeded)
  if (!holds(String(job.if ?? ''), contexts)) return { result: 'skipped', outputs: {} }

  stage.world.github.setAccess(job.permissions['contents'] ?? 'none')
  const all: JobResult[] = []
  for (const [index, matrix] of expandMatrix(job, contexts).entries()) {
    const more = { matrix, strategy: { 'job-index': index }, secrets: stage.world.secrets }
    all.push(await replayMachine(job, { ...context, ...more }, stage))
  }
  const failed = all.find(({ result }) => result === 'failure')
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
  let hasFailed = false
  const runner = { temp: workspace.temp, os: 'Linux' }
  const now = (): Contexts => makeContexts({ ...context, steps, runner }, !hasFailed)
  const fill = (given: Step['with']): Texts =>
    Object.fromEntries(
      Object.entries(given ?? {}).map(([key, value]) => [key, fillText(String(value), now())]),
    )
  for (const step of job.steps) {
    if (!holds(String(step.if ?? ''), now())) continue
    const env = { ...fill(job.env), ...fill(step.env) }
    const outcome = await replayStep(step, { ...stage, workspace, inputs: fill(step.with), env })
    if (step.id !== undefined) steps[step.id] = { outputs: outcome.outputs }
    hasFailed ||= !outcome.isGood
  }
  return { result: hasFailed ? 'failure' : 'success', outputs: fill(job.outputs) }
}

interface StepRun extends Stage {
  readonly workspace: Workspace
  readonly inputs: Texts
  readonly env: Texts
}

interface Outcome {
  readonly isGood: boolean
  readonly outputs: Texts
}

const outcomeOf = (isGood: boolean): Outcome => ({ isGood, outputs: {} })

/** The actions that are known here. */
const actions: Readonly<Record<string, (stepRun: StepRun) => Outcome | Promise<Outcome>>> = {
  [ownName]: stepRun => runOurs('action.yml', stepRun),
  [`${ownName}/verify`]: stepRun => runOurs('verify/action.yml', stepRun),
  'actions/checkout': () => outcomeOf(true),
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
  const foreign = stepRun.world.foreign[name]
  if (foreign === undefined) throw new Error(`Unknown action "${name}"`)
  foreign(stepRun)
  return outcomeOf(true)
}

async function runOurs(actionFile: string, stepRun: StepRun): Promise<Outcome> {
  const { world, variables, workspace, inputs, runs } = stepRun
  const { token } = world.github
  const run = await runAction({
    ...{ workspace, actionFile },
    inputs: { ...inputs, ...('base-url' in inputs ? { 'base-url': world.serviceUrl } : {}) },
    env: { ...variables, 'INPUT_GITHUB-TOKEN': token },
    secrets: [...Object.values(world.secrets), token],
  })
  runs.push(run)
  return { isGood: run.exitCode === 0, outputs: run.outputs }
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
  const { world, workspace, inputs } = stepRun
  const exact = cacheKey(stepRun, inputs['key'])
  const prefix = cacheKey(stepRun, inputs['restore-keys'] ?? inputs['key'])
  const found =
    world.caches.find(({ key }) => key === exact) ??
    world.caches.findLast(({ key }) => key.startsWith(prefix))
  for (const [file, bytes] of found?.files ?? []) workspace.write(file, bytes)
  return outcomeOf(true)
}

function saveCache(stepRun: StepRun): Outcome {
  const { world, inputs } = stepRun
  const key = cacheKey(stepRun, inputs['key'])
  const files = readFiles(stepRun)
  // A key that is there stays as it is, and nothing to save is only a warning.
  if (files.size > 0 && !world.caches.some(cache => cache.key === key)) {
    world.caches.push({ key, files })
  }
  return outcomeOf(!key.includes(','))
}

function uploadArtifact(stepRun: StepRun): Outcome {
  const { world, inputs } = stepRun
  const { name = 'artifact' } = inputs
  const files = readFiles(stepRun)
  if (files.size === 0) return outcomeOf(inputs['if-no-files-found'] !== 'error')
  if (world.artifacts.has(name) && inputs['overwrite'] !== 'true') return outcomeOf(false)
  world.artifacts.set(name, files)
  return outcomeOf(true)
}

function downloadArtifact({ world, workspace, inputs }: StepRun): Outcome {
  const { name, pattern = '*', path = '.' } = inputs
  const found = [...world.artifacts].filter(([one]) =>
    name === undefined ? minimatch(one, pattern) : one === name,
  )
  const isFlat = name !== undefined || inputs['merge-multiple'] === 'true' || found.length === 1
  for (const [artifact, files] of found) {
    for (const [file, bytes] of files) {
      workspace.write(isFlat ? join(path, file) : join(path, artifact, file), bytes)
    }
  }
  return outcomeOf(name === undefined || found.length > 0)
}

/** `make` copies a build, and `gh` notes what it was asked for. */
const scripts = {
  make: `
    target=""
    for word; do case "$word" in TARGET=*) target=\${word#TARGET=} ;; esac; done
    mkdir -p dist && cp -R "$STUBS/builds/$target/." dist/
  `,
  gh: `
    printf "%s\\t" "$@" >> "$STUBS/gh.log"; echo >> "$STUBS/gh.log"
    test -n "$GH_TOKEN" || { echo "no token" >&2; exit 4; }
    case "$1 $2" in
      "release view") test -e "$STUBS/has-release"; case "$*" in *body*) cat "$STUBS/body" ;; esac ;;
      "release list") cat "$STUBS/tags.json" ;;
      "release download")
        folder=. patterns=()
        while test $# -gt 0; do
          case "$1" in --dir) folder=$2 ;; --pattern) patterns+=("$2") ;; esac
          shift
        done
        mkdir -p "$folder"
        for file in "$STUBS"/assets/*; do
          name=\${file##*/}
          for pattern in "\${patterns[@]:-*}"; do
            case "$name" in $pattern) test ! -e "$folder/$name"; cp "$file" "$folder/$name" ;; esac
          done
        done ;;
    esac
  `,
} as const

function runScript(script: string, { world, variables, workspace, env }: StepRun): Outcome {
  const { github, notes, builds, commands } = world
  const stubs = makeTemporaryFolder()
  const path = (file: string): string => join(stubs, file)
  const write = (folder: string, files: Texts): void => {
    mkdirSync(path(folder), { recursive: true })
    for (const [name, text] of Object.entries(files)) writeFileSync(path(join(folder, name)), text)
  }
  for (const [name, text] of Object.entries({ ...scripts, ...commands })) {
    write('bin', { [name]: `#!/usr/bin/env bash\nset -e\n${text}` })
    chmodSync(path(`bin/${name}`), 0o755)
  }
  for (const [target, files] of Object.entries(builds)) write(join('builds', target), files)
  const tag = env['TAG'] ?? ''
  const releases = github.releases()
  if (releases.some(release => release.tag === tag)) {
    write('', { 'has-release': '' })
    write('assets', github.texts(tag))
  }
  const published = releases.filter(({ draft }) => !draft).map(release => release.tag)
  const body = `${notes.get(tag) ?? ''}\n`
  write('', { body, script, output: '', 'gh.log': '', 'tags.json': JSON.stringify(published) })

  const { status, stderr } = spawnSync('bash', ['-e', path('script')], {
    cwd: workspace.root,
    encoding: 'utf8',
    env: {
      ...variables,
      ...env,
      PATH: [path('bin'), process.env['PATH'] ?? ''].join(delimiter),
      STUBS: stubs,
      GITHUB_OUTPUT: path('output'),
    },
  })
  if (status !== 0 && stderr !== '') throw new Error(`A script failed: ${stderr}`)
  for (const line of readFileSync(path('gh.log'), 'utf8').split('\n')) {
    applyGh(line.split('\t').slice(0, -1), world, workspace)
  }
  const outputs = parseKeyValues(readFileSync(path('output'), 'utf8'))
  return { isGood: status === 0, outputs }
}

function applyGh(words: readonly string[], { github, notes }: World, workspace: Workspace): void {
  const [, verb, tag = '', ...rest] = words
  const files = rest.filter(word => !word.startsWith('--'))
  const assets =
    verb === 'create' || verb === 'upload'
      ? files.map(file => ({ name: basename(file), content: workspace.read(file) }))
      : []
  if (verb === 'create') github.addRelease({ tag, draft: rest.includes('--draft'), assets })
  if (verb === 'upload') {
    for (const asset of assets) {
      if (asset.name in github.texts(tag)) github.removeAsset(tag, asset.name)
      github.addAsset(tag, asset)
    }
  }
  if (verb === 'edit' && rest.includes('--notes-file')) {
    notes.set(tag, workspace.read(files[0] ?? ''))
  }
  if (verb === 'edit' && rest.includes('--draft=false')) github.publish(tag)
}

function makeContexts(values: Context, isGood: boolean): Contexts {
  const always = () => true
  const cancelled = () => false
  return { values, functions: { success: () => isGood, failure: () => !isGood, always, cancelled } }
}
