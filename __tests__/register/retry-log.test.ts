import { expect, it } from '@jest/globals'
import { createRetryLog } from '../../src/register/retry-log.ts'

it('a line about a retry comes a few dozen times a run, however many retries there are', () => {
  const lines: string[] = []
  const log = createRetryLog(line => lines.push(line))
  for (let count = 0; count < 100_000; count++) log('a retry')
  expect(lines.length).toBeLessThan(48)
  expect(lines.slice(0, 30)).toEqual([
    ...Array<string>(29).fill('a retry'),
    expect.stringContaining('only a few are logged'),
  ])
  expect(lines.at(-1)).toContain('retry 65536 of this run')
})
