import type { Problem } from '../failure.ts'
import type { Host } from '../runtime/host.ts'
import { toSingleLine } from '../text/escape.ts'
import { deliverOutputs, deliverSummary, type Outputs } from './deliver.ts'
import { formatExplanation } from './explain.ts'
import { docsLink, formatList, formatPage, sentence } from './page.ts'
import { findRunFailures } from './run-failures.ts'

/** A run that stopped before anything was sent or compared. */
export interface StopReport {
  readonly problems: readonly Problem[]
  /** The first line of the summary. */
  readonly verdict: string
  /** What was not done: a clause. */
  readonly nothing: string
  /** The page of the docs. */
  readonly page: string
  readonly outputs: Outputs
  readonly showSummary: boolean
}

const maxStopMessageLength = 4000

/** Reports a run that stopped: an error for each input, and a summary. Never rejects. */
export async function reportStop(stop: StopReport, host: Host): Promise<1> {
  const { runner, secrets, halt, environment } = host
  const outputsFailure = deliverOutputs(stop.outputs, runner)
  const runFailures = findRunFailures(halt, outputsFailure, stop.nothing)
  const texts = [...joinByInput(stop.problems), ...runFailures.map(formatExplanation)]
  const messages = texts.map(text => toSingleLine(secrets.redactText(text)))
  if (stop.showSummary) {
    const lead = `<b>${sentence(stop.nothing)}</b>`
    const next = stop.problems.length === 0 ? '' : ' Fix this, then run the job again:'
    const items = messages.map(text => sentence(text, maxStopMessageLength))
    const list = formatList(lead + next, items)
    const more = `<p>More: ${docsLink(environment.docsUrl, stop.page)}</p>`
    const page = formatPage({ verdict: stop.verdict, head: [...list, more] })
    await deliverSummary(page, runner)
  }
  messages.forEach(runner.error)
  return 1
}

const maxErrors = 10

/** Joins the messages of each input: at most ten texts, the last of which counts other inputs. */
function joinByInput(problems: readonly Problem[]): readonly string[] {
  const groups = Map.groupBy(problems, ({ input }) => input)
  const texts = [...groups.values()].map(group => group.map(({ message }) => message).join('; '))
  if (texts.length <= maxErrors) return texts
  const left = texts.length - maxErrors + 1
  return [...texts.slice(0, maxErrors - 1), `${left} more inputs are wrong`]
}
