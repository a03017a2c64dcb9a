/** What holds for every report, whatever its words; those are in approved.test.ts. */
import { expect, it } from '@jest/globals'
import { z } from 'zod'
import { reasons, type Failure, type Problem } from '../../src/failure.ts'
import { isFailed, mayBeRegistered } from '../../src/outcome.ts'
import type { Artifact } from '../../src/outcome.ts'
import type { RunEnd } from '../../src/report/report.ts'
import { readSubscription } from '../../src/service/subscription.ts'
import { renderMarkdown } from '../support/github-page.ts'
import { decodeHtml } from '../support/html.ts'
import { artifactOf, hashOf, makeRecord, sha256 } from '../support/samples.ts'
import { compare, record as recordOf, reportOf } from '../verify/samples.ts'
import { cases, failing, failureOf, places, runFailures } from './cases.ts'
import { endedWith, failedAs, recordsAt, registeredAs, reportAll } from './results.ts'
import { stoppedBy, type ReportChanges } from './results.ts'

const failuresSchema = z.array(
  z.object({ code: z.string(), registered: z.string(), message: z.string() }),
)

/** The steps of a summary: what is bold, and the whole text. */
function stepsOf(summary: string) {
  return Array.from(summary.matchAll(/<li><b>(.*?)<\/b>(.*?)<\/li>/gs), ([html, bold = '']) => {
    return { bold: textOf(bold), text: textOf(html) }
  })
}

function textOf(html: string): string {
  return decodeHtml(html.replaceAll('<br>', ' ').replaceAll(/<(?!wbr)[^>]*>/g, ''))
}

/** A problem of a run that stopped, each with its own input. */
function wrong(message: string, index = 0): Problem {
  return { input: `input-${index}`, message, next: `correct ${message}`, needs: 'workflow' }
}

/** What only the last step may say. */
const runAgain = /re-run the failed|start a new run/i

