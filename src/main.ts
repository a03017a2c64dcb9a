import { existsSync, readFileSync } from 'node:fs'
import path, { resolve } from 'node:path'
import { collectArtifacts, type Collected } from './artifacts/collect.ts'
import { hashFiles } from './artifacts/hash.ts'
import { realPathOf } from './artifacts/sources/files.ts'
import { describeError, NotarizeError } from './errors.ts'
import { openRelease, type OpenRelease } from './github/open-release.ts'
import { readInputs, type InputName, type Inputs } from './inputs.ts'
import type { Outcome, Problem, Result } from './outcome.ts'
import { makePlan, type Plan, type PlannedArtifact } from './plan.ts'
import {
  indexRecords,
  parseRecords,
  readRecordsFile,
  type RecordsReading,
} from './records/known-records.ts'
import { missingLines } from './records/merge.ts'
import { RecordsFile } from './records/records-file.ts'
import { bug } from './register/pool.ts'
import { register } from './register/register.ts'
import { writeChecksumsFile } from './report/checksums-file.ts'
import { quote } from './report/escape.ts'
import { report, type Ending } from './report/report.ts'
import { createProgress } from './progress.ts'
import type { Runner } from './runner.ts'
import type { Secrets } from './secrets.ts'
import { failureOf } from './service/core/failures.ts'
import type { Host as StartHost } from './start.ts'

type Host = StartHost<InputName>

/** One run: collect, hash, plan, register, report. Gives the exit code; never rejects. */
export async function run(host: Host): Promise<0 | 1> {
  const { raw, environment, secrets, clock } = host
  const reading = readInputs(raw, clock.now())
  secrets.spare(reading.spared)
  secrets.add([...reading.secrets, ...environment.secrets])
  const { inputs } = reading
  const recordsPath = resolve(environment.workspace, inputs.recordsPath)
  let ending: Ending
  try {
    for (const warning of reading.warnings) host.runner.warning(warning)
    for (const notice of reading.notices) host.runner.notice(notice)
    ending = await notarize(host, { inputs, recordsPath, problems: reading.problems })
  } catch (error) {
    ending = stopped([{ input: null, message: explain(error, environment.reportTo) }])
  }
  return report(ending, { ...host, inputs, recordsPath, source: environment.source })
}

function explain(error: unknown, reportTo: string): string {
  if (error instanceof NotarizeError) return `${error.message}; nothing was sent`
  const { code, what, remedy } = bug(error, reportTo)
  return `${code}: ${what}; nothing more was sent; ${remedy}`
}

interface Task {
  readonly inputs: Inputs
  /** Absolute. */
  readonly recordsPath: string
  readonly problems: readonly Problem[]
}

