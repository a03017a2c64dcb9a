import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isHashed, type Artifact } from '../artifacts/artifact.ts'
import { collectArtifacts } from '../artifacts/collect.ts'
import { combineArtifacts } from '../artifacts/combine.ts'
import { findFiles } from '../artifacts/files.ts'
import { hashFiles } from '../artifacts/hash.ts'
import { problemAt, Stop } from '../failure.ts'
import {
  readVerifyInputs,
  verifyDefaults,
  type RawVerifyInputs,
  type VerifyInputName,
  type VerifyInputReading,
} from '../inputs/verify-inputs.ts'
import { openRelease } from '../release/open.ts'
import type { Action, Host } from '../runtime/host.ts'
import { createProgress } from '../runtime/progress.ts'
import { baseName } from '../text/words.ts'
import { compareWithRecords } from './compare.ts'
import { patternProblems, readRecordsFiles, selectRecords } from './verify-records.ts'
import { reportVerification, type VerifyEnded, type VerifyEnding } from './verify-report.ts'

/** Compares artifacts with records: collect, hash, compare, report. */
export const verifyAction: Action<VerifyInputName> = { defaults: verifyDefaults, run }

async function run(host: Host, given: RawVerifyInputs): Promise<0 | 1> {
  const reading = readVerifyInputs(given)
  host.secrets.add([...reading.secrets, ...host.environment.secrets])
  const ending = await verify(host, reading)
  return reportVerification(ending, { host, inputs: reading.usable })
}

async function verify(host: Host, reading: VerifyInputReading): Promise<VerifyEnding> {
  const { environment, halt } = host
  try {
    return await compare(host, reading)
  } catch (error) {
    // The report itself says that a run was cancelled, and an interrupted call has nothing to add.
    if (halt.isCancelled) return { kind: 'stopped', problems: [] }
    if (error instanceof Stop) return { kind: 'stopped', problems: error.problems }
    halt.noteBug(error, environment.reportTo)
    return { kind: 'stopped', problems: [] }
  }
}

/** Throws a `Stop` for what is wrong with inputs, release or records, and after a signal. */
async function compare(host: Host, { usable, problems }: VerifyInputReading): Promise<VerifyEnded> {
  const { environment, runner, halt, clock, workerFile } = host
  const place = { workspace: environment.workspace, home: environment.home, path }
  const options = { place, halt: halt.signal }
  const { releaseTag, githubToken, sha, requireAll } = usable
  const recordsFiles = await findFiles(usable.records, options)
  const skip = recordsFiles.files.map(({ absolutePath }) => absolutePath)
  const found = await collectArtifacts(
    { path: usable.path, checksums: usable.checksums, ifNoFilesFound: 'error' },
    { ...options, skip, remedy: 'correct the pattern' },
  )
  const mayBeEmpty = usable.records === verifyDefaults.records && releaseTag !== null
  const wrongPatterns = patternProblems(recordsFiles, mayBeEmpty)
  Stop.ifAny([...problems, ...found.problems, ...wrongPatterns])

  const releaseInputs = { releaseTag, githubToken, attachToRelease: false }
  const release = await openRelease(releaseInputs, { ...host, makeId: randomUUID })
  const hasFiles = recordsFiles.files.length > 0
  const sources = hasFiles ? readRecordsFiles(recordsFiles) : release.records
  if (sources.length === 0) throw new Stop(noRecords)
  const records = selectRecords(sources, usable.baseUrl)
  const missed = [...recordsFiles.warnings, ...found.warnings]
  const warnings = [...missed, ...release.warnings, ...records.warnings]
  warnings.forEach(runner.warning)

  const onProgress = createProgress('hashing', clock, runner.info)
  const hashed = await hashFiles(found.files, halt.signal, { workerFile, onProgress })
  // Signals are delivered between two turns of the event loop, and small files are hashed within one.
  await setImmediate()
  await setImmediate()
  if (halt.reason !== null) throw new Stop()
  const artifacts = combineAll([...hashed, ...found.listed, ...release.artifacts])
  if (artifacts.length === 0) throw new Stop(nothingFound)
  const verified = compareWithRecords({ artifacts, records, sha, requireAll })
  return { kind: 'ended', verified, checkedAgainst: records.count, warnings }
}

const noRecords = problemAt('records', 'neither the workspace nor the release has a records file')
const nothingFound = problemAt('release-tag', 'the release has no assets to verify; check the tag')

/** One artifact for each name, and the assets that have the name of a local artifact, but another hash. */
function combineAll(artifacts: readonly Artifact[]): readonly Artifact[] {
  const { combined, problems } = combineArtifacts(artifacts)
  Stop.ifAny(problems)
  const keyOf = (artifact: Artifact): string =>
    `${isHashed(artifact) ? artifact.hash : ''} ${baseName(artifact.name)}`
  const known = new Set(combined.map(keyOf))
  const others = artifacts.filter(one => one.source === 'release-tag' && !known.has(keyOf(one)))
  return [...combined, ...others]
}
