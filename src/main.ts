import { resolve } from 'node:path'
import { collectArtifacts } from './artifacts/collect.ts'
import { hashFiles } from './artifacts/hash.ts'
import { Stop } from './failure.ts'
import { notarizeInputNames, readInputs, type InputReading } from './inputs/notarize-inputs.ts'
import { RunArtifacts } from './keep/run-artifacts.ts'
import { isRegistered } from './outcome.ts'
import { describePlan, makePlan, type Plan } from './plan.ts'
import { readRecords, type RecordsPlace, type RecordsStore } from './records/store.ts'
import { register } from './register/register.ts'
import { Release } from './release/release.ts'
import { writeChecksumsFile } from './report/deliver.ts'
import { report, type ReportOptions, type RunEnd, type StoppedRun } from './report/report.ts'
import { runInHost, type Action, type Host } from './runtime/host.ts'
import type { RawInputs } from './runtime/runner.ts'

// A separate bundle. The bundler would copy a literal path raw, without its imports.
const workerPath = './hash-worker/index.js'

/** Runs one of the two actions in this process; `cancelled` aborts at the first signal. */
export async function start(name: 'notarize' | 'verify', cancelled: AbortSignal): Promise<void> {
  let action = notarizeAction
  if (name === 'verify') action = (await import('./verify/verify.ts')).verifyAction
  await runInHost(action, new URL(workerPath, import.meta.url), cancelled)
}

/** Everything that is known before anything is spent. */
interface Prepared {
  readonly kind: 'prepared'
  readonly plan: Plan
  readonly records: RecordsStore
  /** Null without `release-tag`. */
  readonly release: Release | null
  readonly checksumsPath: string
}

export const notarizeAction: Action = { inputNames: notarizeInputNames, run }

/** Prepares, which is free; then registers and keeps the records; then reports. Returns the exit code. */
async function run(host: Host, rawInputs: RawInputs): Promise<0 | 1> {
  const { environment, secrets, clock } = host
  const reading = readInputs(rawInputs, clock.now())
  secrets.exempt(reading.exempt)
  secrets.add([...reading.secrets, ...environment.secrets])
  const { inputs } = reading
  const recordsPath = resolve(environment.workspace, inputs.recordsPath)
  const job = { host, inputs, recordsPath }
  const prepared = await prepare(job, reading).catch((error: unknown) => stopped(error, job))
  if (prepared.kind === 'stopped') return report(prepared, job)
  const { checksumsPath } = prepared
  const end = await spend(prepared, job).catch((error: unknown) => {
    return { ...stopped(error, job), checksumsPath }
  })
  return report(end, job)
}

/** Finds and hashes the artifacts, reads all records, and plans. Throws a `Stop`. */
async function prepare(
  { host, inputs, recordsPath }: ReportOptions,
  reading: InputReading,
): Promise<Prepared | StoppedRun> {
  const { environment, runner } = host
  reading.warnings.forEach(runner.warning)
  const found = await collectArtifacts(inputs, host, { skip: [recordsPath] })
  found.warnings.forEach(runner.warning)
  Stop.ifAny([...reading.problems, ...found.problems])

  const kept = await RunArtifacts.open(inputs, host)
  const release = await Release.open(inputs, host)
  const places: readonly RecordsPlace[] = release === null ? [kept] : [kept, release]
  places.flatMap(({ warnings }) => warnings).forEach(runner.warning)
  const hashed = await hashFiles(found.files, host)
  const others = places.flatMap(({ records }) => records)
  const { recordsPath: name, baseUrl: service } = inputs
  const records = readRecords({ path: recordsPath, name, others, service })
  records.warnings.forEach(runner.warning)

  const assets = release?.artifacts ?? []
  const plan = makePlan({
    inputs,
    artifacts: [...hashed, ...found.listed, ...assets],
    counts: found.counts.concat(release?.counts ?? []),
    records,
    release: release?.facts ?? null,
    isBehind: release?.lacksLines(records.content) ?? false,
    source: environment.source,
    whyMissing: kept.whyMissing,
  })
  plan.warnings.forEach(runner.warning)
  const checksumsPath = await writeChecksumsFile(plan.checksums, environment.tempFolder)
  const { problems } = plan
  if (problems.length > 0) return { kind: 'stopped', problems, checksumsPath }
  runner.info(describePlan(plan))
  return { kind: 'prepared', plan, records, release, checksumsPath }
}

/** Registers what is left, and attaches the records to the release. The post step keeps them with the run. */
async function spend(
  { plan, records, release, checksumsPath }: Prepared,
  { host, inputs, recordsPath }: ReportOptions,
): Promise<RunEnd> {
  const end = { kind: 'completed', artifacts: plan.artifacts, release, checksumsPath } as const
  if (inputs.dryRun) return { ...end, attachment: null }
  const source = release?.source ?? host.environment.source
  const task = { host, inputs, recordsPath, records, source }
  const artifacts = await register(plan.artifacts, task)
  const hashes = new Set(artifacts.filter(isRegistered).map(({ hash }) => hash))
  const { baseUrl: service, attachToRelease } = inputs
  const evidence = { recordsPath, service, hashes, attachToRelease }
  const attachment = release === null ? null : await release.keep(evidence)
  return { ...end, artifacts, attachment }
}

/** Ends a run in which nothing was sent. An error other than a `Stop` is a bug. */
function stopped(error: unknown, { host }: ReportOptions): StoppedRun {
  if (!(error instanceof Stop)) host.halt.noteBug(error, host.environment.reportTo)
  const problems = error instanceof Stop ? error.problems : []
  return { kind: 'stopped', problems, checksumsPath: '' }
}
