import { deliverOutputs, deliverSummary, writeTemporary, type Reporter } from '../report/deliver.ts'
import { formatProblems } from '../report/log.ts'
import { formatWhole } from '../report/outputs.ts'
import { formatStopped } from '../report/page.ts'
import type { ReportOptions } from '../report/report.ts'
import type { Secrets } from '../secrets.ts'
import type { Problem } from '../stop.ts'
import { maxMessageLength, quote } from '../text/escape.ts'
import type { JsonObject } from '../text/json.ts'
import { formatSize } from '../text/size.ts'
import { describeError } from '../text/system-error.ts'
import { counted } from '../text/words.ts'
import type { Compared, Verified } from './compare.ts'
import type { VerifyInputs } from './inputs.ts'
import { formatRecords, type RecordsIndex } from './records.ts'
import { explain, formatVerifySummary, noteMatch } from './summary.ts'

/** A verification that stopped. */
interface Stopped {
  readonly kind: 'stopped'
  readonly problems: readonly Problem[]
}

/** A verification with a state for each artifact. */
export type VerifyEnded = { readonly kind: 'ended' } & Pick<Compared, 'artifacts' | 'missing'> &
  Pick<RecordsIndex, 'heads' | 'services' | 'warnings'> &
  Pick<VerifyInputs, 'sha' | 'requireAll'>

/** How a verification ended. */
export type VerifyEnding = Stopped | VerifyEnded

/** What the report needs of the run. */
export type VerifyReportOptions = Omit<ReportOptions, 'inputs' | 'recordsPath' | 'periodEndedAt'> &
  Pick<VerifyInputs, 'baseUrl' | 'showSummary'>

/** Writes log, outputs and summary, and gives the exit code: 0 only if all match and no signal came. Never rejects. */
export async function reportVerification(
  ending: VerifyEnding,
  options: VerifyReportOptions,
): Promise<0 | 1> {
  return ending.kind === 'stopped' ? reportStop(ending, options) : reportEnd(ending, options)
}

async function reportStop(
  { problems }: Stopped,
  { runner, halt, secrets, source, baseUrl, showSummary }: VerifyReportOptions,
): Promise<1> {
  const outputs = { verdict: 'stopped', results: '[]', ...countOutputs(countStates([])) }
  const messages = [
    ...formatProblems(problems).map(text => secrets.redactText(text)),
    ...(halt.isCancelled ? [`${cancelled}; nothing was verified`] : []),
    ...setOutputs(outputs, runner),
  ]
  if (showSummary) {
    const verdict = '❌ NOT VERIFIED: stopped before anything was checked against the records'
    const these = messages.length === 1 ? 'this' : 'these'
    const lead = `<b>Do not deploy.</b> Nothing is known of the artifacts. Correct ${these}, then run the job again:`
    const page = { verdict, lead, messages, place: { source, service: baseUrl } }
    await deliverSummary(formatStopped(page), runner)
  }
  for (const message of messages) runner.error(message)
  return 1
}

const cancelled = 'The run was cancelled by a signal'

/** Gives what is to be said if it fails. */
function setOutputs(
  outputs: Parameters<typeof deliverOutputs>[0],
  runner: Reporter,
): readonly string[] {
  const failure = deliverOutputs(outputs, runner)
  if (failure === null) return []
  return [
    `The outputs could not be written (${failure}); make room on the machine, then run the job again`,
  ]
}

async function reportEnd(end: VerifyEnded, options: VerifyReportOptions): Promise<0 | 1> {
  const { runner, halt, secrets, showSummary } = options
  const { artifacts, missing, requireAll, sha, heads } = end
  const redact = (text: string): string => secrets.redactText(text)
  const clean = (one: Verified): Verified => redactVerified(one, secrets)
  const counts = countStates([...artifacts, ...missing])
  const listed = requireAll ? [...artifacts, ...missing] : artifacts
  const shown = sortForReader(end)
  const line = formatVerdict(counts, requireAll)
  const checkedAgainst = `Checked against ${formatRecords(heads.length, end.services.map(redact))}`
  for (const text of formatLog(shown, sha, clean)) runner.info(text)
  runner.info(checkedAgainst)
  runner.info(line)

  const results = formatWhole(listed.values().map(one => resultOf(one, secrets)))
  const verdict = decideVerdict(counts, requireAll)
  const outputFailures = setOutputs({ verdict, results, ...countOutputs(counts) }, runner)
  const tooLong = results === '' ? [await writeResults(listed, options)] : []
  for (const warning of tooLong) runner.warning(warning)
  if (showSummary) {
    const warnings = [...end.warnings.map(redact), ...tooLong]
    const page = { verdict: line, shown, sha, checkedAgainst, warnings, clean }
    await deliverSummary(formatVerifySummary(page), runner)
  }
  const first = shown.find(({ state }) => state !== 'matched')
  const errors = [
    ...(first === undefined ? [] : [formatError(clean(first), line)]),
    ...outputFailures,
    ...(halt.isCancelled ? [cancelled] : []),
  ]
  for (const error of errors) runner.error(error)
  return errors.length === 0 ? 0 : 1
}

