import { expect, it } from '@jest/globals'
import { explore } from './explore.ts'

it('the action keeps its promises in 2,200 schedules with lost responses, kills, cancels, full disks, re-runs, confirmed hashes and other jobs, among them all in which one thing goes wrong', async () => {
  const { played, violation } = await explore({ depth: 1, limit: 2_200, seed: 1 })
  expect(violation).toBeNull()
  expect(played).toBe(2_200)
  // Takes seconds, but minutes if many processes share a core.
}, 600_000)
