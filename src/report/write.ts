/** Writes a report to the log, the summary and the annotations. */
import { describeError } from '../failure.ts'
import type { Host } from '../runtime/outside.ts'
import { maxMessageLength, quote } from '../text/escape.ts'
import { formatSize, toSentence } from '../text/phrases.ts'
import { formatStep } from './findings.ts'
import { formatPage } from './page.ts'
import type { Report, Row } from './report.ts'

/** Writes a report. Returns the exit code. Never rejects. */
export async function writeReport(
  report: Report,
  { runner, environment: { docsUrl } }: Host,
  showSummary: boolean,
): Promise<0 | 1> {
  const { steps, table, cost, title, errors, exitCode } = report
  for (const [index, step] of steps.entries()) runner.info(`${index + 1}. ${formatStep(step)}`)
  for (const row of table.rows) runner.info(formatRow(row))
  runner.info(toSentence(cost))
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

function formatRow({ sign, label, artifact, note, url, isPlain }: Row): string {
  const { name, size, hash } = artifact
  const what = `"${quote(name)}" (${formatSize(size)}, ${hash ?? 'not hashed'})`
  const parts = [`${sign} ${label}: ${what}`, quote(note, maxMessageLength)]
  if (url !== null && !isPlain) parts.push(url)
  return parts.filter(part => part !== '').join('; ')
}
