import { afterAll, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { cleanUp } from '../support/clean-up.ts'
import { anyService } from './generate.ts'
import { findFaults } from './judge.ts'
import { Player } from './run.ts'

afterAll(cleanUp)

it('keeps its promises with 200 services that the specification allows', async () => {
  const player = await new Player().start()
  const property = fc.asyncProperty(anyService, async service => {
    expect(findFaults(service, await player.play(service))).toEqual([])
  })
  await fc.assert(property, { numRuns: 200, seed: 24 })
})
