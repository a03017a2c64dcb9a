import type { Problem } from '../failure.ts'
import type { VerifyInputs } from '../inputs/verify-inputs.ts'
import { deliverOutputs, deliverSummary, type Outputs } from '../report/deliver.ts'
import { formatArtifact } from '../report/log.ts'
import { formatWhole } from '../report/outputs.ts'
import { describeFaults, reportStop } from '../report/stop.ts'
import type { Host } from '../runtime/host.ts'
import type { Secrets } from '../runtime/secrets.ts'
import { maxMessageLength, quote } from '../text/escape.ts'
import type { JsonObject } from '../text/json.ts'
import { counted } from '../text/words.ts'
import type { Verified } from './compare.ts'
import { formatVerifySummary } from './verify-summary.ts'

/** The run stopped before anything was compared. */
export interface VerifyStopped {
  readonly kind: 'stopped'
  readonly problems: readonly Problem[]
}

/** Everything was compared. */
export interface VerifyEnded {
  readonly kind: 'ended'
  /** The artifacts sorted by name, then the missing records sorted by name. */
  readonly verified: readonly Verified[]
  /** How many records of which service these were compared with. */
  readonly checkedAgainst: string
  readonly warnings: readonly string[]
}

/** How a verification ended. */
export type VerifyEnding = VerifyStopped | VerifyEnded

/** What the report needs of the run. */
export interface VerifyReportOptions {
  readonly host: Host
  readonly inputs: VerifyInputs
}

/** Writes log, outputs and summary. Gives the exit code: 0 only if everything matches and no signal came. Never rejects. */
export async function reportVerification(
  ending: VerifyEnding,
  { host, inputs }: VerifyReportOptions,
): Promise<0 | 1> {
  if (ending.kind === 'ended') return reportEnd(ending, { host, inputs })
  const texts = {
    verdict: '❌ NOT VERIFIED: stopped before anything was compared with the records',
    lead: '<b>Do not deploy.</b> No artifact was verified.',
    nothing: 'nothing was verified',
    page: 'verify.md#verdicts',
    outputs: makeOutputs('stopped', '[]', []),
  }
  const { baseUrl, showSummary } = inputs
  return reportStop(ending.problems, texts, { ...host, baseUrl, showSummary })
}

async function reportEnd(
  ending: VerifyEnded,
  { host, inputs }: VerifyReportOptions,
): Promise<0 | 1> {
  const { runner, secrets, halt, environment } = host
  const { checkedAgainst } = ending
  // The log and the summary truncate what they show: secrets are replaced before.
  const redact = (text: string): string => secrets.redactText(text)
  const verified = ending.verified.map(one => {
    return { ...one, artifact: redact(one.artifact), message: redact(one.message) }
  })
  const shown = sortForReader(verified)
  const verdict = formatVerdict(shown)
  for (const one of shown.slice(0, maxLines)) runner.info(formatLine(one))
  const rest = shown.length - maxLines
  if (rest > 0) runner.info(`and ${rest} more, see the job summary`)
  runner.info(`Compared with ${checkedAgainst}`)
  runner.info(verdict)

  const [worst] = shown
  const results = formatWhole(verified.values().map(one => resultOf(one, secrets)))
  const outputs = makeOutputs(worst?.state ?? 'matched', results, verified)
  const outputsFailure = deliverOutputs(outputs, runner)
  const warnings = ending.warnings.map(redact)
  if (results === '') {
    runner.warning(tooLong)
    warnings.push(tooLong)
  }
  if (inputs.showSummary) {
    const { docsUrl } = environment
    const page = { verdict, shown, checkedAgainst, warnings, docsUrl, secrets }
    await deliverSummary(formatVerifySummary(page), runner)
  }
  const faults = describeFaults(halt, outputsFailure)
  const isGreen = worst?.state === 'matched' && faults.length === 0
  if (worst !== undefined && worst.state !== 'matched') runner.error(formatError(verdict, worst))
  faults.forEach(runner.error)
  return isGreen ? 0 : 1
}

const tooLong = 'The output "results" is empty: it would be longer than 120,000 bytes'

/** An entry of the output `results`. */
function resultOf(one: Verified, secrets: Secrets): JsonObject {
  const { artifact, size, hash, state, recorded, message } = one
  if (recorded === null) return { artifact, size, hash, state, recorded, message }
  const { service, source, record } = recorded
  const entry = { artifact: recorded.artifact, hash: recorded.hash, service, record }
  const { value } = secrets.redactJson({ ...entry, sha: source.sha })
  return { artifact, size, hash, state, recorded: value, message }
}

const states = ['altered', 'unknown', 'missing', 'matched'] as const

function countOf(all: readonly Verified[], state: Verified['state']): number {
  return all.filter(one => one.state === state).length
}

function makeOutputs(verdict: string, results: string, all: readonly Verified[]): Outputs {
  const outputs: Record<string, string | number> = { verdict, results }
  for (const state of states) outputs[`${state}-count`] = countOf(all, state)
  return outputs
}

/** The worst first. */
function sortForReader(all: readonly Verified[]): readonly Verified[] {
  // Matches that need a note come before the others.
  const rankOf = ({ state, message }: Verified): number =>
    states.indexOf(state) + (state === 'matched' && message === '' ? 1 : 0)
  return all.toSorted((a, b) => rankOf(a) - rankOf(b))
}

function formatVerdict(shown: readonly Verified[]): string {
  const total = shown.length - countOf(shown, 'missing')
  const matched = countOf(shown, 'matched')
  const match = total === 1 ? 'matches its notarization record' : 'match their notarization records'
  const line = `VERIFIED: ${matched} of ${counted(total, 'artifact')} ${match}`
  if (matched === shown.length) return `✅ ${line}`
  const bad = states.filter(state => state !== 'matched' && countOf(shown, state) > 0)
  return `❌ NOT ${line}; ${bad.map(state => `${countOf(shown, state)} ${state}`).join(', ')}`
}

const maxLines = 100

/** What the log says of an artifact or of a missing record. */
function formatLine({ artifact, size, hash, state, message }: Verified): string {
  const line = formatArtifact(state, { name: artifact, size, hash })
  return message === '' ? line : `${line}: ${quote(message, maxMessageLength)}`
}

const maxShown = 200

function formatError(verdict: string, { artifact, state, message }: Verified): string {
  const first = `First: "${quote(artifact, maxShown)}" is ${state}: ${quote(message, maxShown)}`
  return `${verdict.replace('❌ ', '')}. Do not deploy. ${first}`
}
