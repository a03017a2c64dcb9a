/** What holds for every report, whatever its words; those are in approved.test.ts. */
import { expect, it } from '@jest/globals'
import { z } from 'zod'
import { isFailed, isRegistered } from '../../src/outcome.ts'
import type { RunEnd } from '../../src/report/report.ts'
import { readSubscription } from '../../src/service/subscription.ts'
import { renderMarkdown } from '../support/github-page.ts'
import { decodeHtml } from '../support/html.ts'
import { artifactOf, hashOf, makeRecord, sha256 } from '../support/samples.ts'
import { compare, record as recordOf, reportOf } from '../verify/samples.ts'
import { cases, failing, failingAll, failures, places, runFailures, unsure } from './cases.ts'
import { endedWith, failedAs, placeAt, registeredAs, reportAll } from './results.ts'
import { stoppedBy, type ReportChanges } from './results.ts'

const failuresSchema = z.array(z.object({ registered: z.string(), message: z.string() }))

/** The steps of a summary: what is bold, the whole text without names, and the line that the log has of it. */
function stepsOf(summary: string) {
  const items = [...summary.matchAll(/<li><b>(.*?)<\/b>(.*?)<\/li>/gs)]
  return items.map(([, bold = '', rest = ''], index) => {
    const [link = '', docs] = / <a href="([^"]*\/docs\/[^"]*)">.*?<\/a>/.exec(rest) ?? []
    const next = textOf(bold)
    const text = next + textOf(rest.replace(link, '').replace(/: (?:<a [^>]*>)?<code>.*/s, '.'))
    const see = docs === undefined ? '' : ` See ${docs}`
    return { next, text, line: `${index + 1}. ${text}${see}` }
  })
}

function textOf(html: string): string {
  return decodeHtml(html.replaceAll('<br>', ' ').replaceAll(/<(?!wbr)[^>]*>/g, ''))
}

const again = /re-run|new run|run again/i
const chargedAgain = /(?:charged|charges) (?:for \w+ )?again/g

/** Checks that exit code, first line, annotation, log, outputs and summary agree, and that each failure has one next step. */
async function check(end: RunEnd, changes: ReportChanges = {}): Promise<void> {
  const { exitCode, summary, errors, log, outputs } = await reportAll(end, changes)
  const [title = ''] = summary.split('\n')
  expect(title.startsWith('## ❌ ')).toBe(exitCode === 1)
  expect(title).toMatch(/^.{10,130}$/)
  for (const text of errors) expect(text.length).toBeLessThan(400)
  const steps = stepsOf(summary)
  const texts = steps.map(({ text }) => text)
  const [first, last] = [steps[0], texts.at(-1)]
  expect(steps.length > 1).toBe(exitCode === 1)
  expect(log.filter(line => /^\d+\. /.test(line))).toEqual(steps.map(({ line }) => line))
  expect(new Set(texts).size).toBe(texts.length)
  // Only the last step says how to run again, in the same words everywhere.
  expect(texts.filter(text => again.test(text))).toEqual(texts.slice(-1))
  // Not both that nothing is charged again and that something may be.
  if (last?.includes('not charged again.') === true)
    expect(last.match(chargedAgain)).toHaveLength(1)
  if (end.kind === 'stopped') return
  const all = [textOf(summary), ...errors, ...log].join('\n')
  // Nobody can correct an input that the workflow does not set.
  if (changes.inputs?.baseUrl === undefined) {
    expect(all).not.toMatch(/base-url|secret that you pass as "subscription"/)
  }
  expect(errors).toHaveLength(exitCode)
  expect(title).toBe(`## ${log.at(-1) ?? ''}`)
  if (first !== undefined) expect(errors[0]?.toLowerCase()).toContain(first.next.toLowerCase())
  const failed = end.artifacts.filter(isFailed)
  if (failed.length === 0 && exitCode === 1) expect(texts[0]).toMatch(/registered/)
  const maybe = failed.filter(({ outcome }) => outcome.failure.registered === 'unknown')
  const isDryRun = changes.inputs?.dryRun === true
  if (!isDryRun && maybe.length + end.artifacts.filter(isRegistered).length > 0) {
    expect(all).not.toMatch(/nothing was registered/i)
  }
  if (maybe.length > 0 && maybe.length === failed.length) {
    expect(all).not.toMatch(/neither registered nor charged|not charged by this run/i)
  }
  if (changes.isFull === true) return
  const entries = failuresSchema.parse(JSON.parse(String(outputs['failures'])))
  expect(entries).toHaveLength(failed.length)
  for (const { registered, message } of entries) {
    const isMaybe = /may be registered and charged|may have been charged, by/i.test(message)
    expect([message, isMaybe]).toEqual([message, registered === 'unknown'])
    expect(steps.filter(({ next }) => message.startsWith(next))).not.toEqual([])
    expect(message.endsWith(`. ${last}`)).toBe(true)
  }
}

