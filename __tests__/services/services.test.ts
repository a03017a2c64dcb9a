import { afterAll, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { cleanUp } from '../support/clean-up.ts'
import { anyService } from './generate.ts'
import { findFaults } from './judge.ts'
import { openStage } from './run.ts'

afterAll(cleanUp)

it('is right at first sight of 200 services that the specification permits', async () => {
  const stage = await openStage()
  const property = fc.asyncProperty(anyService, async service => {
    expect(findFaults(service, await stage.play(service))).toEqual([])
  })
  await fc.assert(property, { numRuns: 200, seed: 24 })
  await stage.close()
})
