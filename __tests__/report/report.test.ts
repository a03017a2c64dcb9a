import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { Stop } from '../../src/failure.ts'
import { isFailed } from '../../src/outcome.ts'
import { writeChecksumsFile } from '../../src/report/deliver.ts'
import type { RunEnd } from '../../src/report/report.ts'
import { cleanUp } from '../support/clean-up.ts'
import { decodeHtml } from '../support/html.ts'
import { hashOf, sha256 } from '../support/samples.ts'
import { makeTemporaryFolder } from '../support/workspace.ts'
import { cases, failing, runFailures } from './cases.ts'
import { endedWith, failedAs, haltOf, registeredAs, reportAll, stoppedBy } from './results.ts'
import type { ReportChanges } from './results.ts'

afterAll(cleanUp)

const failuresSchema = z.array(z.object({ message: z.string() }))

/** The steps of a summary, in the words of log and outputs. */
function stepsOf(summary: string) {
  const text = decodeHtml(summary.replaceAll(/<(?!wbr)[^>]*>/g, ''))
  const step = /What happened: (.*?)Registered or charged\? (.*?)Next: (.*?) More: /g
  return [...text.matchAll(step)].map(([, what = '', cost = '', next = '']) => {
    return { cause: what.split(/(?<=\.) /)[0] ?? '', what, cost, next }
  })
}

/** How a summary says to run again, after all steps; empty if it does not. */
function rerunOf(summary: string): string {
  const [, text = ''] = /<p><b>(Then (?:re-run|start).*?)<\/b><\/p>/.exec(summary) ?? []
  return decodeHtml(text)
}

/** Checks that exit code, first line, annotations and log agree, and that each failure has one next step, the same everywhere. */
async function check(end: RunEnd, changes: ReportChanges = {}): Promise<void> {
  const { exitCode, summary, errors, warnings, log, outputs } = await reportAll(end, changes)
  expect(summary.startsWith('## ❌ ')).toBe(exitCode === 1)
  expect(errors.length > 0).toBe(exitCode === 1)
  for (const text of [...errors, ...warnings]) expect(text.length).toBeLessThan(310)
  if (end.kind === 'stopped') return

  const steps = stepsOf(summary)
  const rerun = rerunOf(summary)
  expect([errors.length, steps.length > 0]).toEqual([exitCode, exitCode === 1])
  expect(new Set(steps.map(({ cause, cost }) => cause + cost)).size).toBe(steps.length)
  for (const [index, { what, cost, next }] of steps.entries()) {
    const sentences = what.split(/(?<=\.) /)
    expect(new Set(sentences).size).toBe(sentences.length)
    expect(log[index]).toContain(`${what} ${cost} ${next}`)
    expect(next).not.toMatch(/re-run the failed|start a new run/)
  }
  expect(errors.join().toLowerCase()).toContain(steps[0]?.next.toLowerCase() ?? '')
  if (steps.length === 1) expect(errors[0]?.endsWith(rerun)).toBe(true)
  expect(log.includes(rerun)).toBe(rerun !== '')
  expect(summary.match(/Then (?:re-run|start)/g)?.length ?? 0).toBe(rerun === '' ? 0 : 1)
  expect(summary.split('\n')[0]).toBe(`## ${log.at(-1) ?? ''}`)

  if (changes.isFull === true) return
  const failures = failuresSchema.parse(JSON.parse(String(outputs['failures'])))
  expect(failures).toHaveLength(end.artifacts.filter(isFailed).length)
  for (const { message } of failures) {
    const isTold = steps.some(({ cause, cost, next }) => {
      return message.startsWith(cause) && message.endsWith(`${cost} ${next} ${rerun}`.trim())
    })
    expect([message, isTold]).toEqual([message, true])
  }
}

it.each([...cases])('all reports of a run agree: %s', async (_, [end, changes]) => {
  await check(end, changes)
})

const paid = ['completion-402', 'completion-404', 'unavailable', 'unavailable-open', 'unreadable']
const rare = ['completion-409', 'record-mismatch', 'not-saved', 'login-401-open', 'internal-error']
const kinds = [...paid, ...rare]

