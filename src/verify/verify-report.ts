/** Decides what a run of the verify action says at its end. */
import assert from 'node:assert'
import { describeFields } from '../records/record.ts'
import { explainRun, toSteps, type Finding } from '../report/findings.ts'
import { formatWhole, type Outputs } from '../report/outputs.ts'
import type { Report, Row, Step } from '../report/report.ts'
import type { Host } from '../runtime/outside.ts'
import { cut, quote } from '../text/escape.ts'
import { pluralize, toSentence } from '../text/phrases.ts'
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
  const results = verified.map(result => redact(result, host))
  const ranked = results.toSorted((a, b) => rankOf(a) - rankOf(b))
  const ofRun = explainRun({ host }, outputsError)
  const isMatch = worstOf(ranked).state === 'matched'
  const wrong = isMatch ? [] : [describeMismatch(ranked)]
  const ofErrors = ofRun.map(({ short, next }) => `${toSentence(short)} ${toSentence(next)}`)
  const trust = 'A match does not prove who wrote the records file'
  return {
    exitCode: isMatch && ofRun.length === 0 ? 0 : 1,
    title: describeTitle(ranked, ofRun),
    cost: `Compared with ${checkedAgainst}`,
    counts: [],
    steps: [...findSteps(ranked), ...toSteps(ofRun)],
    todo: { lead: 'Do not deploy', docs: 'verify.md' },
    again: null,
    warnings: isMatch
      ? [...host.runner.warnings, `${trust}: docs:verify.md#what-is-left-to-trust`]
      : host.runner.warnings,
    places: [],
    table: {
      columns: ['Registered at (UTC)', 'Blockchain'],
      rows: ranked.map(describeResult),
      isFolded: !isMatch,
      elsewhere: 'the output "results" lists all if they fit',
    },
    errors: [...wrong, ...ofErrors],
    failures: [],
  }
}

/** How a run is judged that stopped before anything was compared. */
export const notCompared = {
  title: '❌ NOT VERIFIED: stopped before anything was compared',
  cost: 'no artifact was verified, so do not deploy',
  docs: 'verify.md',
  tellLast: () => null,
} as const

/** The outputs of a run that stopped. */
export const noOutputs = outputsOf('stopped', '[]', [])

function worstOf(results: readonly VerifyResult[]): VerifyResult {
  const [worst] = results.toSorted((a, b) => rankOf(a) - rankOf(b))
  assert(worst !== undefined, 'a run without artifacts stops')
  return worst
}

/** The worst first; a match with a note comes before those with nothing to add. */
function rankOf({ state, why }: VerifyResult): number {
  const rank = comparisonStates.indexOf(state)
  return why === '' ? rank + 1 : rank
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
  const clauses = [why, remedy].filter(text => text !== '')
  const message = clauses.map(toSentence).join(' ')
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
  const wrong = [...ofRun.map(({ short }) => short), ...countWrong(ranked)]
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
  const clauses = [`do not deploy: ${countWrong(ranked).join(', ')}`, first, remedy]
  return clauses.map(toSentence).join(' ')
}

const maxReasons = 3

/** Finds what to do about what does not match. Equal advice is one step. */
function findSteps(ranked: readonly VerifyResult[]): readonly Step[] {
  const wrong = ranked.filter(({ state }) => state !== 'matched')
  const groups = Map.groupBy(wrong, ({ remedy }) => remedy)
  return Array.from(groups, ([next, group]) => {
    const happened = [...new Set(group.map(({ why }) => why))].slice(0, maxReasons)
    const byState = Map.groupBy(group, ({ state }) => state)
    const results = Array.from(byState, ([cost, same]) => {
      return { cost, about: same.map(({ name }) => ({ name, url: null })) }
    })
    return { next, hint: '', happened, results }
  })
}

function describeResult(artifact: VerifyResult): Row {
  const { state, recorded, why } = artifact
  const row = { words: state, artifact, note: why, detail: '', isPlain: why === '' }
  if (recorded === null || state !== 'matched') return { ...row, sign: '❌', url: null, cells: [] }
  const { time, blockchain } = describeFields(recorded.record)
  return { ...row, sign: '✅', url: recorded.verificationUrl, cells: [time, blockchain] }
}
