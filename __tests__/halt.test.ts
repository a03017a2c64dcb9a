import { expect, it } from '@jest/globals'
import { cancelledFailure, Halt, notSavedFailure } from '../src/halt.ts'

it('a halt keeps its first reason, and what else stopped the run is known, too', () => {
  const halt = new Halt()
  expect(halt).toMatchObject({ reason: null, bug: null, isCancelled: false, hasUnsaved: false })
  expect(halt.signal.aborted).toBe(false)
  halt.stop(notSavedFailure)
  halt.noteBug(new Error('first'), 'https://x.example')
  halt.noteBug(new Error('second'), 'https://x.example')
  expect(halt.isCancelled).toBe(false)
  halt.cancel()
  expect(halt).toMatchObject({ reason: notSavedFailure, isCancelled: true, hasUnsaved: true })
  expect(halt.bug).toMatchObject({ what: expect.stringContaining('first') })
  expect(halt.reason).not.toBe(cancelledFailure)
  expect([halt.signal.aborted, halt.kill.aborted]).toEqual([true, false])
})
