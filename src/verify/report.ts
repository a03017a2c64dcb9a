import type { Source } from '../environment.ts'
import { describeBug } from '../failure.ts'
import type { Halt } from '../halt.ts'
import { deliverOutputs, deliverSummary, writeTemporary, type Reporter } from '../report/deliver.ts'
import { formatProblems } from '../report/log.ts'
import { formatWhole } from '../report/outputs.ts'
import { formatStopped } from '../report/page.ts'
import type { Secrets } from '../secrets.ts'
import type { Problem } from '../stop.ts'
import { maxMessageLength, quote } from '../text/escape.ts'
import { formatSize } from '../text/size.ts'
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
export interface VerifyReportOptions {
  readonly runner: Reporter
  readonly secrets: Secrets
  readonly halt: Pick<Halt, 'bug' | 'isCancelled'>
  readonly source: Source
  /** `RUNNER_TEMP`. */
  readonly tempFolder: string
  readonly baseUrl: string | null
  readonly showSummary: boolean
}

/** Writes log, outputs and summary, and gives the exit code: 0 only if all match and no signal came. Never rejects. */
export async function reportVerification(
  ending: VerifyEnding,
  options: VerifyReportOptions,
): Promise<0 | 1> {
  const errors =
    ending.kind === 'stopped'
      ? await reportStop(ending.problems, options)
      : await reportEnd(ending, options)
  for (const error of errors) options.runner.error(error)
  return ending.kind === 'ended' && errors.length === 0 ? 0 : 1
}

/** Gives the errors to be said, as {@link reportEnd} does. */
async function reportStop(
  problems: readonly Problem[],
  { runner, halt, secrets, source, baseUrl, showSummary }: VerifyReportOptions,
): Promise<readonly string[]> {
  const messages = [
    ...formatProblems(problems).map(text => secrets.redactText(text)),
    ...(halt.bug === null ? [] : [describeBug(halt.bug)]),
    ...(halt.isCancelled ? [`${cancelled}; nothing was verified`] : []),
    ...setOutputs({ verdict: 'stopped', results: '[]', all: [] }, runner),
  ]
  if (showSummary) {
    const verdict = '❌ NOT VERIFIED: stopped before anything was checked against the records'
    const these = messages.length === 1 ? 'this' : 'these'
    const lead = `<b>Do not deploy.</b> Nothing is known of the artifacts. Correct ${these}, then run the job again:`
    const page = { verdict, lead, messages, place: { source, service: baseUrl } }
    await deliverSummary(formatStopped(page), runner)
  }
  return messages
}

const cancelled = 'The run was cancelled by a signal'

async function reportEnd(
  { artifacts, missing, records, sha, requireAll }: VerifyEnded,
  options: VerifyReportOptions,
): Promise<readonly string[]> {
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
  const all = [...artifacts, ...missing]
  const failures = setOutputs({ verdict: worst?.state ?? 'matched', results, all }, runner)
  const tooLong = results === '' ? [await writeResults(listed.values().map(describe), options)] : []
  for (const warning of tooLong) runner.warning(warning)
  if (showSummary) {
    const warnings = [...records.warnings.map(text => secrets.redactText(text)), ...tooLong]
    const page = { verdict, shown, sha, checkedAgainst, warnings, describe }
    await deliverSummary(formatVerifySummary(page), runner)
  }
  return [
    ...(worst === undefined || worst.state === 'matched'
      ? []
      : [`${verdict.replace(/^\S+ /, '')}. The first: ${lineOf(describe(worst), sha)}`]),
    ...failures,
    ...(halt.bug === null ? [] : [describeBug(halt.bug)]),
    ...(halt.isCancelled ? [cancelled] : []),
  ]
}

/** Gives what is to be said if it fails; `all` is what is counted. */
function setOutputs(
  { all, ...outputs }: { verdict: string; results: string; all: readonly Verified[] },
  runner: Reporter,
): readonly string[] {
  const counts = states.map(state => [`${state}-count`, countOf(all, state)] as const)
  const failure = deliverOutputs({ ...outputs, ...Object.fromEntries(counts) }, runner)
  if (failure === null) return []
  return [
    `The outputs could not be written (${failure}); make room on the machine, then run the job again`,
  ]
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
  const { artifact, size, hash, state, message } = result
  const text = message || noteMatch(result, sha)
  const why = text === '' ? '' : `: ${quote(text, maxMessageLength)}`
  return `${state}: "${quote(artifact)}" (${formatSize(size)}, ${hash ?? 'not hashed'})${why}`
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
