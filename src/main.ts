import assert from 'node:assert'
import { resolve } from 'node:path'
import { collectArtifacts, type PatternCount } from './artifacts/collect.ts'
import { hashFiles } from './artifacts/hash.ts'
import { describeError, Stop, type Problem } from './failure.ts'
import { notarizeInputNames, readInputs, type InputReading } from './inputs/notarize-inputs.ts'
import { findKept, keepRecords, type EarlierRecords, type Place } from './keep/keep.ts'
import { workflowArtifacts } from './keep/workflow-artifacts.ts'
import { isHashed, isRegistered, type Artifact, type HashedArtifact } from './outcome.ts'
import { describePlan, makePlan, type Plan } from './plan.ts'
import { systemDisk } from './records/disk.ts'
import { renderEvidence } from './records/evidence.ts'
import type { FoundRecords } from './records/assess.ts'
import { Ledger } from './records/ledger.ts'
import { missingLines } from './records/lines.ts'
import { register } from './register/register.ts'
import { connectToGitHub } from './release/octokit.ts'
import { readRelease, type Release } from './release/release.ts'
import { report, writeOutputs, type Job, type RunEnd } from './report/report.ts'
import { runInHost, type Action } from './runtime/host.ts'
import { systemClock, type Host } from './runtime/outside.ts'
import type { RawInputs } from './runtime/runner.ts'
import { createTransport } from './service/transport.ts'
import { evidenceName, formatChecksum } from './text/names.ts'

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

async function runNotarize(host: Host, rawInputs: RawInputs): Promise<0 | 1> {
  const { end, job } = await conduct(host, rawInputs)
  return report(end, job)
}

/** Reads the inputs, then does everything but the report. */
export async function conduct(
  host: Host,
  rawInputs: RawInputs,
): Promise<{ readonly end: RunEnd; readonly job: Job }> {
  const { environment, secrets, clock, runner } = host
  const reading = readInputs(rawInputs, clock.now(), environment.attempt)
  secrets.exempt(reading.exempt)
  secrets.add([...reading.secrets, ...environment.secrets])
  reading.warnings.forEach(runner.warning)
  const { inputs } = reading
  const job = { host, inputs, recordsPath: resolve(environment.workspace, inputs.recordsPath) }
  return { end: await notarize(() => collect(job, reading), job), job }
}

/** What is to be notarized. */
interface Found {
  readonly artifacts: readonly Artifact[]
  readonly counts: readonly PatternCount[]
}

/** Finds the artifacts that `path` and `checksums` name, and hashes them. Throws a `Stop`. */
async function collect({ host, inputs, recordsPath }: Job, reading: InputReading): Promise<Found> {
  const found = await collectArtifacts(inputs, host, { skip: [recordsPath] })
  found.warnings.forEach(host.runner.warning)
  Stop.ifAny([...reading.problems, ...found.problems])
  const hashed = await hashFiles(found.files, host)
  return { artifacts: [...hashed, ...found.listed], counts: found.counts }
}

/** What a run has found out so far. A run that stops reports as much as there is. */
interface Known {
  /** Null until they are read. */
  earlier: readonly EarlierRecords[] | null
  release: Release | null
  ledger: Ledger | null
  checksumsPath: string
  artifacts: readonly Artifact[]
}

/**
 * Everything between reading the inputs and the report: reads what is known and plans, which is free; then registers what
 * is left, and keeps the records. Never rejects.
 */
export async function notarize(find: () => Promise<Found>, job: Job): Promise<RunEnd> {
  const { host, inputs } = job
  const known: Known = {
    earlier: null,
    release: null,
    ledger: null,
    checksumsPath: '',
    artifacts: [],
  }
  try {
    known.earlier = await findKept(inputs, host)
    const found = await find()
    known.release = await readRelease(inputs, host)
    const ledger = readLedger(known, job)
    known.ledger = ledger
    const plan = planAll(found, ledger, { release: known.release, job })
    known.checksumsPath = await writeChecksums(plan.checksums, host)
    Stop.ifAny(plan.problems)
    host.runner.info(describePlan(plan))
    known.artifacts = plan.artifacts
    if (!inputs.dryRun) known.artifacts = await register(plan.artifacts, { host, inputs, ledger })
  } catch (error) {
    return stop(error, known, job)
  }
  return complete(known, job)
}

/** Ends a run before anything was sent: because of a `Stop`, or of a bug. */
async function stop(error: unknown, known: Known, job: Job): Promise<RunEnd> {
  let problems: readonly Problem[] = []
  if (error instanceof Stop) problems = error.problems
  else job.host.halt.noteBug(error)
  const place = await keep(known, job, { evidencePath: '', isStopped: true })
  return { kind: 'stopped', problems, checksumsPath: known.checksumsPath, place }
}

