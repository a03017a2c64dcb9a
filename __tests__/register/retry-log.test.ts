import { describe, expect, it } from '@jest/globals'
import { createRetryLog, formatRetry } from '../../src/register/retry-log.ts'

describe('the line about a retry', () => {
  const retry = {
    call: 'login',
    tries: 1,
    maxAttempts: 5,
    why: 'no answer within 30 s',
    artifact: null,
  }

  it.each([
    [2000, 'login: try 1 of 5 failed: no answer within 30 s; next in 2 s'],
    [60_000, 'login: try 1 of 5 failed: no answer within 30 s; next in 60 s'],
    [249.3, 'login: try 1 of 5 failed: no answer within 30 s; next in 250 ms'],
  ])('says what is tried again, why, and after %d ms when', (waitMs, line) => {
    expect(formatRetry({ ...retry, waitMs })).toBe(line)
  })

  it('names the artifact', () => {
    const line = formatRetry({ ...retry, call: 'the registration', artifact: 'a\n.zip', waitMs: 1 })
    expect(line).toMatch(/^the registration of "a.{1,6}\.zip": try 1 of 5 failed/)
  })

  it('is one line, whatever the service says', () => {
    const line = formatRetry({ ...retry, waitMs: 1, why: `failed: \n::error::${'x'.repeat(9999)}` })
    expect(line).not.toContain('\n')
    expect(line.length).toBeLessThan(1000)
  })

  it('comes a few dozen times a run, however many retries there are', () => {
    const lines: string[] = []
    const log = createRetryLog(line => lines.push(line))
    for (let count = 0; count < 100_000; count++) log({ ...retry, waitMs: 1000 })
    expect(lines.length).toBeLessThan(48)
    expect(lines[29]).toContain('only a few are logged')
    expect(lines.at(-1)).toContain('retry 65536 of this run')
  })
})
