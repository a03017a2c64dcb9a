import { afterAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { failureCodes, makeFailure } from '../../src/failure.ts'
import { Halt, notSavedFailure } from '../../src/halt.ts'
import { isFailed, isRegistered, type Result } from '../../src/outcome.ts'
import { toLogLine } from '../../src/text/escape.ts'
import { compareCodeUnits } from '../../src/text/words.ts'
import { endedWith, reportAll, type Reported } from '../report/results.ts'
import { cleanUp } from '../support/clean-up.ts'
import { parseCommands } from '../support/commands.ts'
import { openTries } from '../support/samples.ts'

afterAll(cleanUp)

const nasty = fc.constantFrom(
  ...['<td>', '</table>', '\n\n# x', '| a |', '::error::', '##[error]', '[x](y)', '\u202e', '🎉'],
  '漢'.repeat(300),
)
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  nasty,
  fc.string({ maxLength: 12 }),
)
const hash = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map(bytes => Buffer.from(bytes).toString('hex'))
const size = fc.option(fc.maxSafeNat())
const record = fc.dictionary(
  fc.oneof(
    fc.constantFrom('txId', 'txHash', 'creationDate', 'blockchainType'),
    fc.string({ maxLength: 5 }),
  ),
  fc.oneof(fc.jsonValue({ maxDepth: 2 }), text, fc.integer()),
  { maxKeys: 5 },
)

const registered = fc.record({
  state: fc.constant('registered' as const),
  from: fc.constantFrom('this-run' as const, 'records-file' as const),
  record,
  redacted: fc.array(text, { maxLength: 2 }),
  unansweredTries: fc.constantFrom(0, 0, 0, 2),
})
const what = fc.oneof(text, fc.constant('m'.repeat(3000))).map(given => given || 'why')
const failed = fc
  .record({
    code: fc.constantFrom(...failureCodes),
    registered: fc.constantFrom('no' as const, 'unknown' as const),
    ...{ what, remedy: what, isDeferrable: fc.boolean() },
  })
  .map(failure => ({ state: 'failed' as const, failure: makeFailure(failure) }))
const planned = fc.constantFrom(
  { state: 'planned', open: null } as const,
  { state: 'planned', open: openTries } as const,
  { state: 'held' } as const,
)

const resultsOf = <T extends Result['outcome']>(outcome: fc.Arbitrary<T>): fc.Arbitrary<Result[]> =>
  fc
    .uniqueArray(fc.record({ name: text, size, hash, outcome }), {
      selector: ({ name }) => name,
      maxLength: 40,
    })
    .map(results => results.sort((a, b) => compareCodeUnits(a.name, b.name)))

const realRun = resultsOf(fc.oneof(registered, failed))
const dryRun = resultsOf(fc.oneof(registered, planned, { weight: 1, arbitrary: failed }))

const parse = (reported: Reported, output: string): readonly unknown[] => {
  const value: unknown = JSON.parse(String(reported.outputs[output]))
  return Array.isArray(value) ? value : []
}

const entryOf = ({ name, size: bytes, hash: of }: Result): unknown =>
  expect.objectContaining({ artifact: name, size: bytes, hash: of })

/** How many rows a summary shows. */
const rowsOf = (summary: string): number => summary.match(/^<tr><td/gm)?.length ?? 0