/** Checks that exit code, first line, annotation, log, outputs and summary agree, and that only the last step says how to run again. */
async function check(end: RunEnd, changes: ReportChanges = {}): Promise<void> {
  const { exitCode, summary, errors, log, outputs } = await reportAll(end, changes)
  const [title = '', , facts = ''] = summary.split('\n')
  const [cost = '', next = ''] = facts.split('<br>').map(textOf)
  const steps = stepsOf(summary)
  const isDryRun = changes.inputs?.dryRun === true
  expect(title.startsWith('## ❌ ')).toBe(exitCode === 1)
  expect(title.startsWith('## ✅ ')).toBe(exitCode === 0 && end.artifacts.length > 0 && !isDryRun)
  expect(title).toMatch(/^.{10,115}$/)
  expect(cost).toMatch(/^Cost: (?:⚠️ .*twice\. )?(?:none\.|\d.* charged by )/)
  expect(next).toMatch(/^Next run: (?:not needed|.*charges?)/)
  expect(log.slice(-3)).toEqual([cost, next, title.replace('## ', '')])
  expect(log.filter(line => /^\d+\. /.test(line))).toHaveLength(steps.length)
  expect(new Set(steps.map(({ bold }) => bold)).size).toBe(steps.length)
  const hasAgain = exitCode === 1
  expect(steps.filter(({ bold }) => runAgain.test(bold))).toEqual(hasAgain ? steps.slice(-1) : [])
  expect(steps.slice(0, -1).filter(({ text }) => runAgain.test(text))).toEqual([])
  expect(/do not re-run/i.test(next)).toBe(hasAgain && /^do not re-run/i.test(steps[0]?.bold ?? ''))
  expect(errors.filter(text => text.length > 320)).toEqual([])
  // Never an empty reason.
  const reasoned = [...errors, ...steps.map(({ text }) => text)]
  expect(reasoned.filter(text => /: *\.|\(\)|: :/.test(text))).toEqual([])
  if (end.verdict === 'stopped') return

  const all = [textOf(summary), ...errors, ...log].join('\n')
  // Nobody can correct an input that the workflow does not set.
  const { baseUrl, payment = 'active' } = changes.inputs ?? {}
  if (baseUrl === undefined) expect(all).not.toContain('base-url')
  if (payment === 'active') expect(all).not.toContain('passes as "subscription"')
  expect(errors).toHaveLength(exitCode)
  if (exitCode === 1)
    expect(errors[0]).toMatch(/ Charged: .*\. (?:Do not re-run(?: yet)?\. )?First /)
  if (changes.isFull === true) return
  const failed = end.artifacts.filter(isFailed)
  const entries = failuresSchema.parse(JSON.parse(String(outputs['failures'])))
  expect(entries.map(({ registered }) => registered)).toEqual(
    failed.map(({ outcome }) => (mayBeRegistered(outcome) ? 'unknown' : 'no')),
  )
  for (const { code, message } of entries) {
    // What was not sent has no advice of its own.
    const [, ...advice] = code === 'not-tried' ? message.split(/(?<=\.) (?=[A-Z])/) : []
    expect(advice.filter(sentence => !all.includes(sentence))).toEqual([])
    expect(message).not.toMatch(runAgain)
    expect(message).toMatch(/^\S.*(?:\.|\.md#[\w-]+)$/s)
  }
}

it.each(Object.entries(cases))('all reports of a run agree: %s', async (_, [end, changes]) => {
  await check(end, changes)
})

/** What a failure is if the call may have acted. */
const unsure = (failure: Failure): Failure => failure.with({ mayHaveActed: true })

it.each(reasons)(
  'all reports of a failure agree, wherever the records are and whatever else failed: %s',
  async reason => {
    const failure = failureOf(reason)
    const payment = readSubscription('{"id":"sub_1"}')
    const inputs = { confirmedHashes: new Set<string>() }
    for (const other of reasons) await check(failing(failure, unsure(failureOf(other))))
    for (const each of [failure, unsure(failure)]) {
      for (const place of places) {
        await check(recordsAt(place, failing(each)))
        await check(recordsAt(place, failing(each)), { attempt: 2, inputs })
      }
      await check(endedWith(...failing(each, each).artifacts.filter(isFailed)), { attempt: 2 })
      await check(failing(each), { inputs: { baseUrl: 'https://notary.example', payment } })
      for (const [end, changes] of Object.values(runFailures)) {
        await check({ ...end, artifacts: failing(each).artifacts }, changes)
      }
    }
  },
)

it('the log names the files of a step with hash and look-up, and "records" says what may be charged twice', async () => {
  const lost = failedAs('a', { mayHaveActed: true })
  const otherCharge = { isDoubt: true, at: '2026-01-31T12:00:00.000Z' }
  const twice = registeredAs('b', {}, { otherCharge })
  const { log, outputs } = await reportAll(endedWith(lost, twice, registeredAs('c')))
  const url = `https://app.dedit.io/verification/${sha256('a')}`
  const step = expect.stringContaining(` Files: "a" ${sha256('a')} ${url}. Registered: `)
  expect(log).toContainEqual(step)
  expect(log).toContainEqual(expect.stringMatching(/^2\. Re-run the failed jobs(?:(?!Files).)*$/))
  const maybe = z.array(z.looseObject({})).parse(JSON.parse(String(outputs['records'])))
  expect(maybe.map(({ maybeChargedAgain }) => maybeChargedAgain)).toEqual([true, undefined])
})

it('lists are short: 5 failures of one cause, or 20 with a link, 50 rows without a problem, 10 warnings', async () => {
  const names = Array.from({ length: 51 }, (_, index) => `file-${index}`)
  const foldsOf = async (count: number, make: (name: string) => Artifact) => {
    const end = endedWith(...names.slice(0, count).map(make))
    const { summary } = await reportAll(end, { warned: names })
    expect(summary).toMatch(/⚠️ file-9<br>and 41 more in the log of this step</)
    return [...summary.matchAll(/<summary>(\S+ [^<]*) \(\d+ files\)/g)].length
  }
  const lost = (name: string): Artifact => failedAs(name, { mayHaveActed: true })
  expect(await foldsOf(5, name => failedAs(name))).toBe(0)
  expect(await foldsOf(6, name => failedAs(name))).toBe(1)
  expect(await foldsOf(20, lost)).toBe(0)
  expect(await foldsOf(21, lost)).toBe(1)
  expect(await foldsOf(50, name => registeredAs(name))).toBe(0)
  expect(await foldsOf(51, name => registeredAs(name))).toBe(1)
})

it('the whole hashes can be copied in GNU format, with names that need to be escaped', async () => {
  const { summary } = await reportAll(endedWith(registeredAs('a\n\r<b>'), registeredAs('c d')))
  const [, block = ''] = /.*<pre>(.*)<\/pre>/s.exec(summary) ?? []
  const text = decodeHtml(block)
  expect(text).toBe(`\\${sha256('a\n\r<b>')}  a\\n\\r<b>\n${sha256('c d')}  c d\n`)
})

it('long text is cut where it is shown: a message, and a problem', async () => {
  const lengths = (text: string): readonly number[] =>
    Array.from(textOf(text).matchAll(/x{50,}(?=…)/g), ([part]) => part.length)
  const lost = failedAs('a', { observed: 'x'.repeat(5000), mayHaveActed: true })
  const { errors, summary } = await reportAll(endedWith(lost))
  expect(errors[0]).toMatch(/: the job summary says why\. .* \(link in the job summary\)/)
  expect(lengths(summary)).not.toEqual([])
  const stopped = await reportAll(stoppedBy(wrong('x'.repeat(5000))))
  expect(lengths(stopped.summary).at(-1)).toBe(4000)
})

it('show-summary: false writes none, and the annotation names the log', async () => {
  const lost = failedAs('a', { observed: 'x'.repeat(5000), mayHaveActed: true })
  for (const end of [stoppedBy(wrong('x')), endedWith(), endedWith(lost)]) {
    const { errors, summary } = await reportAll(end, { inputs: { showSummary: false } })
    expect(summary).toBe('')
    if (end.verdict === 'failed') expect(errors[0]).toMatch(/: the log says why\..* in the log\)/)
  }
})

it('outputs have at most 120,000 bytes of UTF-8 or no entry, and as many entries as fit in 50,000 bytes', async () => {
  const outputsOf = async (padding: string) => {
    const artifacts = [registeredAs('a', { text: padding }), failedAs('b'), failedAs(padding)]
    const { outputs, warnings } = await reportAll(endedWith(...artifacts))
    const [records, failures] = [String(outputs['records']), String(outputs['failures'])]
    const tooLong =
      'The output "records" is empty, because it would exceed 120,000 bytes. Read the file in the output "records-path" instead'
    expect(warnings).toEqual(records === '' ? [tooLong] : [])
    return { records, failures }
  }
  const empty = await outputsOf('')
  const bytes = 120_000 - Buffer.byteLength(empty.records)
  const wide = '漢'.repeat(Math.floor(bytes / 3)) + 'x'.repeat(bytes % 3)
  expect(Buffer.byteLength((await outputsOf(wide)).records)).toBe(120_000)
  expect((await outputsOf(`${wide}x`)).records).toBe('')
  const left = 50_000 - Buffer.byteLength(empty.failures)
  const name = 'é'.repeat(Math.floor(left / 2)) + 'x'.repeat(left % 2)
  expect(Buffer.byteLength((await outputsOf(name)).failures)).toBe(50_000)
  expect(JSON.parse((await outputsOf(`${name}x`)).failures)).toHaveLength(1)
})

it('outputs count artifacts and the cost counts hashes; a link has what the record fills in', async () => {
  const [a, b] = [registeredAs('a', { txId: 'tx 1' }), registeredAs('b', { txId: 'tx 1' })]
  const inputs = { verificationUrl: 'https://x.example/{txId}' }
  const known = registeredAs('c', {}, { from: 'records-file' })
  const all = [a, { ...b, hash: a.hash }, known, failedAs('d')]
  const end = { ...endedWith(...all), charges: { least: 1, most: 2 } }
  const { outputs, errors } = await reportAll(end, { inputs })
  expect(errors[0]).toContain('Charged: 1 or 2 registrations. ')
  const { records, failures, ...others } = outputs
  const verificationUrl = 'https://x.example/tx%201'
  const linked = ['a', 'b'].map(artifact => ({ artifact, verificationUrl }))
  const ofFile = { artifact: 'c', from: 'records-file' }
  expect(JSON.parse(String(records))).toMatchObject([...linked, ofFile])
  expect(JSON.parse(String(failures))).toMatchObject([{ artifact: 'd' }])
  const charged = { 'charge-count': 1, 'charge-count-max': 2 }
  const counts = { 'artifact-count': 4, 'failed-count': 1, ...charged }
  const paths = { 'checksums-path': '', 'predicate-path': '', 'evidence-path': '' }
  expect(others).toEqual({
    verdict: 'partial',
    'registered-count': 3,
    'newly-registered-count': 2,
    'records-path': '/w/records.jsonl',
    ...counts,
    ...paths,
  })
  const none = { records: '[]', 'registered-count': 0, 'newly-registered-count': 0 }
  const dry = await reportAll(end, { inputs: { dryRun: true } })
  expect(dry.outputs).toMatchObject({ verdict: 'dry-run', ...counts, ...none })
  const stopped = await reportAll({ ...stoppedBy(wrong('x')), artifacts: all })
  const nothing = { failures: '[]', 'artifact-count': 0, 'failed-count': 0 }
  expect(stopped.outputs).toMatchObject({ verdict: 'stopped', ...nothing, ...none })
})

it('no report shows a secret of a problem, a warning or a record to verify, even where a text is truncated', async () => {
  const secret = 'top-"secret"-value'
  const record = { note: secret, blockchainType: secret, creationDate: secret }
  const changes = { secrets: [secret], warned: [secret] }
  const ofSecret = { record: makeRecord(hashOf(1), record) }
  const known = recordOf(`${'n'.repeat(190)}${secret}`, 1, ofSecret)
  const compared = compare([artifactOf(`${'x'.repeat(250)}${secret}`, 1)], [known])
  for (const { warnings, errors, log, ...rest } of [
    await reportAll(stoppedBy(wrong(secret)), changes),
    await reportOf(compared, { secrets: [secret] }),
  ]) {
    // The runner redacts the log later, so no text may be truncated within a secret.
    const clean = [...warnings, ...errors, ...log].map(text => text.replaceAll(secret, '***'))
    expect(JSON.stringify([clean, rest]).replaceAll('<wbr>', '')).not.toMatch(/top-|-value/)
  }
})

it('untrusted text has no effect on a page', async () => {
  const evil =
    '</td></tr></table>\n\n# [x](https://evil.example) <img src=x> | `a` @octocat #1 ::error:: x_\u202ewww.evil.example a@evil.example'
  const record = { blockchainType: evil, txId: evil }
  const workflowArtifacts = [{ name: evil, url: `javascript:${evil}` }]
  const release = { tag: evil, url: `javascript:${evil}` }
  const lost = failedAs(`${evil}1`, { mayHaveActed: true, observed: evil, said: evil })
  const end = { ...endedWith(lost, registeredAs(`${evil}2`, record)), release, keepError: evil }
  const known = recordOf(evil, 1, { record: makeRecord(hashOf(1), record) })
  const others = [recordOf(`${evil}2`, 2), recordOf(`${evil}3`, 3)]
  const artifacts = [artifactOf('b', 1), artifactOf(`${evil}3`, 4)]
  const changes = { warned: [evil], inputs: { verificationUrl: null, recordsPath: evil } }
  for (const { summary } of [
    await reportAll({ ...end, workflowArtifacts }, changes),
    await reportAll(recordsAt('log', end), changes),
    await reportAll({ ...recordsAt('release', end), workflowArtifacts }, changes),
    await reportAll(stoppedBy(wrong(evil)), changes),
    await reportOf(compare(artifacts, [known, ...others], true), changes),
  ]) {
    const html = renderMarkdown(summary)
    expect(html.match(/<a href="(?!https:\/\/github\.com\/octo\/)/g)).toBeNull()
    expect(html.replace(/"[^"]*"/g, '""')).not.toMatch(/<(?:img|script)\b/)
    expect(summary).not.toMatch(/href="javascript|\u202e/)
    expect(html.match(/<h[1-6]\b/g)).toEqual(['<h2', '<h4'])
    expect(summary.replace(/"[^"]*"/g, '""')).not.toMatch(/@octocat|#1\b|^::/m)
  }
})

it.each<[string, count: number, name: (index: number) => string]>([
  ['short names', 5000, index => `file-${index}`],
  ['long names', 900, index => `${'<'.repeat(20_000)}${index}é`],
])('rows that do not fit into 1 MiB are only counted: %s', async (_, count, name) => {
  const artifacts = Array.from({ length: count }, (__, index) => {
    return failedAs(name(index), { observed: `${index}${'<漢>'.repeat(200)}` })
  })
  const { summary } = await reportAll(endedWith(...artifacts, registeredAs('good')))
  expect(Buffer.byteLength(summary)).toBeLessThan(1024 * 1024)
  expect(Buffer.byteLength(summary)).toBeGreaterThan(800_000)
  const [, left] =
    /<p>(\d+) files are not shown; the log of this step has all of them/.exec(summary) ?? []
  expect(Number(summary.match(/<tr><td>/g)?.length) + Number(left)).toBe(count + 1)
  expect(summary).not.toContain('<tr></tr>')
  expect(summary).not.toContain('good')
})

it('a run that stops has at most ten errors, and all messages in its summary, which stays under 1 MiB', async () => {
  const stop = (count: number, text: string) => {
    const problems = Array.from({ length: count }, (_, index) => wrong(`${index} ${text}`, index))
    return reportAll(stoppedBy(...problems))
  }
  const { errors, summary } = await stop(11, 'wrong')
  expect([errors.length, stepsOf(summary).length]).toEqual([10, 12])
  const long = await stop(40, '@ '.repeat(3000))
  expect(Buffer.byteLength(long.summary)).toBeLessThan(1024 * 1024)
})
