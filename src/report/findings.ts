/** Explains in the words of the table what went wrong; pure. */
import { untried, type Problem } from '../failure.ts'
import { linkTo } from '../runtime/environment.ts'
import type { Host } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import { joinFirst, toSentences } from '../text/phrases.ts'
import type { Listing, Step } from './report.ts'
import type { Job } from './run-end.ts'
import { words, type FindingReason, type Words } from './words.ts'

/** Something that went wrong. What to do, or the hint, ends with the address of the docs that have more. */
export interface Finding extends Words {
  /** What was observed: a clause; empty if there is nothing to add. */
  readonly observed: string
  /** What became of the artifact; null if it concerns the whole run. */
  readonly result: Listing | null
}

/** How many names a step shows at most. */
export const maxNames = 3
const maxObserved = 3

/** Says in one clause what went wrong: the likely cause, and what was observed. */
export function summarize(cause: string, observed: string): string {
  if (observed === '') return cause
  if (observed.startsWith(untried)) return observed.replace(untried, `${untried} (${cause})`)
  return cause.endsWith(')') ? `${cause}: ${observed}` : `${cause} (${observed})`
}

/** What fills in the words: the path of the records file is without secrets, and empty if there is none. */
type Details = Pick<Job, 'host' | 'recordsPath'>

/** Fills in the words, and adds the address of the docs. */
export function explain(found: Words, observed: string, { host, recordsPath }: Details): Finding {
  const { reportTo } = host.environment
  const next = found.next
    .replace('{reportTo}', () => reportTo)
    .replace('{recordsPath}', () => `"${quote(recordsPath)}"`)
  return { ...found, next: linkTo(found.docs, next, host), observed, result: null }
}

/** Explains what went wrong apart from artifacts: `unsaved` are those whose record is only in the log. */
export function explainRun(
  outputsError: string | null,
  unsaved: readonly string[],
  details: Details,
): readonly Finding[] {
  const { halt, secrets } = details.host
  const findings: Finding[] = []
  const add = (reason: FindingReason, observed = ''): void => {
    findings.push(explain(words[reason], secrets.redactLine(observed), details))
  }
  if (halt.bug !== null) add('bug', halt.bug.observed)
  if (halt.isCanceled) add('canceled')
  if (unsaved.length > 0) {
    const names = unsaved.map(name => `"${quote(secrets.redactLine(name))}"`)
    const listed = joinFirst(names, maxNames, { separator: ', ' })
    add('not-saved', `only the log has the record of ${listed}`)
  } else if (halt.reason?.reason === 'not-saved') add('not-saved')
  // A full disk is told once.
  else if (outputsError !== null) add('outputs-not-written', outputsError)
  return findings
}

/** Explains why a run stopped before it sent anything. */
export function explainProblem(problem: Problem, host: Host): Finding {
  const { secrets } = host
  const cause = secrets.redactLine(problem.message)
  const next = secrets.redactLine(problem.next)
  const hint = secrets.redactLine(problem.hint ?? '')
  return explain({ ...problem, cause, next, hint }, '', { host, recordsPath: '' })
}

/** Joins findings with the same next step to one step each. */
export function toSteps(findings: readonly Finding[]): readonly Step[] {
  const groups = Map.groupBy(findings, ({ next }) => next)
  return Array.from(groups, ([next, group]) => {
    const hints = new Set(group.map(({ hint = '' }) => hint))
    const byCause = Map.groupBy(group, ({ cause }) => cause)
    const happened = Array.from(byCause, ([cause, same]) => {
      const observed = new Set(same.map(finding => finding.observed).filter(text => text !== ''))
      return toSentences([cause, ...observed.values().take(maxObserved)])
    })
    const found = group.flatMap(({ result }) => result ?? [])
    const byText = Map.groupBy(found, ({ text }) => text)
    const results = Array.from(byText, ([text, same]) => {
      return { text, links: same.flatMap(({ links }) => links) }
    })
    return { next, hint: toSentences([...hints]), happened, results }
  })
}

/** Formats a step for an annotation, which says first what happened. */
export function formatAsError({ happened, next, hint }: Step): string {
  return toSentences([...happened, next, hint])
}

/** Leads in to the steps, with the page of the docs that has more. */
export function leadIn(lead: string, page: string, { environment }: Host): string {
  return `${lead} (${environment.docsUrl}/${page})`
}

/** Formats a step on one line. */
export function formatStep({ next, hint, happened, results }: Step): string {
  const told = results.map(({ text, links }) => {
    if (links.length === 0) return text
    const names = links.map(({ name }) => `"${quote(name)}"`)
    return `${text}: ${joinFirst(names, maxNames, { separator: ', ' })}`
  })
  return toSentences([next, hint, ...happened, ...told])
}
