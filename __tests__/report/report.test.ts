/** What holds for every report, whatever its words; those are in approved.test.ts. */
import { expect, it } from '@jest/globals'
import { z } from 'zod'
import { isFailed } from '../../src/outcome.ts'
import type { RunEnd } from '../../src/report/run-end.ts'
import { readSubscription } from '../../src/service/subscription.ts'
import { renderMarkdown } from '../support/github-page.ts'
import { decodeHtml } from '../support/html.ts'
import { artifactOf, hashOf, makeRecord, sha256 } from '../support/samples.ts'
import { compare, record as recordOf, reportOf } from '../verify/samples.ts'
import { cases, failing, failingAll, failures, places, runFailures, unsure } from './cases.ts'
import { endedWith, failedAs, placeAt, registeredAs, reportAll } from './results.ts'
import { stoppedBy, type ReportChanges } from './results.ts'

const failuresSchema = z.array(z.object({ registered: z.string(), message: z.string() }))

/** The steps of a summary: what is bold, and the whole text, as in the log. */
function stepsOf(summary: string) {
  return Array.from(summary.matchAll(/<li>(.*?)<\/li>/gs), ([, html = '']) => {
    const [, bold = ''] = /^<b>(.*?)<\/b>/.exec(html) ?? []
    const named = html
      .replaceAll(/<code>(.*?)<\/code>/g, '"$1"')
      .replaceAll(/"(?=<br>|$)|"<\/a>(?=<br>|$)|more(?=<br>|$)/g, '$&.')
    const text = named
    return { bold: textOf(bold), text: textOf(text) }
  })
}

/** The text of HTML, with the address of each page of the docs in place of its name. */
function textOf(html: string): string {
  const shown = html.replaceAll(/<a href="([^"]*\/docs\/[^"]*)">[^<]*<\/a>/g, '$1')
  return decodeHtml(shown.replaceAll('<br>', ' ').replaceAll(/<(?!wbr)[^>]*>/g, ''))
}

