import { afterAll, describe, expect, it } from '@jest/globals'
import { cleanUp } from '../support/clean-up.ts'
import { readRecordsText } from '../support/record-lines.ts'
import { makeLine, makeStateLine, sha256, toJsonLines } from '../support/samples.ts'
import { runChaos } from './campaign.ts'
import { findMistakes, type Accepted } from './oracle.ts'

afterAll(cleanUp)

// Another seed picks other moments; `npm run chaos` tries many.
it.each([
  ['is killed', true, 6],
  ['meets faults and signals', false, 6],
])('a process that %s accounts for every registration, and ends green', async (...row) => {
  const [, onlyKills, runs] = row
  const tally = await runChaos({ runs, seed: 20_260_131, onlyKills })

  expect([...tally.violations]).toEqual([])
  expect(onlyKills ? tally.killsInFlight : tally.faults).toBeGreaterThan(2)
  expect(tally.accepted).toBeGreaterThan(tally.artifacts)
})

describe('the oracle', () => {
  const service = 'https://notary.example'
  const hash = sha256('a')
  const at = '2026-01-01T00:00:00.000Z'
  const sent = makeStateLine(service, 'a', { at })
  const denied = { ...sent, state: 'not-registered' }
  const record = makeLine(service, 'a', { at })
  const flagged = { ...record, maybeChargedAgain: true }
  const read = { runAttempt: '1', isAnswered: true, isKilled: false }
  const lost = { runAttempt: '1', isAnswered: false, isKilled: false }
  const killed = { runAttempt: '0', isAnswered: true, isKilled: true }
  const earlier = { ...sent, source: { ...sent.source, runAttempt: '0' } }

  it.each<[string, readonly Accepted[], readonly unknown[], string?]>([
    ['nothing was sent', [], []],
    ['one answer was read', [read], [sent, record]],
    ['nothing came of what was sent', [], [sent, denied]],
    ['an answer was lost', [lost], [sent]],
    ['a lost one, then one that was read', [lost, read], [sent, flagged]],
    ['a kill, then one that was read', [killed, read], [earlier, sent, record]],
    ['an unsaved line', [read], [record], 'without a "sent" line'],
    ['a forgotten record', [read], [sent], 'no record'],
    ['a forgotten try', [lost, read], [sent, record], 'does not say so'],
    ['a denied registration', [lost], [sent, denied], 'settled as not registered'],
    ['an invented record', [], [sent, record], 'nobody answered'],
    ['a forgotten kill', [killed, read], [sent, record], 'nothing says so'],
  ])('judges %s', (...row) => {
    const [, accepted, lines, mistake] = row
    const found = findMistakes({ service, hash }, accepted, readRecordsText(toJsonLines(lines)))
    if (mistake === undefined) expect(found).toEqual([])
    else expect(found.join()).toContain(mistake)
  })
})
