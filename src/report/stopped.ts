/** The report of a run of either action that stopped before anything was sent or compared. */
import { describeError, type Problem } from '../failure.ts'
import type { Place } from '../keep/keep.ts'
import type { Host } from '../runtime/outside.ts'
import { toSentence } from '../text/phrases.ts'
import { explainProblems, explainRun, tellAgain, type Finding } from './judge.ts'
import { formatStepLines } from './log.ts'
import { setOutputs, type Outputs } from './outputs.ts'
import { formatNotes, formatPage, formatSteps, sentence } from './page.ts'
import { formatKept } from './summary.ts'

/** How a run that stopped is shown. */
export interface Stopped {
  /** The first line of the summary. */
  readonly title: string
  /** What was not done: a clause. */
  readonly nothing: string
  readonly outputs: Outputs
  /** The page of the docs on what to do. */
  readonly docs: string
  /** Null where nothing is ever charged. */
  readonly place: Place | null
  readonly showSummary: boolean
}

const maxErrors = 10

/** Reports a run that stopped: an error for each input, at most ten, and a summary. Never rejects. */
export async function reportStop(
  problems: readonly Problem[],
  host: Host,
  { title, nothing, outputs, docs, place, showSummary }: Stopped,
): Promise<1> {
  const { runner, secrets, halt, environment } = host
  const { reportTo, docsUrl } = environment
  const outputsError = setOutputs(outputs, runner)
  const ofRun = explainRun({ halt, unsaved: [], outputsError, cost: '', reportTo })
  const findings = [...explainProblems(problems), ...ofRun].map(finding => {
    return cleanFinding(finding, host)
  })
  const again = tellAgain(findings, place)
  runner.info(toSentence(nothing))
  for (const line of formatStepLines(findings, again, docsUrl)) runner.info(line)
  if (showSummary) {
    const what = title.endsWith(nothing) ? [] : [`<p>${sentence(nothing)}</p>`]
    const steps = formatSteps('What to do', { steps: findings, again, docs, docsUrl })
    const notes = formatNotes(
      runner.warnings.map(text => secrets.redactLine(text)),
      docsUrl,
    )
    const kept = place?.kind === 'artifact' ? [`<p>${formatKept(place.artifacts, false)}</p>`] : []
    await writeSummary(formatPage(title, [...what, ...steps, ...notes, ...kept]), host)
  }
  const ofInputs = Map.groupBy(problems, ({ input }) => input)
  const texts = Array.from(ofInputs.values(), group =>
    group.map(({ message }) => message).join('; '),
  )
  for (const { happened, next } of ofRun) texts.push(`${toSentence(happened)} ${toSentence(next)}`)
  const shown = texts.length > maxErrors ? texts.slice(0, maxErrors - 1) : texts
  const left = [...ofInputs.keys()].slice(shown.length).map(input => `"${input ?? ''}"`)
  if (shown.length < texts.length) shown.push(`also wrong: ${left.join(', ')}`)
  const last = shown.length === 1 && again !== null ? ` ${again.next}` : ''
  for (const text of shown) {
    runner.error(`${toSentence(secrets.redactLine(text))} ${toSentence(nothing)}${last}`)
  }
  return 1
}

/** Writes the summary. A failure is only a warning, because the work is done. Never rejects. */
export async function writeSummary(markdown: string, { runner }: Host): Promise<void> {
  try {
    await runner.writeSummary(markdown)
  } catch (error) {
    runner.warning(`The job summary could not be written: ${describeError(error)}`)
  }
}

/** Replaces secrets and line breaks. */
export function cleanFinding(finding: Finding, { secrets }: Host): Finding {
  const { cause, short, next, happened } = finding
  const clean = (text: string): string => secrets.redactLine(text)
  const texts = { cause: clean(cause), short: clean(short), happened: clean(happened) }
  return { ...finding, ...texts, next: clean(next) }
}
