/**
 * What people read at the end of a run, approved as a whole: a review sees each word that changes. If a change is meant,
 * `npm test -- -u` writes it to the snapshot.
 */
import { hash } from 'node:crypto'
import { expect, it } from '@jest/globals'
import { toText } from '../support/html.ts'
import { reportEach } from './pages.ts'
import type { Reported } from './results.ts'

const docsFolder = 'https://github.com/octo/notarize-release/blob/v1/'

/** The lines of a report; of the log only those that the summary does not have. */
function linesOf({ summary, log, outputs, ...run }: Reported): readonly string[] {
  const page = toText(summary).replaceAll(/docs\/[\w.]+ \[([^\]]+)\]/g, '$1')
  const ofLog = log.filter(line => !/^\d+\. /.test(line) && !page.includes(line))
  const warnings = run.warnings.map(text => `::warning::${text}`)
  const errors = run.errors.map(text => `::error::${text}`)
  const ending = `exit code ${run.exitCode}, verdict ${outputs['verdict'] ?? 'not written'}`
  const lines = [...page.split('\n'), ...ofLog, ...warnings, ...errors, ending]
  return lines.map(line =>
    line
      .replaceAll(docsFolder, '')
      .replaceAll(/([0-9a-f]{12})[0-9a-f]{52}/g, '$1…')
      .trimEnd(),
  )
}

it('each run is reported as approved, in lines of which only new ones are shown', async () => {
  const shown = new Set<string>()
  for (const [name, report] of await reportEach()) {
    const [title = '', ...lines] = linesOf(report)
    // The digits change with every line, even to one that another page shows.
    const digits = hash('md5', lines.join('\n')).slice(0, 6)
    shown.add(title.replace('##', `== ${name} (${lines.length} more lines, ${digits}):`))
    // The hashes to copy have their own test.
    for (const line of lines) if (!/^[0-9a-f]{12}… /.test(line)) shown.add(line)
  }
  expect([...shown].join('\n')).toMatchSnapshot()
})
