import { resolve } from 'node:path'
import { collectArtifacts, type PatternCount } from './artifacts/collect.ts'
import { hashFiles } from './artifacts/hash.ts'
import { describeError, Stop, type Problem } from './failure.ts'
import { notarizeInputNames, readInputs } from './inputs/notarize-inputs.ts'
import { findKept, keepRecords, type EarlierRecords } from './keep/keep.ts'
import { workflowArtifacts } from './keep/workflow-artifacts.ts'
import { decideVerdict, isHashed, isPlanned, type Artifact } from './outcome.ts'
import { describePlan, makePlan } from './plan.ts'
import { readFoundRecords, type FoundRecords } from './records/assess.ts'
import { systemDisk } from './records/disk.ts'
import { Ledger } from './records/ledger.ts'
import { isRecord } from './records/lines.ts'
import { noPaths, writeProofs } from './records/proofs.ts'
import { register } from './register/register.ts'
import { connectToGitHub } from './release/octokit.ts'
import { readRelease, type Release } from './release/release.ts'
import { judge } from './report/judge.ts'
import { formatFailures, setOutputs, writeOutputs } from './report/outputs.ts'
import type { Job, RunEnd } from './report/run-end.ts'
import { writeReport } from './report/write.ts'
import { systemClock } from './runtime/clock.ts'
import { runInHost, type Action } from './runtime/host.ts'
import { linkTo } from './runtime/environment.ts'
import type { Host } from './runtime/outside.ts'
import type { RawInputs } from './runtime/runner.ts'
import { createTransport } from './service/transport.ts'

// A separate bundle. The bundler would copy a literal path raw, without its imports.
const workerPath = './hash-worker/index.js'

/** Runs one of the two actions in this process; `canceled` aborts at the first signal. */
export async function start(name: 'notarize' | 'verify', canceled: AbortSignal): Promise<void> {
  let action: Action = { inputNames: notarizeInputNames, run: runNotarize }
  if (name === 'verify') action = (await import('./verify/verify.ts')).verifyAction
  const outside = {
    clock: systemClock,
    random: Math.random,
    disk: systemDisk,
    createTransport,
    connectToGitHub,
    workflowArtifacts,
    workerFile: new URL(workerPath, import.meta.url),
  }
  await runInHost(action, outside, canceled)
}

/** Runs the action. Returns the exit code. */
export async function runNotarize(host: Host, rawInputs: RawInputs): Promise<0 | 1> {
  const { environment, secrets, clock, runner } = host
  const reading = readInputs(rawInputs, clock.now())
  secrets.exempt(reading.exempt)
  secrets.add([...reading.secrets, ...environment.secrets])
  for (const text of reading.warnings) {
    runner.warning(linkTo('reference.md#the-subscription', text, host))
  }
  if (reading.refusal !== null) runner.passingWarning(reading.refusal)
  const { inputs } = reading
  const job = { host, inputs, recordsPath: resolve(environment.workspace, inputs.recordsPath) }
  const report = judge(await notarize(() => findArtifacts(job, reading), job), job)
  setOutputs({ failures: formatFailures(report.failures) }, host)
  return writeReport(report, host, inputs.showSummary)
}

/** What is to be notarized. */
interface Found {
  readonly artifacts: readonly Artifact[]
  readonly counts: readonly PatternCount[]
}

/** Finds the artifacts that `path` and `checksums` name, and hashes them. Throws a `Stop`. */
async function findArtifacts(
  { host, inputs, recordsPath }: Job,
  reading: ReturnType<typeof readInputs>,
): Promise<Found> {
  const found = await collectArtifacts(inputs, host, [recordsPath])
  found.warnings.forEach(host.runner.warning)
  Stop.ifAny([...reading.problems, ...found.problems])
  const hashed = await hashFiles(found.files, host)
  return { artifacts: [...hashed, ...found.listed], counts: found.counts }
}

/** What a run has found out so far. A run that stops reports as much as there is. */
interface Known {
  earlier: readonly EarlierRecords[]
  release: Release | null
  /** Null until it is read. */
  ledger: Ledger | null
  artifacts: readonly Artifact[]
}

/**
 * Everything between reading the inputs and the report: reads what is known and plans, which is free; then registers what
 * is left, and keeps the records. Never rejects.
 */
export async function notarize(find: () => Promise<Found>, job: Job): Promise<RunEnd> {
  const { host, inputs } = job
  const known: Known = { earlier: [], release: null, ledger: null, artifacts: [] }
  let prepared: Prepared
  try {
    prepared = await prepare(find, known, job)
    const { ledger } = prepared
    if (!inputs.dryRun) known.artifacts = await register(known.artifacts, { host, inputs, ledger })
  } catch (error) {
    return stop(error, known, job)
  }
  return complete(known, prepared, job)
}

/** What a run needs that goes on. */
interface Prepared {
  readonly ledger: Ledger
  /** For the files that later steps use. */
  readonly folder: string
}

