import { afterAll, describe, expect, it } from '@jest/globals'
import { wreakChaos } from '../../scripts/chaos.ts'
import { cleanUp } from '../support/clean-up.ts'

afterAll(cleanUp)

// Another seed picks other moments; `npm run torture` and `npm run chaos` try many.
describe('a process that is killed', () => {
  it('loses no line, sends nothing again that has one, and is taken up until all is registered', async () => {
    const options = { runs: 10, onlyKills: true }
    const runs = await Promise.all([
      wreakChaos({ ...options, seed: 20_260_131 }),
      wreakChaos({ ...options, seed: 20_260_201 }),
    ])

    for (const figures of runs) {
      expect([...figures.violations]).toEqual([])
      expect(figures.killsInFlight).toBeGreaterThanOrEqual(figures.kills / 2)
      expect(figures.recorded).toBe(figures.artifacts)
      expect(figures.unansweredTries).toBeGreaterThan(0)
    }
  })
})

describe('a process that meets faults and signals', () => {
  it('accounts for every completion that the service accepted, at least once and at most once', async () => {
    const figures = await wreakChaos({ runs: 12, seed: 20_260_131, onlyKills: false })

    expect([...figures.violations]).toEqual([])
    expect(figures.campaigns).toBeGreaterThanOrEqual(2)
    expect(figures.faults).toBeGreaterThan(10)
    expect(figures.accepted).toBe(figures.recorded + figures.lost + figures.killed)
    expect(figures.recorded + figures.recordedByHand).toBe(figures.artifacts)
  })
})
