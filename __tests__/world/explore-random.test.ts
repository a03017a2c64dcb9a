/** In a file of its own, so that two workers share the schedules. */
import { expect, it } from '@jest/globals'
import { explore } from './explore.ts'

it('the action keeps its promises in 1,100 random schedules', async () => {
  const { violation } = await explore({ depth: 0, limit: 1_100, seed: 1_000_001 })
  expect(violation).toBeNull()
}, 600_000)
