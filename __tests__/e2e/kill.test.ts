import { afterAll, describe, expect, it } from '@jest/globals'
import { torture } from '../../scripts/torture.ts'
import { cleanUp } from '../support/clean-up.ts'

afterAll(cleanUp)

describe('a process that is killed', () => {
  it('loses no line, sends nothing again that has one, and is taken up until all is registered', async () => {
    // Another seed picks other moments; `npm run torture` tries many.
    const runs = await Promise.all([
      torture({ kills: 10, seed: 20_260_131 }),
      torture({ kills: 10, seed: 20_260_201 }),
    ])

    for (const figures of runs) {
      expect(figures.violations).toEqual([])
      expect(figures.kills).toBe(10)
      expect(figures.killsInFlight).toBeGreaterThanOrEqual(5)
      expect(figures.artifacts).toBeGreaterThanOrEqual(60)
      expect(figures.readings).toBeGreaterThanOrEqual(60)
      expect(figures.repeats).toBeLessThanOrEqual(figures.kills * 4 + figures.tornTails)
    }
  })
})
