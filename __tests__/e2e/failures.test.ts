/** Outputs, log, summary and records file report the same failures. */
import { expect, it } from '@jest/globals'
import { resetFault, statusFault, type Fault } from '../../simulator/index.ts'
import { readRecordsFile, readSummary } from '../support/finished-run.ts'
import { sha256 } from '../support/samples.ts'
import { endsOf, makeRelease, notarize, startService } from './support.ts'

const down = statusFault(503, { headers: { 'retry-after': '0' } })

/** How an artifact ends, the states of its lines, and the fault of each attempt (null if none). */
const rows: readonly (readonly [end: string, states: string, tries: readonly (Fault | null)[]])[] =
  [
    ['refused/no', 'sent not-registered', [statusFault(409)]],
    ['refused/unknown', 'sent', [down, statusFault(404)]],
    ['unavailable/unknown', 'sent', [down, down]],
    ['record-mismatch/unknown', 'sent', [null]],
    ['registered', 'sent', [resetFault, null]],
  ]

it('failures are reported in the same way everywhere, and what may be charged again is named', async () => {
  const byHash = new Map(rows.map(row => [sha256(row[0]), row]))
  const service = await startService({
    repeat: 'accept',
    faults: ({ hash = '', nthOfHash = 1 }) => byHash.get(hash)?.[2][nthOfHash - 1] ?? undefined,
    // A field of an undocumented type gets a notice and changes nothing else.
    record: hash => {
      const isWrong = byHash.get(hash)?.[0] === 'record-mismatch/unknown'
      return isWrong ? { custody: true, userId: '7' } : {}
    },
  })
  const workspace = makeRelease(Object.fromEntries(rows.map(([end]) => [end, end])))
  const run = await notarize({ service, workspace, inputs: { 'max-attempts': '2' } })

  expect(endsOf(run)).toEqual(Object.fromEntries(rows.map(([end]) => [`dist/${end}`, end])))
  for (const [end, states, tries] of rows) {
    const hash = sha256(end)
    expect(service.requests.filter(request => request.hash === hash)).toHaveLength(tries.length)
    const lines = readRecordsFile(run).states.filter(line => line.hash === hash)
    expect(lines.map(({ state }) => state).join(' ')).toBe(states)
    expect(run.lines.filter(line => line.includes(`"dist/${end}" (`))).toHaveLength(1)
  }
  const { rows: table, verdict } = readSummary(run.summary)
  expect(table.map(([, name]) => name).sort()).toEqual(Object.keys(endsOf(run)).sort())
  expect(run.results.records).toMatchObject([{ maybeChargedAgain: true }])
  const { error, warning, notice } = run.annotations
  expect([error.length, warning.length, notice.length]).toEqual([1, 1, 1])
  expect(notice[0]).toContain('userId')
  expect(run.lines).toContain(verdict.replace('## ', ''))
})
