import { expect, it } from '@jest/globals'
import { createProgress } from '../../src/runtime/progress.ts'

it('progress is logged after 5 seconds, then at growing intervals, but not at the end', () => {
  let nowMs = 1000
  const lines: string[] = []
  const tick = createProgress('hashing', { monotonic: () => nowMs }, line => {
    lines.push(`${nowMs / 1000 - 1} s: ${line}`)
  })
  for (let second = 0; second <= 30; second++) {
    if (second < 15) tick(second * 2, 60)
    else tick(second * 2, 60, ', 1.0 MiB')
    nowMs += 1000
  }
  expect(lines).toEqual([
    '5 s: hashing: 10 of 60',
    '12 s: hashing: 24 of 60',
    '20 s: hashing: 40 of 60, 1.0 MiB',
  ])
})
