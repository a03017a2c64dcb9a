import { collectArtifacts } from '../artifacts/collect.ts'
import { findFiles, type FoundFiles } from '../artifacts/files.ts'
import { hashFile } from '../artifacts/hash.ts'
import { describeError, problemAt, Stop, type Problem } from '../failure.ts'
import { defaultRecords, readVerifyInputs } from '../inputs/verify-inputs.ts'
import { combineArtifacts } from '../plan.ts'
import type { FoundRecords } from '../records/lines.ts'
import { checkServer, readRelease } from '../release/release.ts'
import { writeReport } from '../report/write.ts'
import type { Action } from '../runtime/host.ts'
import type { Host } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import { joinFirst } from '../text/phrases.ts'
import { compareWithRecords, selectRecords } from './compare.ts'
import { reportVerified, type VerifyEnd } from './verify-report.ts'

/** Compares artifacts with records: collect, hash, compare, report. */
export const runVerify: Action = async (host, rawInputs) => {
  const { environment, secrets, halt } = host
  const reading = readVerifyInputs(rawInputs)
  secrets.add([...reading.keys, environment.runtimeToken])
  secrets.addDetails(environment.passwords)
  let end: VerifyEnd = { verified: [], checkedAgainst: '', problems: [] }
  try {
    end = await compare(host, reading)
  } catch (error) {
    // The report says that a run was canceled; an interrupted call has nothing to add.
    if (error instanceof Stop && !halt.isCanceled) end = { ...end, problems: error.problems }
    else if (!halt.isCanceled) halt.noteBug(error)
  }
  return writeReport(reportVerified(end, host), host, reading.inputs.showSummary)
}

/** Finds and compares all artifacts. Throws a `Stop` for wrong inputs or records, or a signal. */
async function compare(
  host: Host,
  { inputs, problems }: ReturnType<typeof readVerifyInputs>,
): Promise<VerifyEnd> {
  const { environment, halt, runner, secrets } = host
  const { releaseTag, requireAll } = inputs
  const recordsFiles = await findFiles('records', inputs.records, host)
  const skip = recordsFiles.files.map(({ path }) => path)
  const found = await collectArtifacts({ ...inputs, ifNoFilesFound: 'error' }, host, skip)
  const isDefault = inputs.records === defaultRecords
  const ofRecords =
    isDefault && releaseTag !== null ? recordsFiles.problems : findEmpty(recordsFiles, isDefault)
  Stop.ifAny([...problems, ...checkServer(inputs, environment), ...found.problems, ...ofRecords])

  const release = await readRelease(inputs, host)
  // Names stay readable, even if a password stands in one.
  const { repository, ref } = environment.source
  const named = [found.files, found.listed, release?.artifacts ?? []].flat()
  const names = named.map(({ name }) => name)
  secrets.maskDetails([...names, repository ?? '', ref ?? '', releaseTag ?? '', inputs.baseUrl])
  const local = recordsFiles.files.map(({ name, path }): FoundRecords => {
    try {
      return { name, bytes: host.disk.read(path), input: 'records' }
    } catch (error) {
      const why = `"${quote(name)}" cannot be read: ${describeError(error)}`
      throw new Stop(problemAt('records', why, { next: 'make the file readable' }))
    }
  })
  const chosen = local.length > 0 ? local : (release?.records ?? [])
  if (chosen.length === 0) {
    const why = 'neither the workspace nor the release has a records file'
    throw new Stop(problemAt('records', why, { next: 'download the records files first' }))
  }
  const records = selectRecords(chosen, inputs.baseUrl)
  for (const text of records.warnings) runner.warning(text)

  const hashed = await Array.fromAsync(found.files, file => hashFile(file, halt.ended))
  if (halt.reason !== null) throw new Stop()
  const artifacts = hashed.concat(found.listed, release?.artifacts ?? [])
  const { combined, problems: conflicts } = combineArtifacts(artifacts)
  Stop.ifAny(conflicts)
  if (combined.length === 0) {
    const why = 'the release has no assets to verify'
    throw new Stop(problemAt('release-tag', why, { next: 'check the tag' }))
  }
  const verified = compareWithRecords(combined, records, requireAll)
  return { verified, checkedAgainst: records.summary, problems: [] }
}

/** Returns what is wrong with the patterns of `records`: each has to match a file. By default there is nothing to correct. */
function findEmpty({ problems, patterns }: FoundFiles, isDefault: boolean): readonly Problem[] {
  const empty = patterns.filter(({ paths }) => paths.size === 0)
  const wrong = empty.map(({ text }) => `"${quote(text)}" matches no file`)
  if (wrong.length === 0 || problems.length > 0) return problems
  const next = `download the records files first${isDefault ? '' : ', or correct the pattern'}`
  return [problemAt('records', joinFirst(wrong, 3), { next })]
}
