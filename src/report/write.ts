/** Writes a report to the log, the summary and the annotations. */
import { describeError } from '../failure.ts'
import type { Host } from '../runtime/outside.ts'
import { maxMessageLength, quote } from '../text/escape.ts'
import { formatSize } from '../text/phrases.ts'
import { formatStep } from './judge.ts'
import { formatPage, showDocs } from './page.ts'
import type { Report, Row } from './report.ts'

/** Writes a report. Returns the exit code. Never rejects. */
export async function writeReport(
  report: Report,
  { runner, environment: { docsUrl } }: Host,
  showSummary: boolean,
): Promise<0 | 1> {
  for (const line of formatLog(report)) runner.info(showDocs(line, docsUrl))
  if (showSummary) {
    try {
      await runner.writeSummary(formatPage(report, docsUrl))
    } catch (error) {
      // The work is done.
      runner.warning(`The job summary could not be written: ${describeError(error)}`)
    }
  }
  for (const text of report.errors) runner.error(showDocs(text, docsUrl))
  return report.exitCode
}

/** Formats the end of the log: the steps, each artifact, what it cost, and the verdict. */
function* formatLog({ steps, table, cost, title }: Report): Generator<string, void> {
  for (const [index, step] of steps.entries()) yield `${index + 1}. ${formatStep(step)}`
  for (const row of table.rows) yield formatRow(row)
  yield cost
  yield title
}

function formatRow({ sign, words, artifact, note, detail, url }: Row): string {
  const { name, size, hash } = artifact
  const parts = [
    `${sign} ${words}: "${quote(name)}" (${formatSize(size)}, ${hash ?? 'not hashed'})`,
  ]
  parts.push(quote(detail === '' ? note : detail, maxMessageLength))
  if (url !== null && note !== '') parts.push(url)
  return parts.filter(part => part !== '').join('; ')
}
