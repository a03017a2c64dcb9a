import { expect, it } from '@jest/globals'
import { explore, type Violation } from './explore.ts'

it('keeps its promises in 10,000 schedules of lost answers, kills, cancels and full disks', async () => {
  const found: Violation[] = []
  const onViolation = (violation: Violation): boolean => {
    found.push(violation)
    return false
  }
  const { played } = await explore({ depth: 2, limit: 10_000, seed: 1, onViolation })
  expect(found).toEqual([])
  expect(played).toBe(10_000)
})
