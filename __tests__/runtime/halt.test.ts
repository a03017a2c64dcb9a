import { expect, it } from '@jest/globals'
import { setImmediate } from 'node:timers/promises'
import { canceledFailure, Failure } from '../../src/failure.ts'
import { Halt } from '../../src/runtime/halt.ts'
import { systemClock } from '../../src/runtime/clock.ts'

it('a halt keeps its first reason and its first bug', () => {
  const halt = new Halt(systemClock)
  expect(halt).toMatchObject({ reason: null, bug: null, isCanceled: false })
  expect(halt.ended.aborted).toBe(false)
  const notSaved = new Failure('not-tried', 'not-saved', { observed: 'EIO' })
  halt.end(notSaved)
  halt.noteBug(new Error('first'))
  halt.noteBug(new Error('second'))
  expect(halt.ended.aborted).toBe(true)
  expect(halt).toMatchObject({ reason: notSaved, isCanceled: false })
  const observed = expect.stringContaining('first')
  expect(halt.bug).toMatchObject({ code: 'internal-error', mayHaveActed: false, observed })
})

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
