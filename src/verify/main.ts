import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { collectArtifacts } from '../artifacts/collect.ts'
import { findFiles } from '../artifacts/files.ts'
import { hashFiles } from '../artifacts/hash.ts'
import { conflictProblem } from '../artifacts/merge.ts'
import { redactSource } from '../environment.ts'
import type { Host } from '../host.ts'
import { maskAndRead } from '../input-texts.ts'
import { createProgress } from '../progress.ts'
import { openRelease } from '../release/open.ts'
import { problemAt, Stop } from '../stop.ts'
import { compareWithRecords, isOfCommit } from './compare.ts'
import {
  readVerifyInputs,
  verifyDefaults,
  type VerifyInputName,
  type VerifyInputReading,
} from './inputs.ts'
import { patternProblem, readAllRecords } from './records.ts'
import { reportVerification, type VerifyEnded, type VerifyEnding } from './report.ts'

export { verifyDefaults }

/** Checks artifacts against records: collect, hash, compare, report. Gives the exit code; never rejects. */
export async function verify(host: Host<VerifyInputName>): Promise<0 | 1> {
  const { environment, secrets, halt } = host
  const reading = maskAndRead(host.raw, readVerifyInputs, { secrets, others: environment.secrets })
  const ending = await checkAgainstRecords(host, reading).catch((error: unknown): VerifyEnding => {
    // What a signal broke off says nothing that the report does not say better.
    if (halt.isCancelled) return { kind: 'stopped', problems: [] }
    if (error instanceof Stop) return { kind: 'stopped', problems: error.problems }
    halt.noteBug(error, environment.reportTo)
    return { kind: 'stopped', problems: [] }
  })
  const source = redactSource(environment.source, text => secrets.redactText(text))
  return reportVerification(ending, { ...environment, ...host, ...reading.usable, source })
}

async function checkAgainstRecords(
  host: Host<VerifyInputName>,
  reading: VerifyInputReading,
): Promise<VerifyEnded> {
  const { inputs, artifacts, records } = await prepare(host, reading)
  const { sha, requireAll } = inputs
  const isOfNone = !records.registered.some(one => isOfCommit(one, sha))
  if (requireAll && sha !== null && isOfNone) throw new Stop(noRecordOfCommit)
  const compared = compareWithRecords({ artifacts, records, sha })
  Stop.ifAny(conflictProblem(compared.conflicts))
  // Signals are heard between two turns of the event loop only, and small files are hashed within one.
  await setImmediate()
  await setImmediate()
  const isAllGood = compared.artifacts.every(({ state }) => state === 'matched')
  // What a run that was cancelled, or met a bug, did not look at is not known: it must not say that all is well.
  if (host.halt.reason !== null && isAllGood) throw new Stop()
  return { kind: 'ended', ...compared, records, sha, requireAll }
}

/** All that is read: files, release and records. Throws a `Stop` for what is wrong with them or with the inputs. */
async function prepare(
  host: Host<VerifyInputName>,
  { inputs, usable, problems }: VerifyInputReading,
) {
  const { environment, runner, secrets, halt, clock, workerFile } = host
  const { workspace, home } = environment
  const redact = (text: string): string => secrets.redactText(text)
  const where = { place: { workspace, home, path }, halt: halt.signal }
  const files = await findFiles(usable.records, where)
  const skip = files.files.map(({ absolutePath }) => absolutePath)
  const found = await collectArtifacts(
    { ...usable, ifNoFilesFound: 'error' },
    { ...where, skip, remedy: 'correct the pattern' },
  )
  const wrong = [...problems, ...found.problems, ...patternProblem(files, redact)]
  if (inputs === null || wrong.length > 0) throw new Stop(...wrong)

  const release = await openRelease(
    { ...inputs, attachToRelease: false },
    { ...host, ...environment, redact, makeId: randomUUID, log: runner.info },
  )
  // Only where nothing else was asked for.
  const isLeftToRelease = inputs.records === verifyDefaults.records && files.files.length === 0
  const attached = isLeftToRelease ? await release.readRecords() : null
  const records = readAllRecords(files, { attached, baseUrl: inputs.baseUrl, redact })
  const warnings = [...found.warnings, ...release.warnings, ...records.warnings]
  warnings.forEach(runner.warning)

  const onProgress = createProgress('hashing', clock, runner.info)
  const hashed = await hashFiles(found.files, halt.signal, { workerFile, onProgress })
  const artifacts = [...found.listed, ...hashed, ...release.artifacts]
  if (artifacts.length === 0) throw new Stop(nothingFound)
  return { inputs, artifacts, records }
}

const noRecordOfCommit = problemAt(
  'sha',
  'no record that counts is of this commit, so that "require-all" would prove nothing; give the commit that was notarized',
)

const nothingFound = problemAt(
  'release-tag',
  'no artifact was found, so that nothing could be checked against the records; check the tag',
)
