/** Every outcome of both actions. */
import { problemAt } from '../../src/failure.ts'
import { hashOf, makeRecord } from '../support/samples.ts'
import { artifact, compare, doubt, record, reportOf, unread } from '../verify/samples.ts'
import { cases } from './cases.ts'
import { haltOf, reportAll, type Reported } from './results.ts'

const matched = compare([artifact('app.zip', 1)], [record('app.zip', 1)])
const names = 'altered app resent confirmed elsewhere renamed sent unknown'.split(' ')
const found = names.map((name, index) => artifact(`${name}.zip`, index + 1))
const compared = compare(
  [...found, unread('unread.zip')],
  [
    record('altered.zip', 10),
    record('app.zip', 2),
    record('confirmed.zip', 4, { confirmed: true }),
    record('elsewhere.zip', 5, { service: 'https://other.example' }),
    record('old.zip', 6),
    record('resent.zip', 12),
    doubt('resent.zip', 3),
    doubt('sent.zip', 7),
    doubt('sent.zip', 7, { at: '2026-02-01T12:00:00.000Z' }),
    record('missing.zip', 11, { record: makeRecord(hashOf(11), { creationDate: null }) }),
  ],
  true,
)

/** Reports every outcome of both actions, by the name of its picture. */
export async function reportEach(): Promise<ReadonlyMap<string, Reported>> {
  const reports = new Map<string, Reported>()
  for (const [name, [end, changes]] of Object.entries(cases)) {
    reports.set(name, await reportAll(end, changes))
  }
  reports.set('verify-matched', await reportOf(matched, { warned: ['the records are old'] }))
  reports.set('verify-compared', await reportOf(compared))
  reports.set('verify-canceled', await reportOf(matched, { halt: haltOf('cancelled') }))
  const next = 'download the records files first, or correct the pattern'
  const problems = [problemAt('records', '"x" matches no file', { next })]
  return reports.set('verify-stopped', await reportOf([], {}, problems))
}
