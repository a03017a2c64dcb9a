import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { collectArtifacts } from './artifacts/collect.ts'
import { hashFiles } from './artifacts/hash.ts'
import { bugFailure, Stop } from './failure.ts'
import {
  inputDefaults,
  readInputs,
  type DryRunInputs,
  type InputName,
  type InputReading,
  type NotarizeInputs,
  type RawInputs,
} from './inputs/notarize-inputs.ts'
import { isRegistered, type Result } from './outcome.ts'
import { makePlan, resultsOf, type Plan } from './plan.ts'
import { readRecords, type RecordsStore } from './records/store.ts'
import { register } from './register/register.ts'
import type { EvidenceInput } from './release/attach.ts'
import { openRelease, type ReleaseSource } from './release/open.ts'
import { writeChecksumsFile } from './report/deliver.ts'
import { describePlan, openWarning } from './report/log.ts'
import { report, type Ending } from './report/report.ts'
import { runInHost, type Action, type Host } from './runtime/host.ts'
import { createProgress } from './runtime/progress.ts'

// In the bundle the worker has a folder of its own; named by a variable, so that the bundler leaves it alone.
const workerPath = './hash-worker/index.js'

/** Runs one of the two actions in this process; `cancelled` aborts at the first signal. */
export async function start(name: 'notarize' | 'verify', cancelled: AbortSignal): Promise<void> {
  const options = { workerFile: new URL(workerPath, import.meta.url), cancelled }
  if (name === 'notarize') {
    await runInHost(notarizeAction, options)
    return
  }
  const { verifyAction } = await import('./verify/verify.ts')
  await runInHost(verifyAction, options)
}

/** The action that notarizes. */
export const notarizeAction: Action<InputName> = { defaults: inputDefaults, run }

/** One run: collect, hash, plan, register, report. Gives the exit code; never rejects. */
async function run(host: Host, given: RawInputs): Promise<0 | 1> {
  const { environment, secrets, clock } = host
  const reading = readInputs(given, clock.now())
  secrets.spare(reading.spared)
  secrets.add([...reading.secrets, ...environment.secrets])
  const recordsPath = path.resolve(environment.workspace, reading.usable.recordsPath)
  const ending = await notarize(host, { reading, recordsPath })
  return report(ending, { host, inputs: reading.usable, recordsPath })
}

/** What is to be done. */
interface Task {
  readonly reading: InputReading
  /** Absolute path of the records file. */
  readonly recordsPath: string
}

/** All that is known before anything is spent. */
interface Prepared {
  readonly inputs: DryRunInputs | NotarizeInputs
  readonly release: ReleaseSource
  readonly records: RecordsStore
  readonly plan: Plan
  /** What the summary repeats. */
  readonly warnings: readonly string[]
}

async function notarize(host: Host, task: Task): Promise<Ending> {
  const { environment, runner, halt } = host
  let checksumsPath = ''
  try {
    const prepared = await prepare(host, task)
    const { inputs, plan, release, warnings } = prepared
    checksumsPath = await writeChecksumsFile(plan.checksums, environment.tempFolder)
    Stop.ifAny(plan.problems)
    runner.info(describePlan(plan))
    const { source, evidenceChecksums } = release
    const ended = { kind: 'ended', checksumsPath, warnings, source, evidenceChecksums } as const
    if (inputs.kind === 'dry-run') return { ...ended, results: plan.results, attachment: null }
    const results = await registerAll(host, { ...task, ...prepared, inputs })
    const attachment = await release.attach(evidenceOf(results, { ...task, inputs }))
    return { ...ended, results, attachment }
  } catch (error) {
    const problems = error instanceof Stop ? error.problems : []
    if (!(error instanceof Stop)) halt.noteBug(error, environment.reportTo)
    return { kind: 'stopped', problems, checksumsPath }
  }
}

/** All that is free and repeatable: collect, hash, plan. Throws a `Stop` for what keeps the plan from being made. */
async function prepare(host: Host, { reading, recordsPath }: Task): Promise<Prepared> {
  const { environment, runner, secrets, halt, clock, workerFile } = host
  const { usable, inputs, problems } = reading
  reading.warnings.forEach(runner.warning)

  const place = { workspace: environment.workspace, home: environment.home, path }
  const found = await collectArtifacts(usable, { place, halt: halt.signal, skip: [recordsPath] })
  found.warnings.forEach(runner.warning)
  if (inputs === null) throw new Stop(...problems, ...found.problems)
  Stop.ifAny(found.problems)
  const release = await openRelease(inputs, { ...host, makeId: randomUUID })
  release.warnings.forEach(runner.warning)

  const onProgress = createProgress('hashing', clock, runner.info)
  const hashed = await hashFiles(found.files, halt.signal, { workerFile, onProgress })
  const records = readRecords({
    path: recordsPath,
    name: inputs.recordsPath,
    others: release.records,
    service: inputs.baseUrl,
  })
  const plan = makePlan({
    inputs,
    artifacts: [...hashed, ...found.listed, ...release.artifacts],
    counts: [...found.counts, ...release.counts],
    records,
    release: release.facts,
    source: environment.source,
  })
  const warnings = [
    ...reading.warnings,
    ...found.warnings,
    ...records.warnings,
    ...plan.warnings,
    ...openWarning(plan),
  ]
  records.warnings.forEach(runner.warning)
  plan.warnings.forEach(runner.warning)
  return {
    inputs,
    release,
    records,
    plan,
    warnings: warnings.map(text => secrets.redactText(text)),
  }
}

/** All that costs. Throws a `Stop` only before anything is sent. */
async function registerAll(
  host: Host,
  task: Task & Prepared & { readonly inputs: NotarizeInputs },
): Promise<readonly Result[]> {
  const { inputs, plan, release, records, recordsPath } = task
  const isComplete = plan.toRegister.length === 0
  await release.checkWritable(isComplete ? evidenceOf(plan.results, task) : null)
  const { source } = release
  const outcomes = await register(plan.toRegister, { host, inputs, recordsPath, records, source })
  const lost = host.halt.bug ?? bugFailure('an artifact has no outcome', host.environment.reportTo)
  return resultsOf(plan, outcomes, lost)
}

function evidenceOf(
  results: readonly Result[],
  { recordsPath, inputs }: { readonly recordsPath: string; readonly inputs: NotarizeInputs },
): EvidenceInput {
  const hashes = new Set(results.filter(isRegistered).map(({ hash }) => hash))
  return { recordsPath, service: inputs.baseUrl, hashes }
}
