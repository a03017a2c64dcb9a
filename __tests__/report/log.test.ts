import { describe, expect, it } from '@jest/globals'
import { makeFailure } from '../../src/failure.ts'
import type { Result } from '../../src/outcome.ts'
import { formatLog, formatProblems } from '../../src/report/log.ts'
import { groupReasons } from '../../src/report/explain.ts'
import { before, failedAs, plannedAs, registeredAs } from './results.ts'
import { hashOf } from '../support/samples.ts'

const logOf = (...results: readonly Result[]): readonly string[] =>
  formatLog({
    ...{ results, reasons: groupReasons(results), verdict: 'the verdict' },
    facts: { recordsPath: 'records.jsonl', periodEndedAt: null },
  })

describe('the end of the log', () => {
  it('has the reasons, a line for each artifact with failures first, and the verdict as its last', () => {
    expect(
      logOf(
        registeredAs('a'),
        failedAs('b', { registered: 'unknown', what: 'why' }),
        registeredAs('c', {}, before),
        failedAs('d', { what: 'why not' }),
        failedAs('e', { what: 'why not' }),
        registeredAs('f', {}, { unansweredTries: 1 }),
      ),
    ).toEqual([
      expect.stringMatching(/^"b", may be registered: unavailable: why; it may be .*; try later$/),
      expect.stringMatching(/^2 artifacts, not registered: unavailable: why not; .*; try later$/),
      `FAILED, may be registered: "b" (7 B, ${hashOf(2)}): unavailable`,
      `FAILED, not registered: "d" (7 B, ${hashOf(2)}): unavailable`,
      `FAILED, not registered: "e" (7 B, ${hashOf(2)}): unavailable`,
      `registered: "a" (7 B, ${hashOf(1)})`,
      `registered before: "c" (7 B, ${hashOf(1)})`,
      `registered, may have been charged more than once: "f" (7 B, ${hashOf(1)})`,
      'the verdict',
    ])
  })

  it('says in a dry run what would be', () => {
    expect(logOf(plannedAs('a'), plannedAs('b', 'held'), plannedAs('c', 'open'))).toEqual([
      expect.stringMatching(/^would be registered: "a"/),
      expect.stringMatching(/^not sent again.*: "b"/),
      expect.stringMatching(/^would be sent again, an earlier run may have registered it: "c"/),
      'the verdict',
    ])
  })

  it('says what was not read, and is only the verdict when nothing was found', () => {
    const unread = { ...failedAs('a', { code: 'unreadable' }), size: null, hash: null }
    expect(logOf(unread)[1]).toContain('not hashed')
    expect(logOf()).toEqual(['the verdict'])
  })

  it('shows a hundred lines, failures first, and counts the rest', () => {
    const many = Array.from({ length: 150 }, (_, index) => registeredAs(`file-${index}`))
    const lines = logOf(...many, failedAs('z'))
    expect(lines).toHaveLength(102)
    expect(lines[1]).toContain('FAILED, not registered: "z"')
    expect(lines[100]).toBe('and 52 more artifacts, see the job summary')
    expect(logOf(...many.slice(0, 100))).toHaveLength(101)
  })

  it('says the reasons of the first ten kinds of failures, and each other one in its own line', () => {
    const results = Array.from({ length: 12 }, (_, index) =>
      failedAs(`file-${index}`, { remedy: `do ${index}` }),
    )
    const lines = logOf(...results)
    expect(lines).toHaveLength(10 + 12 + 1)
    expect(lines.filter(line => line.includes('do 11'))).toEqual([
      expect.stringContaining('FAILED, not registered: "file-11"'),
    ])
  })

  it('is not made longer or of more lines by foreign text', () => {
    const name = `a\n::error::b\r${'n'.repeat(5000)}`
    const lines = logOf(failedAs(name, { what: `m\n##[error]${'m'.repeat(9000)}` }))
    expect(lines).toHaveLength(3)
    for (const line of lines) {
      expect(line).not.toMatch(/[\n\r]/)
      expect(line.length).toBeLessThan(3500)
    }
    expect(lines[0]).toMatch(/cut, \d+ characters.*try later$/)
  })
})

describe('the errors of wrong inputs', () => {
  const problems = (count: number): readonly { input: string; message: string }[] =>
    Array.from({ length: count }, (_, index) => ({
      ...{ input: `i${index}`, message: `problem ${index}` },
    }))

  it.each([1, 9, 10])('are one each for %d inputs', count => {
    expect(formatProblems(problems(count))).toEqual(problems(count).map(({ message }) => message))
  })

  it('are ten at most, the last of which counts the rest', () => {
    const errors = formatProblems(problems(13))
    expect(errors).toHaveLength(10)
    expect(errors.at(-1)).toContain('4 more')
  })

  it('are one for all problems of an input', () => {
    const texts = formatProblems([
      { input: 'path', message: 'first of path' },
      { input: 'api-key', message: 'of the key' },
      { input: 'path', message: 'second of path' },
    ])
    expect(texts).toEqual(['first of path; second of path', 'of the key'])
  })
})

describe('the reasons of failures', () => {
  it('are one for what has the same consequences, with the first three texts that differ', () => {
    const results = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(name =>
      failedAs(name, { what: `no answer to ${name}` }),
    )
    const { shown } = groupReasons([...results, failedAs('h', { code: 'refused', status: 402 })])
    expect(shown).toMatchObject([
      { count: 7, whats: ['no answer to a', 'no answer to b', 'no answer to c'] },
      { count: 1, failure: { status: 402 } },
    ])
    expect(shown[0]?.examples).toHaveLength(5)
  })

  it('begin with what may be registered, and count those beyond ten', () => {
    const results = Array.from({ length: 30 }, (_, index) =>
      failedAs(`f${index}`, {
        ...{ remedy: `do ${index % 15}`, registered: index % 15 === 14 ? 'unknown' : 'no' },
      }),
    )
    const { shown, left, has } = groupReasons(results)
    expect(shown).toHaveLength(10)
    expect(shown[0]?.failure).toMatchObject({ remedy: 'do 14', registered: 'unknown' })
    expect(left).toBe(10)
    expect(has(makeFailure({ code: 'unavailable', what: '', remedy: 'do 0' }))).toBe(true)
    expect(has(makeFailure({ code: 'unavailable', what: '', remedy: 'do 12' }))).toBe(false)
  })
})
