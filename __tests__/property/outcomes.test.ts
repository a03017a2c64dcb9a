import { afterAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { failureCodes, makeFailure } from '../../src/failure.ts'
import { isFailed, isRegistered, type Result } from '../../src/outcome.ts'
import { toLogLine } from '../../src/text/escape.ts'
import { compareCodeUnits } from '../../src/text/words.ts'
import { endedWith, haltOf, openTags, reportAll, type Reported } from '../report/results.ts'
import { cleanUp } from '../support/clean-up.ts'
import { parseCommands } from '../support/commands.ts'
import { openRun } from '../support/samples.ts'

afterAll(cleanUp)

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(...['<td>', '</table>', '\n\n# x', '| a |', '::error::', '##[error]', '🎉']),
  fc.constantFrom(...['[x](y)', '\u202e', '漢'.repeat(300), 'm'.repeat(3000)]),
)
const hash = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map(bytes => Buffer.from(bytes).toString('hex'))
const field = fc.constantFrom('txId', 'txHash', 'creationDate', 'blockchainType', 'x')
const registered = fc.record({
  state: fc.constant('registered' as const),
  from: fc.constantFrom('this-run' as const, 'records-file' as const),
  record: fc.dictionary(field, fc.oneof(fc.jsonValue({ maxDepth: 2 }), text, fc.integer())),
  redacted: fc.array(text, { maxLength: 2 }),
  maybeChargedAgain: fc.boolean(),
})
const failed = fc
  .record({
    code: fc.constantFrom(...failureCodes),
    registered: fc.constantFrom('no' as const, 'unknown' as const),
    status: fc.constantFrom(null, 409, 503),
    what: text,
    remedy: text,
    isDeferrable: fc.boolean(),
  })
  .map(failure => ({ state: 'failed' as const, failure: makeFailure(failure) }))
const planned = fc.constantFrom(
  { state: 'planned', open: null } as const,
  { state: 'planned', open: openRun } as const,
  { state: 'held' } as const,
)

function resultsOf<T extends Result['outcome']>(outcome: fc.Arbitrary<T>): fc.Arbitrary<Result[]> {
  const result = fc.record({ name: text, size: fc.option(fc.maxSafeNat()), hash, outcome })
  return fc
    .uniqueArray(result, { selector: ({ name }) => name, maxLength: 40 })
    .map(results => results.sort((a, b) => compareCodeUnits(a.name, b.name)))
}

function entriesOf({ outputs }: Reported, output: string): readonly unknown[] {
  const value: unknown = JSON.parse(String(outputs[output]))
  return Array.isArray(value) ? value : []
}

function entryOf({ name, size, hash: of }: Result): unknown {
  return expect.objectContaining({ artifact: name, size, hash: of })
}

/** What holds for every report of so many artifacts. */
function expectSound({ log, errors, warnings, summary, exitCode }: Reported, total: number): void {
  for (const line of [...log, ...errors, ...warnings]) {
    expect(parseCommands(toLogLine(line))).toEqual([])
    expect(line).not.toMatch(/[\n\r]/)
  }
  const [first = ''] = summary.split('\n')
  expect(log.at(-1)).toBe(first.replace('## ', ''))
  expect(first.startsWith('## ❌')).toBe(exitCode === 1)
  expect(errors).toHaveLength(exitCode)
  expect(Buffer.byteLength(summary)).toBeLessThan(1024 * 1024)
  expect(summary.match(/^#/gm)).toHaveLength(1)
  expect(openTags(summary)).toEqual([])
  expect(summary.match(/^<tr><td/gm)?.length ?? 0).toBe(total)
}

describe('any outcomes of a run', () => {
  const results = resultsOf(fc.oneof(registered, failed))
  const stops = fc.constantFrom(undefined, 'cancelled' as const, 'unsaved' as const)

  it('add up in every report, and decide the exit code', async () => {
    const property = fc.asyncProperty(results, stops, async (given, stop) => {
      const halt = stop === undefined ? haltOf() : haltOf(stop)
      const reported = await reportAll(endedWith(...given), { halt })
      const { outputs, summary, exitCode } = reported
      const good = given.filter(isRegistered)
      const bad = given.filter(isFailed)
      const fresh = good.filter(({ outcome }) => outcome.from === 'this-run').length
      const unsure = bad.filter(({ outcome }) => outcome.failure.registered === 'unknown').length
      expectSound(reported, given.length)
      expect(exitCode).toBe(bad.length === 0 && stop === undefined ? 0 : 1)
      expect(outputs).toMatchObject({
        'artifact-count': given.length,
        'registered-count': good.length,
        'newly-registered-count': fresh,
        'failed-count': bad.length,
      })
      expect(entriesOf(reported, 'records')).toEqual(good.map(entryOf))
      const failures = entriesOf(reported, 'failures')
      expect(failures).toEqual(bad.slice(0, failures.length).map(entryOf))
      if (failures.length < bad.length) {
        expect(String(outputs['failures']).length).toBeGreaterThan(40_000)
      }
      if (good.length > 0) {
        expect(summary).toContain(`${good.length} of ${given.length} artifact`)
        expect(summary).toContain(`${fresh} newly registered, ${good.length - fresh} known before`)
      }
      const mayBe = unsure === bad.length ? ' and' : `, ${unsure} of them`
      const isRecordLess = bad.every(({ outcome }) => outcome.failure.status === 409)
      if (unsure > 0 && !isRecordLess) {
        expect(summary).toContain(`${bad.length} failed${mayBe} may be registered`)
      }
    })
    await fc.assert(property, { numRuns: 250, seed: 41 })
  })
})

describe('any outcomes of a dry run', () => {
  const results = resultsOf(fc.oneof(registered, planned, { weight: 1, arbitrary: failed }))

  it('add up, and nothing is said to be registered or sent', async () => {
    const property = fc.asyncProperty(results, async given => {
      const reported = await reportAll(endedWith(...given), { inputs: { dryRun: true } })
      const count = (state: string): number =>
        given.filter(({ outcome }) => outcome.state === state).length
      expectSound(reported, given.length)
      expect(reported.exitCode).toBe(count('failed') === 0 ? 0 : 1)
      expect(reported.outputs).toMatchObject({
        verdict: 'dry-run',
        records: '[]',
        'artifact-count': given.length,
        'registered-count': 0,
        'newly-registered-count': 0,
        'failed-count': count('failed'),
      })
      const [first = ''] = reported.summary.split('\n')
      expect(first).toContain(`DRY RUN, nothing was sent: ${count('planned')} of ${given.length}`)
      expect(first).toContain(`${count('registered')} known before`)
    })
    await fc.assert(property, { numRuns: 150, seed: 42 })
  })
})
