import path from 'node:path'
import { collectArtifacts, type Collected } from '../artifacts/collect.ts'
import { hashFiles } from '../artifacts/hash.ts'
import { findFiles, realPathOf } from '../artifacts/sources/files.ts'
import type { PatternPlace } from '../artifacts/sources/pattern.ts'
import { describeError, NotarizeError } from '../errors.ts'
import { openRelease, type OpenRelease } from '../github/open-release.ts'
import { compareCodeUnits, type Problem } from '../outcome.ts'
import { makePlan } from '../plan.ts'
import { createProgress } from '../progress.ts'
import { parseRecords, readRecordsFile, type RecordsReading } from '../records/known-records.ts'
import type { RecordEntry } from '../records/record-line.ts'
import { bug } from '../register/pool.ts'
import { quote } from '../report/escape.ts'
import type { Secrets } from '../secrets.ts'
import type { Host as StartHost } from '../start.ts'
import { compareWithRecords, type Subject } from './compare.ts'
import { readVerifyInputs, type VerifyInputName, type VerifyInputs } from './inputs.ts'
import { reportVerification, type VerifyEnding } from './report.ts'

type Host = StartHost<VerifyInputName>

const remedy = 'mend the pattern'

/** Holds artifacts against records: collect, hash, compare, report. Gives the exit code; never rejects. */
export async function verify(host: Host): Promise<0 | 1> {
  const { secrets, environment, runner, halt } = host
  const { inputs, problems } = readVerifyInputs(host.raw)
  secrets.add([inputs.githubToken, ...environment.secrets])
  let ending: VerifyEnding
  try {
    ending = await holdAgainstRecords(host, inputs, problems)
  } catch (error) {
    ending = stopped([{ input: null, message: explain(error, environment.reportTo) }])
  }
  const { requireAll, showSummary } = inputs
  return reportVerification(ending, {
    ...{ runner, requireAll, showSummary },
    isCancelled: halt.isCancelled,
  })
}

function explain(error: unknown, reportTo: string): string {
  if (error instanceof NotarizeError) return error.message
  const { code, what, remedy } = bug(error, reportTo)
  return `${code}: ${what}; ${remedy}`
}

function stopped(problems: readonly Problem[]): VerifyEnding {
  return { kind: 'stopped', problems }
}

async function holdAgainstRecords(
  host: Host,
  inputs: VerifyInputs,
  problems: readonly Problem[],
): Promise<VerifyEnding> {
  const { environment, runner, halt, clock, workerFile, secrets } = host
  const { workspace, home } = environment
  const place = { workspace, home, path }
  const found = findFiles(inputs.records, place, [])
  const recordsPaths = found.files.map(({ absolutePath }) => realPathOf(absolutePath))
  const local = {
    path: inputs.path,
    checksums: inputs.checksums,
    ifNoFilesFound: 'error' as const,
    remedy,
  }
  const collected = collectArtifacts(local, place, recordsPaths)
  const wrong = [...problems, ...collected.problems, ...recordsProblem(found)]
  if (wrong.length > 0) return stopped(wrong)

  const wanted = { ...inputs, attachToRelease: false }
  const release = await openRelease(wanted, environment, halt)
  if (release !== null && 'problem' in release) return stopped([release.problem])
  const known = await readAllRecords(inputs, place, { release, halt: halt.signal })
  for (const warning of [
    ...collected.warnings,
    ...(release?.found.warnings ?? []),
    ...known.warnings,
  ]) {
    runner.warning(warning)
  }
  if (known.problem !== null) return stopped([known.problem])

  const onProgress = createProgress('hashing', clock, runner.info)
  const files = await hashFiles(collected.files, halt.signal, { workerFile, onProgress })
  const { subjects, problems: conflicts } = mergeSubjects({ files, collected, release, secrets })
  if (conflicts.length > 0) return stopped(conflicts)
  if (subjects.length === 0) return stopped([nothingFound])
  const { sha, requireAll } = inputs
  const isOfCommit = (entry: RecordEntry): boolean => entry.sha?.toLowerCase() === sha
  if (requireAll && sha !== null && !known.entries.some(isOfCommit))
    return stopped([noRecordOfCommit])
  return { kind: 'ended', ...compareWithRecords({ subjects, records: known.entries, sha }) }
}

