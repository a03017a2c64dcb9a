/** Decides what a run of the verify action says at its end, and sets its outputs. */
import type { Problem } from '../failure.ts'
import { describeFields } from '../records/record.ts'
import { formatWhole, setOutputs } from '../report/outputs.ts'
import { makeFact, type Report, type Row } from '../report/report.ts'
import * as steps from '../report/steps.ts'
import type { Host } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import { pluralize, toSentences } from '../text/phrases.ts'
import type { VerifyResult } from './compare.ts'

/** How a run of the verify action ended. */
export interface VerifyEnd {
  /** The artifacts sorted by name, then the missing records sorted by name; none if the run stopped. */
  readonly verified: readonly VerifyResult[]
  /** How many records of which service these were compared with. */
  readonly checkedAgainst: string
  /** Why the run stopped; none after a signal or a bug. */
  readonly problems: readonly Problem[]
}

/** The worst first. */
const comparisonStates = ['altered', 'unknown', 'missing', 'matched'] as const

/** Sets the outputs, and reports how a run ended: it passes only if everything matches and no signal came. */
export function reportVerified(
  { verified, checkedAgainst, problems }: VerifyEnd,
  host: Host,
): Report {
  const results = verified.map(result => redactResult(result, host))
  const ranked = results.toSorted((a, b) => rankOf(a) - rankOf(b))
  const [worst] = ranked
  const verdict = worst?.state ?? 'stopped'
  const counts = comparisonStates.map(state => {
    return { state, count: results.filter(result => result.state === state).length }
  })
  const countOutputs = counts.map(({ state, count }) => [`${state}-count`, count] as const)
  const tooLong = 'The output "results" is empty, because it would exceed 120,000 bytes'
  const json = formatWhole(results.map(toJson), tooLong, host)
  const outputs = { verdict, results: json, ...Object.fromEntries(countOutputs) }
  const outputsError = setOutputs(outputs, host)

  const mismatches = ranked.filter(({ state }) => state !== 'matched')
  const ofFiles = mismatches.map(artifact => {
    const { state, why, remedy: next } = artifact
    return { cause: `${state}: ${why}`, next, observed: '', brief: '', artifact }
  })
  const ofInputs = problems.map(problem => steps.explainProblem(problem, host))
  const ofRun = steps.explainRun(outputsError, host)
  // Such as `1 altered`, `2 unknown`.
  const found = counts.filter(({ state, count }) => state !== 'matched' && count > 0)
  const wrong = found.map(({ state, count }) => `${count} ${state}`)
  const { docsUrl } = host.environment
  const errorsOfRun = ofRun.map(finding => steps.formatFindings([finding], docsUrl))
  const errors = [...steps.describeProblems(problems, host), ...errorsOfRun]
  const warnings = [...host.runner.warnings]
  let comparison = `${checkedAgainst}.`
  if (worst === undefined) comparison = 'nothing. No file was verified, so do not deploy.'
  else if (worst.state === 'matched') {
    const text = 'A match does not prove who wrote the records file.'
    warnings.push({ text, docs: 'verify.md#what-is-left-to-trust' })
  } else {
    const { name, state, why, remedy } = worst
    const first = `"${quote(name)}" is ${state}: ${why}`
    errors.unshift(toSentences([`do not deploy: ${wrong.join(', ')}`, first, remedy]))
  }
  return {
    exitCode: verdict === 'matched' && errors.length === 0 ? 0 : 1,
    title: describeTitle(results, [...ofRun.map(({ cause }) => cause), ...wrong]),
    facts: [makeFact('Compared with', '', comparison)],
    // Their files are always named.
    steps: [...steps.toSteps(ofFiles, 1), ...steps.toSteps([...ofInputs, ...ofRun])],
    warnings,
    pointers: [],
    rows: ranked.map(makeVerifyRow),
    hasPage: false,
    errors,
  }
}

/** The worst first; a match with a note comes before those with nothing to add. */
function rankOf({ state, why }: VerifyResult): number {
  return comparisonStates.indexOf(state) + (why === '' ? 1 : 0)
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

/** `causes` is what went wrong, such as `1 altered`. */
function describeTitle(results: readonly VerifyResult[], causes: readonly string[]): string {
  if (results.length === 0) return '❌ NOT VERIFIED: stopped before anything was compared'
  const files = results.filter(({ state }) => state !== 'missing')
  const all = pluralize(
    files.length,
    'file matches its notarization record',
    'files match their notarization records',
  )
  const matching = `${files.filter(({ state }) => state === 'matched').length} of ${all}`
  if (causes.length === 0) return `✅ VERIFIED: ${matching}`
  return `❌ NOT VERIFIED, do not deploy: ${causes.join(', ')}; ${matching}`
}

function makeVerifyRow(artifact: VerifyResult): Row {
  const { state, recorded, why } = artifact
  const row = { artifact, url: null, note: why }
  if (recorded === null || state !== 'matched') {
    return { ...row, state: `❌ ${state}`, cells: [], rank: 1 }
  }
  const { time, blockchain } = describeFields(recorded.record)
  return { ...row, state: '✅ matched', cells: [time, blockchain], rank: why === '' ? 3 : 2 }
}
