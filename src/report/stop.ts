/** What a run of either action says that stopped; pure. */
import type { Problem } from '../failure.ts'
import type { Host } from '../runtime/outside.ts'
import { toSentence } from '../text/phrases.ts'
import { explainProblem, explainRun, formatAsError, toSteps } from './findings.ts'
import type { Report, Step } from './report.ts'

/** What is said about a run that stopped. */
export interface Stopped extends Pick<Report, 'title' | 'cost' | 'lead' | 'pointers'> {
  readonly problems: readonly Problem[]
  /** Why the outputs could not be written; null if they were. */
  readonly outputsError: string | null
  /** How to run again; empty if that goes without saying. */
  readonly again: readonly Step[]
}

const maxErrors = 10

/** Judges a run of either action that stopped. Reports one error for each input, at most ten. */
export function judgeStop(stopped: Stopped, host: Host): Report {
  const { problems, outputsError, again, ...said } = stopped
  const ofRun = toSteps(explainRun(outputsError, [], { host, recordsPath: '' }))
  const explain = (found: readonly Problem[]): readonly Step[] =>
    toSteps(found.map(problem => explainProblem(problem, host)))
  const byInput = Map.groupBy(problems, ({ input }) => input)
  const causes = [...Array.from(byInput.values(), explain), ...ofRun.map(step => [step])]
  const cost = toSentence(said.cost)
  const errors = causes.map(group => `${group.map(formatAsError).join(' ')} ${cost}`)
  return {
    ...said,
    exitCode: 1,
    counts: [],
    steps: [...explain(problems), ...ofRun, ...again],
    warnings: host.runner.warnings,
    table: { columns: [], rows: [], isFolded: false, elsewhere: '' },
    errors: errors.slice(0, maxErrors),
    failures: [],
  }
}
