/** Writes a report to the log, the summary and the annotations. */
import { describeError } from '../failure.ts'
import type { Host } from '../runtime/outside.ts'
import { maxMessageLength, quote } from '../text/escape.ts'
import { formatPage } from './page.ts'
import type { Report, Row } from './report.ts'
import { formatStep } from './steps.ts'

/** Writes a report. Returns the exit code. Never rejects. */
export async function writeReport(
  report: Report,
  { runner, environment: { docsUrl } }: Host,
  showSummary: boolean,
): Promise<0 | 1> {
  const { steps, rows, facts, title, errors, exitCode } = report
  for (const row of rows) runner.info(formatRow(row))
  for (const [index, step] of steps.entries()) {
    runner.info(`${index + 1}. ${formatStep(step, docsUrl)}`)
  }
  for (const { label, warning, text } of facts) {
    runner.info(`${label}: ${[warning, text].join(' ').trim()}`)
  }
  runner.info(title)
  if (showSummary) {
    try {
      await runner.writeSummary(formatPage(report, docsUrl))
    } catch (error) {
      // The work is done.
      runner.warning(`The job summary could not be written: ${describeError(error)}`)
    }
  }
  errors.forEach(runner.error)
  return exitCode
}

function formatRow({ state, artifact, note, url }: Row): string {
  const { name, size, hash } = artifact
  const bytes = size === null ? '–' : `${size} B`
  const what = `"${quote(name)}" (${bytes}, ${hash ?? 'not hashed'})`
  const parts = [`${state}: ${what}`, quote(note, maxMessageLength), url ?? '']
  return parts.filter(part => part !== '').join('; ')
}
