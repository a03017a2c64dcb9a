import { deliverOutputs, deliverSummary, writeTemporary, type Outputs } from '../report/deliver.ts'
import { formatArtifact } from '../report/log.ts'
import { formatWhole } from '../report/outputs.ts'
import { describeFaults, reportStop, type StopOptions } from '../report/stop.ts'
import type { Problem } from '../stop.ts'
import { maxMessageLength, quote } from '../text/escape.ts'
import { describeError } from '../text/system-error.ts'
import { counted } from '../text/words.ts'
import type { Compared, Verified } from './compare.ts'
import type { RecordsIndex } from './records.ts'
import { makeResult, noteMatch, type VerifyResult } from './result.ts'
import { formatVerifySummary } from './summary.ts'

/** How a verification ended: stopped, or with a state for each artifact. */
export type VerifyEnding =
  { readonly kind: 'stopped'; readonly problems: readonly Problem[] } | VerifyEnded

/** See {@link VerifyEnding}. */
export interface VerifyEnded extends Omit<Compared, 'conflicts'> {
  readonly kind: 'ended'
  readonly records: Pick<RecordsIndex, 'count' | 'warnings'>
  /** The commit whose records tell what is altered or missing; null for any. */
  readonly sha: string | null
  /** Whether what is missing fails the run. */
  readonly requireAll: boolean
}

/** What the report needs of the run. */
export interface VerifyReportOptions extends StopOptions {
  /** `RUNNER_TEMP`. */
  readonly tempFolder: string
}

/** Writes log, outputs and summary, and gives the exit code: 0 only if all match and no signal came. Never rejects. */
export async function reportVerification(
  ending: VerifyEnding,
  options: VerifyReportOptions,
): Promise<0 | 1> {
  if (ending.kind === 'ended') return reportEnd(ending, options)
  const texts = {
    verdict: '❌ NOT VERIFIED: stopped before anything was checked against the records',
    lead: '<b>Do not deploy.</b> Nothing is known of the artifacts.',
    nothing: 'nothing was verified',
    outputs: makeOutputs('stopped', '[]', []),
  }
  return reportStop(ending.problems, texts, options)
}

async function reportEnd(
  { artifacts, missing, records, sha, requireAll }: VerifyEnded,
  options: VerifyReportOptions,
): Promise<0 | 1> {
  const { runner, halt, secrets, showSummary } = options
  const describe = (one: Verified): VerifyResult => makeResult(one, secrets)
  const listed = requireAll ? [...artifacts, ...missing] : artifacts
  const shown = sortForReader(listed, sha)
  const [worst] = shown
  const verdict = formatVerdict(listed, requireAll)
  const checkedAgainst = `Checked against ${records.count}`
  for (const one of shown.slice(0, maxLines)) runner.info(lineOf(describe(one), sha))
  const rest = shown.length - maxLines
  if (rest > 0) runner.info(`and ${rest} more, see the job summary`)
  runner.info(checkedAgainst)
  runner.info(verdict)

  const results = formatWhole(listed.values().map(describe))
  const outputs = makeOutputs(worst?.state ?? 'matched', results, [...artifacts, ...missing])
  const failure = deliverOutputs(outputs, runner)
  const tooLong = results === '' ? [await writeResults(listed.values().map(describe), options)] : []
  for (const warning of tooLong) runner.warning(warning)
  if (showSummary) {
    const warnings = [...records.warnings.map(text => secrets.redactText(text)), ...tooLong]
    const page = { verdict, shown, sha, checkedAgainst, warnings, describe }
    await deliverSummary(formatVerifySummary(page), runner)
  }
  const errors = [
    ...(worst === undefined || worst.state === 'matched'
      ? []
      : [`${verdict.replace(/^\S+ /, '')}. The first: ${lineOf(describe(worst), sha)}`]),
    ...describeFaults(halt, failure),
  ]
  for (const error of errors) runner.error(error)
  return errors.length === 0 ? 0 : 1
}

/** The outputs; `all` is what is counted. */
function makeOutputs(verdict: string, results: string, all: readonly Verified[]): Outputs {
  const counts = states.map(state => [`${state}-count`, countOf(all, state)] as const)
  return { verdict, results, ...Object.fromEntries(counts) }
}

const states = ['altered', 'unknown', 'missing', 'matched'] as const

function countOf(all: readonly Verified[], state: Verified['state']): number {
  return all.filter(one => one.state === state).length
}

function formatVerdict(listed: readonly Verified[], requireAll: boolean): string {
  const matched = countOf(listed, 'matched')
  const missing = countOf(listed, 'missing')
  const of = counted(listed.length - missing, 'artifact')
  const absent = requireAll ? `, ${missing} recorded but missing` : ''
  return matched === listed.length
    ? `✅ VERIFIED: ${matched} of ${of} match their notarization records${absent}`
    : `❌ NOT VERIFIED: ${matched} of ${of} match; ${countOf(listed, 'altered')} altered, ${countOf(listed, 'unknown')} unknown${absent}`
}

/** The worst first. An altered artifact and the record that it is altered from are one: that record is not shown as missing. */
function sortForReader(listed: readonly Verified[], sha: string | null): readonly Verified[] {
  const groups = Map.groupBy(listed, one => (noteMatch(one, sha) === '' ? one.state : 'noted'))
  const alteredFrom = new Set(groups.get('altered')?.map(({ recorded }) => recorded?.hash ?? null))
  const absent = groups.get('missing')?.filter(({ hash }) => !alteredFrom.has(hash))
  const of = (state: Verified['state'] | 'noted') => groups.get(state) ?? []
  return [...of('altered'), ...of('unknown'), ...(absent ?? []), ...of('noted'), ...of('matched')]
}

const maxLines = 100

/** What the log says of an artifact or a record. */
function lineOf(result: VerifyResult, sha: string | null): string {
  const text = result.message || noteMatch(result, sha)
  const why = text === '' ? '' : `: ${quote(text, maxMessageLength)}`
  return `${formatArtifact(result.state, { ...result, name: result.artifact })}${why}`
}

/** Writes all results to a file, and gives the warning that names it. */
async function writeResults(
  results: Iterable<VerifyResult>,
  { tempFolder }: VerifyReportOptions,
): Promise<string> {
  const empty = 'The output "results" is empty, as it would have more than 120,000 bytes'
  try {
    const file = { name: 'verification-results.json', text: linesOf(results) }
    const path = await writeTemporary(tempFolder, file)
    return `${empty}; all results are in "${path}" until this job ends`
  } catch (error) {
    return `${empty}, and the file for them could not be written to the folder for temporary files (RUNNER_TEMP): ${describeError(error)}`
  }
}

/** A JSON array, one item a line, as it is written: all at once would fill the memory. */
function* linesOf(results: Iterable<VerifyResult>): Generator<string> {
  let before = '[\n'
  for (const result of results) {
    yield `${before}${JSON.stringify(result)}`
    before = ',\n'
  }
  yield '\n]\n'
}