/** Checks that exit code, first line, annotation, log, outputs and summary agree, and that each failure has one next step. */
async function check(end: RunEnd, changes: ReportChanges = {}): Promise<void> {
  const { exitCode, summary, errors, log, outputs } = await reportAll(end, changes)
  const [title = '', , cost = ''] = summary.split('\n')
  const steps = stepsOf(summary)
  const isDryRun = changes.inputs?.dryRun === true
  expect(title.startsWith('## ❌ ')).toBe(exitCode === 1)
  // A green run that leaves something to do says so.
  if (exitCode === 0) expect(title.startsWith('## ⚠️ ')).toBe(steps.length > 0 || isEmpty(end))
  expect(title).toMatch(/^.{10,130}$/)
  expect(cost).toMatch(
    /^<p>Charged by https.*: (?:nothing|\d+ registrations?|\d+ to \d+ reg.*)\.<\/p>$/,
  )
  expect(log.slice(-2)).toEqual([textOf(cost), title.replace('## ', '')])
  expect(log.filter(line => /^\d+\. /.test(line))).toEqual(
    steps.map(({ text }, index) => `${index + 1}. ${text}`),
  )
  expect(new Set(steps.map(({ bold }) => bold)).size).toBe(steps.length)
  for (const { bold } of steps) expect(bold).toMatch(/^[A-Z](?:[^():;"]|"[^"]*")*$/)
  // Only the last step says how to run again, and what that costs.
  const texts = steps.map(({ text }) => text)
  const hasAgain = exitCode === 1 && !isDryRun
  const last = hasAgain ? texts.slice(-1) : []
  expect(texts.filter(text => /^(?:Re-run|Start a new|Save .* and start)/.test(text))).toEqual(last)
  for (const text of last)
    expect(text).toMatch(/registers (?:nothing|.*\d+ files? \(\d+|the files)/)
  expect(errors.filter(text => text.length > 500)).toEqual([])
  // Never an empty reason.
  expect(errors.filter(text => /(?:failed:|, but|, and) +[(,.]/.test(text))).toEqual([])
  expect(errors.every(text => text.includes(textOf(cost)))).toBe(true)
  if (end.kind === 'stopped') return

  const all = [textOf(summary), ...errors, ...log].join('\n')
  // Nobody can correct an input that the workflow does not set.
  if (changes.inputs?.baseUrl === undefined) {
    expect(all).not.toMatch(/base-url|secret that you pass as "subscription"/)
  }
  expect(errors).toHaveLength(exitCode)
  if (exitCode === 1) expect(errors[0]).toContain(`tep 1 of ${steps.length}: `)
  const failed = end.artifacts.filter(isFailed)
  const maybe = failed.filter(({ outcome }) => outcome.failure.registered === 'unknown')
  if (maybe.length > 0 && maybe.length === failed.length) {
    expect(all).not.toMatch(/neither registered nor charged|not charged by this call/i)
  }
  if (changes.isFull === true) return
  const entries = failuresSchema.parse(JSON.parse(String(outputs['failures'])))
  expect(entries).toHaveLength(failed.length)
  for (const { registered, message } of entries) {
    const isMaybe = /may be registered and charged|may have been charged, for/i.test(message)
    if (!isDryRun) expect([message, isMaybe]).toEqual([message, registered === 'unknown'])
    expect(steps.filter(({ bold }) => message.startsWith(bold))).toHaveLength(1)
    expect(message.endsWith(last[0] ?? '')).toBe(true)
  }
}

function isEmpty(end: RunEnd): boolean {
  return end.artifacts.length === 0
}

it.each(Object.entries(cases))('all reports of a run agree: %s', async (_, [end, changes]) => {
  await check(end, changes)
})

it.each([...failures])(
  'all reports of a failure agree wherever the records are: %s',
  async (_, failure) => {
    const payment = readSubscription('{"id":"sub_1"}')
    for (const each of [failure, unsure(failure)]) {
      const all = failing(each)
      for (const place of places) {
        await check({ ...all, place })
        await check({ ...all, place, isEarlierMissing: true }, { attempt: 2 })
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
  const pairs = /^(unpaid|already-registered|rejected|file-changed|unavailable)$/
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
  expect(summary).toContain(' Seen a. Seen b. Seen c.<br>')
  expect(summary).toContain(`charged: ${names.join(', ')}, and 2 more</li>`)
  expect(summary).toContain(`<td>${link('e', `<code>${sha256('e').slice(0, 12)}</code>`)}</td>`)
})

it('lists are short: up to 50 rows without a problem, 10 warnings and 3 names', async () => {
  const names = Array.from({ length: 50 }, (_, index) => `file-${index}`)
  const registered = names.map(name => registeredAs(name))
  const end = { ...endedWith(...registered), unsaved: names }
  const { summary } = await reportAll(end, { warned: names })
  expect(summary).not.toContain('more artifact')
  expect(summary).toMatch(/⚠️ File-9\.<br>and 40 more in the log of this step</i)
  expect(textOf(summary)).toContain('"file-0", "file-1", "file-2", and 47 more.')
})

it('the whole hashes can be copied in GNU format, with names that need to be escaped', async () => {
  const { summary } = await reportAll(endedWith(registeredAs('a\n<b>'), registeredAs('c d')))
  const [, block = ''] = /<pre>(.*)<\/pre>/.exec(summary) ?? []
  const text = decodeHtml(block)
  expect(text).toBe(`\\${sha256('a\n<b>')}  a\\n<b>\n${sha256('c d')}  c d\n`)
})

it('long text is cut where it is shown: a message, a cause in the annotation, and a problem', async () => {
  const lengths = (text: string): readonly number[] =>
    Array.from(textOf(text).matchAll(/x{50,}(?=…)/g), ([part]) => part.length)
  const bug = failedAs('a', { reason: 'bug', observed: 'x'.repeat(5000) })
  const { errors, summary } = await reportAll(endedWith(bug))
  expect(lengths(errors.join()).filter(length => length > 150)).toEqual([])
  expect(lengths(summary)).not.toEqual([])
  const stopped = await reportAll(stoppedBy('x'.repeat(5000)))
  expect(lengths(stopped.summary).at(-1)).toBe(4000)
})

it('a run that stops has at most ten errors, and all messages in its summary', async () => {
  const messages = Array.from({ length: 11 }, (_, index) => `wrong ${index}`)
  const { errors, summary } = await reportAll(stoppedBy(...messages))
  expect(errors).toHaveLength(10)
  expect(stepsOf(summary)).toHaveLength(12)
})

it('no summary is written with show-summary: false', async () => {
  for (const end of [stoppedBy('x'), endedWith()]) {
    expect((await reportAll(end, { inputs: { showSummary: false } })).summary).toBe('')
  }
})

it('outputs have at most 120,000 bytes of UTF-8 or no entry, and as many entries as fit in 50,000 bytes', async () => {
  const outputsOf = async (padding: string) => {
    const artifacts = [registeredAs('a', { text: padding }), failedAs('b'), failedAs(padding)]
    const { outputs } = await reportAll(endedWith(...artifacts))
    return { records: String(outputs['records']), failures: String(outputs['failures']) }
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
  const end = endedWith(a, { ...b, hash: a.hash }, failedAs('c'))
  const { outputs, errors } = await reportAll(end, { inputs })
  expect(errors[0]).toContain(': 1 registration. ')
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
  const changes = { secrets: [secret], warned: [secret], inputs: { verificationUrl: secret } }
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
  const release = { tag: evil, url: `javascript:${evil}` }
  const lost = failedAs(`${evil}1`, { registered: 'unknown', observed: evil })
  const end = { ...endedWith(lost, registeredAs(`${evil}2`, record)), release }
  const known = recordOf(evil, 1, { record: makeRecord(hashOf(1), record) })
  const others = [recordOf(`${evil}2`, 2), recordOf(`${evil}3`, 3)]
  const artifacts = [artifactOf('b', 1), artifactOf(`${evil}3`, 4)]
  const changes = { warned: [evil], inputs: { verificationUrl: null, recordsPath: evil } }
  for (const { summary } of [
    await reportAll({ ...end, place, unsaved: [evil] }, changes),
    await reportAll({ ...end, place: placeAt('release') }, changes),
    await reportAll({ ...stoppedBy(evil), place }, changes),
    await reportOf(compare(artifacts, [known, ...others], true), changes),
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
  const [, left] =
    /<p>(\d+) artifacts are not shown; the log of this step has all of them/.exec(summary) ?? []
  expect(Number(summary.match(/<tr><td>/g)?.length) + Number(left)).toBe(count + 1)
  expect(summary).not.toContain('good')
})

it('a page of a run that stopped stays under 1 MiB, whatever its messages', async () => {
  const messages = Array.from({ length: 40 }, (_, index) => `${index} ${'@ '.repeat(3000)}`)
  const { summary } = await reportAll(stoppedBy(...messages))
  expect(Buffer.byteLength(summary)).toBeLessThan(1024 * 1024)
})
