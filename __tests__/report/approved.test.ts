/**
 * What people read at the end of a run, approved as a whole: a review sees each word that changes. If a change is meant,
 * `npm test -- approved -u` writes it to the snapshot.
 */
import { expect, it } from '@jest/globals'
import { toText } from '../support/html.ts'
import { reportEach } from './pages.ts'
import type { Reported } from './results.ts'

/** The lines of a report; of the log only those that the summary does not have. */
function linesOf({ summary, log, errors, outputs }: Reported): readonly string[] {
  const page = toText(summary).replaceAll(/docs\/\S+ \[\S+\/(docs\/[^\]]+)\]/g, '$1')
  const ofLog = log.filter(line => !/^\d+\. /.test(line) && !summary.includes(`## ${line}\n`))
  const ofOutputs = Object.entries(outputs)
    .filter(([name]) => !['records', 'failures', 'results'].includes(name))
    .map(([name, value]) => `${name}: ${value}`)
  const annotations = errors.map(text => `::error::${text}`)
  const lines = [...page.split('\n'), ...ofLog, ...annotations, ofOutputs.join(', ')]
  return lines.map(line => line.replaceAll(/([0-9a-f]{12})[0-9a-f]{52}/g, '$1…').trimEnd())
}

it('each run is reported as approved, in lines of which only new ones are shown', async () => {
  const shown = new Set<string>()
  for (const [name, report] of await reportEach()) {
    const lines = linesOf(report)
    shown.add(`==== ${name}: exit code ${report.exitCode}, ${lines.length} lines`)
    lines.forEach(line => shown.add(line))
  }
  expect([...shown].join('\n')).toMatchSnapshot()
})