const noRecordOfCommit: Problem = {
  input: 'sha',
  message:
    'input "sha": no record is of this commit, so that "require-all" would prove nothing; give the commit that was notarized',
}

const nothingFound: Problem = {
  input: 'release-tag',
  message:
    'input "release-tag": no artifact was found, so that nothing could be held against the records; check the tag',
}

interface MergeInput {
  readonly files: Awaited<ReturnType<typeof hashFiles>>
  readonly collected: Collected
  readonly release: OpenRelease | null
  readonly secrets: Secrets
}

/** The artifacts as the plan of the main action merges them, with its guards but for those that limit the spending. */
function mergeSubjects({ files, collected, release, secrets }: MergeInput): {
  readonly subjects: readonly Subject[]
  readonly problems: readonly Problem[]
} {
  const { artifacts, problems } = makePlan({
    ...{ files, entries: collected.entries, counts: collected.counts },
    ...{ known: new Map(), damage: [], recordsPath: '', hasSecret: text => secrets.isIn(text) },
    ...{ maxRegistrations: Infinity, isDryRun: true },
  })
  const local = artifacts.map(({ name, size, hash, fate }) => {
    const why = fate !== 'register' && fate.state === 'failed' ? fate.message : null
    return { name, size, hash, why }
  })
  // Also under the name of a local file, if its bytes are others: then one of the two is altered.
  const taken = new Set(local.map(({ name, hash }) => JSON.stringify([name, hash])))
  const published = (release?.found.assets ?? []).map(asset =>
    'hash' in asset
      ? { ...asset, why: null }
      : { name: asset.name, size: null, hash: null, why: asset.failure.message },
  )
  const others = published.filter(({ name, hash }) => !taken.has(JSON.stringify([name, hash])))
  const subjects = [...local, ...others].sort((a, b) => compareCodeUnits(a.name, b.name))
  return { subjects, problems }
}

/** Patterns of records files that cannot be used. */
function recordsProblem({ errors, patterns }: ReturnType<typeof findFiles>): readonly Problem[] {
  const none = patterns.length === 0 && errors.length === 0
  const told = none
    ? ['there is no pattern that includes anything; give one pattern a line']
    : errors
  const message = `input "records": ${told.join('; ')}`
  return told.length === 0 ? [] : [{ input: 'records', message }]
}

interface AllRecords {
  readonly entries: readonly RecordEntry[]
  readonly warnings: readonly string[]
  readonly problem: Problem | null
}

/** Reads all records files, or, where only the default is asked for and missing, what the release holds. */
async function readAllRecords(
  { records, isDefaultRecords }: VerifyInputs,
  place: PatternPlace,
  { release, halt }: { readonly release: OpenRelease | null; readonly halt: AbortSignal },
): Promise<AllRecords> {
  const found = findFiles(records, place, [])
  const errors: string[] = []
  const warnings = [...found.warnings]
  const entries: RecordEntry[] = []
  const take = ({ records: known, damage, tail }: RecordsReading, name: string): void => {
    entries.push(...known.map(({ entry }) => entry))
    errors.push(...damage)
    if (tail.state === 'torn')
      warnings.push(`the last line of "${quote(name)}" is torn and is left out`)
  }
  const isAttached = found.files.length === 0 && isDefaultRecords && release !== null
  try {
    const attached = isAttached ? await release.readRecords(halt) : null
    if (attached !== null) take(parseRecords(attached, 'the records of the release'), 'the release')
    else {
      for (const { text } of found.patterns.filter(({ count }) => count === 0)) {
        errors.push(`the pattern "${quote(text)}" matches no records file`)
      }
    }
  } catch (error) {
    errors.push(`the records file ${describeError(error)}; run the job again`)
  }
  for (const { name, absolutePath } of found.files) {
    try {
      take(readRecordsFile(absolutePath, name), name)
    } catch (error) {
      errors.push(`"${quote(name)}" ${describeError(error)}`)
    }
  }
  const message = `input "records": ${errors.join('; ')}`
  return { entries, warnings, problem: errors.length > 0 ? { input: 'records', message } : null }
}