/** Reads what is known and plans. Throws a `Stop`. */
async function prepare(find: () => Promise<Found>, known: Known, job: Job): Promise<Prepared> {
  const { host, inputs } = job
  known.earlier = await findKept(inputs, host)
  const found = await find()
  const release = await readRelease(inputs, host)
  known.release = release
  const ledger = readLedger(known, job)
  known.ledger = ledger
  const artifacts = found.artifacts.concat(release?.artifacts ?? [])
  ledger.confirm(artifacts.filter(isHashed), inputs.confirmedHashes)
  const counts = found.counts.concat(release?.counts ?? [])
  const plan = makePlan({ inputs, artifacts, counts, ledger, release })
  for (const { warnings } of [ledger, plan]) warnings.forEach(host.runner.warning)
  Stop.ifAny(plan.problems)
  known.artifacts = plan.artifacts
  host.runner.info(describePlan(plan))
  warnOfEarlier(known, job)
  return { ledger, folder: makeFolder(host) }
}

/** Ends a run before anything was sent: because of a `Stop`, or of a bug. */
async function stop(error: unknown, known: Known, job: Job): Promise<RunEnd> {
  const { host, inputs } = job
  let problems: readonly Problem[] = []
  if (error instanceof Stop) problems = error.problems
  else host.halt.noteBug(error)
  const outputsError = writeOutputs({ artifacts: [], verdict: 'stopped', paths: noPaths }, job)
  // As it is on disk, with the records of another step of the job, but without what this run would have added.
  known.ledger = null
  try {
    known.ledger = readLedger(known, job)
  } catch {
    // The file stays as it is.
  }
  const place = await keepRecords({ ...known, inputs, evidencePath: '', isStopped: true }, host)
  return { kind: 'stopped', problems, place, outputsError, ...describeRecords(known, host) }
}

/** Ends a run that knows the outcome of each artifact: writes what later steps use, and keeps the records. */
async function complete(known: Known, { ledger, folder }: Prepared, job: Job): Promise<RunEnd> {
  const { artifacts, release } = known
  const { host, inputs } = job
  const paths = writeProofs({ artifacts, ledger, folder, isDryRun: inputs.dryRun }, host)
  // A run that is killed while it keeps the records has its outputs.
  const verdict = decideVerdict(artifacts, inputs.dryRun)
  const outputsError = writeOutputs({ artifacts, verdict, paths }, job)
  const evidencePath = paths['evidence-path']
  return {
    kind: 'completed',
    verdict,
    place: await keepRecords({ ...known, inputs, evidencePath, isStopped: false }, host),
    outputsError,
    ...describeRecords(known, host),
    release,
    unsaved: ledger.unsaved,
    doubtCount: ledger.doubtCount,
  }
}

/** Reads the records file, and adds what earlier attempts kept and what the release has. Throws a `Stop`. */
function readLedger({ earlier, release }: Known, { host, inputs, recordsPath: path }: Job): Ledger {
  const { recordsPath: name, baseUrl: service, verificationUrl } = inputs
  const kept: readonly FoundRecords[] = earlier
  const others = kept.concat(release?.records ?? [])
  const source = release?.source ?? host.environment.source
  return Ledger.read({ path, name, others, service, source, verificationUrl }, host)
}

/** Returns the artifacts, and what the ledger has of this run. */
function describeRecords(known: Known, host: Host) {
  const ofRun = known.ledger?.recordedBy(host.environment.source.runId) ?? new Set<string>()
  // Every run finds what is on the release.
  const released = readFoundRecords(known.release?.records ?? []).entries.filter(isRecord)
  return {
    artifacts: known.artifacts,
    recorded: ofRun.difference(new Set(released.map(({ hash }) => hash))),
    isEarlierMissing: isMissing(known, host),
  }
}

/** Whether this is a later attempt, and no line of an earlier one was found. */
function isMissing({ ledger }: Known, { environment }: Host): boolean {
  return environment.attempt > 1 && ledger !== null && !ledger.hasEarlierAttempt
}

/** Warns, before anything is sent, that what an earlier attempt registered is charged again. The report says what became of it. */
function warnOfEarlier(known: Known, { inputs, host }: Job): void {
  if (inputs.dryRun || !isMissing(known, host) || !known.artifacts.some(isPlanned)) return
  host.runner.passingWarning(
    `This is attempt ${host.environment.attempt}, but there are no records of an earlier attempt. If an earlier attempt registered files, you are charged for them a second time`,
  )
}

/** Makes the folder for what later steps use. Throws a `Stop`: better now than after paying. */
function makeFolder({ disk, environment: { tempFolder } }: Host): string {
  try {
    return disk.makeFolder(tempFolder)
  } catch (error) {
    const message = `nothing can be written below "${tempFolder}": ${describeError(error)}`
    const next = 'make sure that the user of the runner can write to RUNNER_TEMP'
    throw new Stop({ input: null, message, next, needs: 'nothing' })
  }
}
