import { afterAll, expect, it } from '@jest/globals'
import { cleanUp } from '../support/clean-up.ts'
import { runChaos } from './campaign.ts'

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
