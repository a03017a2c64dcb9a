import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from '@jest/globals'
import { failureCodes, makeFailure, type Failure } from '../../src/failure.ts'
import { isFailed } from '../../src/outcome.ts'
import { notSavedFailure } from '../../src/runtime/halt.ts'
import { explain, formatExplanation } from '../../src/report/explain.ts'
import { maxRecordsBytes } from '../../src/report/outputs.ts'
import { standingOfFailure } from '../../src/report/standing.ts'
import { cleanUp } from '../support/clean-up.ts'
import { decodeHtml } from '../support/html.ts'
import { hashOf } from '../support/samples.ts'
import { cases } from './cases.ts'
import { endedWith, failedAs, haltOf, registeredAs, reportAll, stoppedBy } from './results.ts'

afterAll(cleanUp)

/** The output `verdict` that a first line stands for. */
function verdictOf(line: string): string | undefined {
  if (line.includes('before anything was sent')) return 'stopped'
  const [, words = ''] = /^\S+ ([A-Z ]+)/.exec(line) ?? []
  return {
    NOTARIZED: 'registered',
    'PARTLY NOTARIZED': 'partial',
    'NOT NOTARIZED': 'failed',
    'NOT CONFIRMED': 'failed',
    'RECORDS MISSING': 'failed',
    'NOTHING NOTARIZED': 'nothing-found',
    'DRY RUN': 'dry-run',
    DEFERRED: 'deferred',
  }[words]
}