/** Ends a run that knows the outcome of each artifact: writes what later steps use, and keeps the records. */
async function complete(known: Known, job: Job): Promise<RunEnd> {
  const { artifacts, release, ledger, checksumsPath } = known
  const { host, inputs } = job
  assert(ledger !== null, 'a run without a ledger has stopped')
  let evidencePath = ''
  if (!inputs.dryRun) evidencePath = await writeEvidence(artifacts, { ledger, release, host })
  const onRelease = release?.records.map(({ bytes }) => bytes) ?? []
  const lacksRecords = missingLines(onRelease, [ledger.content]).includes('"record":')
  const end = {
    kind: 'completed',
    artifacts,
    release: release && { tag: release.tag, url: release.url, lacksRecords },
    checksumsPath,
    evidencePath,
    unsaved: ledger.unsaved,
  } as const
  // A run that is killed while it keeps the records has its outputs.
  const unknown: Place = { kind: 'file', workflowArtifacts: [] }
  const outputsError = writeOutputs({ ...end, place: unknown, outputsError: null }, job)
  const place = await keep(known, job, { evidencePath, isStopped: false })
  return { ...end, place, outputsError }
}

/** Keeps the records. */
async function keep(
  known: Known,
  job: Job,
  run: { readonly evidencePath: string; readonly isStopped: boolean },
): Promise<Place> {
  const released = known.release?.records ?? []
  const earlier = known.earlier ?? []
  // Another step of the job may have written records.
  const ledger = known.ledger ?? readLedgerOrNothing({ ...known, earlier }, job)
  return keepRecords({ inputs: job.inputs, ledger, earlier, released, ...run }, job.host)
}

function readLedgerOrNothing(known: Known, job: Job): Ledger | null {
  try {
    return readLedger(known, job)
  } catch {
    return null
  }
}

/** Reads the records file, and adds what earlier attempts kept and what the release has. Throws a `Stop`. */
function readLedger({ earlier, release }: Known, { host, inputs, recordsPath: path }: Job): Ledger {
  const { recordsPath: name, baseUrl: service, verificationUrl } = inputs
  const kept: readonly FoundRecords[] = earlier ?? []
  const others = kept.concat(release?.records ?? [])
  const source = release?.source ?? host.environment.source
  return Ledger.read({ path, name, others, service, source, verificationUrl }, host)
}

/** Confirms hashes, then plans, and logs the warnings of all that was read. */
function planAll(
  found: Found,
  ledger: Ledger,
  { release, job }: { readonly release: Release | null; readonly job: Job },
): Plan {
  const { inputs, host } = job
  const artifacts = found.artifacts.concat(release?.artifacts ?? [])
  ledger.confirm(artifacts.filter(isHashed), inputs.confirmedHashes)
  const plan = makePlan({
    inputs,
    artifacts,
    counts: found.counts.concat(release?.counts ?? []),
    ledger,
    release,
    attempt: host.environment.attempt,
  })
  for (const from of [release, ledger, plan]) from?.warnings.forEach(host.runner.warning)
  // The report tells what became of these.
  plan.chargeWarnings.forEach(host.runner.passingWarning)
  return plan
}

/** Writes the checksums file. Returns its absolute path, or '' without checksums. Throws a `Stop`. */
async function writeChecksums(
  checksums: readonly HashedArtifact[],
  { disk, environment }: Host,
): Promise<string> {
  if (checksums.length === 0) return ''
  try {
    const text = checksums.map(formatChecksum).join('')
    return await disk.writeNew(environment.tempFolder, 'notarization-checksums.txt', text)
  } catch (error) {
    const message = `the checksums file could not be written to RUNNER_TEMP: ${describeError(error)}; free disk space, or fix the permissions of that folder`
    throw new Stop({ input: null, message, needs: 'nothing' })
  }
}

/** Writes the evidence page. Returns its absolute path; empty if nothing is registered. */
async function writeEvidence(
  artifacts: readonly Artifact[],
  {
    ledger,
    release,
    host,
  }: { readonly ledger: Ledger; readonly release: Release | null; readonly host: Host },
): Promise<string> {
  const registered = artifacts.filter(isRegistered)
  if (registered.length === 0) return ''
  const hashes = new Set(registered.map(({ hash }) => hash))
  const assets = release?.artifacts.filter(isHashed).filter(({ hash }) => hashes.has(hash))
  try {
    const page = renderEvidence(ledger.entries, assets ?? registered)
    if (page === null) return ''
    const { disk, environment, secrets } = host
    return await disk.writeNew(environment.tempFolder, evidenceName, secrets.redactText(page))
  } catch (error) {
    host.runner.warning(`The evidence page could not be written (${describeError(error)})`)
    return ''
  }
}
