import { expect, it } from '@jest/globals'
import { setImmediate } from 'node:timers/promises'
import { canceledFailure } from '../../src/failure.ts'
import { Halt } from '../../src/runtime/halt.ts'

it('a canceled run ends its calls once, after 4 seconds', async () => {
  const waits: number[] = []
  const wake: (() => void)[] = []
  const sleep = (ms: number): Promise<void> => {
    waits.push(ms)
    return new Promise(resolve => wake.push(resolve))
  }
  const halt = new Halt({ now: () => 0, monotonic: () => 0, sleep })
  halt.cancel()
  halt.cancel()
  expect(halt).toMatchObject({ reason: canceledFailure, isCanceled: true })
  expect([halt.ended.aborted, halt.callsEnded.aborted, waits]).toEqual([true, false, [4000]])
  for (const end of wake) end()
  await setImmediate()
  expect(halt.callsEnded.aborted).toBe(true)
})
