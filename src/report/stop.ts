import type { Problem } from '../failure.ts'
import type { Host } from '../runtime/host.ts'
import { toSingleLine } from '../text/escape.ts'
import { toSentence } from '../text/format.ts'
import { deliverOutputs, deliverSummary, type Outputs } from './deliver.ts'
import { explainRun } from './faults.ts'
import { docsLink, formatList, formatPage, sentence } from './page.ts'

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
  const { nothing, outputs, showSummary } = stop
  const { runner, secrets, halt, environment } = host
  const faults = explainRun(halt, deliverOutputs(outputs, runner), nothing)
  const clean = (text: string): string => toSingleLine(secrets.redactText(text))
  const texts = joinByInput(stop.problems).map((message): [string, ...string[]] => [clean(message)])
  for (const { what, remedy } of faults) texts.push([clean(what.join(': ')), clean(remedy)])
  if (showSummary) {
    const format = (text: string): string => sentence(text, maxStopMessageLength)
    const list = formatList(
      `<b>${format(nothing)}</b>`,
      texts.map(parts => parts.map(format).join(' ')),
    )
    const more = `<p>More: ${docsLink(environment.docsUrl, stop.page)}</p>`
    await deliverSummary(formatPage({ verdict: stop.verdict, head: [...list, more] }), runner)
  }
  for (const [what, ...remedy] of texts) {
    runner.error([what, nothing, ...remedy].map(toSentence).join(' '))
  }
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
