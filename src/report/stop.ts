import type { Problem } from '../failure.ts'
import type { Halt } from '../runtime/halt.ts'
import type { Host } from '../runtime/host.ts'
import { deliverOutputs, deliverSummary, type Outputs } from './deliver.ts'
import { docsLink, formatPage, formatPlace, sentence } from './page.ts'

/** What the report of a run that stopped needs of it. */
export interface StopOptions extends Host {
  readonly baseUrl: string | null
  readonly showSummary: boolean
}

/** What each action says of a run that stopped in words of its own. */
export interface StopTexts {
  /** The first line of the summary. */
  readonly verdict: string
  /** Whether anything is registered, or known; HTML. */
  readonly lead: string
  /** What a cancelled run did not do. */
  readonly nothing: string
  /** The page of the docs. */
  readonly page: string
  readonly outputs: Outputs
}

const maxStopMessageLength = 4000

/**
 * Reports a run that stopped because of its inputs, a guard, a signal or a bug, before anything was sent or checked: an
 * error for each input, all of them in the summary. Gives the exit code. Never rejects.
 */
export async function reportStop(
  problems: readonly Problem[],
  { verdict, lead, nothing, page, outputs }: StopTexts,
  options: StopOptions,
): Promise<1> {
  const { runner, secrets, halt, environment, baseUrl, showSummary } = options
  const failure = deliverOutputs(outputs, runner)
  const faults = describeFaults(halt, failure, `; ${nothing}`)
  const messages = [...formatProblems(problems), ...faults].map(text =>
    secrets.redactText(text).replaceAll(/\s*[\r\n]+\s*/g, ' '),
  )
  if (showSummary) {
    const next = problems.length === 0 ? 'Run' : 'Correct this, then run'
    const items = messages.map(text => `<li>${sentence(text, maxStopMessageLength)}</li>`)
    const more = `<p>More: ${docsLink(environment.docsUrl, page)}</p>`
    const place = formatPlace(environment.source, baseUrl)
    const list = [`<p>${lead} ${next} the job again:</p>`, '<ul>', ...items, '</ul>', '', more]
    await deliverSummary(formatPage({ verdict, head: [...place, ...list] }), runner)
  }
  for (const message of messages) runner.error(message)
  return 1
}

/** What makes a run fail whatever it found: a bug, a signal, outputs that could not be written (null if they were). */
export function describeFaults(
  { bug, isCancelled }: Halt,
  outputsFailure: string | null,
  aftermath = '',
): readonly string[] {
  const faults: string[] = []
  if (bug !== null) faults.push(`${bug.code}: ${bug.what}${aftermath}; ${bug.remedy}`)
  if (isCancelled) faults.push(`the run was cancelled by a signal${aftermath}`)
  if (outputsFailure !== null) {
    faults.push(`${outputsFailure}; free disk space, then run the job again`)
  }
  return faults
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
