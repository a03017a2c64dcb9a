import type { Problem } from '../failure.ts'
import type { VerifyInputs } from '../inputs/verify-inputs.ts'
import { deliverOutputs, deliverSummary, type Outputs } from '../report/deliver.ts'
import { formatExplanation } from '../report/explain.ts'
import { formatArtifact } from '../report/log.ts'
import { formatWhole } from '../report/outputs.ts'
import * as page from '../report/page.ts'
import { findRunFailures, type RunFailure } from '../report/run-failures.ts'
import { reportStop } from '../report/stop.ts'
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
  /** How many records from which service these were compared with. */
  readonly checkedAgainst: string
  readonly warnings: readonly string[]
}

/** Reports a run that stopped before anything was compared. Never rejects. */
export async function reportNotCompared(
  problems: readonly Problem[],
  host: Host,
  { showSummary }: VerifyInputs,
): Promise<1> {
  const stop = {
    problems,
    verdict: '❌ NOT VERIFIED: stopped before anything was compared with the records',
    nothing: 'no artifact was verified, so do not deploy',
    page: 'verify.md#verdicts',
    outputs: makeOutputs('stopped', '[]', []),
    showSummary,
  }
  return reportStop(stop, host)
}

const maxLines = 100
const tooLong = 'The output "results" is empty, because it would exceed 120,000 bytes'

/** Writes log, outputs and summary. Returns 0 only if everything matches and no signal came. Never rejects. */
export async function reportCompared(
  compared: ComparisonResult,
  host: Host,
  { showSummary }: VerifyInputs,
): Promise<0 | 1> {
  const { runner, secrets, halt } = host
  // Secrets are replaced before log and summary truncate a text.
  const verified = compared.verified.map(result => {
    const name = secrets.redactText(result.name)
    return { ...result, name, message: secrets.redactText(result.message) }
  })
  const ranked = verified.toSorted((a, b) => rankOf(a) - rankOf(b))
  const [worst] = ranked
  const state = worst?.state ?? 'unknown'
  const results = formatWhole(verified.values().map(result => resultEntry(result, secrets)))
  const outputsFailure = deliverOutputs(makeOutputs(state, results, verified), runner)
  const runFailures = findRunFailures(halt, outputsFailure, 'all artifacts were compared')
  const verdict = formatVerdict(ranked, runFailures)
  ranked.slice(0, maxLines).map(formatLine).forEach(runner.info)
  const rest = ranked.length - maxLines
  if (rest > 0) runner.info(`and ${rest} more, see the job summary`)
  runner.info(`Compared with ${compared.checkedAgainst}`)
  runner.info(verdict)

  const warnings = compared.warnings.map(text => secrets.redactText(text))
  if (results === '') {
    runner.warning(tooLong)
    warnings.push(tooLong)
  }
  if (showSummary) {
    const head = [`<p>${page.sentence(`Compared with ${compared.checkedAgainst}`)}</p>`]
    head.push(...adviseOn(ranked), ...page.formatNotes(warnings))
    await deliverSummary(formatSummary(ranked, { verdict, head, host }), runner)
  }
  if (worst !== undefined && state !== 'matched') runner.error(formatError(verdict, worst))
  for (const runFailure of runFailures) runner.error(formatExplanation(runFailure))
  return state === 'matched' && runFailures.length === 0 ? 0 : 1
}

/** An entry of the output `results`. */
function resultEntry(result: VerifyResult, secrets: Secrets): JsonObject {
  const { name: artifact, size, hash, state, recorded, message } = result
  if (recorded === null) return { artifact, size, hash, state, recorded, message }
  const { service, source, record } = recorded
  const entry = { artifact: recorded.artifact, hash: recorded.hash, service, record }
  const { value } = secrets.redactJson({ ...entry, sha: source.sha })
  return { artifact, size, hash, state, recorded: value, message }
}

/** The worst first. */
const states = ['altered', 'unknown', 'missing', 'matched'] as const

/** Ranks results, the worst first; matches with a note come before other matches. */
function rankOf(result: VerifyResult): number {
  return isPlain(result) ? states.length : states.indexOf(result.state)
}

function isPlain({ state, message }: VerifyResult): boolean {
  return state === 'matched' && message === ''
}