it.each(Object.entries(cases))('all reports of a run agree: %s', async (_, [end, changes]) => {
  await check(end, changes)
})

it.each([...failures])(
  'all reports of a failure agree wherever the records are: %s',
  async (_, failure) => {
    const payment = readSubscription('{"id":"sub_1"}', 0)
    for (const each of [failure, unsure(failure)]) {
      for (const place of Object.values(places)) {
        await check({ ...failing(each), place })
      }
      await check(failingAll(each), { attempt: 2 })
      await check(failing(each), { inputs: { baseUrl: 'https://notary.example', payment } })
      for (const [end, changes] of Object.values(runFailures)) {
        await check({ ...end, artifacts: failing(each).artifacts }, changes)
      }
    }
  },
)

it('all reports agree if two failures meet', async () => {
  const pairs = /^(unpaid|already-registered|registration-rejected|file-changed|unavailable)$/
  const found = [...failures.values()].filter(({ reason }) => pairs.test(reason))
  for (const one of found) {
    for (const other of found) await check(failing(one, unsure(other)))
  }
})

it('equal failures are one step with the first three names and observations, each hash linked to its look-up', async () => {
  const artifacts = ['a', 'b', 'c', 'd', 'e'].map(name =>
    failedAs(name, { observed: `seen ${name}`, registered: 'unknown' }),
  )
  const inputs = { verificationUrl: 'https://x.example/{hash}' }
  const { summary } = await reportAll(endedWith(...artifacts), { inputs })
  const link = (name: string, html: string): string =>
    `<a href="https://x.example/${sha256(name)}">${html}</a>`
  const names = ['a', 'b', 'c'].map(name => link(name, `<code>${name}</code>`))
  expect(summary).toContain(`: seen a; seen b; seen c.<br>`)
  expect(summary).toContain(`charged: ${names.join(', ')}, and 2 more</li>`)
  const code = `<code title="${sha256('e')}">${sha256('e').slice(0, 12)}</code>`
  expect(summary).toContain(`<td>${link('e', code)}</td>`)
})

it('lists are short: up to 50 rows without a problem, 10 warnings and 3 names', async () => {
  const names = Array.from({ length: 50 }, (_, index) => `file-${index}`)
  const end = { ...endedWith(...names.map(name => registeredAs(name))), unsaved: names }
  const { summary } = await reportAll(end, { warned: names })
  expect(summary).not.toContain('<details>')
  expect(summary).toMatch(/⚠️ file-9\.<br>and 40 more in the log of this step</)
  expect(textOf(summary)).toContain('"file-0", "file-1", "file-2", and 47 more.')
})

it('long text is cut where it is shown: a message, a cause in the annotation, and a problem', async () => {
  const long = 'x'.repeat(5000)
  const shownIn = (text: string) =>
    textOf(text)
      .match(/x{50,}(?=…)/g)
      ?.map(part => part.length)
  const bug = failedAs('a', { reason: 'bug', observed: long })
  const { log, errors, summary } = await reportAll(endedWith(bug))
  const message = 1000 - 'this action has a bug (internal-error): '.length
  expect(shownIn(log.join('\n'))).toEqual([message, 1000])
  expect(shownIn(errors.join())).toEqual([message - 900])
  expect(shownIn(summary)).toEqual([message, message])
  const stopped = await reportAll(stoppedBy(long))
  expect([stopped.log.join(), stopped.summary].map(shownIn)).toEqual([[1000], [4000]])
})

it('a run that stops has at most ten errors, and all messages in its summary', async () => {
  const messages = Array.from({ length: 11 }, (_, index) => `wrong ${index}`)
  const { errors, summary } = await reportAll(stoppedBy(...messages))
  expect(errors).toHaveLength(10)
  expect(errors[9]).toBe('Also wrong: "input-9", "input-10". Nothing was registered or charged.')
  expect(stepsOf(summary)).toHaveLength(12)
  expect((await reportAll(stoppedBy(...messages.slice(1)))).errors[9]).toMatch(/^Wrong 10\. /)
})

it('no summary is written with show-summary: false', async () => {
  for (const end of [stoppedBy('x'), endedWith()]) {
    expect((await reportAll(end, { inputs: { showSummary: false } })).summary).toBe('')
  }
})

it('outputs have at most 120,000 bytes of UTF-8 or no entry, and as many entries as fit in 50,000 characters', async () => {
  const outputsOf = async (padding: string) => {
    const artifacts = [registeredAs('a', { text: padding }), failedAs('b'), failedAs(padding)]
    const { outputs, warnings } = await reportAll(endedWith(...artifacts))
    return { records: outputs['records'], failures: String(outputs['failures']), warnings }
  }
  const empty = await outputsOf('')
  const bytes = 120_000 - Buffer.byteLength(String(empty.records))
  const wide = '漢'.repeat(Math.floor(bytes / 3)) + 'x'.repeat(bytes % 3)
  expect(Buffer.byteLength(String((await outputsOf(wide)).records))).toBe(120_000)
  expect(await outputsOf(`${wide}x`)).toMatchObject({
    records: '',
    warnings: [
      'The output "records" is empty, because it would exceed 120,000 bytes. Read the file in the output "records-path" instead',
    ],
  })
  const name = 'x'.repeat(50_000 - empty.failures.length)
  expect((await outputsOf(name)).failures).toHaveLength(50_000)
  expect(JSON.parse((await outputsOf(`${name}x`)).failures)).toHaveLength(1)
})

