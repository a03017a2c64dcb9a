import { expect, it } from '@jest/globals'
import { cancelledFailure, Halt, notSavedFailure } from '../../src/runtime/halt.ts'
import { setImmediate } from 'node:timers/promises'

it('a halt keeps its first reason and its first bug', () => {
  const halt = new Halt()
  expect(halt).toMatchObject({ reason: null, bug: null, isCancelled: false })
  expect(halt.signal.aborted).toBe(false)
  halt.stop(notSavedFailure)
  halt.noteBug(new Error('first'), 'https://x.example')
  halt.noteBug(new Error('second'), 'https://x.example')
  expect(halt.signal.aborted).toBe(true)
  expect(halt).toMatchObject({ reason: notSavedFailure, isCancelled: false })
  const detail = expect.stringContaining('first')
  const remedy = expect.stringContaining('https://x.example')
  expect(halt.bug).toMatchObject({ code: 'internal-error', registered: 'unknown', detail, remedy })
})

it('a canceled run ends its calls once, after 5 seconds', async () => {
  const waits: number[] = []
  const wake: (() => void)[] = []
  const sleep = (ms: number): Promise<void> => {
    waits.push(ms)
    return new Promise(resolve => wake.push(resolve))
  }
  const halt = new Halt({ now: () => 0, monotonic: () => 0, sleep })
  halt.cancel()
  halt.cancel()
  expect(halt).toMatchObject({ reason: cancelledFailure, isCancelled: true })
  expect([cancelledFailure.endsRun, notSavedFailure.endsRun]).toEqual([true, true])
  expect([halt.signal.aborted, halt.kill.aborted, waits]).toEqual([true, false, [5000]])
  for (const end of wake) end()
  await setImmediate()
  expect(halt.kill.aborted).toBe(true)
})
