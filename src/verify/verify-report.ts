import type { Problem } from '../failure.ts'
import type { VerifyInputs } from '../inputs/verify-inputs.ts'
import { deliverOutputs, deliverSummary, type Outputs } from '../report/deliver.ts'
import { formatExplanation } from '../report/explain.ts'
import { formatArtifact } from '../report/log.ts'
import { formatWhole } from '../report/outputs.ts'
import * as page from '../report/page.ts'
import { reportStop } from '../report/stop.ts'
import { findRunFailures, type RunFailure } from '../report/run-failures.ts'
import type { Host } from '../runtime/host.ts'
import type { Secrets } from '../runtime/secrets.ts'
import { maxMessageLength, quote } from '../text/escape.ts'
import { fieldText, timeText } from '../text/field.ts'
import type { JsonObject } from '../text/json.ts'
import { pluralize } from '../text/words.ts'
import type { VerifyResult } from './compare.ts'

/** A run in which everything was compared. */
export interface ComparisonResult {
  /** The artifacts sorted by name, then the missing records sorted by name. */
  readonly verified: readonly VerifyResult[]
  /** How many records of which service these were compared with. */
  readonly checkedAgainst: string
  readonly warnings: readonly string[]
}

/** Reports a run that stopped before anything was compared; its exit code. Never rejects. */
export async function reportNotCompared(
  problems: readonly Problem[],
  host: Host,
  { showSummary }: VerifyInputs,
): Promise<1> {
  const stopping = {
    problems,
    verdict: '❌ NOT VERIFIED: stopped before anything was compared with the records',
    lead: '<b>Do not deploy.</b> No artifact was verified.',
    nothing: 'nothing was verified',
    page: 'verify.md#verdicts',
    outputs: makeOutputs('stopped', '[]', []),
    showSummary,
  }
  return reportStop(stopping, host)
}

const maxLines = 100
const tooLong = 'The output "results" is empty: it would be longer than 120,000 bytes'

/** Writes log, outputs and summary. Gives the exit code: 0 only if everything matches and no signal came. Never rejects. */
export async function reportCompared(
  { verified: given, checkedAgainst, warnings: found }: ComparisonResult,
  host: Host,
  { showSummary }: VerifyInputs,
): Promise<0 | 1> {
  const { runner, secrets, halt } = host
  // The log and the summary truncate what they show: secrets are replaced before.
  const redact = (text: string): string => secrets.redactText(text)
  const verified = given.map(one => {
    return { ...one, artifact: redact(one.artifact), message: redact(one.message) }
  })
  const shown = verified.toSorted((a, b) => rankOf(a) - rankOf(b))
  const [worst] = shown
  const results = formatWhole(verified.values().map(one => resultOf(one, secrets)))
  const outputs = makeOutputs(worst?.state ?? 'matched', results, verified)
  const outputsFailure = deliverOutputs(outputs, runner)
  const runFailures = findRunFailures(halt, outputsFailure, 'all artifacts were compared')
  const verdict = formatVerdict(shown, runFailures)
  for (const one of shown.slice(0, maxLines)) runner.info(formatLine(one))
  if (shown.length > maxLines) {
    runner.info(`and ${shown.length - maxLines} more, see the job summary`)
  }
  runner.info(`Compared with ${checkedAgainst}`)
  runner.info(verdict)

  const warnings = found.map(redact)
  if (results === '') {
    runner.warning(tooLong)
    warnings.push(tooLong)
  }
  if (showSummary) {
    const summary = formatSummary(shown, { verdict, checkedAgainst, warnings, host })
    await deliverSummary(summary, runner)
  }
  if (worst !== undefined && worst.state !== 'matched') runner.error(formatError(verdict, worst))
  for (const runFailure of runFailures) runner.error(formatExplanation(runFailure))
  return worst?.state === 'matched' && runFailures.length === 0 ? 0 : 1
}

/** An entry of the output `results`. */
function resultOf(one: VerifyResult, secrets: Secrets): JsonObject {
  const { artifact, size, hash, state, recorded, message } = one
  if (recorded === null) return { artifact, size, hash, state, recorded, message }
  const { service, source, record } = recorded
  const entry = { artifact: recorded.artifact, hash: recorded.hash, service, record }
  const { value } = secrets.redactJson({ ...entry, sha: source.sha })
  return { artifact, size, hash, state, recorded: value, message }
}

/** The worst first. */
const states = ['altered', 'unknown', 'missing', 'matched'] as const

