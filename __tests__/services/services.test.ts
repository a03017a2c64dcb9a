import { afterAll, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { cleanUp } from '../support/clean-up.ts'
import { anyService } from './generate.ts'
import { findFaults } from './judge.ts'
import { play } from './run.ts'

afterAll(cleanUp)

it('the action keeps its promises with 200 services that the specification allows', async () => {
  const property = fc.asyncProperty(anyService, async service => {
    expect(findFaults(service, await play(service))).toEqual([])
  })
  await fc.assert(property, { numRuns: 200, seed: 24 })
})
