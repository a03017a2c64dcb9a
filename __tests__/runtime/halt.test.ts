import { setImmediate } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { systemClock } from '../../src/runtime/clock.ts'
import { Halt } from '../../src/runtime/halt.ts'

it('calls in flight end 4 seconds after a signal', async () => {
  const waits: number[] = []
  const sleep = (ms: number) => Promise.resolve(void waits.push(ms))
  const halt = new Halt({ ...systemClock, sleep })
  halt.cancel()
  expect([waits, halt.isCanceled, halt.callsEnded.aborted]).toEqual([[4000], true, false])
  await setImmediate()
  expect(halt.callsEnded.aborted).toBe(true)
})
