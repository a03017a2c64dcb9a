import type { Problem } from '../failure.ts'
import type { Host } from '../runtime/host.ts'
import { toSingleLine } from '../text/escape.ts'
import { deliverOutputs, deliverSummary, type Outputs } from './deliver.ts'
import { formatExplanation } from './explain.ts'
import { docsLink, formatList, formatPage, sentence } from './page.ts'
import { findRunFailures } from './run-failures.ts'

/** A run that stopped because of its inputs, a guard, a signal or a bug, before anything was sent or compared. */
export interface StopReport {
  readonly problems: readonly Problem[]
  /** The first line of the summary. */
  readonly verdict: string
  /** Whether anything is registered, or known; HTML. */
  readonly lead: string
  /** What a cancelled run did not do. */
  readonly nothing: string
  /** The page of the docs. */
  readonly page: string
  readonly outputs: Outputs
  readonly showSummary: boolean
}

const maxStopMessageLength = 4000

/** Reports a run that stopped: an error for each input, all of them in the summary. Never rejects. */
export async function reportStop(stopping: StopReport, host: Host): Promise<1> {
  const { runner, secrets, halt, environment } = host
  const { problems, verdict, page } = stopping
  const outputsFailure = deliverOutputs(stopping.outputs, runner)
  const runFailures = findRunFailures(halt, outputsFailure, stopping.nothing)
  const texts = [...formatProblems(problems), ...runFailures.map(formatExplanation)]
  const messages = texts.map(text => toSingleLine(secrets.redactText(text)))
  if (stopping.showSummary) {
    const next = problems.length === 0 ? '' : ' Fix this, then run the job again:'
    const items = messages.map(text => sentence(text, maxStopMessageLength))
    const list = formatList(stopping.lead + next, items)
    const more = `<p>More: ${docsLink(environment.docsUrl, page)}</p>`
    await deliverSummary(formatPage({ verdict, head: [...list, more] }), runner)
  }
  messages.forEach(runner.error)
  return 1
}

const maxErrors = 10

/** One problem for each input, all its messages in one: at most ten texts, the last of which counts what is left. */
function formatProblems(problems: readonly Problem[]): readonly string[] {
  const groups = Map.groupBy(problems, ({ input }) => input)
  const texts = [...groups.values()].map(group => group.map(({ message }) => message).join('; '))
  if (texts.length <= maxErrors) return texts
  const left = texts.length - maxErrors + 1
  return [...texts.slice(0, maxErrors - 1), `${left} more inputs are wrong`]
}
