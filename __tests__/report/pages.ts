/** Every outcome of both actions. */
import { problemAt } from '../../src/failure.ts'
import { reportStop } from '../../src/report/report.ts'
import { notCompared } from '../../src/verify/verify-report.ts'
import { hashOf, makeRecord } from '../support/samples.ts'
import { artifact, bad, compare, ofCommit, record } from '../verify/samples.ts'
import { reportOf, sent, unread } from '../verify/samples.ts'
import { cases } from './cases.ts'
import { haltOf, hostFor, keepReport, reportAll, type Reported } from './results.ts'

const sha = 'a'.repeat(40)
const matched = compare([artifact('app.zip', 1)], [record('app.zip', 1)])
const compared = compare(
  [
    artifact('altered.zip', 1),
    artifact('app.zip', 2),
    artifact('bad.zip', 3),
    artifact('confirmed.zip', 4),
    artifact('elsewhere.zip', 5),
    artifact('renamed.zip', 6),
    artifact('sent.zip', 7),
    artifact('unknown.zip', 8),
    unread('unread.zip'),
  ],
  [
    record('altered.zip', 10),
    record('app.zip', 2, { verificationUrl: 'https://x.example/2' }),
    record('bad.zip', 3, bad),
    record('confirmed.zip', 4, { confirmed: true }),
    record('elsewhere.zip', 5, { service: 'https://other.example' }),
    record('old.zip', 6),
    sent('sent.zip', 7),
    record('missing.zip', 11, { record: makeRecord(hashOf(11), { creationDate: null }) }),
  ],
  { requireAll: true },
)
const comparedOfCommit = compare(
  [artifact('a.zip', 1), artifact('c.zip', 3)],
  [record('a.zip', 1), record('d.zip', 4, ofCommit(sha))],
  { requireAll: true, sha },
)

/** Reports every outcome of both actions, by the name of its picture. */
export async function reportEach(): Promise<ReadonlyMap<string, Reported>> {
  const reports = new Map<string, Reported>()
  for (const [name, [end, changes]] of Object.entries(cases)) {
    reports.set(name, await reportAll(end, changes))
  }
  reports.set('verify-matched', await reportOf(matched, { warned: ['the records are old'] }))
  reports.set('verify-compared', await reportOf(compared))
  reports.set('verify-of-commit', await reportOf(comparedOfCommit))
  reports.set('verify-canceled', await reportOf(matched, { halt: haltOf('cancelled') }))
  const problems = [problemAt('records', '"x" matches no file; download the records files first')]
  const stopped = { ...notCompared, showSummary: true }
  const report = await keepReport(runner => reportStop(problems, hostFor(runner), stopped))
  return reports.set('verify-stopped', report)
}