it('outputs count artifacts, not hashes, and have the link that the record fills in', async () => {
  const [a, b] = [registeredAs('a', { txId: 'tx 1' }), registeredAs('b', { txId: 'tx 1' })]
  const inputs = { verificationUrl: 'https://x.example/{txId}' }
  const end = endedWith(a, { ...b, hash: a.hash }, failedAs('c'))
  const { outputs, errors } = await reportAll(end, { inputs })
  expect(errors[0]).toContain('2 registered (charged for 1 registration)')
  expect(outputs).toMatchObject({ 'registered-count': 2, 'newly-registered-count': 2 })
  const verificationUrl = 'https://x.example/tx%201'
  expect(JSON.parse(String(outputs['records']))).toMatchObject([
    { artifact: 'a', verificationUrl },
    { artifact: 'b', verificationUrl },
  ])
})

it('no report shows a secret, even where a text is truncated', async () => {
  const secret = 'top-"secret"-value'
  const record = { note: secret, blockchainType: secret, creationDate: secret }
  const end = endedWith(
    registeredAs(`${secret}.zip`, record),
    failedAs(`${secret}.msi`, { observed: `${'x'.repeat(990)}${secret}` }),
  )
  const inputs = { verificationUrl: secret, recordsPath: secret }
  const changes = { secrets: [secret], warned: [secret], inputs }
  const known = recordOf(`${'n'.repeat(190)}${secret}`, 1, {
    record: makeRecord(hashOf(1), record),
  })
  const compared = compare([artifactOf(`${'x'.repeat(250)}${secret}`, 1)], [known])
  for (const { warnings, errors, log, ...rest } of [
    await reportAll({ ...end, unsaved: [secret] }, changes),
    await reportAll(stoppedBy(secret), changes),
    await reportOf(compared, { secrets: [secret] }),
  ]) {
    // The runner redacts the log later, so no text may be truncated within a secret.
    const clean = [...warnings, ...errors, ...log].map(text => text.replaceAll(secret, '***'))
    expect(JSON.stringify([clean, rest]).replaceAll('<wbr>', '')).not.toMatch(/top-|-value/)
  }
})

it('untrusted text has no effect on a page', async () => {
  const evil =
    '</td></tr></table>\n\n# [x](https://evil.example) <img src=x> | `a` @octocat #1 ::error:: x_www.evil.example a@evil.example'
  const record = { creationDate: evil, blockchainType: evil, txId: evil }
  const artifact = { name: evil, url: `javascript:${evil}` }
  const place = placeAt('workflow-artifact', { workflowArtifacts: [artifact] })
  const release = { tag: evil, url: `javascript:${evil}`, lacksRecords: true }
  const lost = failedAs(`${evil}1`, { registered: 'unknown', observed: evil })
  const end = { ...endedWith(lost, registeredAs(`${evil}2`, record)), place, release }
  const known = recordOf(evil, 1, { record: makeRecord(hashOf(1), record) })
  const others = [recordOf(`${evil}2`, 2), recordOf(`${evil}3`, 3)]
  const artifacts = [artifactOf('b', 1), artifactOf(`${evil}3`, 4)]
  const changes = { warned: [evil], inputs: { verificationUrl: null, recordsPath: evil } }
  for (const { summary } of [
    await reportAll({ ...end, unsaved: [evil] }, changes),
    await reportAll({ ...stoppedBy(evil), place }, changes),
    await reportOf(compare(artifacts, [known, ...others], { requireAll: true }), changes),
  ]) {
    const html = renderMarkdown(summary)
    expect(html.match(/<a href="(?!https:\/\/github\.com\/octo\/)/g)).toBeNull()
    expect(html.replace(/"[^"]*"/g, '""')).not.toMatch(/<(?:img|script)\b/)
    expect(summary).not.toContain('href="javascript')
    expect(html.match(/<h[1-6]\b/g)).toHaveLength(1)
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
  expect(Buffer.byteLength(summary)).toBeGreaterThan(900_000)
  const omitted = /<p>(\d+) more artifacts are not shown; .*notarization-records\.jsonl/
  const [, left] = omitted.exec(summary) ?? []
  expect(Number(summary.match(/<tr><td>/g)?.length) + Number(left)).toBe(count + 1)
  expect(summary).not.toContain('good')
})
