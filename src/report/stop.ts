/** Judges a run of either action that stopped: before anything was sent, or compared. */
import type { Problem } from '../failure.ts'
import type { Host } from '../runtime/outside.ts'
import { toSentence, toSentences } from '../text/phrases.ts'
import { explainProblem, explainRun, toSteps } from './findings.ts'
import type { Pointer, Report, Step } from './report.ts'
import { describeNext } from './verdict.ts'

/** How a run stopped, and what is said about it. */
export interface Stopped {
  readonly problems: readonly Problem[]
  /** Why the outputs could not be written; null if they were. */
  readonly outputsError: string | null
  readonly title: string
  readonly cost: string
  readonly lead: string
  /** How to run again; null if that goes without saying. */
  readonly again: Step | null
  readonly pointers: readonly Pointer[]
}

const maxErrors = 10

/** Reports one error for each input, at most ten. */
export function judgeStop(stopped: Stopped, host: Host): Report {
  const { problems, outputsError, title, cost, lead, again, pointers } = stopped
  const ofRun = toSteps(explainRun({ outputsError, unsaved: [] }, { host, recordsPath: '' }), host)
  const explain = (found: readonly Problem[]): readonly Step[] =>
    toSteps(
      found.map(problem => explainProblem(problem, host)),
      host,
    )
  const byInput = Map.groupBy(problems, ({ input }) => input)
  const steps = [...explain(problems), ...ofRun]
  const causes = [...Array.from(byInput.values(), explain), ...ofRun.map(step => [step])]
  const texts = causes.map(group => `${group.map(describeCause).join(' ')} ${toSentence(cost)}`)
  if (texts.length > maxErrors) {
    const left = [...byInput.keys()].slice(maxErrors - 1).flatMap(input => input ?? [])
    const names = left.map(input => `"${input}"`).join(', ')
    texts.splice(maxErrors - 1, texts.length, `Also wrong: ${names}. ${toSentence(cost)}`)
  }
  if (again !== null) steps.push(again)
  const last = again !== null && texts.length === 1 ? ` ${toSentence(describeNext(again))}` : ''
  return {
    exitCode: 1,
    title,
    cost,
    counts: [],
    lead,
    steps,
    warnings: host.runner.warnings,
    pointers,
    table: { columns: [], rows: [], isFolded: false, elsewhere: '' },
    errors: texts.map(text => text + last),
    failures: [],
  }
}

/** Says what happened and what to do, for an annotation. */
export function describeCause(step: Step): string {
  return toSentences([...step.happened, describeNext(step), step.hint])
}
