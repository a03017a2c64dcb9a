import { resolve } from 'node:path'
import { collectArtifacts, type PatternCount } from './artifacts/collect.ts'
import { hashFiles } from './artifacts/hash.ts'
import { describeError, Stop } from './failure.ts'
import { notarizeInputNames, readInputs, type InputReading } from './inputs/notarize-inputs.ts'
import { findKept, keepRecords, type EarlierRecords } from './keep/keep.ts'
import type { Place } from './keep/place.ts'
import { createWorkflowArtifacts } from './keep/workflow-artifacts.ts'
import { isHashed, isRegistered, type Artifact, type HashedArtifact } from './outcome.ts'
import { describePlan, makePlan, type Plan } from './plan.ts'
import { systemDisk } from './records/disk.ts'
import { renderEvidence } from './records/evidence.ts'
import { Ledger } from './records/ledger.ts'
import { missingLines } from './records/lines.ts'
import { register } from './register/register.ts'
import { connectToGitHub } from './release/octokit.ts'
import { readRelease, type Release } from './release/release.ts'
import { report, writeOutputs, type Job, type RunEnd } from './report/report.ts'
import { systemClock } from './runtime/clock.ts'
import { runInHost, type Action } from './runtime/host.ts'
import type { Host } from './runtime/outside.ts'
import type { RawInputs } from './runtime/runner.ts'
import { createTransport } from './service/transport.ts'
import { evidenceName, formatChecksum } from './text/names.ts'

// Separate bundles. The bundler would copy a literal path raw, without its imports.
const workerPath = './hash-worker/index.js'
const keepPath = './keep/index.js'

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
    workflowArtifacts: createWorkflowArtifacts(new URL(keepPath, import.meta.url)),
    workerFile: new URL(workerPath, import.meta.url),
  }
  await runInHost(action, outside, canceled)
}

async function runNotarize(host: Host, rawInputs: RawInputs): Promise<0 | 1> {
  const { end, job } = await conduct(host, rawInputs)
  return report(end, job)
}

/** Everything but the report. */
export async function conduct(
  host: Host,
  rawInputs: RawInputs,
): Promise<{ readonly end: RunEnd; readonly job: Job }> {
  const { environment, secrets, clock, runner } = host
  const reading = readInputs(rawInputs, clock.now())
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

/**
 * Everything between reading the inputs and the report: reads what is known and plans, which is free; then registers what
 * is left, and keeps the records. Never rejects.
 */
export async function notarize(find: () => Promise<Found>, job: Job): Promise<RunEnd> {
  const { host, inputs } = job
  let kept: readonly EarlierRecords[] = []
  let release: Release | null = null
  let ledger: Ledger | null = null
  let checksumsPath = ''
  const keep = (isFree: boolean, evidencePath = ''): Promise<Place> => {
    const records = ledger?.content ?? Buffer.alloc(0)
    const hasUnsaved = (ledger?.unsaved.length ?? 0) > 0
    const released = release?.records ?? []
    const query = { inputs, records, isFree, evidencePath, found: kept, released, hasUnsaved }
    return keepRecords(query, host)
  }
  let artifacts: readonly Artifact[]
  try {
    kept = await findKept(inputs, host)
    const found = await find()
    release = await readRelease(inputs, host)
    ledger = readLedger(kept, release, job)
    const plan = planAll(found, { release, ledger }, job)
    checksumsPath = await writeChecksums(plan.checksums, host)
    Stop.ifAny(plan.problems)
    host.runner.info(describePlan(plan))
    artifacts = plan.artifacts
    if (!inputs.dryRun) artifacts = await register(artifacts, { host, inputs, ledger })
  } catch (error) {
    if (!(error instanceof Stop)) host.halt.noteBug(error)
    const problems = error instanceof Stop ? error.problems : []
    const isUnreadable = problems.some(
      ({ input, needs }) => input === 'keep-records' && needs === 'nothing',
    )
    const place: Place = isUnreadable ? { kind: 'unreadable' } : await keep(true)
    return { kind: 'stopped', problems, checksumsPath, place }
  }
  let evidencePath = ''
  if (!inputs.dryRun) evidencePath = await writeEvidence(artifacts, { ledger, release, host })
  const { unsaved } = ledger
  const onRelease = release?.records.map(({ bytes }) => bytes) ?? []
  const lacksLines = missingLines(onRelease, [ledger.content]).length > 0
  const ofRelease = release && { tag: release.tag, lacksLines }
  const isEarlierMissing = attemptOf(host) > 1 && !ledger.hasEarlierAttempt
  const files = { checksumsPath, evidencePath, unsaved }
  const known = { artifacts, release: ofRelease, isEarlierMissing }
  const end = { kind: 'completed', ...known, ...files } as const
  // A run that is killed while it keeps the records has its outputs.
  const beforeKeeping = { ...end, place: { kind: 'post-step' }, outputsError: null } as const
  const outputsError = writeOutputs(beforeKeeping, job)
  return { ...end, place: await keep(inputs.dryRun, evidencePath), outputsError }
}

/** Reads the records file, and adds what earlier attempts kept and what the release has. Throws a `Stop`. */
function readLedger(
  kept: readonly EarlierRecords[],
  release: Release | null,
  { host, inputs, recordsPath: path }: Job,
): Ledger {
  const { recordsPath: name, baseUrl: service, verificationUrl } = inputs
  const ofRelease = release?.records ?? []
  const others = [...kept, ...ofRelease]
  const source = release?.source ?? host.environment.source
  return Ledger.read({ path, name, others, service, source, verificationUrl }, host)
}

/** Plans, and logs all warnings. */
function planAll(
  found: Found,
  { release, ledger }: { readonly release: Release | null; readonly ledger: Ledger },
  { host, inputs }: Job,
): Plan {
  const { runner } = host
  const artifacts = found.artifacts.concat(release?.artifacts ?? [])
  ledger.confirm(artifacts.filter(isHashed), inputs.confirmedHashes)
  const plan = makePlan({
    inputs,
    artifacts,
    counts: found.counts.concat(release?.counts ?? []),
    ledger,
    release: release?.facts ?? null,
    attempt: attemptOf(host),
  })
  for (const from of [release, ledger, plan]) from?.warnings.forEach(runner.warning)
  // The report tells what became of these.
  plan.chargeWarnings.forEach(runner.passingWarning)
  return plan
}

/** Returns the number of this attempt of the run, from 1. */
function attemptOf({ environment: { source } }: Host): number {
  return Number(source.runAttempt ?? 1)
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
  const checksums = release?.checksums(new Set(registered.map(({ hash }) => hash))) ?? registered
  try {
    const page = renderEvidence(ledger.entries, checksums)
    if (page === null) return ''
    const { disk, environment, secrets } = host
    return await disk.writeNew(environment.tempFolder, evidenceName, secrets.redactText(page))
  } catch (error) {
    host.runner.warning(`The evidence page could not be written (${describeError(error)})`)
    return ''
  }
}
