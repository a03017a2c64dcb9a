import { afterAll, expect, it } from '@jest/globals'
import { cleanUp } from '../support/clean-up.ts'
import { runChaos } from './campaign.ts'

afterAll(cleanUp)

// `npm run chaos` uses other seeds, so faults occur at other moments.
it('every registration is accounted for after faults, signals and kills', async () => {
  const tally = await runChaos(12, 20_260_131)
  expect([...tally.violations]).toEqual([])
  expect(tally.killsInFlight).toBeGreaterThan(1)
  expect(tally.faults).toBeGreaterThan(2)
  expect(tally.accepted).toBeGreaterThan(tally.artifacts)
})
