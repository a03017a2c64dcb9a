import { describe, expect, it } from '@jest/globals'
import type { Problem } from '../../src/outcome.ts'
import { formatFailureError, formatLog, formatProblems } from '../../src/report/log.ts'
import { failedAs, hashOf, plannedAs, registeredAs } from './results.ts'

describe('the end of the log', () => {
  it('has a line for each artifact, failures first, and the verdict as its last', () => {
    const lines = formatLog(
      [
        registeredAs('a'),
        failedAs('b', 'refused', 'unknown', 'why'),
        registeredAs('c', {}, 'records-file'),
        failedAs('d', 'refused', 'no', 'why not'),
      ],
      false,
    )
    expect(lines).toEqual([
      `FAILED, may be registered: "b" (7 B, ${hashOf(2)}): refused: why`,
      `FAILED, not registered: "d" (7 B, ${hashOf(2)}): refused: why not`,
      `registered: "a" (7 B, ${hashOf(1)})`,
      `registered before: "c" (7 B, ${hashOf(1)})`,
      expect.stringContaining('PARTLY NOTARIZED'),
    ])
  })

  it('says in a dry run what would be', () => {
    expect(formatLog([plannedAs('a'), plannedAs('b', 'held')], true)).toEqual([
      expect.stringMatching(/^would be registered: "a"/),
      expect.stringMatching(/^not sent again.*: "b"/),
      expect.stringContaining('DRY RUN'),
    ])
  })

  it('says what was not read', () => {
    const [line] = formatLog([{ ...failedAs('a', 'unreadable'), size: null, hash: null }], false)
    expect(line).toContain('not hashed')
  })

  it('is only the verdict when nothing was found', () => {
    expect(formatLog([], false)).toEqual([expect.stringContaining('NOTHING NOTARIZED')])
  })

  it('shows a hundred lines, failures first, and counts the rest', () => {
    const many = Array.from({ length: 150 }, (_, index) => registeredAs(`file-${index}`))
    const lines = formatLog([...many, failedAs('z')], false)
    expect(lines).toHaveLength(102)
    expect(lines[0]).toContain('"z"')
    expect(lines[100]).toBe('and 51 more artifacts, see the job summary')
    expect(formatLog(many.slice(0, 100), false)).toHaveLength(101)
  })

  it('is not made longer or of more lines by foreign text', () => {
    const lines = formatLog(
      [
        failedAs(
          `a\n::error::b\r${'n'.repeat(5000)}`,
          'refused',
          'no',
          `m\n##[error]${'m'.repeat(9000)}`,
        ),
      ],
      false,
    )
    expect(lines).toHaveLength(2)
    expect(lines[0]).not.toMatch(/[\n\r]/)
    expect(lines[0]?.length).toBeLessThan(3500)
    expect(lines[0]?.match(/cut, \d+ characters/g)).toHaveLength(2)
  })
})

describe('the error of a run with failures', () => {
  it('is none without failures', () => {
    expect(formatFailureError([registeredAs('a'), plannedAs('b')])).toBeNull()
    expect(formatFailureError([])).toBeNull()
  })

  it('says how many of how many failed, how many may be registered, and why the first did', () => {
    const error = formatFailureError([
      registeredAs('a'),
      failedAs('b', 'refused', 'no', 'the reason'),
      failedAs('c', 'unavailable', 'unknown', 'another'),
    ])
    expect(error).toMatch(/^2 of 3 artifacts failed \(1 of them may be registered\)/)
    expect(error).toContain('"b": refused: the reason')
    expect(error).not.toContain('another')
  })
})

describe('the errors of wrong inputs', () => {
  const problems = (count: number): readonly Problem[] =>
    Array.from({ length: count }, (_, index) => ({
      input: `i${index}`,
      message: `problem ${index}`,
    }))

  it.each([1, 9, 10])('are one each for %d inputs', count => {
    expect(formatProblems(problems(count))).toEqual(problems(count).map(({ message }) => message))
  })

  it('are ten at most, the last of which counts the rest', () => {
    const errors = formatProblems(problems(13))
    expect(errors).toHaveLength(10)
    expect(errors.slice(0, 9)).toEqual(problems(9).map(({ message }) => message))
    expect(errors[9]).toContain('4 more')
  })
})
