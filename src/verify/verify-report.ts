/** Decides what a run of the verify action says at its end. */
import assert from 'node:assert'
import type { Problem } from '../failure.ts'
import { describeFields } from '../records/record.ts'
import { explainRun, toSteps, type Finding } from '../report/findings.ts'
import { formatWhole, type Outputs } from '../report/outputs.ts'
import type { Report, Row, Step } from '../report/report.ts'
import { describeCause, judgeStop } from '../report/stop.ts'
import { addressOf } from '../report/words.ts'
import type { Host } from '../runtime/outside.ts'
import { cut, quote } from '../text/escape.ts'
import { pluralize, toSentences } from '../text/phrases.ts'
import type { VerifyResult } from './compare.ts'

/** The worst first. */
const comparisonStates = ['altered', 'unknown', 'missing', 'matched'] as const

/** A run in which everything was compared. */
export interface ComparisonResult {
  /** The artifacts sorted by name, then the missing records sorted by name. */
  readonly verified: readonly VerifyResult[]
  /** How many records of which service these were compared with. */
  readonly checkedAgainst: string
}

/** Makes the outputs of a run in which everything was compared. */
export function makeVerifyOutputs({ verified }: ComparisonResult, host: Host): Outputs {
  const results = verified.map(result => redact(result, host))
  const text = formatWhole(results.map(toJson))
  if (text === '') {
    host.runner.warning('The output "results" is empty, because it would exceed 120,000 bytes')
  }
  return outputsOf(worstOf(results).state, text, results)
}

/** Judges a run in which everything was compared: it passes only if everything matches and no signal came. */
export function judgeCompared(
  { verified, checkedAgainst }: ComparisonResult,
  host: Host,
  outputsError: string | null,
): Report {
  const ranked = rankResults(verified.map(result => redact(result, host)))
  const ofRun = explainRun({ outputsError, unsaved: [] }, { host, recordsPath: '' })
  const stepsOfRun = toSteps(ofRun, host)
  const isMatch = worstOf(ranked).state === 'matched'
  const errors = stepsOfRun.map(describeCause)
  if (!isMatch) errors.unshift(describeMismatch(ranked))
  const warnings = [...host.runner.warnings]
  const trust = addressOf('verify.md#what-is-left-to-trust', host)
  if (isMatch) warnings.push(`A match does not prove who wrote the records file: ${trust}`)
  return {
    exitCode: errors.length === 0 ? 0 : 1,
    title: describeTitle(ranked, ofRun),
    cost: `Compared with ${checkedAgainst}`,
    counts: [],
    lead: leadAt(host, isMatch ? 'What to do' : 'Do not deploy'),
    steps: [...findSteps(ranked, host), ...stepsOfRun],
    warnings,
    pointers: [],
    table: {
      columns: ['Registered at (UTC)', 'Blockchain'],
      rows: ranked.map(describeResult),
      isFolded: !isMatch,
      elsewhere: 'the output "results" lists all if they fit',
    },
    errors,
    failures: [],
  }
}

/** Judges a run that stopped before anything was compared. */
export function judgeNotCompared(
  problems: readonly Problem[],
  host: Host,
  outputsError: string | null,
): Report {
  const stopped = {
    problems,
    outputsError,
    title: '❌ NOT VERIFIED: stopped before anything was compared',
    cost: 'No artifact was verified, so do not deploy',
    lead: leadAt(host, 'What to do'),
    again: null,
    pointers: [],
  }
  return judgeStop(stopped, host)
}

function leadAt(host: Host, lead: string): string {
  return `${lead} (${addressOf('verify.md', host)})`
}

/** The outputs of a run that stopped. */
export const noOutputs = outputsOf('stopped', '[]', [])

/** The worst first; a match with a note comes before those with nothing to add. */
function rankResults(results: readonly VerifyResult[]): readonly VerifyResult[] {
  const rankOf = ({ state, why }: VerifyResult): number =>
    comparisonStates.indexOf(state) + (why === '' ? 1 : 0)
  return results.toSorted((a, b) => rankOf(a) - rankOf(b))
}

