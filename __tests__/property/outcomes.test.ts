import { afterAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { failureCodes, makeFailure } from '../../src/failure.ts'
import { Halt, notSavedFailure } from '../../src/halt.ts'
import type { Result } from '../../src/outcome.ts'
import { toLogLine } from '../../src/text/escape.ts'
import { compareCodeUnits } from '../../src/text/words.ts'
import { endedWith, reportAll, type Reported } from '../report/results.ts'
import { cleanUp } from '../support/clean-up.ts'
import { parseCommands } from '../support/commands.ts'

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
  { state: 'planned', isOpen: false } as const,
  { state: 'planned', isOpen: true } as const,
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

/** What a summary shows: rows of its table, and rows that it says it leaves out. */
function rowsOf(summary: string): number {
  const shown = summary.split('\n').filter(line => line.startsWith('<tr><td')).length
  return shown + Number(/^(\d+) artifacts? more/m.exec(summary)?.[1] ?? 0)
}

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
    await fc.assert(
      fc.asyncProperty(
        realRun,
        fc.constantFrom('none', 'cancelled', 'not-saved'),
        async (results, stop) => {
          const halt = new Halt()
          if (stop === 'cancelled') halt.cancel()
          if (stop === 'not-saved') halt.stop(notSavedFailure)
          const reported = await reportAll(endedWith(...results), { halt })
          const good = results.filter(({ outcome }) => outcome.state === 'registered')
          const bad = results.filter(({ outcome }) => outcome.state === 'failed')
          const fresh = good.filter(
            ({ outcome }) => outcome.state === 'registered' && outcome.from === 'this-run',
          )
          const unsure = bad.filter(
            ({ outcome }) => outcome.state === 'failed' && outcome.failure.registered === 'unknown',
          )

          expect(reported.outputs).toMatchObject({
            'artifact-count': results.length,
            'registered-count': good.length,
            'newly-registered-count': fresh.length,
            'failed-count': bad.length,
            verdict:
              results.length === 0
                ? 'nothing-found'
                : bad.length === 0
                  ? 'registered'
                  : good.length === 0
                    ? 'failed'
                    : 'partial',
          })
          expect(parse(reported, 'records')).toEqual(
            good.map(({ name, size: bytes, hash: of }) =>
              expect.objectContaining({ artifact: name, size: bytes, hash: of }),
            ),
          )
          const failures = parse(reported, 'failures')
          expect(failures).toEqual(
            bad
              .slice(0, failures.length)
              .map(({ name }) => expect.objectContaining({ artifact: name })),
          )
          if (failures.length < bad.length)
            expect(String(reported.outputs['failures']).length).toBeGreaterThan(40_000)

          const isGood = bad.length === 0 && stop === 'none'
          expect(reported.exitCode).toBe(isGood ? 0 : 1)
          expect(reported.errors).toHaveLength(isGood ? 0 : 1)
          const [error = ''] = reported.errors
          if (bad.length > 0)
            expect(error).toMatch(
              new RegExp(`${bad.length} of ${results.length} artifacts? failed`),
            )
          if (stop === 'cancelled') expect(error).toContain('cancelled')
          if (stop === 'not-saved') expect(error).toMatch(/record .*(not saved|could not be saved)/)

          const { summary } = reported
          const [first = ''] = summary.split('\n')
          expect(rowsOf(summary)).toBe(results.length)
          expect(reported.log.at(-1)).toBe(first.replace('## ', ''))
          // Each artifact has its line, beside those of the reasons.
          expect(reported.log.length).toBeGreaterThan(results.length)
          expect(reported.log.length).toBeLessThanOrEqual(results.length + bad.length + 1)
          if (good.length > 0) {
            expect(first).toContain(`${good.length} of ${results.length} artifact`)
            expect(first).toContain(
              `${fresh.length} newly registered, ${good.length - fresh.length} known before`,
            )
          }
          if (bad.length > 0) expect(first).toContain(`${bad.length} failed`)
          if (unsure.length > 0)
            expect(first).toContain(
              unsure.length === bad.length
                ? `${bad.length} failed and may be registered`
                : `${unsure.length} of them may be registered`,
            )
          expect(first.includes('✅')).toBe(results.length > 0 && isGood)
          expectHarmless(reported)
        },
      ),
      { numRuns: 250, seed: 41 },
    )
  })
})

describe('any outcomes of a dry run', () => {
  it('add up, and nothing is said to be registered or sent', async () => {
    await fc.assert(
      fc.asyncProperty(dryRun, async results => {
        const reported = await reportAll(endedWith(...results), { isDryRun: true })
        const count = (state: string): number =>
          results.filter(({ outcome }) => outcome.state === state).length
        expect(reported.outputs).toMatchObject({
          ...{ verdict: 'dry-run', records: '[]', 'artifact-count': results.length },
          ...{
            'registered-count': 0,
            'newly-registered-count': 0,
            'failed-count': count('failed'),
          },
        })
        expect(reported.exitCode).toBe(count('failed') === 0 ? 0 : 1)
        const { summary } = reported
        const [first = ''] = summary.split('\n')
        expect(first).toContain('DRY RUN')
        expect(first).toContain(`${count('planned')} of ${results.length} artifact`)
        expect(first).toContain(`${count('registered')} known before`)
        expect(rowsOf(summary)).toBe(results.length)
        expectHarmless(reported)
      }),
      { numRuns: 150, seed: 42 },
    )
  })
})
