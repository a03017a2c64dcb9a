/** Decides what a run of the verify action says at its end, and sets its outputs. */
import assert from 'node:assert'
import type { Problem } from '../failure.ts'
import { describeFields } from '../records/record.ts'
import { formatWhole, setOutputs } from '../report/outputs.ts'
import { maxNames, type Fact, type Report, type Row, type Step } from '../report/report.ts'
import {
  describeProblems,
  explainProblem,
  explainRun,
  formatFindings,
  toSteps,
} from '../report/steps.ts'
import type { Host } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import { pluralize, toSentence, toSentences } from '../text/phrases.ts'
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

/** Reports a run in which everything was compared: it passes only if everything matches and no signal came. */
export function reportCompared({ verified, checkedAgainst }: ComparisonResult, host: Host): Report {
  const results = verified.map(result => redactResult(result, host))
  const ranked = rankResults(results)
  const [worst] = ranked
  assert(worst !== undefined, 'a run without artifacts stops')
  const tooLong = 'The output "results" is empty, because it would exceed 120,000 bytes'
  const counts = countStates(results)
  const json = formatWhole(results.map(toJson), tooLong, host)
  const outputsError = setOutputs(outputsOf(worst.state, json, counts), host)

  const ofRun = explainRun(outputsError, { host })
  const isMatch = worst.state === 'matched'
  // Such as `1 altered`, `2 unknown`.
  const found = Array.from(counts).filter(([state, count]) => state !== 'matched' && count > 0)
  const wrong = found.map(([state, count]) => `${count} ${state}`)
  const errors = ofRun.map(finding => formatFindings([finding], host.environment.docsUrl))
  if (!isMatch) errors.unshift(describeMismatch(worst, wrong))
  const warnings = [...host.runner.warnings]
  if (isMatch) {
    const text = 'A match does not prove who wrote the records file.'
    warnings.push({ text, docs: 'verify.md#what-is-left-to-trust' })
  }
  const isGood = errors.length === 0
  const causes = [...ofRun.map(({ cause }) => cause), ...wrong]
  return {
    ...emptyReport,
    exitCode: isGood ? 0 : 1,
    title: describeTitle(counts, causes),
    facts: [factOf(`${checkedAgainst}.`)],
    lead: isMatch ? 'What to do' : 'Do not deploy',
    steps: [...findSteps(ranked), ...toSteps(ofRun)],
    warnings,
    columns: ['Registered at (UTC)', 'Blockchain'],
    rows: ranked.map(makeVerifyRow),
    errors,
  }
}

/** Reports a run that stopped before anything was compared. */
export function reportNotCompared(problems: readonly Problem[], host: Host): Report {
  const outputsError = setOutputs(outputsOf('stopped', '[]', countStates([])), host)
  const ofInputs = problems.map(problem => explainProblem(problem, host))
  const ofRun = explainRun(outputsError, { host })
  return {
    ...emptyReport,
    exitCode: 1,
    title: '❌ NOT VERIFIED: stopped before anything was compared',
    facts: [factOf('nothing. No file was verified, so do not deploy.')],
    lead: 'What to do',
    steps: toSteps([...ofInputs, ...ofRun]),
    warnings: host.runner.warnings,
    errors: [
      ...describeProblems(problems, host),
      ...ofRun.map(finding => formatFindings([finding], host.environment.docsUrl)),
    ],
  }
}

const emptyReport = {
  pointers: [],
  columns: [],
  rows: [],
  hasPage: false,
} as const

function factOf(text: string): Fact {
  return { label: 'Compared with', warning: '', text }
}

/** The worst first; a match with a note comes before those with nothing to add. */
function rankResults(results: readonly VerifyResult[]): readonly VerifyResult[] {
  const rankOf = ({ state, why }: VerifyResult): number =>
    comparisonStates.indexOf(state) + (why === '' ? 1 : 0)
  return results.toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** Replaces secrets: truncating or escaping a text first would make them unrecognizable. */
function redactResult(result: VerifyResult, { secrets }: Host): VerifyResult {
  const { recorded } = result
  const name = secrets.redactText(result.name)
  const why = secrets.redactText(result.why)
  if (recorded === null) return { ...result, name, why }
  const artifact = secrets.redactText(recorded.artifact)
  const record = secrets.redactJson(recorded.record)
  return { ...result, name, why, recorded: { ...recorded, artifact, record } }
}

/** An entry of the output `results`. */
function toJson({ name, recorded, why, remedy, ...rest }: VerifyResult): object {
  const entry = { artifact: name, ...rest, message: toSentences([why, remedy]) }
  if (recorded === null) return { ...entry, recorded }
  const { artifact, hash, service, record, source } = recorded
  return { ...entry, recorded: { artifact, hash, service, record, sha: source.sha } }
}

type Counts = ReadonlyMap<VerifyResult['state'], number>

/** Counts the results of each state, the worst first. */
function countStates(results: readonly VerifyResult[]): Counts {
  const countOf = (wanted: VerifyResult['state']): number =>
    results.filter(({ state }) => state === wanted).length
  return new Map(comparisonStates.map(state => [state, countOf(state)]))
}

function outputsOf(verdict: string, results: string, counts: Counts) {
  const entries = Array.from(counts, ([state, count]) => [`${state}-count`, count] as const)
  return { verdict, results, ...Object.fromEntries(entries) }
}

function describeTitle(counts: Counts, wrong: readonly string[]): string {
  const { matched = 0, altered = 0, unknown = 0 } = Object.fromEntries(counts)
  const all = pluralize(
    matched + altered + unknown,
    'file matches its notarization record',
    'files match their notarization records',
  )
  if (wrong.length === 0) return `✅ VERIFIED: ${matched} of ${all}`
  return `❌ NOT VERIFIED: ${wrong.join(', ')}; ${matched} of ${all}`
}

/** Returns the annotation: how much does not match, and why and what to do about the worst. */
function describeMismatch(worst: VerifyResult, wrong: readonly string[]): string {
  const { name, state, why, remedy } = worst
  const first = `"${quote(name)}" is ${state}: ${why}`
  return toSentences([`do not deploy: ${wrong.join(', ')}`, first, remedy])
}

/** Finds what to do about what does not match. Equal advice is one step. */
function findSteps(ranked: readonly VerifyResult[]): readonly Step[] {
  const wrong = ranked.filter(({ state }) => state !== 'matched')
  const steps = Map.groupBy(wrong, ({ remedy }) => remedy)
  return Array.from(steps, ([remedy, same]) => {
    const happened = new Set(same.map(({ state, why }) => toSentence(`${state}: ${why}`)))
    const files = same.map(({ name }) => ({ name, hash: null, url: null }))
    const next = toSentence(remedy)
    return { next, happened: [...happened].slice(0, maxNames), files }
  })
}

function makeVerifyRow(artifact: VerifyResult): Row {
  const { state, recorded, why } = artifact
  const isMatch = state === 'matched'
  const rank = isMatch ? (why === '' ? 3 : 2) : 1
  const row = { artifact, url: null, note: why, rank } as const
  if (recorded === null || !isMatch) return { ...row, state: `❌ ${state}`, cells: [] }
  const { time, blockchain } = describeFields(recorded.record)
  return { ...row, state: '✅ matched', cells: [time, blockchain] }
}