async function notarize(host: Host, { inputs, recordsPath, problems }: Task): Promise<Ending> {
  const { environment, runner, secrets, halt } = host
  const { workspace, home, tempFolder } = environment

  const collected = collectArtifacts(inputs, { workspace, home, path }, [realPathOf(recordsPath)])
  for (const warning of collected.warnings) runner.warning(warning)
  const wrong = [...problems, ...findSecrets(inputs, secrets), ...collected.problems]
  if (wrong.length > 0) return stopped(wrong)

  const release = await openRelease(inputs, environment, halt)
  if (release !== null && 'problem' in release) return stopped([release.problem])
  for (const warning of release?.found.warnings ?? []) runner.warning(warning)
  const nothing = release === null ? null : findNothing(collected, release, inputs)
  if (nothing !== null && inputs.ifNoFilesFound === 'error') return stopped([nothing])
  if (nothing !== null && inputs.ifNoFilesFound === 'warn') runner.warning(nothing.message)

  const onProgress = createProgress('hashing', host.clock, runner.info)
  const { workerFile } = host
  const files = await hashFiles(collected.files, halt.signal, { workerFile, onProgress })
  const known = await readKnownRecords(release, { inputs, recordsPath, halt, warn: runner.warning })
  const plan = makePlan({
    files,
    entries: collected.entries,
    counts: [...collected.counts, ...(release?.counts ?? [])],
    known: indexRecords(known.records, inputs.baseUrl),
    damage: known.damage,
    recordsPath: inputs.recordsPath,
    maxRegistrations: inputs.maxRegistrations,
    isDryRun: inputs.isDryRun,
    hasSecret: text => secrets.isIn(text),
    ...(release === null ? {} : { release: release.facts }),
  })
  for (const warning of plan.warnings) runner.warning(warning)
  const checksumsPath = await writeChecksumsFile(plan.checksums, tempFolder)
  if (plan.problems.length > 0) return stopped(plan.problems, checksumsPath)
  logPlan(plan, runner)
  if (inputs.isDryRun) return ended(plan, { checksumsPath, outcomeOf: dryRunOutcome })

  const problem = plan.toRegister.length > 0 ? await release?.check() : null
  if (problem) return stopped([problem], checksumsPath)
  const records = await openRecords(plan, known, { recordsPath, runner })
  if ('problem' in records) return stopped([records.problem], checksumsPath)
  // A secret that comes later, as in retrieved subscription data, must not make the platform drop these.
  secrets.spare(plan.artifacts.flatMap(({ hash, size }) => [hash ?? '', String(size ?? '')]))
  const outcomes = await register(plan.toRegister, { ...host, inputs, records: records.file })
  const isIntact = (await records.file?.close()) ?? true
  const outcomeOf = ({ hash, fate }: PlannedArtifact): Outcome =>
    fate === 'register' ? (outcomes.get(hash ?? '') ?? lost(host)) : fate
  const evidenceError = isIntact
    ? await attach(release, { plan, recordsPath, outcomeOf })
    : recordsGone
  return ended(plan, { checksumsPath, outcomeOf, evidenceError })
}

const recordsGone =
  'The records file was removed or cut by somebody else while the run went on; save the output "records" of this step, it has what was registered'

interface Attachment {
  readonly plan: Plan
  readonly recordsPath: string
  readonly outcomeOf: (artifact: PlannedArtifact) => Outcome
}

/** Attaches the records; whatever fails is told, and leaves the outcomes as they are. */
async function attach(
  release: OpenRelease | null,
  { plan, recordsPath, outcomeOf }: Attachment,
): Promise<string | null> {
  try {
    return (await release?.attach(plan.artifacts, recordsPath, outcomeOf)) ?? null
  } catch (error) {
    return `The records could not be attached to the release: ${describeError(error)}. The records file has all of them`
  }
}

function dryRunOutcome({ fate }: PlannedArtifact): Result['outcome'] {
  if (fate === 'register') return { state: 'planned' }
  return fate.state === 'failed' && fate.code === 'record-mismatch' ? { state: 'held' } : fate
}

function lost({ environment }: Host): Outcome {
  return failureOf(bug(new Error('an artifact has no outcome'), environment.reportTo), 'unknown')
}

/** Inputs that stand in records and outputs must hold no secret. */
function findSecrets(inputs: Inputs, secrets: Secrets): readonly Problem[] {
  const published = {
    'base-url': inputs.baseUrl,
    'records-path': inputs.recordsPath,
    'verification-url': inputs.verificationUrl,
  }
  return Object.entries(published)
    .filter(([, text]) => text !== null && secrets.isIn(text))
    .map(([input]) => {
      const message = `input "${input}" contains the value of a secret (it is not shown); the records would publish it, so leave it out`
      return { input, message }
    })
}

/** A release without assets, where nothing else brings an artifact. */
function findNothing(
  { files, entries }: Collected,
  { found }: OpenRelease,
  { releaseTag }: Inputs,
): Problem | null {
  if (files.length + entries.length + found.assets.length > 0) return null
  const message = `input "release-tag": the release "${quote(releaseTag ?? '')}" has no assets to notarize; upload them first, or set if-no-files-found`
  return { input: 'release-tag', message }
}

