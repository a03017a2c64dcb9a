import { expect, it } from '@jest/globals'
import { explore } from './explore.ts'

it('the action keeps its promises in 4,000 schedules with lost responses, kills, cancels, full disks, re-runs, confirmed hashes and other jobs', async () => {
  const { played, violation } = await explore({ depth: 1, limit: 4_000, seed: 1 })
  expect(violation).toBeNull()
  expect(played).toBe(4_000)
  // Takes seconds, but minutes if many processes share a core.
}, 600_000)
