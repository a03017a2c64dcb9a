import assert from 'node:assert'
import { describeFields } from '../records/record.ts'
import { explainRun, type Finding, type Step } from '../report/judge.ts'
import { formatArtifact, formatStepText } from '../report/log.ts'
import { formatWhole, setOutputs, writeSummary, type Outputs } from '../report/outputs.ts'
import * as page from '../report/page.ts'
import { tellAgain, withLast } from '../report/run-again.ts'
import type { Host } from '../runtime/outside.ts'
import { cut, maxMessageLength, quote } from '../text/escape.ts'
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

/** Writes log, outputs and summary. Returns 0 only if everything matches and no signal came. Never rejects. */
export async function reportCompared(
  { verified, checkedAgainst }: ComparisonResult,
  host: Host,
  { showSummary }: { readonly showSummary: boolean },
): Promise<0 | 1> {
  const { runner } = host
  const results = verified.map(result => redactResult(result, host))
  const ranked = results.toSorted((a, b) => rankOf(a) - rankOf(b))
  const [worst] = ranked
  assert(worst !== undefined, 'a run without artifacts stops')
  const json = formatWhole(results, toJson)
  const cost = 'all artifacts were compared'
  const outputs = makeVerifyOutputs(worst.state, json, results)
  const findings = explainRun(host, { unsaved: [], outputsError: setOutputs(outputs, host), cost })
  const again = tellAgain(findings, null)

  for (const result of ranked) {
    const parts = [formatArtifact(result.state, result), quote(messageOf(result), maxMessageLength)]
    runner.info(parts.filter(text => text !== '').join('; '))
  }
  const verdict = formatTitle(ranked, findings)
  const against = `Compared with ${checkedAgainst}`
  runner.info(against)
  runner.info(verdict)
  if (json === '') {
    runner.warning('The output "results" is empty, because it would exceed 120,000 bytes')
  }
  if (showSummary) {
    const { docsUrl } = host.environment
    const steps = withLast(findSteps(ranked).concat(findings), again)
    const isMatch = worst.state === 'matched'
    let foot = page.sentence(against)
    if (isMatch) {
      const docs = page.docsLink(docsUrl, 'verify.md#what-is-left-to-trust')
      foot += ` A match does not prove who wrote the records file: ${docs}`
    }
    const head = [
      ...page.formatSteps('Do not deploy', { steps, docs: 'verify.md#verdicts', docsUrl }),
      ...page.formatNotes(runner.warnings, docsUrl),
      `<p>${foot}</p>`,
    ]
    const table = {
      titles: ['Registered at (UTC)', 'Blockchain'],
      rows: ranked.values().map(formatResultRow),
      total: ranked.length,
      plainCount: ranked.filter(({ why }) => why === '').length,
      isFolded: !isMatch,
      elsewhere: 'the output <code>results</code> lists all if they fit',
    }
    await writeSummary(page.formatPage(verdict, head, table), host)
  }
  if (worst.state !== 'matched') runner.error(formatMismatch(ranked, worst))
  for (const finding of findings) runner.error(`${formatStepText(finding)} ${again?.next ?? ''}`)
  return worst.state === 'matched' && findings.length === 0 ? 0 : 1
}

/** The worst first; a match with a note comes before those with nothing to add. */
function rankOf({ state, why }: VerifyResult): number {
  const rank = comparisonStates.indexOf(state)
  return why === '' ? rank + 1 : rank
}

/** Replaces secrets. Truncating or escaping a text first would make them unrecognizable. */
function redactResult(result: VerifyResult, { secrets }: Host): VerifyResult {
  const { recorded } = result
  const name = secrets.redactText(result.name)
  const why = secrets.redactText(result.why)
  if (recorded === null) return { ...result, name, why }
  const artifact = secrets.redactText(recorded.artifact)
  const record = secrets.redactJson(recorded.record)
  return { ...result, name, why, recorded: { ...recorded, artifact, record } }
}

function messageOf({ why, remedy }: VerifyResult): string {
  const clauses = [why, remedy].filter(text => text !== '')
  return clauses.map(toSentence).join(' ')
}

/** An entry of the output `results`. */
function toJson(result: VerifyResult): object {
  const { name: artifact, size, hash, state, recorded } = result
  const message = messageOf(result)
  if (recorded === null) return { artifact, size, hash, state, recorded, message }
  const { service, record, source } = recorded
  const { artifact: recordedName, hash: recordedHash } = recorded
  const known = { artifact: recordedName, hash: recordedHash, service, record, sha: source.sha }
  return { artifact, size, hash, state, recorded: known, message }
}

function countOf(results: readonly VerifyResult[], state: VerifyResult['state']): number {
  return results.filter(result => result.state === state).length
}

function makeVerifyOutputs(
  verdict: string,
  results: string,
  all: readonly VerifyResult[],
): Outputs {
  const outputs: Record<string, string | number> = { verdict, results }
  for (const state of comparisonStates) outputs[`${state}-count`] = countOf(all, state)
  return outputs
}

/** How a run is shown that stopped before anything was compared. */
export const notCompared = {
  title: '❌ NOT VERIFIED: stopped before anything was compared',
  nothing: 'no artifact was verified, so do not deploy',
  outputs: makeVerifyOutputs('stopped', '[]', []),
  docs: 'verify.md#verdicts',
  place: null,
} as const

function formatTitle(ranked: readonly VerifyResult[], findings: readonly Finding[]): string {
  const total = ranked.length - countOf(ranked, 'missing')
  const all = pluralize(
    total,
    'artifact matches its notarization record',
    'artifacts match their notarization records',
  )
  const text = `${countOf(ranked, 'matched')} of ${all}`
  const wrong = [...findings.map(({ short }) => short), ...countWrong(ranked)]
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

/** Formats the annotation: how much does not match, and why and what to do about the worst. */
function formatMismatch(ranked: readonly VerifyResult[], worst: VerifyResult): string {
  const { name, state, why, remedy } = worst
  const first = `"${quote(name, 40)}" is ${state}: ${cut(why, maxReasonLength)}`
  const clauses = [`do not deploy: ${countWrong(ranked).join(', ')}`, first, remedy]
  return clauses.map(toSentence).join(' ')
}

const maxReasons = 3

/** Finds what to do about what does not match. Equal advice is one step. */
function findSteps(ranked: readonly VerifyResult[]): readonly Step[] {
  const wrong = ranked.filter(({ state }) => state !== 'matched')
  const groups = Map.groupBy(wrong, ({ state, remedy }) => JSON.stringify([state, remedy]))
  return Array.from(groups.values(), group => {
    const [first] = group
    assert(first !== undefined, 'a group has a result')
    const whys = [...new Set(group.map(({ why }) => why))].slice(0, maxReasons)
    const about = group.map(({ name }) => ({ name, url: null }))
    const { remedy: next, state: cost } = first
    return { next, hint: '', happened: whys.join('; '), cost, docs: null, about }
  })
}

function formatResultRow(result: VerifyResult): string {
  const { state, recorded, why } = result
  const note = page.sentence(why)
  const columns = 2
  if (recorded === null || state !== 'matched') {
    return page.formatRow(`❌&nbsp;${state}`, result, { url: null, details: note, columns })
  }
  const { time, blockchain } = describeFields(recorded.record)
  const details = [time, blockchain].map(page.plain)
  const { verificationUrl: url } = recorded
  const match = ['✅&nbsp;matched', note].filter(text => text !== '').join('<br>')
  return page.formatRow(match, result, { url, details, columns })
}
