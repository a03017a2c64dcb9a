import { expect, it } from '@jest/globals'
import { createProgress } from '../../src/runtime/progress.ts'

it('progress is logged after 5 seconds, then at growing intervals, but not at the end', () => {
  let nowMs = 1000
  const lines: string[] = []
  const tick = createProgress('hashing', { monotonic: () => nowMs }, line => lines.push(line))
  const times: number[] = []
  for (let second = 0; second <= 100; second++) {
    const before = lines.length
    tick(second * 2, 200, second > 50 ? '1.0 MiB' : '')
    if (lines.length > before) times.push(second)
    nowMs += 1000
  }
  expect(times).toEqual([5, 12, 20, 30, 43, 59, 79])
  expect(lines[0]).toBe('hashing: 10 of 200, 2.0 per second, about 2 min left')
  expect(lines[5]).toBe('hashing: 118 of 200, 1.0 MiB, 2.0 per second, about 41 s left')
})