/** What holds for every report, whatever came out. */
function expectHarmless({ log, errors, warnings, summary }: Reported): void {
  for (const line of [...log, ...errors, ...warnings]) {
    expect(parseCommands(toLogLine(line))).toEqual([])
    expect(line).not.toMatch(/[\n\r]/)
  }
  expect(Buffer.byteLength(summary)).toBeLessThan(1024 * 1024)
  expect(summary.match(/^#/gm)).toHaveLength(1)
  expect(summary.match(/<\/?table>/g) ?? []).toEqual(
    summary.includes('<table>') ? ['<table>', '</table>'] : [],
  )
}

describe('any outcomes of a run', () => {
  it('add up in every report, and decide the exit code', async () => {
    const stops = fc.constantFrom('none', 'cancelled', 'not-saved')
    const property = fc.asyncProperty(realRun, stops, async (results, stop) => {
      const halt = new Halt()
      if (stop === 'cancelled') halt.cancel()
      if (stop === 'not-saved') halt.stop(notSavedFailure)
      const reported = await reportAll(endedWith(...results), { halt })
      const { outputs, summary, log, errors, exitCode } = reported
      const total = results.length
      const good = results.filter(isRegistered)
      const bad = results.filter(isFailed)
      const fresh = good.filter(({ outcome }) => outcome.from === 'this-run').length
      const unsure = bad.filter(({ outcome }) => outcome.failure.registered === 'unknown').length

      const some = good.length === 0 ? 'failed' : 'partial'
      const verdict = total === 0 ? 'nothing-found' : bad.length === 0 ? 'registered' : some
      expect(outputs).toMatchObject({
        ...{ verdict, 'artifact-count': total, 'registered-count': good.length },
        ...{ 'newly-registered-count': fresh, 'failed-count': bad.length },
      })
      expect(parse(reported, 'records')).toEqual(good.map(entryOf))
      const failures = parse(reported, 'failures')
      expect(failures).toEqual(bad.slice(0, failures.length).map(entryOf))
      if (failures.length < bad.length)
        expect(String(outputs['failures']).length).toBeGreaterThan(40_000)

      const isGood = bad.length === 0 && stop === 'none'
      expect(exitCode).toBe(isGood ? 0 : 1)
      expect(errors).toHaveLength(isGood ? 0 : 1)
      if (bad.length > 0)
        expect(errors[0]).toMatch(new RegExp(`${bad.length} of ${total} artifacts? failed`))
      if (stop === 'cancelled') expect(errors[0]).toContain('cancelled')
      if (stop === 'not-saved') expect(errors[0]).toMatch(/record .*could not be saved/)

      const [first = ''] = summary.split('\n')
      expect(rowsOf(summary)).toBe(total)
      expect(log.at(-1)).toBe(first.replace('## ', ''))
      // Each artifact has its line, beside those of the reasons.
      expect(log.length).toBeGreaterThan(total)
      expect(log.length).toBeLessThanOrEqual(total + bad.length + 1)
      if (good.length > 0) {
        expect(first).toContain(`${good.length} of ${total} artifact`)
        expect(first).toContain(`${fresh} newly registered, ${good.length - fresh} known before`)
      }
      const mayBe = unsure === bad.length ? 'failed and' : `failed, ${unsure} of them`
      if (bad.length > 0) expect(first).toContain(`${bad.length} failed`)
      if (unsure > 0) expect(first).toContain(`${bad.length} ${mayBe} may be registered`)
      expect(first.includes('✅')).toBe(total > 0 && isGood)
      expectHarmless(reported)
    })
    await fc.assert(property, { numRuns: 250, seed: 41 })
  })
})

describe('any outcomes of a dry run', () => {
  it('add up, and nothing is said to be registered or sent', async () => {
    const property = fc.asyncProperty(dryRun, async results => {
      const reported = await reportAll(endedWith(...results), { isDryRun: true })
      const count = (state: string): number =>
        results.filter(({ outcome }) => outcome.state === state).length
      expect(reported.outputs).toMatchObject({
        ...{ verdict: 'dry-run', records: '[]', 'artifact-count': results.length },
        ...{ 'registered-count': 0, 'newly-registered-count': 0, 'failed-count': count('failed') },
      })
      expect(reported.exitCode).toBe(count('failed') === 0 ? 0 : 1)
      const [first = ''] = reported.summary.split('\n')
      expect(first).toContain('DRY RUN')
      expect(first).toContain(`${count('planned')} of ${results.length} artifact`)
      expect(first).toContain(`${count('registered')} known before`)
      expect(rowsOf(reported.summary)).toBe(results.length)
      expectHarmless(reported)
    })
    await fc.assert(property, { numRuns: 150, seed: 42 })
  })
})