it.each(kinds)('all reports agree if something else fails too: %s', async kind => {
  for (const other of kinds.slice(kinds.indexOf(kind))) await check(failing(kind, other))
  for (const [end, changes] of Object.values(runFailures)) {
    await check({ ...end, artifacts: failing(kind).artifacts }, changes)
  }
})

it.each([
  ['registered', /^✅ NOTARIZED: 6 of 6 artifacts registered \(6 new, 0 registered before\)$/],
  ['registered-before', /^✅ NOTARIZED: 2 of 2 .* \(1 new, 1 registered before\)$/],
  ['charged-again', /^⚠️ NOTARIZED: .*; 1 registered, maybe charged more than once$/],
  ['attach-failed', /^❌ NOTARIZED, but the records are not attached to v1.2.3: 6 of 6 .*\)$/],
  ['release-changed', /^❌ NOTARIZED, but replaced assets of v1.2.3 have no record: 6 of 6/],
  ['many-failures', /^❌ PARTLY .*; 1 may be .*; 1 record in doubt; 1 not registered; the run was/],
  ['not-saved', /^❌ NOT NOTARIZED: 0 of 6 artifacts registered; 6 not registered$/],
  ['not-saved-open', /^❌ NOT CONFIRMED: 0 of 6 artifacts registered; 6 may be registered$/],
  [
    'only-409',
    /^❌ NOT CONFIRMED: 0 of 1 artifact registered; 1 not registered; the service already has 1$/,
  ],
  ['nothing-found', /^⚠️ NOTHING NOTARIZED: 0 artifacts found$/],
  [
    'dry-run',
    /^🔎 DRY RUN, nothing was sent: 4 artifacts found; 1 record .*; 1 registered before$/,
  ],
  ['stopped-by-inputs', /^❌ NOT NOTARIZED: stopped before anything was sent$/],
  ['stopped-dry-run', /^❌ DRY RUN, NOT NOTARIZED: stopped before/],
  ['stopped-by-signal', /^❌ NOT NOTARIZED: canceled before/],
])('the first line has the verdict and what differs from it: %s', async (name, line) => {
  const [end = endedWith(), changes] = cases.get(name) ?? []
  const { summary } = await reportAll(end, changes)
  expect(summary.split('\n')[0]?.slice(3)).toMatch(line)
})

it.each([
  [
    'attach-failed',
    /^6 of 6 artifacts are .*, but the records .* v1.2.3: GitHub sent no valid ans/,
  ],
  ['unreadable', /^1 of 6 artifacts failed: the file .* 5 artifacts are registered\. Make/],
  ['login-401', /^6 of 6 artifacts failed: .* \(HTTP 401\)\. Nothing was registered or charged in/],
  [
    'many-failures',
    /^3 of 6 .* The run was .*; a record is .*; 2 may be .*\. Step 1 of 5: look up/,
  ],
  ['stopped-by-bug', /^This action has a bug .*: x is not iterable\. .* re-run the failed jobs\.$/],
])('the annotation says what happened and what that cost: %s', async (name, text) => {
  const [end = endedWith(), changes] = cases.get(name) ?? []
  expect((await reportAll(end, changes)).errors).toEqual([expect.stringMatching(text)])
})

it('what keeps a re-run from paying again is the first step', async () => {
  const end = failing('record-mismatch', 'unavailable-open', 'completion-402')
  const { summary } = await reportAll(end, { halt: haltOf('cancelled', 'unsaved') })
  const urgent = [/unavailable/, /only in the log/]
  const others = [/contradicts/, /subscription/, /canceled/]
  const causes = [...urgent, ...others].map(text => expect.stringMatching(text))
  expect(stepsOf(summary).map(({ cause }) => cause)).toEqual(causes)
})

