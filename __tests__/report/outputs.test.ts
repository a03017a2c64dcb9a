import { describe, expect, it } from '@jest/globals'
import { failureCodes, type Result } from '../../src/outcome.ts'
import {
  countResults,
  decideVerdict,
  formatFailures,
  formatRecords,
  maxFailuresLength,
  maxRecordsLength,
} from '../../src/report/outputs.ts'
import { failedAs, hashOf, plannedAs, registeredAs } from './results.ts'

const count = (...results: readonly Result[]) => countResults(results)

describe('the counts', () => {
  it('tell the registered, the newly registered, the failed and the unsure apart', () => {
    expect(
      count(
        registeredAs('a'),
        registeredAs('b', {}, 'records-file'),
        registeredAs('c', {}, 'records-file'),
        failedAs('d'),
        failedAs('e', 'unavailable', 'unknown'),
        plannedAs('f'),
        plannedAs('g', 'held'),
      ),
    ).toEqual({
      ...{ total: 7, registered: 3, newlyRegistered: 1, failed: 2, unknown: 1 },
      ...{ planned: 1, held: 1 },
    })
  })

  it('are all zero for nothing', () => {
    expect(new Set(Object.values(count()))).toEqual(new Set([0]))
  })
})

describe('the verdict', () => {
  it.each([
    ['registered', [registeredAs('a')]],
    ['registered', [registeredAs('a'), registeredAs('b', {}, 'records-file')]],
    ['registered', [registeredAs('a', {}, 'records-file')]],
    ['partial', [registeredAs('a'), failedAs('b')]],
    ['partial', [registeredAs('a', {}, 'records-file'), failedAs('b', 'refused', 'unknown')]],
    ['failed', [failedAs('a')]],
    ['failed', [failedAs('a', 'record-mismatch', 'unknown')]],
    ['nothing-found', []],
  ])('follows the counts alone: %s', (verdict, results) => {
    expect(decideVerdict(count(...results), false)).toBe(verdict)
    expect(decideVerdict(count(...results), true)).toBe('dry-run')
  })
})

describe('the output records', () => {
  it('has an entry for each registered artifact, with its fields in their order', () => {
    const { hash } = registeredAs('a')
    const text = formatRecords(
      [
        registeredAs('a', { hash, extra: [1] }),
        failedAs('b'),
        { ...registeredAs('c', { paymentId: 'p' }, 'records-file'), size: null },
      ],
      false,
    )
    expect(text).toBe(
      `[{"artifact":"a","size":7,"hash":"${hashOf(1)}","from":"this-run","record":{"hash":"${hashOf(1)}","extra":[1]}},` +
        `{"artifact":"c","size":null,"hash":"${hashOf(1)}","from":"records-file","record":{"paymentId":"p"}}]`,
    )
  })

  it('lists redacted places beside the record, and only if there are any', () => {
    const redacted = ['/payload']
    const result: Result = {
      ...registeredAs('a'),
      outcome: { state: 'registered', from: 'this-run', record: { payload: '***' }, redacted },
    }
    expect(JSON.parse(formatRecords([result], false))).toEqual([
      {
        ...{ artifact: 'a', size: 7, hash: hashOf(1), from: 'this-run' },
        ...{ record: { payload: '***' }, redacted },
      },
    ])
  })

  it('is an empty array for none, and in a dry run', () => {
    expect(formatRecords([], false)).toBe('[]')
    expect(formatRecords([failedAs('a')], false)).toBe('[]')
    expect(formatRecords([registeredAs('a')], true)).toBe('[]')
  })

  /** Records whose output is exactly so long. */
  const recordsOf = (length: number): readonly Result[] => {
    const empty = formatRecords([registeredAs('a', { description: '' })], false).length
    return [registeredAs('a', { description: '漢'.repeat(length - empty) })]
  }

  it('may be 300,000 characters long, and is empty when it would be longer', () => {
    expect(maxRecordsLength).toBe(300_000)
    expect(formatRecords(recordsOf(299_999), false)).toHaveLength(299_999)
    expect(formatRecords(recordsOf(300_000), false)).toHaveLength(300_000)
    expect(formatRecords(recordsOf(300_001), false)).toBe('')
  })
})

describe('the output failures', () => {
  it('has an entry for each failed artifact, with its fields in their order', () => {
    const unread: Result = {
      ...failedAs('b', 'unreadable', 'no', 'denied'),
      size: null,
      hash: null,
    }
    expect(
      formatFailures([failedAs('a', 'refused', 'unknown', 'why'), registeredAs('x'), unread]),
    ).toBe(
      `[{"artifact":"a","size":7,"hash":"${hashOf(2)}","code":"refused","registered":"unknown","message":"why"},` +
        '{"artifact":"b","size":null,"hash":null,"code":"unreadable","registered":"no","message":"denied"}]',
    )
  })

  it('is an empty array for none', () => {
    expect(formatFailures([registeredAs('a'), plannedAs('b')])).toBe('[]')
  })

  it('can say every code', () => {
    const all = formatFailures(failureCodes.map(code => failedAs(code, code)))
    const parsed: unknown = JSON.parse(all)
    expect(parsed).toEqual(failureCodes.map(code => expect.objectContaining({ code })))
  })

  it('cuts a long message visibly', () => {
    const text = formatFailures([failedAs('a', 'refused', 'no', 'x'.repeat(100_000))])
    expect(text.length).toBeLessThan(1500)
    expect(text).toContain('cut, 100000 characters')
  })

  /** Two failures whose output is exactly so long, by the name of the second. */
  const failuresOf = (length: number): readonly Result[] => {
    const empty = formatFailures([failedAs('a'), failedAs('')]).length
    return [failedAs('a'), failedAs('b'.repeat(length - empty))]
  }
  const lengthOf = (text: string): number => {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed.length : -1
  }

  it('is at most 50,000 characters long, and whole entries are left out', () => {
    expect(maxFailuresLength).toBe(50_000)
    expect(formatFailures(failuresOf(49_999))).toHaveLength(49_999)
    expect(formatFailures(failuresOf(50_000))).toHaveLength(50_000)
    const cut = formatFailures(failuresOf(50_001))
    expect(cut).toBe(formatFailures([failedAs('a')]))
  })

  it('is filled as far as whole entries go', () => {
    const results = Array.from({ length: 1000 }, (_, index) => failedAs(`file-${index}`))
    const text = formatFailures(results)
    const one = formatFailures(results.slice(0, 1)).length
    expect(text.length).toBeLessThanOrEqual(50_000)
    expect(text.length).toBeGreaterThan(50_000 - one - 10)
    expect(text).toBe(formatFailures(results.slice(0, lengthOf(text))))
  })

  it('may leave out the very first', () => {
    expect(formatFailures([failedAs('n'.repeat(60_000))])).toBe('[]')
  })
})
