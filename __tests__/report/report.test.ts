import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { failureCodes, makeFailure, type Failure } from '../../src/failure.ts'
import { isFailed } from '../../src/outcome.ts'
import { describeState, explain, formatExplanation } from '../../src/report/explain.ts'
import { writeChecksumsFile } from '../../src/report/deliver.ts'
import { maxRecordsBytes } from '../../src/report/outputs.ts'
import { describePlan, openWarning } from '../../src/report/log.ts'
import type { Ending } from '../../src/report/report.ts'
import { anchorsOf } from '../docs/page.ts'
import { cleanUp } from '../support/clean-up.ts'
import { decodeHtml } from '../support/html.ts'
import { hashOf, openRun } from '../support/samples.ts'
import { makeTemporaryFolder } from '../support/workspace.ts'
import { cases } from './cases.ts'
import {
  before,
  endedWith,
  failedAs,
  haltOf,
  openTags,
  registeredAs,
  reportAll,
  stoppedBy,
  type ReportChanges,
} from './results.ts'

afterAll(cleanUp)

it.each(Object.entries(cases))(
  'the outcome %s is the same in exit code, outputs, log, annotations and summary',
  async (_, [[expectedCode, verdict, line], ending, changes]) => {
    const { exitCode, outputs, summary, errors, warnings, log } = await reportAll(ending, changes)
    const [first = ''] = summary.split('\n')
    expect([exitCode, first.startsWith('## ❌')]).toEqual([expectedCode, exitCode === 1])
    expect(first.replace(/^## \S+ /u, '')).toMatch(new RegExp(`^${RegExp.escape(line)}`))
    expect(openTags(summary)).toEqual([])
    expect(summary.match(/^#/gm)).toHaveLength(1)
    const links = [...summary.matchAll(/blob\/v1\/docs\/([^"]+)"/g)].map(([, page = '']) => page)
    expect(links.filter(page => !isInDocs(page))).toEqual([])
    if (exitCode === 1) expect(links).not.toEqual([])
    for (const text of [...errors, ...warnings]) {
      expect(text.length).toBeLessThan(350)
      expect(text).not.toMatch(/^\s|[\n\r]/)
    }
    if (changes?.isFull === true) return
    expect(outputs['verdict']).toBe(verdict)
    if (ending.kind === 'stopped') return
    expect(errors).toHaveLength(exitCode)
    expect(`## ${log.at(-1) ?? ''}`).toBe(first)

    const seen = decodeHtml(summary.replaceAll(/<\/?(?:b|li|code|a)\b[^>]*>/g, ''))
    const failures: unknown = JSON.parse(String(outputs['failures']))
    const failed = ending.results.filter(isFailed).map(({ outcome }) => outcome.failure)
    expect(failures).toHaveLength(failed.length)
    for (const failure of failed) {
      const explanation = explain({ ...failure, what: failure.what.replaceAll('\n', ' ') })
      const message = formatExplanation(explanation)
      expect(failures).toContainEqual(expect.objectContaining({ message }))
      expect(log.some(text => text.includes(message))).toBe(true)
      const { what, aftermath, remedy } = explanation
      for (const text of [what, aftermath, remedy]) expect(seen).toContain(text.slice(1))
    }
  },
)

/** Whether the docs have a page such as `failures.md#refused`. */
function isInDocs(page: string): boolean {
  const [file = '', anchor] = page.split('#')
  return anchor === undefined || anchorsOf(`docs/${file}`).has(anchor)
}

describe('the text of a failure', () => {
  const of = (changes: Partial<Failure>): Failure => {
    return { ...makeFailure({ code: 'refused', what: 'W', remedy: 'R' }), ...changes }
  }

  it.each(failureCodes)('has its page of the docs, and asks for a look-up in doubt: %s', code => {
    expect(explain(of({ code }))).toMatchObject({ remedy: 'R', page: `failures.md#${code}` })
    expect(isInDocs(`failures.md#${code}`)).toBe(true)
    const { remedy, page } = explain(of({ code, registered: 'unknown' }))
    const standsAlone = code === 'record-mismatch' || code === 'internal-error'
    expect(remedy).toMatch(standsAlone ? /^R$/ : /if found, .*; if not, R$/)
    expect(page === 'records.md#settle-an-open-hash').toBe(!standsAlone)
  })

  it.each([
    [{ code: 'refused', registered: 'no' }, true],
    [{ code: 'request-refused', registered: 'unknown' }, true],
    [{ code: 'unavailable', registered: 'no' }, false],
    // As the active subscription that cannot be retrieved, which says nothing of a hash.
    [{ code: 'refused', registered: 'no', endsRun: true }, false],
  ] as const)('says that the service knows a hash that it refused with 409: %j', (...row) => {
    const [failure, isKnown] = row
    const known = of({ ...failure, status: 409 })
    expect(describeState({ state: 'failed', failure: known }).includes('known')).toBe(isKnown)
    expect(/nothing was registered|may be/.test(explain(known).aftermath)).toBe(!isKnown)
  })
})

describe('the plan', () => {
  const registration = (open: typeof openRun | null) => {
    return { hash: hashOf(1), name: 'a', size: 1, open }
  }
  const plan = { checksums: [], problems: [], warnings: [], results: [registeredAs('a')] }

  it('counts what is left to register, and what of that is open', () => {
    const some = { ...plan, toRegister: [registration(null), registration(openRun)] }
    expect(describePlan(some)).toMatch(/^1 artifact found, 2 distinct hashes are.*; 1 hash is open/)
    expect(openWarning(some)).toEqual([expect.stringMatching(/^1 hash is open/)])
    expect(openWarning({ ...plan, toRegister: [registration(null)] })).toEqual([])
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

  it('gives its own text to a failure beyond the ten reasons', async () => {
    const results = Array.from({ length: 12 }, (_, index) =>
      failedAs(`file-${index}`, { remedy: `do ${index}` }),
    )
    const { log, summary } = await reportAll(endedWith(...results))
    expect(log.filter(line => line.includes('do 11'))).toHaveLength(1)
    expect(summary.match(/<b>Next:<\/b>/g)).toHaveLength(10)
    expect(summary.match(/see \d+ above/g)).toHaveLength(10)
    expect(summary).toContain('do 11')
  })
})

describe('the error of a failed run', () => {
  it('is about what may be registered first, with its remedy whole, in about 300 characters', async () => {
    const unsure = failedAs(`${'z'.repeat(300)}\n::error::`, {
      registered: 'unknown',
      what: `two\nlines; ${'x '.repeat(2000)}`,
    })
    const { errors } = await reportAll(endedWith(failedAs('a'), unsure))
    expect(errors[0]).toMatch(
      /^2 of 2 artifacts failed, 1 of them may be.*"z+….*two lines….*try later$/,
    )
    expect(errors[0]?.length).toBeLessThan(350)
  })

  it('names everything that went wrong beside the artifacts', async () => {
    const changes = { halt: haltOf('cancelled', 'unsaved'), isFull: true }
    const { errors, summary } = await reportAll(endedWith(registeredAs('a')), changes)
    expect(errors).toEqual([expect.stringMatching(/cancelled.*not saved.*outputs/)])
    expect(summary.match(/<b>Next:<\/b>/g)).toHaveLength(3)
  })

  it('says once what is also the failure of an artifact', async () => {
    const [, ending, changes] = cases['cancelled'] ?? [[], endedWith()]
    const { errors, summary } = await reportAll(ending, changes)
    expect(errors).toEqual([expect.not.stringContaining('Also')])
    expect(summary.match(/<b>Next:<\/b>/g)).toHaveLength(2)
  })

  it('is one for each input of a stop, ten at most', async () => {
    const problems = ['one', 'two'].map(message => ({ input: 'path', message }))
    const few = await reportAll({ kind: 'stopped', problems, checksumsPath: '' })
    expect(few.errors).toEqual(['one; two'])
    const many = await reportAll(stoppedBy(...Array.from({ length: 12 }, () => 'wrong')))
    expect(many.errors).toHaveLength(10)
    expect(many.errors[9]).toContain('3 more inputs')
  })
})

describe('the outputs records and failures', () => {
  it('have an entry for each artifact, with its fields in their order, and leave out what says nothing', async () => {
    const redacted = { redacted: ['/payload'], maybeChargedAgain: true }
    const results = [
      failedAs('a'),
      { ...registeredAs('b', { extra: [1] }, before), size: null, hash: hashOf(1) },
      {
        ...registeredAs('c', { payload: '***', note: 'has top-secret' }, redacted),
        hash: hashOf(1),
      },
      { ...failedAs('d', { code: 'unreadable', remedy: 'allow it' }), size: null, hash: null },
    ]
    const { outputs } = await reportAll(endedWith(...results), {
      inputs: { verificationUrl: 'https://x.example/{hash}' },
      secrets: ['top-secret'],
    })
    const url = `"verificationUrl":"https://x.example/${hashOf(1)}"`
    expect(outputs['records']).toBe(
      `[{"artifact":"b","size":null,"hash":"${hashOf(1)}","from":"records-file","record":{"extra":[1]},${url}},` +
        `{"artifact":"c","size":7,"hash":"${hashOf(1)}","from":"this-run","record":{"payload":"***","note":"has ***"},` +
        `"redacted":["/payload","/note"],${url},"maybeChargedAgain":true}]`,
    )
    const message = 'the service is away; nothing was registered or charged'
    expect(outputs['failures']).toBe(
      `[{"artifact":"a","size":7,"hash":"${hashOf(2)}","code":"unavailable","registered":"no","message":"${message}; try later"},` +
        `{"artifact":"d","size":null,"hash":null,"code":"unreadable","registered":"no","message":"${message}; allow it"}]`,
    )
    expect(outputs).toMatchObject({
      'artifact-count': 4,
      'registered-count': 2,
      'newly-registered-count': 1,
      'failed-count': 2,
    })
  })

  it('are whole up to 120,000 bytes of UTF-8, and cut to whole entries of 50,000 characters', async () => {
    const outputsOf = async (padding: string) => {
      const results = [registeredAs('a', { text: padding }), failedAs('b'), failedAs(padding)]
      const { outputs, warnings } = await reportAll(endedWith(...results))
      const [records, failures] = [String(outputs['records']), String(outputs['failures'])]
      return { records, failures, warnings }
    }
    const empty = await outputsOf('')
    const bytes = maxRecordsBytes - Buffer.byteLength(empty.records)
    const wide = '漢'.repeat(Math.floor(bytes / 3)) + 'x'.repeat(bytes % 3)
    expect(Buffer.byteLength((await outputsOf(wide)).records)).toBe(maxRecordsBytes)
    const long = await outputsOf(`${wide}x`)
    expect(long.records).toBe('')
    expect(long.warnings).toEqual([expect.stringContaining('"records-path"')])
    const name = 'x'.repeat(50_000 - empty.failures.length)
    expect((await outputsOf(name)).failures).toHaveLength(50_000)
    expect(JSON.parse((await outputsOf(`${name}x`)).failures)).toHaveLength(1)
  })

  it('are empty in a dry run but for what could not be hashed', async () => {
    const ending = endedWith(registeredAs('a', {}, before), failedAs('b', { code: 'unreadable' }))
    const { outputs } = await reportAll(ending, { inputs: { dryRun: true } })
    expect(outputs).toMatchObject({ records: '[]', 'registered-count': 0, 'failed-count': 1 })
    expect(JSON.parse(String(outputs['failures']))).toHaveLength(1)
  })
})

describe('the files of a run', () => {
  it('are a checksums file of what was hashed, and none when nothing was', async () => {
    const checksums = [{ name: 'a', hash: hashOf(1) }]
    const path = await writeChecksumsFile(checksums, makeTemporaryFolder())
    expect(readFileSync(path, 'utf8')).toBe(`${hashOf(1)}  a\n`)
    expect(await writeChecksumsFile([], '/none')).toBe('')
    await expect(writeChecksumsFile(checksums, '/none')).rejects.toMatchObject({ name: 'Stop' })
  })

  const good = endedWith(registeredAs('dist/a'))

  it('are an evidence page with the checksums of the run, or of the release', async () => {
    const { outputs } = await reportAll(good)
    const path = String(outputs['evidence-path'])
    expect(basename(path)).toBe('notarization-evidence.md')
    expect(readFileSync(path, 'utf8')).toMatch(/^[0-9a-f]{64} {2}a$/m)
    const checksums = [{ name: 'asset.zip', hash: hashOf(1) }]
    const released = await reportAll({ ...good, evidenceChecksums: () => checksums })
    const page = readFileSync(String(released.outputs['evidence-path']), 'utf8')
    expect(page).toContain(`${hashOf(1)}  asset.zip\n`)
  })

  it.each<[string, Ending, ReportChanges, number]>([
    ['nothing is registered', endedWith(failedAs('a')), {}, 0],
    ['it is a dry run', good, { inputs: { dryRun: true } }, 0],
    ['the records file cannot be read', good, { recordsPath: '/none/records.jsonl' }, 1],
    ['it cannot be written', good, { tempFolder: '/none' }, 1],
  ])('have no evidence page when %s', async (_, ending, changes, count) => {
    const reported = await reportAll(ending, changes)
    expect(reported.outputs['evidence-path']).toBe('')
    expect(reported.warnings).toHaveLength(count)
  })
})

it('secrets are in nothing that is reported, also where a text is cut', async () => {
  const secret = 'top-"secret"-value'
  const [what, remedy] = [`${'x'.repeat(990)}${secret}`, secret]
  const ended = endedWith(
    registeredAs(`${secret}.zip`, { note: secret, blockchainType: secret, creationDate: secret }),
    failedAs(`${secret}.msi`, { what, remedy }),
  )
  const attachment = { tag: secret, failure: secret, warnings: [secret] }
  const ending = {
    ...ended,
    attachment: { ...attachment, hasPrintedLines: true },
    warnings: [secret],
  }
  const { warnings, errors, log, ...rest } = await reportAll(ending, { secrets: [secret] })
  // What goes to the log is redacted there: here it must not be cut within a secret.
  const clean = [...warnings, ...errors, ...log].map(text => text.replaceAll(secret, '***'))
  const reports: object[] = [clean, rest]
  reports.push(await reportAll(stoppedBy(secret), { secrets: [secret] }))
  expect(JSON.stringify(reports)).not.toMatch(/top-|-value/)
  expect(rest.outputs['records']).toContain('"note":"***"')
})