function worstOf(results: readonly VerifyResult[]): VerifyResult {
  const [worst] = rankResults(results)
  assert(worst !== undefined, 'a run without artifacts stops')
  return worst
}

/** Replaces secrets: truncating or escaping a text first would make them unrecognizable. */
function redact(result: VerifyResult, { secrets }: Host): VerifyResult {
  const { recorded } = result
  const name = secrets.redactText(result.name)
  const why = secrets.redactText(result.why)
  if (recorded === null) return { ...result, name, why }
  const artifact = secrets.redactText(recorded.artifact)
  const record = secrets.redactJson(recorded.record)
  return { ...result, name, why, recorded: { ...recorded, artifact, record } }
}

/** An entry of the output `results`. */
function toJson(result: VerifyResult): object {
  const { name: artifact, size, hash, state, recorded, why, remedy } = result
  const message = toSentences([why, remedy])
  if (recorded === null) return { artifact, size, hash, state, recorded, message }
  const { service, record, source } = recorded
  const { artifact: recordedName, hash: recordedHash } = recorded
  const known = { artifact: recordedName, hash: recordedHash, service, record, sha: source.sha }
  return { artifact, size, hash, state, recorded: known, message }
}

function countOf(results: readonly VerifyResult[], state: VerifyResult['state']): number {
  return results.filter(result => result.state === state).length
}

function outputsOf(verdict: string, results: string, all: readonly VerifyResult[]): Outputs {
  const outputs: Record<string, string | number> = { verdict, results }
  for (const state of comparisonStates) outputs[`${state}-count`] = countOf(all, state)
  return outputs
}

function describeTitle(ranked: readonly VerifyResult[], ofRun: readonly Finding[]): string {
  const total = ranked.length - countOf(ranked, 'missing')
  const all = pluralize(
    total,
    'artifact matches its notarization record',
    'artifacts match their notarization records',
  )
  const text = `${countOf(ranked, 'matched')} of ${all}`
  const wrong = [...ofRun.map(({ cause }) => cause), ...countWrong(ranked)]
  if (wrong.length === 0) return `✅ VERIFIED: ${text}`
  return `❌ NOT VERIFIED: ${wrong.join(', ')}; ${text}`
}

/** Counts what does not match, the worst first: `1 altered`, `2 unknown`. */
function countWrong(ranked: readonly VerifyResult[]): readonly string[] {
  const groups = Map.groupBy(ranked, ({ state }) => state)
  groups.delete('matched')
  return Array.from(groups, ([state, { length }]) => `${length} ${state}`)
}

const maxReasonLength = 120

/** Returns the annotation: how much does not match, and why and what to do about the worst. */
function describeMismatch(ranked: readonly VerifyResult[]): string {
  const { name, state, why, remedy } = worstOf(ranked)
  const first = `"${quote(name, 40)}" is ${state}: ${cut(why, maxReasonLength)}`
  return toSentences([`do not deploy: ${countWrong(ranked).join(', ')}`, first, remedy])
}

const maxReasons = 3

/** Finds what to do about what does not match. Equal advice is one step. */
function findSteps(ranked: readonly VerifyResult[], host: Host): readonly Step[] {
  const wrong = ranked.filter(({ state }) => state !== 'matched')
  const findings = wrong.map(({ name, state: cost, why: cause, remedy: next }): Finding => {
    return { cause, next, observed: '', result: { cost, about: [{ name, url: null }] } }
  })
  const steps = toSteps(findings, host)
  return steps.map(step => ({ ...step, happened: step.happened.slice(0, maxReasons) }))
}

function describeResult(artifact: VerifyResult): Row {
  const { state, recorded, why } = artifact
  const row = { words: state, artifact, note: why, isPlain: why === '' }
  if (recorded === null || state !== 'matched') return { ...row, sign: '❌', url: null, cells: [] }
  const { time, blockchain } = describeFields(recorded.record)
  return { ...row, sign: '✅', url: recorded.verificationUrl, cells: [time, blockchain] }
}
