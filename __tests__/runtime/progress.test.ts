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
    else tick(second * 2, 60, '1.0 MiB')
    nowMs += 1000
  }
  expect(lines).toEqual([
    '5 s: hashing: 10 of 60, 2.0 per second, about 25 s left',
    '12 s: hashing: 24 of 60, 2.0 per second, about 18 s left',
    '20 s: hashing: 40 of 60, 1.0 MiB, 2.0 per second, about 10 s left',
  ])
})

it('progress without a rate says nothing about the time that is left', () => {
  let nowMs = 0
  const lines: string[] = []
  const tick = createProgress('hashing', { monotonic: () => nowMs }, line => lines.push(line))
  nowMs = 5000
  tick(0, 60)
  expect(lines).toEqual(['hashing: 0 of 60, 0.0 per second'])
})