it.each<[string, tag: string | null, next: RegExp, rerun: RegExp]>([
  ['unavailable', null, /if found, that is the proof; if not, wait/, /jobs, but only if/],
  ['unavailable', 'v1', /if found, upload its record to the release; if not, wait/, /jobs\.$/],
  [
    'unreadable',
    null,
    /^Make the file readable/,
    /^Then start .* with this run's records file, or you pay again\.$/,
  ],
  ['completion-409', null, /^Look up the hash, which is the proof, then restore/, /^$/],
  ['record-mismatch', null, /^Ask the service/, /^$/],
])('%s has one next step with the release %s, and a way to run again', async (...row) => {
  const [name, releaseTag, next, rerun] = row
  const { summary } = await reportAll(failing(name), { inputs: { releaseTag } })
  expect(stepsOf(summary)[0]?.next).toMatch(next)
  expect(rerunOf(summary)).toMatch(rerun)
})

it('a run that may pay again says so beside its other condition', async () => {
  const { summary } = await reportAll(failing('unavailable'), { inputs: { keepRecords: false } })
  expect(rerunOf(summary)).toMatch(
    /failed jobs with this run's records .*, or you pay again, but only/,
  )
})

it('failures with one cause and one remedy are one step with the first three of what was seen', async () => {
  const seen = ['a one', 'a two', 'a three', 'a four', 'a one']
  const artifacts = seen.map((detail, index) => failedAs(`file-${index}`, { detail }))
  const { summary, log } = await reportAll(endedWith(...artifacts))
  expect(stepsOf(summary).map(({ what }) => what)).toEqual([
    'The service is down. A one. A two. A three.',
  ])
  expect(summary).toContain('<code>file-2</code>, and 2 more<br>')
  expect(log.filter(line => line.endsWith('; see 1 above'))).toHaveLength(5)
})

it('a run that stops has one error per input, at most ten, and all messages in its summary', async () => {
  const problems = ['one', 'two'].map(message => ({ input: 'path', message }))
  const few = await reportAll({ kind: 'stopped', problems, checksumsPath: '' })
  expect(few.errors).toEqual(['One; two. Nothing was registered or charged.'])
  const messages = Array.from({ length: 11 }, (_, index) => `wrong ${index}`)
  const { errors, summary } = await reportAll(stoppedBy(...messages))
  expect([errors.length, errors[9]]).toEqual([
    10,
    expect.stringMatching(/^Also wrong: "input-9", "input-10"\./),
  ])
  expect(summary.match(/<li>Wrong \d+\.<\/li>/g)).toHaveLength(11)
})

it('the log has every artifact, failures first, but at most 20 steps', async () => {
  const good = registeredAs('good')
  const causes = Array.from({ length: 21 }, (_, index) =>
    failedAs(`f-${index}`, { cause: `${index}` }),
  )
  const { summary, log } = await reportAll(endedWith(good, ...causes))
  expect(stepsOf(summary)).toHaveLength(20)
  // The steps, how to run again, the artifacts, and the verdict.
  expect(log).toHaveLength(20 + 1 + 22 + 1)
  expect(log[21]).toMatch(/not registered: "f-0" \(7 B, [0-9a-f]{64}\); unavailable; see 1 above$/)
  expect(log.at(-3)).toMatch(/"f-20" .* see the output "failures"$/)
})

