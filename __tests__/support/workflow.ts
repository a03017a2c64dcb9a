/**
 * Replays a workflow: job after job on a machine of its own, step after step, with the bundle in the place of our action
 * and look-alikes of the cache and of artifacts. Shell scripts are run by bash, with `make` and `gh` that tests control.
 */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, delimiter, join, resolve } from 'node:path'
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

/** A step that uses an action of others, with its inputs. */
export interface ForeignStep {
  readonly inputs: Readonly<Record<string, string>>
  readonly workspace: Workspace
  readonly ref: string
}

/** All that outlives a job. */
export interface World {
  readonly github: FakeGitHub
  /** Takes the place of `base-url`. */
  readonly serviceUrl: string
  readonly secrets: Readonly<Record<string, string>>
  /** What `make dist` puts into `dist`, by TARGET; that of the empty target without one. */
  readonly builds: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Actions that are neither ours nor known here, by name without version. */
  readonly foreign: Readonly<Record<string, (step: ForeignStep) => void>>
  /** Further commands that scripts call, by name: what bash runs in their place. */
  readonly commands?: Readonly<Record<string, string>>
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

/** A run of an action of ours within a replay. */
export interface OurStep {
  readonly job: string
  readonly uses: string
  readonly inputs: Readonly<Record<string, string>>
  readonly run: ActionRun
}

/** What became of a run of a workflow. */
export interface Replay {
  /** By job. */
  readonly results: Readonly<Record<string, JobResult>>
  readonly steps: readonly OurStep[]
}

interface JobResult {
  readonly result: 'success' | 'failure' | 'skipped'
  readonly outputs: Readonly<Record<string, string>>
}

/** Replays one attempt of one run. */
export async function replay(workflow: Workflow, world: World, facts: RunFacts): Promise<Replay> {
  const results: Record<string, JobResult> = {}
  const steps: OurStep[] = []
  for (const [name, job] of Object.entries(workflow.jobs)) {
    const earlier = facts.failedOf?.results[name]
    const isKept =
      earlier?.result === 'success' && job.needs.every(need => isKeptResult(need, results, facts))
    results[name] = isKept ? earlier : await replayJob({ name, job, results, steps, world, facts })
  }
  return { results, steps }
}

function isKeptResult(
  name: string,
  results: Readonly<Record<string, JobResult>>,
  { failedOf }: RunFacts,
): boolean {
  return results[name] === failedOf?.results[name]
}

interface JobRun {
  readonly name: string
  readonly job: Job
  readonly results: Readonly<Record<string, JobResult>>
  readonly steps: OurStep[]
  readonly world: World
  readonly facts: RunFacts
}

async function replayJob(jobRun: JobRun): Promise<JobResult> {
  const { job, results, world, facts } = jobRun
  const needs = Object.fromEntries(job.needs.map(need => [need, results[need]]))
  const haveSucceeded = Object.values(needs).every(need => need?.result === 'success')
  const base = { github: githubContext(world, facts), inputs: facts.inputs ?? {}, needs }
  const atJob = makeContexts(base, haveSucceeded)
  if (!holds(String(job.if ?? ''), atJob)) return { result: 'skipped', outputs: {} }

  world.github.setAccess(job.permissions['contents'] ?? 'none')
  let result: JobResult = { result: 'success', outputs: {} }
  for (const [index, matrix] of expandMatrix(job, atJob).entries()) {
    const context = { ...base, matrix, strategy: { 'job-index': index }, secrets: world.secrets }
    const done = await replayMachine(jobRun, context)
    result = {
      result: result.result === 'failure' ? 'failure' : done.result,
      outputs: { ...result.outputs, ...done.outputs },
    }
  }
  return result
}

function expandMatrix({ strategy }: Job, contexts: Contexts): readonly Record<string, unknown>[] {
  let all: readonly Record<string, unknown>[] = [{}]
  for (const [name, given] of Object.entries(strategy?.matrix ?? {})) {
    const list = z
      .array(z.string())
      .parse(typeof given === 'string' ? fillExpressions(given, contexts) : given)
    all = all.flatMap(one => list.map(value => ({ ...one, [name]: value })))
  }
  return all
}

async function replayMachine(
  { name, job, steps, world, facts }: JobRun,
  context: Readonly<Record<string, unknown>>,
): Promise<JobResult> {
  const workspace = makeWorkspace()
  const done: Record<string, unknown> = {}
  let hasFailed = false
  for (const step of job.steps) {
    const contexts = makeContexts(
      { ...context, steps: done, runner: { temp: workspace.temp, os: 'Linux' } },
      !hasFailed,
    )
    if (!holds(String(step.if ?? ''), contexts)) continue
    const fill = (given: Step['with']): Record<string, string> =>
      Object.fromEntries(
        Object.entries(given ?? {}).map(([key, value]) => [key, fillText(String(value), contexts)]),
      )
    const inputs = fill(step.with)
    const outcome = await replayStep(step, {
      ...{ world, facts, workspace, inputs, env: { ...fill(job.env), ...fill(step.env) } },
      ended: run => steps.push({ job: name, uses: step.uses ?? '', inputs, run }),
    })
    if (step.id !== undefined) done[step.id] = { outputs: outcome.outputs }
    hasFailed ||= !outcome.isGood
  }
  const contexts = makeContexts({ ...context, steps: done }, !hasFailed)
  return {
    result: hasFailed ? 'failure' : 'success',
    outputs: Object.fromEntries(
      Object.entries(job.outputs).map(([key, text]) => [key, fillText(text, contexts)]),
    ),
  }
}

interface StepRun {
  readonly world: World
  readonly facts: RunFacts
  readonly workspace: Workspace
  readonly inputs: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
  readonly ended: (run: ActionRun) => void
}

interface Outcome {
  readonly isGood: boolean
  readonly outputs: Readonly<Record<string, string>>
}

const good: Outcome = { isGood: true, outputs: {} }
const bad: Outcome = { isGood: false, outputs: {} }

async function replayStep(step: Step, stepRun: StepRun): Promise<Outcome> {
  if (step.run !== undefined) return runScript(step.run, stepRun)
  const action = (step.uses ?? '').replace(/@.*/, '')
  switch (action) {
    case ownName:
      return runOurs('action.yml', stepRun)
    case `${ownName}/verify`:
      return runOurs('verify/action.yml', stepRun)
    case 'actions/checkout':
      return good
    case 'actions/cache/restore':
      return restoreCache(stepRun)
    case 'actions/cache/save':
      return saveCache(stepRun)
    case 'actions/upload-artifact':
      return uploadArtifact(stepRun)
    case 'actions/download-artifact':
      return downloadArtifact(stepRun)
    default: {
      const foreign = stepRun.world.foreign[action]
      if (foreign === undefined) throw new Error(`Unknown action "${action}"`)
      foreign({ ...stepRun, ref: stepRun.facts.ref })
      return good
    }
  }
}

async function runOurs(actionFile: string, stepRun: StepRun): Promise<Outcome> {
  const { world, facts, workspace, inputs, ended } = stepRun
  const run = await runAction({
    ...{ workspace, actionFile },
    inputs: {
      ...inputs,
      ...(inputs['base-url'] === undefined ? {} : { 'base-url': world.serviceUrl }),
    },
    env: { ...jobVariables(world, facts), 'INPUT_GITHUB-TOKEN': world.github.token },
    secrets: [...Object.values(world.secrets), world.github.token],
  })
  ended(run)
  return { isGood: run.exitCode === 0, outputs: run.outputs }
}

function jobVariables({ github }: World, { runId, attempt, event, ref }: RunFacts) {
  return {
    GITHUB_API_URL: github.url,
    GITHUB_EVENT_NAME: event,
    GITHUB_REF: ref,
    GITHUB_REF_NAME: refName(ref),
    GITHUB_REPOSITORY: defaults.repository,
    GITHUB_RUN_ATTEMPT: String(attempt),
    GITHUB_RUN_ID: runId,
  }
}

function refName(ref: string): string {
  return ref.replace(/^refs\/(?:tags|heads|pull)\//, '')
}

/** Reads the files that lines name, a folder with all below it; what is missing brings nothing. */
function readFiles(workspace: Workspace, lines: string): Files {
  const files = new Map<string, Uint8Array>()
  for (const line of lines.split('\n').filter(one => one !== '')) {
    const path = workspace.path(line)
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
    const found = isFolder ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : ['']
    for (const below of found.map(one => join(line, one))) {
      const stats = statSync(workspace.path(below), { throwIfNoEntry: false })
      if (stats?.isFile() === true) files.set(below, readFileSync(workspace.path(below)))
    }
  }
  return files
}

/** The version of a cache is made of its paths: another list of them is another cache. */
function cacheKey(inputs: StepRun['inputs'], key: string): string {
  return `${inputs['path'] ?? ''}: ${key}`
}

function restoreCache({ world, workspace, inputs }: StepRun): Outcome {
  const prefixes = (inputs['restore-keys'] ?? '').split('\n').filter(line => line !== '')
  const exact = world.caches.find(({ key }) => key === cacheKey(inputs, inputs['key'] ?? ''))
  const found =
    exact ??
    prefixes
      .map(prefix => world.caches.findLast(({ key }) => key.startsWith(cacheKey(inputs, prefix))))
      .find(cache => cache !== undefined)
  for (const [file, bytes] of found?.files ?? []) workspace.write(file, bytes)
  return good
}

function saveCache({ world, workspace, inputs }: StepRun): Outcome {
  const key = cacheKey(inputs, inputs['key'] ?? '')
  const files = readFiles(workspace, inputs['path'] ?? '')
  if (inputs['key']?.includes(',') !== false) return bad
  // A key that is there stays as it is, and nothing to save is only a warning.
  if (files.size > 0 && !world.caches.some(cache => cache.key === key)) {
    world.caches.push({ key, files })
  }
  return good
}

function uploadArtifact({ world, workspace, inputs }: StepRun): Outcome {
  const { path: given = '', name = 'artifact' } = inputs
  const path = given.includes('*') ? globSync(given, { cwd: workspace.root }).join('\n') : given
  const files = readFiles(workspace, path)
  if (files.size === 0) return inputs['if-no-files-found'] === 'error' ? bad : good
  if (world.artifacts.has(name) && inputs['overwrite'] !== 'true') return bad
  const isList = given.trim().includes('\n')
  if (!isList && !files.has(path) && path === given) {
    throw new Error('A folder alone is not known here')
  }
  // One path comes without its folder; of several the part that they share goes, none with ours.
  const kept = [...files].map(([file, bytes]) => [isList ? file : basename(file), bytes] as const)
  world.artifacts.set(name, new Map(kept))
  return good
}

function downloadArtifact({ world, workspace, inputs }: StepRun): Outcome {
  const { name, pattern = '*', path = '.' } = inputs
  const wanted = new RegExp(`^${pattern.replaceAll('*', '.*')}$`)
  const found = [...world.artifacts].filter(([one]) =>
    name === undefined ? wanted.test(one) : one === name,
  )
  if (name !== undefined && found.length === 0) return bad
  const isFlat = name !== undefined || inputs['merge-multiple'] === 'true' || found.length === 1
  for (const [artifact, files] of found) {
    for (const [file, bytes] of files) {
      workspace.write(isFlat ? join(path, file) : join(path, artifact, file), bytes)
    }
  }
  return good
}

/** `make` copies a build, and `gh` notes what it was asked for. */
const scripts = {
  make: [
    'target=""',
    'for word; do case "$word" in TARGET=*) target=${word#TARGET=} ;; esac; done',
    'mkdir -p dist && cp -R "$STUBS/builds/$target/." dist/',
    '',
  ].join('\n'),
  gh: [
    'printf "%s\\t" "$@" >> "$STUBS/gh.log"; echo >> "$STUBS/gh.log"',
    'test -n "$GH_TOKEN" || { echo "no token" >&2; exit 4; }',
    'case "$1 $2" in',
    '  "release view") test -e "$STUBS/has-release"; case "$*" in *body*) cat "$STUBS/body" ;; esac ;;',
    '  "release list") cat "$STUBS/tags.json" ;;',
    '  "release download")',
    '    folder=. patterns=()',
    '    while test $# -gt 0; do',
    '      case "$1" in --dir) folder=$2 ;; --pattern) patterns+=("$2") ;; esac',
    '      shift',
    '    done',
    '    mkdir -p "$folder"',
    '    for file in "$STUBS"/assets/*; do',
    '      name=${file##*/}',
    '      for pattern in "${patterns[@]:-*}"; do',
    '        case "$name" in $pattern) test ! -e "$folder/$name"; cp "$file" "$folder/$name" ;; esac',
    '      done',
    '    done ;;',
    'esac',
    '',
  ].join('\n'),
}

function runScript(script: string, { world, facts, workspace, env }: StepRun): Outcome {
  const stubs = makeTemporaryFolder()
  const write = (file: string, text: string): void => {
    mkdirSync(join(stubs, file, '..'), { recursive: true })
    writeFileSync(join(stubs, file), text)
  }
  for (const [name, text] of Object.entries({ ...scripts, ...world.commands })) {
    write(`bin/${name}`, `#!/usr/bin/env bash\nset -e\n${text}`)
    chmodSync(join(stubs, 'bin', name), 0o755)
  }
  for (const [target, files] of Object.entries(world.builds)) {
    for (const [file, text] of Object.entries(files)) write(join('builds', target, file), text)
  }
  const tag = env['TAG'] ?? ''
  const releases = world.github.releases()
  if (releases.some(release => release.tag === tag)) {
    write('has-release', '')
    for (const [name, text] of Object.entries(world.github.texts(tag)))
      write(`assets/${name}`, text)
  }
  write('body', `${world.notes.get(tag) ?? ''}\n`)
  const published = releases.filter(({ draft }) => !draft)
  write('tags.json', JSON.stringify(published.map(release => release.tag)))
  write('script.sh', script)
  write('output', '')
  write('gh.log', '')

  const { status, stderr } = spawnSync('bash', ['-e', join(stubs, 'script.sh')], {
    cwd: workspace.root,
    encoding: 'utf8',
    env: {
      ...jobVariables(world, facts),
      ...env,
      PATH: [join(stubs, 'bin'), process.env['PATH'] ?? ''].join(delimiter),
      STUBS: stubs,
      GITHUB_OUTPUT: join(stubs, 'output'),
    },
  })
  if (status !== 0 && stderr !== '') throw new Error(`A script failed: ${stderr}`)
  for (const line of readFileSync(join(stubs, 'gh.log'), 'utf8').split('\n')) {
    if (line !== '') applyGh(line.split('\t').slice(0, -1), world, workspace)
  }
  return {
    isGood: status === 0,
    outputs: parseKeyValues(readFileSync(join(stubs, 'output'), 'utf8')),
  }
}

function applyGh(words: readonly string[], { github, notes }: World, workspace: Workspace): void {
  const at = words.indexOf('--repo')
  const [, verb, tag = '', ...rest] = words.filter((_, index) => at < 0 || index !== at + 1)
  if (verb === 'create') {
    const files = rest.filter(word => !word.startsWith('--'))
    const assets = files.map(file => ({ name: basename(file), content: workspace.read(file) }))
    github.addRelease({ tag, draft: rest.includes('--draft'), assets })
  }
  if (verb === 'upload') {
    for (const file of rest.filter(word => !word.startsWith('--'))) {
      const name = basename(file)
      if (name in github.texts(tag)) github.removeAsset(tag, name)
      github.addAsset(tag, { name, content: workspace.read(file) })
    }
  }
  const notesAt = rest.indexOf('--notes-file')
  if (verb === 'edit' && notesAt >= 0) notes.set(tag, workspace.read(rest[notesAt + 1] ?? ''))
  if (verb === 'edit' && rest.includes('--draft=false')) github.publish(tag)
}

function githubContext({ github }: World, { runId, attempt, event, ref }: RunFacts) {
  return {
    token: github.token,
    repository: defaults.repository,
    sha: defaults.sha,
    run_id: runId,
    run_attempt: String(attempt),
    event_name: event,
    ref,
    ref_name: refName(ref),
  }
}

function makeContexts(values: Contexts['values'], isGood: boolean): Contexts {
  const functions = {
    success: () => isGood,
    failure: () => !isGood,
    always: () => true,
    cancelled: () => false,
  }
  return { values, functions }
}
