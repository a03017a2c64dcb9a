/**
 * What people read at the end of a run, approved as a whole: a review sees each word that changes. If a change is meant,
 * `npm test -- -u` writes it to the snapshot.
 */
import { expect, it } from '@jest/globals'
import { z } from 'zod'
import { toText } from '../support/html.ts'
import { reportEach } from './pages.ts'
import type { Reported } from './results.ts'

const listSchema = z.array(z.looseObject({ message: z.string().optional() }))

/** The lines of a report; of the log only those that the summary does not have, and of outputs no messages. */
function linesOf({ summary, log, outputs, ...run }: Reported): readonly string[] {
  const { records = '[]', failures = '[]' } = outputs
  const lists = [records, failures].map(text => listSchema.parse(JSON.parse(String(text))))
  const entries = lists.flat().map(entry => JSON.stringify({ ...entry, message: undefined }))
  const ofOutputs = Object.entries(outputs).map(([output, value]) => `${output} ${value}`)
  const facts = ofOutputs.filter(text => !/^(?:records|failures|results|\S+-path) /.test(text))
  const page = toText(summary).replaceAll(/docs\/[\w.]+ \[([^\]]+)\]/g, '$1')
  const ofLog = log.filter(line => !/^\d+\. /.test(line) && !summary.includes(`## ${line}\n`))
  const warnings = run.warnings.map(text => `::warning::${text}`)
  const errors = run.errors.map(text => `::error::${text}`)
  const ending = [`exit code ${run.exitCode}`, ...facts].join(', ')
  const lines = [...page.split('\n'), ...ofLog, ...warnings, ...errors, ...entries, ending]
  return lines.map(line =>
    line
      .replaceAll('https://github.com/octo/notarize-release/blob/v1/', '')
      .replaceAll(/([0-9a-f]{12})[0-9a-f]{52}/g, '$1…')
      .trimEnd(),
  )
}

it('each run is reported as approved, in lines of which only new ones are shown', async () => {
  const shown = new Set<string>()
  for (const [name, report] of await reportEach()) {
    const [title = '', ...lines] = linesOf(report)
    shown.add(title.replace('##', `== ${name} (${lines.length} more lines):`))
    lines.forEach(line => shown.add(line))
  }
  expect([...shown].join('\n')).toMatchSnapshot()
})