/** Matches that need a note come before the others. */
function rankOf(one: VerifyResult): number {
  return isPlain(one) ? states.length : states.indexOf(one.state)
}

function isPlain({ state, message }: VerifyResult): boolean {
  return state === 'matched' && message === ''
}

function countOf(all: readonly VerifyResult[], state: VerifyResult['state']): number {
  return all.filter(one => one.state === state).length
}

function makeOutputs(verdict: string, results: string, all: readonly VerifyResult[]): Outputs {
  const outputs: Record<string, string | number> = { verdict, results }
  for (const state of states) outputs[`${state}-count`] = countOf(all, state)
  return outputs
}

function formatVerdict(shown: readonly VerifyResult[], runFailures: readonly RunFailure[]): string {
  const total = shown.length - countOf(shown, 'missing')
  const matched = countOf(shown, 'matched')
  const match = total === 1 ? 'matches its notarization record' : 'match their notarization records'
  const text = `${matched} of ${pluralize(total, 'artifact')} ${match}`
  const shorts = runFailures.map(({ short }) => short)
  if (matched === shown.length && shorts.length === 0) return `✅ VERIFIED: ${text}`
  const bad = states.filter(state => state !== 'matched' && countOf(shown, state) > 0)
  const counts = bad.map(state => `${countOf(shown, state)} ${state}`)
  return `❌ NOT VERIFIED: ${[...shorts, ...counts].join(', ')}; ${text}`
}

/** What the log says of an artifact or of a missing record. */
function formatLine({ artifact: name, size, hash, state, message }: VerifyResult): string {
  const line = formatArtifact(state, { name, size, hash })
  return message === '' ? line : `${line}: ${quote(message, maxMessageLength)}`
}

const maxErrorName = 60
const maxErrorMessage = 160

function formatError(verdict: string, { artifact, state, message }: VerifyResult): string {
  const name = quote(artifact, maxErrorName)
  const first = `First: "${name}" is ${state}: ${quote(message, maxErrorMessage)}`
  return `${verdict.replace('❌ ', '')}. Do not deploy. ${first}`
}

const advice = {
  altered:
    'Find out what changed it after it was notarized. If that was a step of yours, notarize the final file; otherwise treat it as tampered with.',
  unknown:
    'See the table. Where no record has it, check that the records files are those of this release and that the patterns match only what was notarized.',
  missing:
    'Check the job that passes the files on. If the records are of several releases, give the input "sha".',
} as const

interface SummaryParts {
  /** The first line. */
  readonly verdict: string
  readonly checkedAgainst: string
  readonly warnings: readonly string[]
  readonly host: Host
}

/** The job summary: the verdict, why not to deploy, then the table. */
function formatSummary(shown: readonly VerifyResult[], parts: SummaryParts): string {
  const { verdict, checkedAgainst, warnings, host } = parts
  const items: string[] = []
  for (const [state, group] of Map.groupBy(shown, one => one.state)) {
    if (state === 'matched') continue
    items.push(`${pluralize(group.length, 'artifact')} ${state}<br>${advice[state]}`)
  }
  const trust = page.docsLink(host.environment.docsUrl, 'verify.md#what-is-left-to-trust')
  return page.formatPage({
    verdict,
    head: [
      `<p>${page.sentence(`Compared with ${checkedAgainst}`)}</p>`,
      '',
      ...page.formatList('<b>Do not deploy.</b>', items),
      ...page.formatNotes(warnings),
    ],
    table: {
      titles: ['Registered at (UTC)', 'Blockchain'],
      rows: shown.values().map(one => formatRow(one, host.secrets)),
      total: shown.length,
      plainCount: shown.filter(isPlain).length,
      elsewhere: 'the output <code>results</code> lists all if they fit',
    },
    foot: [
      `A match proves agreement with the records file, not who wrote that file. More: ${trust}`,
    ],
  })
}

function formatRow(one: VerifyResult, secrets: Secrets): page.Row {
  const { artifact: name, size, hash, state, recorded } = one
  const artifact = { name, size, hash }
  const message = page.breakable(one.message, maxMessageLength)
  if (state !== 'matched') {
    return { state: `❌&nbsp;${state}`, artifact, url: null, details: message }
  }
  const { creationDate, blockchainType } = recorded?.record ?? {}
  const texts = [timeText(creationDate), fieldText(blockchainType)]
  const details = texts.map(text => page.code(secrets.redactText(text)))
  const note = message === '' ? '' : `<br>${message}`
  return { state: `✅&nbsp;matched${note}`, artifact, url: recorded?.verificationUrl, details }
}