/** Without secrets, before a text is cut or becomes HTML, in which they could not be found. */
function redactVerified(one: Verified, secrets: Secrets): Verified {
  const redact = (text: string): string => secrets.redactText(text)
  const name = redact(one.name)
  if (one.state === 'unknown') return { ...one, name, why: redact(one.why) }
  const { artifact, service, sha, read } = one.recorded
  const recorded = {
    ...one.recorded,
    ...{ artifact: redact(artifact), service: redact(service) },
    sha: sha === null ? null : redact(sha),
    read: () => {
      const entry = read()
      return { ...entry, ...secrets.redact(entry.record), service: redact(entry.service) }
    },
  }
  return { ...one, name, recorded }
}

type Counts = Readonly<Record<Verified['state'], number>>

function countStates(all: readonly Verified[]): Counts {
  const counts = { matched: 0, altered: 0, unknown: 0, missing: 0 }
  for (const { state } of all) counts[state]++
  return counts
}

function countOutputs({ matched, altered, unknown, missing }: Counts) {
  return {
    ...{ 'matched-count': matched, 'altered-count': altered },
    ...{ 'unknown-count': unknown, 'missing-count': missing },
  }
}

function decideVerdict(counts: Counts, requireAll: boolean): Verified['state'] {
  if (counts.altered > 0) return 'altered'
  if (counts.unknown > 0) return 'unknown'
  return requireAll && counts.missing > 0 ? 'missing' : 'matched'
}

function formatVerdict(counts: Counts, requireAll: boolean): string {
  const { matched, altered, unknown, missing } = counts
  const total = matched + altered + unknown
  const absent = requireAll ? `, ${missing} recorded but missing` : ''
  return decideVerdict(counts, requireAll) === 'matched'
    ? `✅ VERIFIED: ${matched} of ${counted(total, 'artifact')} match their notarization records${absent}`
    : `❌ NOT VERIFIED: ${matched} of ${counted(total, 'artifact')} match; ${altered} altered, ${unknown} unknown${absent}`
}

/** The worst first. An altered artifact and the record that it is altered from are one: that record is not shown as missing. */
function sortForReader({ artifacts, missing, requireAll, sha }: VerifyEnded): readonly Verified[] {
  const { altered = [], unknown = [], matched = [] } = Object.groupBy(artifacts, one => one.state)
  const alteredFrom = new Set(altered.map(({ recorded }) => recorded?.hash))
  const absent = requireAll
    ? missing.filter(({ recorded }) => !alteredFrom.has(recorded?.hash))
    : []
  const hasNote = (one: Verified): boolean => noteMatch(one, sha) !== ''
  const plain = matched.filter(one => !hasNote(one))
  return [...altered, ...unknown, ...absent, ...matched.filter(hasNote), ...plain]
}

function formatError(first: Verified, line: string): string {
  const why = quote(explain(first), maxMessageLength)
  return `${line.replace(/^\S+ /, '')}. The first, "${quote(first.name)}": ${first.state}: ${why}`
}

const maxLines = 100

function formatLog(
  shown: readonly Verified[],
  sha: string | null,
  clean: (one: Verified) => Verified,
): readonly string[] {
  const lines = shown.slice(0, maxLines).map(given => {
    const one = clean(given)
    const { name, size, hash, state } = one
    const text = state === 'matched' ? noteMatch(one, sha) : explain(one)
    const why = text === '' ? '' : `: ${quote(text, maxMessageLength)}`
    return `${state}: "${quote(name)}" (${formatSize(size)}, ${hash ?? 'not hashed'})${why}`
  })
  const rest = shown.length - lines.length
  return rest > 0 ? [...lines, `and ${rest} more, see the job summary`] : lines
}

function resultOf(one: Verified, secrets: Secrets): JsonObject {
  const { name, size, hash, state, recorded } = one
  const { artifact, service, sha, hash: recordedHash, read } = recorded ?? {}
  const known = read && { artifact, hash: recordedHash, service, sha, record: read().record }
  const message = explain(one)
  return secrets.redact({ artifact: name, size, hash, state, recorded: known ?? null, message })
    .record
}

/** Writes all results to a file, and gives the warning that names it. */
async function writeResults(
  listed: readonly Verified[],
  { secrets, tempFolder }: VerifyReportOptions,
): Promise<string> {
  const empty = 'The output "results" is empty, as it would have more than 120,000 bytes'
  try {
    const file = { name: 'verification-results.json', text: linesOf(listed, secrets) }
    const path = await writeTemporary(tempFolder, file)
    return `${empty}; all results are in "${path}" until this job ends`
  } catch (error) {
    return `${empty}, and the file for them could not be written to the folder for temporary files (RUNNER_TEMP): ${describeError(error)}`
  }
}

/** A JSON array, one item a line, as it is written: all at once would fill the memory. */
function* linesOf(listed: readonly Verified[], secrets: Secrets): Generator<string> {
  let before = '[\n'
  for (const one of listed) {
    yield `${before}${JSON.stringify(resultOf(one, secrets))}`
    before = ',\n'
  }
  yield '\n]\n'
}