interface KnownRecords extends RecordsReading {
  /** Lines of the release that the file here does not have. */
  readonly adopted: Buffer
}

interface RecordsQuery extends Pick<Task, 'inputs' | 'recordsPath'>, Pick<Host, 'halt'> {
  readonly warn: (text: string) => void
}

/** The records of the workspace, and those that the release holds: the file here may be older, or missing. */
async function readKnownRecords(
  release: OpenRelease | null,
  { inputs, recordsPath, halt, warn }: RecordsQuery,
): Promise<KnownRecords> {
  try {
    const own = readRecordsFile(recordsPath, inputs.recordsPath)
    const held = (await release?.readRecords(halt.signal)) ?? null
    if (held === null) return { ...own, adopted: Buffer.alloc(0) }
    const attached = parseRecords(held, 'the records of the release')
    if (attached.tail.state === 'torn') {
      warn('The last line of the records of the release is torn; it is left out')
    }
    const bytes = existsSync(recordsPath) ? readFileSync(recordsPath) : Buffer.alloc(0)
    return {
      records: [...own.records, ...attached.records],
      damage: [...own.damage, ...attached.damage],
      tail: own.tail,
      adopted: missingLines(bytes, held),
    }
  } catch (error) {
    const damage = [`"${quote(inputs.recordsPath)}" ${describeError(error)}`]
    const tail = { state: 'whole' as const, goodBytes: 0 }
    return { records: [], damage, tail, adopted: Buffer.alloc(0) }
  }
}

function logPlan({ artifacts, toRegister }: Plan, runner: Runner): void {
  const noun = artifacts.length === 1 ? 'artifact' : 'artifacts'
  const hashes = toRegister.length === 1 ? 'hash is' : 'hashes are'
  runner.info(
    `${artifacts.length} ${noun} found, ${toRegister.length} distinct ${hashes} left to register`,
  )
}

const bytesPerRecord = 2048
const maxExpectedBytes = 1024 * 1024

/** Opens the records file if there is something to write or to mend. */
async function openRecords(
  { toRegister }: Plan,
  { tail, adopted }: KnownRecords,
  { recordsPath, runner }: { readonly recordsPath: string; readonly runner: Runner },
): Promise<{ readonly file: RecordsFile | null } | { readonly problem: Problem }> {
  if (toRegister.length === 0 && tail.state === 'whole' && adopted.length === 0)
    return { file: null }
  if (tail.state === 'torn') {
    runner.warning(
      `The last line of "${quote(recordsPath)}" is torn, as after a run that was killed while it wrote; it is cut off, and its artifact is registered again`,
    )
  }
  const expectedBytes = Math.min(toRegister.length * bytesPerRecord, maxExpectedBytes)
  try {
    return { file: await RecordsFile.open(recordsPath, { tail, expectedBytes, adopted }) }
  } catch (error) {
    const message = `input "records-path": "${quote(recordsPath)}" ${describeError(error)}; nothing was sent, as no record could be kept; mend that, then run the job again`
    return { problem: { input: 'records-path', message } }
  }
}

function stopped(problems: readonly Problem[], checksumsPath = ''): Ending {
  return { kind: 'stopped', problems, checksumsPath }
}

function ended(
  { artifacts }: Plan,
  { checksumsPath, outcomeOf, evidenceError = null }: EndedOptions,
): Ending {
  const results = artifacts.map(artifact => {
    const { name, size, hash } = artifact
    return { name, size, hash, outcome: outcomeOf(artifact) }
  })
  return { kind: 'ended', results, checksumsPath, evidenceError }
}

interface EndedOptions {
  readonly checksumsPath: string
  readonly outcomeOf: (artifact: PlannedArtifact) => Result['outcome']
  readonly evidenceError?: string | null
}
