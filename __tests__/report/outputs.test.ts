import { afterAll, describe, expect, it } from '@jest/globals'
import { failureCodes } from '../../src/failure.ts'
import type { Result } from '../../src/outcome.ts'
import { countResults } from '../../src/report/verdict.ts'
import { maxRecordsBytes } from '../../src/report/outputs.ts'
import { cleanUp } from '../support/clean-up.ts'
import { before, endedWith, failedAs, plannedAs, registeredAs, reportAll } from './results.ts'
import { hashOf } from '../support/samples.ts'

afterAll(cleanUp)

const outputsOf = async (
  results: readonly Result[],
  changes: Parameters<typeof reportAll>[1] = {},
): Promise<{ records: string; failures: string }> => {
  const { outputs } = await reportAll(endedWith(...results), { showSummary: false, ...changes })
  return { records: String(outputs['records']), failures: String(outputs['failures']) }
}

const lengthOf = (text: string): number => {
  const parsed: unknown = JSON.parse(text)
  return Array.isArray(parsed) ? parsed.length : -1
}

it('the counts have every state, and all are zero for nothing', () => {
  expect(
    countResults([
      ...[registeredAs('a'), registeredAs('b', {}, before), registeredAs('c', {}, before)],
      ...[failedAs('d'), failedAs('e', { registered: 'unknown' })],
      ...[plannedAs('f'), plannedAs('g', 'held'), plannedAs('h', 'open')],
      registeredAs('i', {}, { unansweredTries: 2 }),
      registeredAs('j', {}, { ...before, unansweredTries: 2 }),
    ]),
  ).toEqual({
    ...{ total: 10, registered: 5, newlyRegistered: 2, failed: 2, unknown: 1 },
    ...{ planned: 2, open: 1, held: 1, chargedAgain: 1 },
  })
  expect(new Set(Object.values(countResults([])))).toEqual(new Set([0]))
})

describe('the output records', () => {
  it('has an entry for each registered artifact, with its fields in their order', async () => {
    const { hash } = registeredAs('a')
    const { records } = await outputsOf([
      registeredAs('a', { hash, extra: [1] }),
      failedAs('b'),
      { ...registeredAs('c', { paymentId: 'p' }, before), size: null },
      registeredAs('d', { payload: '***' }, { redacted: ['/payload'], unansweredTries: 2 }),
    ])
    expect(records).toBe(
      `[{"artifact":"a","size":7,"hash":"${hashOf(1)}","from":"this-run","record":{"hash":"${hashOf(1)}","extra":[1]}},` +
        `{"artifact":"c","size":null,"hash":"${hashOf(1)}","from":"records-file","record":{"paymentId":"p"}},` +
        `{"artifact":"d","size":7,"hash":"${hashOf(1)}","from":"this-run","record":{"payload":"***"},"redacted":["/payload"],"unansweredTries":2}]`,
    )
  })

  it('links the place to look it up', async () => {
    const { records } = await outputsOf([registeredAs('a')], {
      verificationUrl: 'https://x.example/{hash}',
    })
    expect(JSON.parse(records)).toEqual([
      expect.objectContaining({ verificationUrl: `https://x.example/${hashOf(1)}` }),
    ])
  })

  it('is whole up to 120,000 bytes of UTF-8, and empty with a warning beyond', async () => {
    const sizeOf = async (padding: string): Promise<number> =>
      Buffer.byteLength((await outputsOf([registeredAs('a', { description: padding })])).records)
    const empty = await sizeOf('')
    const bytes = maxRecordsBytes - empty
    const wide = '漢'.repeat(Math.floor(bytes / 3)) + 'x'.repeat(bytes % 3)
    expect(await sizeOf(wide)).toBe(maxRecordsBytes)
    const ending = endedWith(registeredAs('a', { description: `${wide}x` }))
    const { outputs, warnings, exitCode } = await reportAll(ending)
    expect(outputs['records']).toBe('')
    expect(warnings).toEqual([expect.stringContaining('records-path')])
    expect(exitCode).toBe(0)
  })
})

describe('the output failures', () => {
  it('has an entry for each failed artifact, with its fields in their order', async () => {
    const unread = {
      ...failedAs('b', { code: 'unreadable', what: 'denied', remedy: 'allow it' }),
      ...{ size: null, hash: null },
    }
    const { failures } = await outputsOf([failedAs('a'), registeredAs('x'), unread])
    expect(failures).toBe(
      `[{"artifact":"a","size":7,"hash":"${hashOf(2)}","code":"unavailable","registered":"no","message":"the service is away; this run did not register it, and nothing was spent for it; try later"},` +
        '{"artifact":"b","size":null,"hash":null,"code":"unreadable","registered":"no","message":"denied; this run did not register it, and nothing was spent for it; allow it"}]',
    )
  })

  it('can say every code, and is an empty array for none', async () => {
    const all = await outputsOf(failureCodes.map(code => failedAs(code, { code })))
    const parsed: unknown = JSON.parse(all.failures)
    expect(parsed).toEqual(failureCodes.map(code => expect.objectContaining({ code })))
    expect((await outputsOf([registeredAs('a')])).failures).toBe('[]')
  })

  it('cuts a long message visibly', async () => {
    const { failures } = await outputsOf([failedAs('a', { what: 'x'.repeat(100_000) })])
    expect(failures.length).toBeLessThan(1500)
    expect(failures).toMatch(/cut, 100\d\d\d characters/)
  })

  it('is at most 50,000 characters long, and whole entries are left out', async () => {
    const namedTo = async (length: number): Promise<string> => {
      const empty = (await outputsOf([failedAs('a'), failedAs('')])).failures.length
      return (await outputsOf([failedAs('a'), failedAs('b'.repeat(length - empty))])).failures
    }
    expect(await namedTo(50_000)).toHaveLength(50_000)
    expect(lengthOf(await namedTo(50_001))).toBe(1)
    const many = Array.from({ length: 1000 }, (_, index) => failedAs(`file-${index}`))
    const { failures } = await outputsOf(many)
    expect(failures.length).toBeGreaterThan(49_500)
    expect(failures.length).toBeLessThanOrEqual(50_000)
    expect(lengthOf((await outputsOf([failedAs('n'.repeat(60_000))])).failures)).toBe(0)
  })
})