it.each(Object.entries(cases))('all reports agree: %s', async (_, [line, ending, changes]) => {
  const verdict = verdictOf(line)
  const { exitCode, outputs, summary, errors, warnings, log } = await reportAll(ending, changes)
  const [first = ''] = summary.split('\n')
  expect(exitCode).toBe(line.startsWith('❌') ? 1 : 0)
  expect(first).toMatch(new RegExp(`^## ${RegExp.escape(line).replaceAll('…', '.*')}$`))
  expect(summary.match(/^#/gm)).toHaveLength(1)
  if (exitCode === 1) expect(summary).toMatch(/<a href="[^"]*\/docs\/\w+\.md/)
  for (const text of [...errors, ...warnings]) {
    expect(text.length).toBeLessThan(325)
    expect(text).not.toMatch(/^\s|[\n\r]/)
  }
  if (changes?.isFull === true) return
  expect(outputs['verdict']).toBe(verdict)
  if (ending.kind === 'stopped') return
  if (verdict === 'dry-run') {
    const none = { records: '[]', 'registered-count': 0, 'newly-registered-count': 0 }
    expect(outputs).toMatchObject(none)
  }
  expect(errors).toHaveLength(exitCode)
  expect(`## ${log.at(-1) ?? ''}`).toBe(first)

  const seen = decodeHtml(summary.replaceAll(/<\/?(?:b|li|code|a)\b[^>]*>/g, ''))
  const failures: unknown = JSON.parse(String(outputs['failures']))
  const failed = ending.results.filter(isFailed).map(({ outcome }) => outcome.failure)
  expect(failures).toHaveLength(failed.length)
  for (const failure of failed) {
    const explanation = explain(failure)
    const message = formatExplanation(explanation)
    expect(failures).toContainEqual(expect.objectContaining({ message }))
    expect(log.some(text => text.includes(message))).toBe(true)
    const { what, aftermath, remedy } = explanation
    for (const text of [what, aftermath, remedy]) expect(seen).toContain(text.slice(1))
  }
})

it.each([
  ['deferred', /immutable release/],
  ['charged-again', /1 artifact is .*charged more than once/],
])('the outcome %s has a warning', async (name, message) => {
  const [, ending = endedWith(), changes] = cases[name] ?? []
  const { warnings } = await reportAll(ending, changes)
  expect(warnings).toEqual([expect.stringMatching(message)])
})

describe('the text of a failure', () => {
  const of = (changes: Partial<Failure>): Failure => {
    return { ...makeFailure({ code: 'refused', what: 'W', remedy: 'R' }), ...changes }
  }

  it.each(failureCodes)('asks for a lookup where it helps: %s', code => {
    const page = `failures.md#${code}`
    expect(explain(of({ code }))).toMatchObject({ remedy: 'R', page })
    const unknown = explain(of({ code, registered: 'unknown' }))
    const standsAlone = code === 'record-mismatch'
    expect(unknown.page).toBe('records.md#settle-an-open-hash')
    expect(unknown.remedy).toMatch(standsAlone ? /^R$/ : /if found, .*; if not, R$/)
  })

  it.each([
    [{ code: 'request-refused', registered: 'unknown' }, true],
    [{ code: 'unavailable' }, false],
    // The active subscription cannot be retrieved, which says nothing about a hash.
    [{ endsRun: true }, false],
  ] as const)('says whether the service knows a hash that it refused with 409: %j', (...row) => {
    const [changes, isKnown] = row
    const failure = of({ ...changes, status: 409 })
    expect(['known', 'probable'].includes(standingOfFailure(failure))).toBe(isKnown)
    expect(explain(failure).aftermath.includes('nothing was registered')).toBe(!isKnown)
  })
})

describe('the log', () => {
  it('ends with at most a hundred lines and the verdict, failures first, and counts the rest', async () => {
    const many = Array.from({ length: 150 }, (_, index) => registeredAs(`file-${index}`))
    const { log } = await reportAll(endedWith(...many, failedAs('z')))
    expect(log).toHaveLength(102)
    expect(log[1]).toMatch(/not registered: "z".*: unavailable: see 1 above$/)
    expect(log[100]).toBe('and 52 more artifacts, see the job summary')
  })

  it('has the text of a failure beyond the first ten reasons', async () => {
    const results = Array.from({ length: 12 }, (_, index) =>
      failedAs(`file-${index}`, { remedy: `do ${index}` }),
    )
    const { log, summary } = await reportAll(endedWith(...results))
    expect(log.filter(line => line.includes('do 11'))).toHaveLength(1)
    expect(summary.match(/see \d+ above/g)).toHaveLength(10)
    expect(summary).toContain('do 11')
  })
})

describe('the error of a failed run', () => {
  it('starts with what may be registered, keeps the remedy, and truncates the rest', async () => {
    const what = `two\nlines ${'x '.repeat(2000)}`
    const unsure = failedAs(`${'z'.repeat(300)}\n::error::`, { registered: 'unknown', what })
    const { errors } = await reportAll(endedWith(failedAs('a'), unsure))
    expect(errors).toEqual([
      expect.stringMatching(/^2 of 2 artifacts failed \(1 may.*"z+….*two lines x.*….*try later$/),
    ])
    expect(errors[0]?.length).toBeLessThan(420)
  })

  it('says first what keeps another run from paying again', async () => {
    const attachment = { tag: 'v1', failure: 'HTTP 403; x', warnings: [], hasPrintedLines: true }
    const results = endedWith(failedAs('a'), registeredAs('b'))
    const { errors } = await reportAll({ ...results, attachment }, { halt: haltOf('cancelled') })
    expect(errors).toEqual([expect.stringMatching(/^1 of 2 .*upload their lines.*not attached/)])
    const complete = { ...endedWith(registeredAs('b')), attachment }
    const { errors: others } = await reportAll(complete, { halt: haltOf('cancelled') })
    expect(others).toEqual([expect.stringMatching(/not attached to v1 \(HTTP 403\).*cancelled/)])
  })

  it('names everything else that went wrong, but only once', async () => {
    const changes = { halt: haltOf('cancelled', 'unsaved'), isFull: true }
    const { errors, summary } = await reportAll(endedWith(registeredAs('a')), changes)
    expect(errors).toEqual([
      expect.stringMatching(/^1 of 1 .*a record is only in the log.*copy.*cancelled.*outputs/),
    ])
    expect(summary.match(/<b>Next:<\/b>/g)).toHaveLength(3)

    const [, ending = endedWith(), asCancelled] = cases['cancelled'] ?? []
    const once = await reportAll(ending, asCancelled)
    expect(once.errors).toEqual([expect.not.stringContaining('Also')])
    expect(once.summary.match(/<b>Next:<\/b>/g)).toHaveLength(2)
  })

  it('says that a line could not be saved, even if the run could be deferred', async () => {
    const halt = haltOf()
    halt.stop(notSavedFailure)
    const failure = { code: 'unavailable', isDeferrable: true } as const
    const changes = { halt, inputs: { ifServiceUnavailable: 'warn' } } as const
    const { exitCode, errors } = await reportAll(endedWith(failedAs('a', failure)), changes)
    expect(exitCode).toBe(1)
    expect(errors).toEqual([expect.stringContaining('records file could not be written')])
  })

  it('is one per input if the run stops, and at most ten', async () => {
    const problems = ['one', 'two'].map(message => ({ input: 'path', message }))
    const few = await reportAll({ kind: 'stopped', problems, checksumsPath: '' })
    expect(few.errors).toEqual(['one; two'])
    const many = await reportAll(stoppedBy(...Array.from({ length: 12 }, () => 'wrong')))
    expect(many.errors).toHaveLength(10)
    expect(many.errors[9]).toContain('3 more inputs')
  })
})

describe('the outputs records and failures', () => {
  it('have an entry for each artifact, without secrets or empty fields', async () => {
    const hash = hashOf(1)
    const again = { redacted: ['/payload'], maybeChargedAgain: true }
    const results = [
      { ...registeredAs('b', { extra: [1] }, { from: 'records-file' }), size: null, hash },
      { ...registeredAs('c', { payload: '***', note: 'has top-secret' }, again), hash },
      { ...failedAs('d', { code: 'unreadable' }), size: null, hash: null },
    ]
    const { outputs } = await reportAll(endedWith(...results), {
      inputs: { verificationUrl: 'https://x.example/{hash}' },
      secrets: ['top-secret'],
    })
    const verificationUrl = `https://x.example/${hash}`
    const b = { artifact: 'b', size: null, hash, from: 'records-file', record: { extra: [1] } }
    const c = { artifact: 'c', size: 7, hash, from: 'this-run', maybeChargedAgain: true }
    const record = { payload: '***', note: 'has ***' }
    expect(JSON.parse(String(outputs['records']))).toEqual([
      { ...b, verificationUrl },
      { ...c, verificationUrl, record, redacted: ['/payload', '/note'] },
    ])
    const message = 'the service is down; nothing was registered or charged for it; try later'
    const d = { artifact: 'd', size: null, hash: null, code: 'unreadable' }
    expect(JSON.parse(String(outputs['failures']))).toEqual([{ ...d, registered: 'no', message }])
    const counts = { 'registered-count': 2, 'newly-registered-count': 1, 'failed-count': 1 }
    expect(outputs).toMatchObject({ 'artifact-count': 3, ...counts })
  })

  it('have at most 120,000 bytes of UTF-8 or no entry, and as many entries as fit in 50,000 characters', async () => {
    const outputsOf = async (padding: string) => {
      const results = [registeredAs('a', { text: padding }), failedAs('b'), failedAs(padding)]
      const { outputs, warnings } = await reportAll(endedWith(...results))
      const [records, failures] = [String(outputs['records']), String(outputs['failures'])]
      return { records, failures, warnings }
    }
    const empty = await outputsOf('')
    const bytes = maxRecordsBytes - Buffer.byteLength(empty.records)
    const wide = '漢'.repeat(Math.floor(bytes / 3)) + 'x'.repeat(bytes % 3)
    expect(Buffer.byteLength((await outputsOf(wide)).records)).toBe(120_000)
    const long = await outputsOf(`${wide}x`)
    expect(long.records).toBe('')
    expect(long.warnings).toEqual([expect.stringContaining('"records-path"')])
    const name = 'x'.repeat(50_000 - empty.failures.length)
    expect((await outputsOf(name)).failures).toHaveLength(50_000)
    expect(JSON.parse((await outputsOf(`${name}x`)).failures)).toHaveLength(1)
  })
})

it('the evidence page has the checksums of the run, or of the release', async () => {
  const good = endedWith(registeredAs('dist/a'))
  const pageOf = async (ending: typeof good): Promise<string> => {
    const { outputs } = await reportAll(ending)
    return readFileSync(String(outputs['evidence-path']), 'utf8')
  }
  expect(await pageOf(good)).toMatch(/^[0-9a-f]{64} {2}a$/m)
  const checksums = [{ name: 'asset.zip', hash: hashOf(1) }]
  const released = await pageOf({ ...good, evidenceChecksums: () => checksums })
  expect(released).toContain(`${hashOf(1)}  asset.zip\n`)

  for (const changes of [{ recordsPath: '/none/records.jsonl' }, { tempFolder: '/none' }]) {
    const { outputs, warnings } = await reportAll(good, changes)
    expect([outputs['evidence-path'], warnings.length]).toEqual(['', 1])
  }
})

it('no report shows a secret, even where a text is truncated', async () => {
  const secret = 'top-"secret"-value'
  const what = `${'x'.repeat(990)}${secret}`
  const record = { note: secret, blockchainType: secret, creationDate: secret }
  const results = [
    registeredAs(`${secret}.zip`, record),
    failedAs(`${secret}.msi`, { what, remedy: secret }),
  ]
  const warned = [secret]
  const attachment = { tag: secret, failure: secret, warnings: warned, hasPrintedLines: true }
  const ending = { ...endedWith(...results), attachment, warnings: warned }
  const changes = { secrets: [secret], inputs: { recordsPath: `${secret}.jsonl` } }
  for (const end of [ending, stoppedBy(secret)]) {
    const { warnings, errors, log, ...rest } = await reportAll(end, changes)
    // The runner redacts the log later, so no text may be truncated within a secret.
    const clean = [...warnings, ...errors, ...log].map(text => text.replaceAll(secret, '***'))
    expect(JSON.stringify([clean, rest])).not.toMatch(/top-|-value/)
  }
})