function countOf(results: readonly VerifyResult[], state: VerifyResult['state']): number {
  return results.filter(result => result.state === state).length
}

function makeOutputs(verdict: string, results: string, all: readonly VerifyResult[]): Outputs {
  const outputs: Record<string, string | number> = { verdict, results }
  for (const state of states) outputs[`${state}-count`] = countOf(all, state)
  return outputs
}

function formatVerdict(
  results: readonly VerifyResult[],
  runFailures: readonly RunFailure[],
): string {
  const total = results.length - countOf(results, 'missing')
  const matched = countOf(results, 'matched')
  const match = total === 1 ? 'matches its notarization record' : 'match their notarization records'
  const text = `${matched} of ${pluralize(total, 'artifact')} ${match}`
  const wrong = runFailures.map(({ short }) => short)
  for (const state of states) {
    const count = countOf(results, state)
    if (state !== 'matched' && count > 0) wrong.push(`${count} ${state}`)
  }
  if (wrong.length === 0) return `✅ VERIFIED: ${text}`
  return `❌ NOT VERIFIED: ${wrong.join(', ')}; ${text}`
}

function formatLine(result: VerifyResult): string {
  const line = formatArtifact(result.state, result)
  return result.message === '' ? line : `${line}: ${quote(result.message, maxMessageLength)}`
}

const maxErrorName = 60
const maxErrorMessage = 160

function formatError(verdict: string, { name, state, message }: VerifyResult): string {
  const first = `"${quote(name, maxErrorName)}" is ${state}: ${quote(message, maxErrorMessage)}`
  return `${verdict.replace('❌ ', '')}. Do not deploy. First: ${first}`
}

const advice = {
  altered:
    'Find out what changed the file after it was notarized. If it was one of your own steps, notarize the final file. If not, treat the file as tampered with.',
  unknown:
    'The table says why. If there is no record, check that you have all records files of this release, and that the patterns match only what was notarized.',
  missing:
    'Check the job that supplies the files. If the records cover several releases, set the input "sha" to the commit of this release.',
} as const

/** Advises on artifacts that do not match. */
function adviseOn(results: readonly VerifyResult[]): readonly string[] {
  const items: string[] = []
  for (const state of ['altered', 'unknown', 'missing'] as const) {
    const count = countOf(results, state)
    if (count > 0) items.push(`<b>${pluralize(count, 'artifact')} ${state}</b><br>${advice[state]}`)
  }
  return page.formatList('<b>Do not deploy.</b>', items)
}

interface SummaryParts {
  readonly verdict: string
  readonly head: readonly string[]
  readonly host: Host
}

function formatSummary(ranked: readonly VerifyResult[], parts: SummaryParts): string {
  const { verdict, head, host } = parts
  const { docsUrl } = host.environment
  const isMatch = ranked.every(({ state }) => state === 'matched')
  const proof = 'A match proves agreement with the records file, not who wrote that file. '
  const more = page.docsLink(docsUrl, `verify.md#${isMatch ? 'what-is-left-to-trust' : 'verdicts'}`)
  const table = {
    titles: ['Registered at (UTC)', 'Blockchain'],
    rows: ranked.values().map(result => formatRow(result, host.secrets)),
    total: ranked.length,
    plainCount: ranked.filter(isPlain).length,
    elsewhere: 'the output <code>results</code> lists all if they fit',
  }
  return page.formatPage({
    verdict,
    head,
    table,
    foot: [`<p>${isMatch ? proof : ''}More: ${more}</p>`],
  })
}

function formatRow(result: VerifyResult, secrets: Secrets): page.Row {
  const { state, recorded } = result
  if (state !== 'matched') {
    const details = page.sentence(result.message)
    return { state: `❌&nbsp;${state}`, artifact: result, url: null, details }
  }
  const { creationDate, blockchainType } = recorded?.record ?? {}
  const texts = [timeText(creationDate), fieldText(blockchainType)]
  const details = texts.map(text => page.code(secrets.redactText(text)))
  const note = result.message === '' ? '' : `<br>${page.sentence(result.message)}`
  const url = recorded?.verificationUrl
  return { state: `✅&nbsp;matched${note}`, artifact: result, url, details }
}
