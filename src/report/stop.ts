import type { Source } from '../environment.ts'
import { describeBug } from '../failure.ts'
import type { Halt } from '../halt.ts'
import type { Secrets } from '../secrets.ts'
import type { Problem } from '../stop.ts'
import { deliverOutputs, deliverSummary, makeRoom, type Outputs, type Reporter } from './deliver.ts'
import { formatPage, formatPlace, sentence } from './page.ts'

/** What the report of a run that stopped needs of it. */
export interface StopOptions {
  readonly runner: Reporter
  readonly secrets: Secrets
  readonly halt: Pick<Halt, 'bug' | 'isCancelled'>
  readonly source: Source
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
  readonly outputs: Outputs
}

const maxStopMessageLength = 4000

/**
 * Reports a run that stopped because of its inputs, a guard, a signal or a bug, before anything was sent or checked: an
 * error for each input, all of them in the summary. Gives the exit code. Never rejects.
 */
export async function reportStop(
  problems: readonly Problem[],
  { verdict, lead, nothing, outputs }: StopTexts,
  { runner, secrets, halt, source, baseUrl, showSummary }: StopOptions,
): Promise<1> {
  const failure = deliverOutputs(outputs, runner)
  const messages = [
    ...formatProblems(problems).map(text => secrets.redactText(text)),
    ...describeFaults(halt, failure, `; ${nothing}`),
  ]
  if (showSummary) {
    const these = messages.length === 1 ? 'this' : 'these'
    const items = messages.map(text => `<li>${sentence(text, maxStopMessageLength)}</li>`)
    const head = [
      ...formatPlace({ source, service: baseUrl }),
      `<p>${lead} Correct ${these}, then run the job again:</p>`,
      ...(items.length === 0 ? [''] : ['<ul>', ...items, '</ul>', '']),
    ]
    await deliverSummary(formatPage({ verdict, head }), runner)
  }
  for (const message of messages) runner.error(message)
  return 1
}

/** What makes a run fail whatever it found: a bug, a signal, outputs that could not be written (null if they were). */
export function describeFaults(
  { bug, isCancelled }: StopOptions['halt'],
  outputsFailure: string | null,
  aftermath = '',
): readonly string[] {
  return [
    ...(bug === null ? [] : [describeBug(bug)]),
    ...(isCancelled ? [`The run was cancelled by a signal${aftermath}`] : []),
    ...(outputsFailure === null ? [] : [`${outputsFailure}; ${makeRoom}`]),
  ]
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
