/** Hashes whose answer was lost: open over several runs, until a line settles them. What is open is tested with the records. */
import { expect, it } from '@jest/globals'
import { resetFault } from '../../simulator/index.ts'
import {
  endsOf,
  FILE,
  makeLetters,
  makeLine,
  makeStateLine,
  notarize,
  readStateLines,
  readSummary,
  startService,
  toJsonLines,
  trafficOf,
  type CheckedRun,
} from './support.ts'

const chargedAgain = ({ results }: CheckedRun) =>
  results.records?.map(({ maybeChargedAgain }) => maybeChargedAgain ?? false)

it('an open hash is counted apart, sent again, and may have been charged more than once', async () => {
  const service = await startService({ repeat: 'accept' })
  const [a, b, c] = ['a', 'b', 'c'].map(content => makeStateLine(service.url, content))
  // `a` is open, `b` settled, and `c` was sent by another run, too; lines stand twice, as after a merge.
  const registered = makeLine(service.url, 'c', { at: '2026-02-01T00:00:00.000Z' })
  const lines = [a, a, b, { ...b, state: 'not-registered' }, c, registered, c]
  const workspace = makeLetters('abc', lines)
  const run = await notarize({ service, workspace })

  expect(chargedAgain(run)).toEqual([true, false, true])
  expect(run.visibleLog).toMatch(
    /^3 artifacts found, 2 distinct hashes are left.*; 1 hash is open/m,
  )
  expect(run.annotations.warning).toEqual([
    expect.stringMatching(/^2 artifacts .*charged more than/),
  ])
  expect(readSummary(run.summary).verdict).toContain('2 may have been charged more than once')
  expect(run.summary).toMatch(/1 hash is open/)
  const evidence = workspace.read(run.results['evidence-path'])
  expect(evidence.match(/charged more than once/g)?.length).toBeGreaterThanOrEqual(2)

  // It stays with the record.
  expect(chargedAgain(await notarize({ service, workspace }))).toEqual([true, false, true])
  expect(trafficOf(service)).toHaveLength(3)
})

it('a lost answer leaves the hash open, and a line that settles it makes it new', async () => {
  const lost = resetFault('done')
  const service = await startService({
    repeat: 'accept',
    faults: [{ endpoint: 'completion', fault: lost, to: 1 }],
  })
  const workspace = makeLetters('a')
  const first = await notarize({ service, workspace, inputs: { 'max-attempts': '1' } })
  expect(endsOf(first)).toEqual({ 'dist/a': 'unavailable/unknown' })
  const [sent, ...others] = readStateLines(first)
  expect([sent?.state, others]).toEqual(['sent', []])
  const settled = toJsonLines([{ ...sent, state: 'not-registered' }])
  workspace.write(FILE, workspace.read(FILE) + settled)
  expect(chargedAgain(await notarize({ service, workspace }))).toEqual([false])
})