describe('the outputs records and failures', () => {
  it('have an entry for each artifact, without secrets or empty fields', async () => {
    const artifacts = [
      { ...registeredAs('b', { extra: [1] }, { from: 'records-file' }), size: null },
      registeredAs('c', { payload: 'has top-secret' }, { maybeChargedAgain: true }),
      { ...failedAs('d', { code: 'unreadable' }), size: null, hash: null },
    ]
    const end = endedWith(...artifacts)
    const inputs = { verificationUrl: 'https://x.example/{hash}' }
    const { outputs } = await reportAll(end, { inputs, secrets: ['top-secret'] })
    const [b, c] = ['b', 'c'].map(name => {
      const hash = sha256(name)
      return { artifact: name, hash, verificationUrl: `https://x.example/${hash}` }
    })
    expect(JSON.parse(String(outputs['records']))).toEqual([
      { ...b, size: null, from: 'records-file', record: { extra: [1] } },
      { ...c, size: 7, from: 'this-run', record: { payload: 'has ***' }, maybeChargedAgain: true },
    ])
    const d = { artifact: 'd', size: null, hash: null, code: 'unreadable', registered: 'no' }
    const message = expect.stringMatching(/^The service is down\. .* failed jobs\.$/)
    expect(JSON.parse(String(outputs['failures']))).toEqual([{ ...d, message }])
    const counts = { 'registered-count': 2, 'newly-registered-count': 1, 'failed-count': 1 }
    expect(outputs).toMatchObject({ verdict: 'partial', 'artifact-count': 3, ...counts })
    const dry = await reportAll(end, { inputs: { dryRun: true } })
    const none = { records: '[]', 'registered-count': 0, 'newly-registered-count': 0 }
    expect(dry.outputs).toMatchObject({ ...none, 'failed-count': 1, 'evidence-path': '' })
  })

  it('have at most 120,000 bytes of UTF-8 or no entry, and as many entries as fit in 50,000 characters', async () => {
    const outputsOf = async (padding: string) => {
      const artifacts = [registeredAs('a', { text: padding }), failedAs('b'), failedAs(padding)]
      const { outputs, warnings } = await reportAll(endedWith(...artifacts))
      return { records: outputs['records'], failures: String(outputs['failures']), warnings }
    }
    const empty = await outputsOf('')
    const bytes = 120_000 - Buffer.byteLength(String(empty.records))
    const wide = '漢'.repeat(Math.floor(bytes / 3)) + 'x'.repeat(bytes % 3)
    expect(Buffer.byteLength(String((await outputsOf(wide)).records))).toBe(120_000)
    const warnings = [expect.stringContaining('"records-path"')]
    expect(await outputsOf(`${wide}x`)).toMatchObject({ records: '', warnings })
    const name = 'x'.repeat(50_000 - empty.failures.length)
    expect((await outputsOf(name)).failures).toHaveLength(50_000)
    expect(JSON.parse((await outputsOf(`${name}x`)).failures)).toHaveLength(1)
  })
})

it('the checksums file is in a new folder, and a run that cannot write it stops', async () => {
  const artifact = { name: 'a', hash: hashOf(1) }
  const file = await writeChecksumsFile([artifact], makeTemporaryFolder())
  expect(readFileSync(file, 'utf8')).toBe(`${hashOf(1)}  a\n`)
  expect(await writeChecksumsFile([], '/none')).toBe('')
  await expect(writeChecksumsFile([artifact], '/none')).rejects.toThrow(Stop)
})

it('the evidence page has the checksums of the run, and the post step learns what is done', async () => {
  const good = endedWith(registeredAs('dist/a'))
  const { outputs, state } = await reportAll(good)
  const file = String(outputs['evidence-path'])
  expect(readFileSync(file, 'utf8')).toMatch(/^[0-9a-f]{64} {2}a$/m)
  expect(state).toEqual({ 'evidence-path': file })
  const attachment = { tag: 'v1', failure: null, warnings: [], hasAllLines: true }
  const attached = await reportAll({ ...good, attachment })
  expect(attached.state['attached']).toMatch(/^[0-9a-f]{64}$/)
  const lacking = await reportAll(good, { recordsPath: '/none/records.jsonl' })
  expect([lacking.outputs['evidence-path'], lacking.warnings.length]).toEqual(['', 1])
})

it('no report shows a secret, even where a text is truncated', async () => {
  const secret = 'top-"secret"-value'
  const parts = { detail: secret, remedy: secret }
  const record = { note: secret, blockchainType: secret, creationDate: secret }
  const artifacts = [
    registeredAs(`${secret}.zip`, record),
    failedAs(`${secret}.msi`, { ...parts, cause: `${'x'.repeat(990)}${secret}` }),
  ]
  const failure = { ...parts, cause: secret, rerun: null }
  const attachment = { tag: secret, failure, warnings: [secret], hasAllLines: false }
  const changes = { secrets: [secret], warned: [secret], inputs: { verificationUrl: secret } }
  for (const end of [{ ...endedWith(...artifacts), attachment }, stoppedBy(secret)]) {
    const { warnings, errors, log, ...rest } = await reportAll(end, changes)
    // The runner redacts the log later, so no text may be truncated within a secret.
    const clean = [...warnings, ...errors, ...log].map(text => text.replaceAll(secret, '***'))
    expect(JSON.stringify([clean, rest])).not.toMatch(/top-|-value/)
  }
})
