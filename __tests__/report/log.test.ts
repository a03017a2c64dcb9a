import { afterAll, describe, expect, it } from '@jest/globals'
import type { Result } from '../../src/outcome.ts'
import { cleanUp } from '../support/clean-up.ts'
import { hashOf } from '../support/samples.ts'
import { before, endedWith, failedAs, registeredAs, reportAll } from './results.ts'

afterAll(cleanUp)

const logOf = async (...results: readonly Result[]): Promise<readonly string[]> =>
  (await reportAll(endedWith(...results), { showSummary: false })).log

describe('the end of the log', () => {
  it('has the reasons, a line for each artifact, and the verdict as its last; what may be registered is first', async () => {
    const unread = failedAs('e', { code: 'unreadable', what: 'why not' })
    const log = await logOf(
      registeredAs('a'),
      failedAs('b', { what: 'why not' }),
      registeredAs('c', {}, before),
      failedAs('d', { what: 'or not' }),
      { ...unread, size: null, hash: null },
      failedAs('f', { registered: 'unknown', what: 'why' }),
      registeredAs('g', {}, { unansweredTries: 1 }),
    )
    expect(log).toEqual([
      expect.stringMatching(/^"f", may be registered: unavailable: why; it may be .*; try later$/),
      expect.stringMatching(/^2 artifacts, not registered: unavailable: why not; or: or not; .*/),
      expect.stringMatching(/^"e", not registered: unreadable: why not; .*; try later$/),
      `FAILED, may be registered: "f" (7 B, ${hashOf(2)}): unavailable`,
      `FAILED, not registered: "b" (7 B, ${hashOf(2)}): unavailable`,
      `FAILED, not registered: "d" (7 B, ${hashOf(2)}): unavailable`,
      'FAILED, not registered: "e" (–, not hashed): unreadable',
      `registered: "a" (7 B, ${hashOf(1)})`,
      `registered before: "c" (7 B, ${hashOf(1)})`,
      `registered; ⚠️ may have been charged more than once (1 try without an answer): "g" (7 B, ${hashOf(1)})`,
      expect.stringContaining('PARTLY NOTARIZED'),
    ])
  })

  it('shows a hundred lines, failures first, and counts the rest', async () => {
    const many = Array.from({ length: 150 }, (_, index) => registeredAs(`file-${index}`))
    const lines = await logOf(...many, failedAs('z'))
    expect(lines).toHaveLength(102)
    expect(lines[1]).toContain('FAILED, not registered: "z"')
    expect(lines[100]).toBe('and 52 more artifacts, see the job summary')
    expect(await logOf(...many.slice(0, 100))).toHaveLength(101)
  })

  it('cuts foreign text so that the remedy stays', async () => {
    const name = `a\n::error::b\r${'n'.repeat(5000)}`
    const lines = await logOf(failedAs(name, { what: `m\n##[error]${'m'.repeat(9000)}` }))
    expect(lines).toHaveLength(3)
    for (const line of lines) expect(line.length).toBeLessThan(3500)
    expect(lines[0]).toMatch(/cut, \d+ characters.*try later$/)
  })
})
