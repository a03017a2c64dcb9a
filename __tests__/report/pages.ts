/** The pages that a person should look at: every outcome of both actions, and the evidence page. */
import { readVerifyInputs } from '../../src/inputs/verify-inputs.ts'
import { renderEvidence } from '../../src/records/evidence.ts'
import type { VerifyResult } from '../../src/verify/compare.ts'
import { reportCompared } from '../../src/verify/verify-report.ts'
import { entryOf } from '../records/entries.ts'
import { artifact, compare, record, unread } from '../verify/samples.ts'
import { cases, sampleRecord } from './cases.ts'
import { endedWith, hostFor, keepReport, registeredAs, reportAll } from './results.ts'

const records = [record('dist/app.zip', 1), record('dist/app.msi', 2), record('dist/app.dmg', 3)]
const whole = [1, 2, 3].map(number => artifact(records[number - 1]?.artifact ?? '', number))
const verified: Readonly<Record<string, readonly VerifyResult[]>> = {
  'verify-matched': compare(whole, records),
  'verify-altered': compare([...whole.slice(0, 2), artifact('dist/app.dmg', 4)], records),
  'verify-unknown': compare([...whole, artifact('new-tool.exe', 5), unread('dist/x')], records),
  'verify-missing': compare(whole.slice(0, 2), records, { requireAll: true }),
}

async function verifyPage(all: readonly VerifyResult[]): Promise<string> {
  const compared = { verified: all, checkedAgainst: '3 records of "https://app.dedit.io"' }
  const { inputs } = readVerifyInputs({})
  const { summary } = await keepReport(runner => reportCompared(compared, hostFor(runner), inputs))
  return summary
}

/** The summary in the README. */
const readme = endedWith(
  { ...registeredAs('dist/app-1.2.3-linux-x64.tar.gz', sampleRecord), size: 18_734_112 },
  { ...registeredAs('dist/app-1.2.3-macos.dmg', sampleRecord), size: 23_068_201 },
  { ...registeredAs('dist/app-1.2.3.sbom.json', sampleRecord), size: 81_304 },
)

const evidence = [
  entryOf(1, { artifact: 'app-1.2.3-linux-x64.tar.gz' }),
  entryOf(2, { artifact: 'app.msi', maybeChargedAgain: true }),
]

/** Returns the Markdown of each page by name. */
export async function renderPages(): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>()
  for (const [name, [end, changes]] of cases) {
    pages.set(name, (await reportAll(end, changes)).summary)
  }
  pages.set('readme', (await reportAll(readme)).summary)
  for (const [name, all] of Object.entries(verified)) pages.set(name, await verifyPage(all))
  const checksums = evidence.map(({ artifact: name, hash }) => ({ name, hash }))
  pages.set('evidence-page', renderEvidence(evidence, checksums) ?? '')
  return pages
}
