import { afterAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { isFailed, isRegistered, type Artifact } from '../../src/outcome.ts'
import type { RunEnd } from '../../src/report/report.ts'
import { readSubscription } from '../../src/service/subscription.ts'
import { anchorsOf } from '../docs/page.ts'
import { cleanUp } from '../support/clean-up.ts'
import { decodeHtml } from '../support/html.ts'
import { sha256 } from '../support/samples.ts'
import { cases, failing, failingAll, failures, places, runFailures, unsure } from './cases.ts'
import { endedWith, failedAs, haltOf, registeredAs, reportAll, stoppedBy } from './results.ts'
import type { ReportChanges } from './results.ts'

afterAll(cleanUp)

const failuresSchema = z.array(z.object({ registered: z.string(), message: z.string() }))

/** The steps of a summary as text: the first sentences, which are bold, and all. */
function stepsOf(summary: string) {
  const items = [...summary.matchAll(/<li><b>(.*?)<\/b>(.*?)<\/li>/gs)]
  return items.map(([, next = '', rest = '']) => ({ next: textOf(next), rest: textOf(rest) }))
}

function textOf(html: string): string {
  return decodeHtml(html.replaceAll('<br>', ' ').replaceAll(/<(?!wbr)[^>]*>/g, '')).trim()
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
  const texts = steps.map(({ next, rest }) => `${next} ${rest}`)
  const last = texts
    .at(-1)
    ?.replace(/ docs\/\S+$/, '')
    .trim()
  expect(steps.length > 1).toBe(exitCode === 1)
  expect(new Set(texts).size).toBe(texts.length)
  // Only the last step says how to run again, in the same words everywhere.
  expect(texts.filter(text => again.test(text))).toEqual(texts.slice(-1))
  // Not both that nothing is charged again and that something may be.
  if (last?.includes('not charged again.') === true)
    expect(last.match(chargedAgain)).toHaveLength(1)
  for (const [index, { next }] of steps.entries()) {
    expect(log.filter(line => line.startsWith(`${index + 1}. `))).toEqual([
      expect.stringContaining(index + 1 === steps.length ? String(last) : next),
    ])
  }
  for (const [, page = '', anchor = ''] of summary.matchAll(/blob\/v1\/(docs\/[^"#]+)#([^"]*)"/g)) {
    expect([page, anchorsOf(page)]).toEqual([page, expect.arrayContaining([anchor])])
  }
  if (end.kind === 'stopped') {
    expect(exitCode).toBe(1)
    return
  }
  const all = [textOf(summary), ...errors, ...log].join('\n')
  // Nobody can correct an input that the workflow does not set.
  if (changes.inputs?.baseUrl === undefined) {
    expect(all).not.toMatch(/base-url|secret that you pass as "subscription"/)
  }
  expect(errors).toHaveLength(exitCode)
  expect(title).toBe(`## ${log.at(-1) ?? ''}`)
  const first = steps[0]?.next.toLowerCase()
  if (first !== undefined) expect(errors[0]?.toLowerCase()).toContain(first)
  const failed = end.artifacts.filter(isFailed)
  if (failed.length === 0 && exitCode === 1) expect(texts[0]).toMatch(/registered/)
  const maybe = failed.filter(({ outcome }) => outcome.failure.registered === 'unknown')
  if (
    changes.inputs?.dryRun !== true &&
    maybe.length + end.artifacts.filter(isRegistered).length > 0
  ) {
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
    const told = steps.filter(({ next }) => message.toLowerCase().startsWith(next.toLowerCase()))
    expect([message, told.length > 0]).toEqual([message, true])
    expect(message).toContain(last)
  }
}

it.each([...cases])('all reports of a run agree: %s', async (_, [end, changes]) => {
  await check(end, changes)
})

it.each([...failures])(
  'all reports of a failure agree wherever the records are: %s',
  async (_, failure) => {
    const payment = readSubscription('{"id":"sub_1"}', 0)
    for (const each of [failure, unsure(failure)]) {
      for (const place of places) await check({ ...failing(each), place })
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

it.each([
  ['registered', /^✅ NOTARIZED: 6 of 6 artifacts registered$/],
  ['charged-again', /^⚠️ NOTARIZED: 8 of 8 artifacts registered/],
  ['unsaved', /^❌ NOTARIZED, but .*6 of 6 artifacts registered/],
  ['run-canceled', /^❌ NOTARIZED, but the run was canceled: 6 of 6 artifacts registered$/],
  ['partial', /^❌ PARTLY NOTARIZED: 4 of 6 artifacts registered$/],
  ['outage-of-all', /^❌ NOT NOTARIZED: 0 of 6 artifacts registered$/],
  ['only-409', /^❌ NOT CONFIRMED: 0 of 6 artifacts .+ registered, 6 without a record \(409\)$/],
  ['nothing-found', /^⚠️ NOTHING NOTARIZED: 0 artifacts found$/],
  ['dry-run', /^🔎 DRY RUN, nothing was sent: 2 of 4 artifacts would be registered$/],
  ['stopped-by-inputs', /^❌ NOT NOTARIZED: stopped before anything was sent$/],
  ['stopped-on-attempt-2', /^❌ .*: this attempt sent nothing$/],
  ['stopped-by-signal', /^❌ NOT NOTARIZED: canceled before/],
])('the first line has the verdict: %s', async (name, line) => {
  const [end = endedWith(), changes] = cases.get(name) ?? []
  const { summary } = await reportAll(end, changes)
  expect(summary.split('\n')[0]?.slice(3)).toMatch(line)
})

it.each<[string, failure: Parameters<typeof failedAs>[1]]>([
  ['2 may be registered', { registered: 'unknown' }],
  ['2 with a record that does not match', { reason: 'record-mismatch', registered: 'unknown' }],
])('the first line says what goes for all: %s', async (words, failure) => {
  const { summary } = await reportAll(endedWith(failedAs('a', failure), failedAs('b', failure)))
  expect(summary).toMatch(new RegExp(`^## ❌ NOT CONFIRMED: 0 of 2 artifacts .*, ${words}\n`))
})

const ofThisRun = registeredAs('b')
const ofEarlierRun = registeredAs('c', {}, { from: 'records-file' })
const unconfirmed = failedAs('d', { registered: 'unknown' })
it.each<[string, artifacts: readonly Artifact[], ReportChanges, RegExp]>([
  [
    'of several',
    [failedAs('a'), ofThisRun, ofEarlierRun],
    {},
    /^1 of 3 artifacts failed: .*\. 1 neither registered nor charged, 2 registered \(charged for 1 registration\)\. Step 1 of 2: /,
  ],
  [
    'of all',
    [failedAs('a')],
    {},
    /^1 of 1 artifact failed: .*\. Nothing was registered or charged\. Step 1 of 2: /,
  ],
  [
    'of all on a later attempt',
    [failedAs('a')],
    { attempt: 2 },
    /\. Nothing was registered or charged in this attempt\. Step 1 of 2: /,
  ],
  [
    'of unconfirmed files',
    [unconfirmed, ofEarlierRun],
    {},
    /^1 of 2 .*\. 1 may be registered and charged, 1 registered\. Step 1 of 2: /,
  ],
  [
    'of the run alone',
    [ofThisRun],
    { halt: haltOf('bug', 'cancelled') },
    /^1 of 1 artifact registered \(charged for 1 registration\), but this action has a bug/,
  ],
])('an annotation says how many failed, why, and what it cost: %s', async (...row) => {
  const [, artifacts, changes, text] = row
  const { errors, summary } = await reportAll(endedWith(...artifacts), changes)
  expect(errors).toEqual([expect.stringMatching(text)])
  if (changes.halt !== undefined) {
    expect(summary).toMatch(
      /^## ❌ NOTARIZED, but this action has a bug .*, and the run was canceled:/,
    )
  }
})

it.each<[string, end: RunEnd, same: RegExp]>([
  ['409', failingAll('already-registered'), /ends the same way\./],
  ['409 beside what helps', failing('already-registered', 'unpaid'), /ends the same way\./],
  [
    'a wrong key beside an outage',
    failing('unavailable', 'wrong-key'),
    /same way for these files\./,
  ],
  ['what time or a change repairs', failing('unavailable', 'file-changed'), /^(?!.*same way)/],
])('the last step says whether a re-run ends the same way: %s', async (_, end, same) => {
  expect(stepsOf((await reportAll(end)).summary).at(-1)?.rest).toMatch(same)
})

it('equal failures are one step with the first three names, which are linked to their look-up', async () => {
  const artifacts = ['a', 'b', 'c', 'd', 'e'].map(name =>
    failedAs(name, { observed: `seen ${name}`, registered: 'unknown' }),
  )
  const inputs = { verificationUrl: 'https://x.example/{hash}' }
  const { summary, log } = await reportAll(endedWith(...artifacts), { inputs })
  const steps = stepsOf(summary)
  expect(steps).toHaveLength(2)
  expect(steps[0]?.rest).toContain('a, b, c, and 2 more')
  const [list = ''] = summary.split('<table>')
  expect(list.match(/<a href="https:\/\/x\.example/g)).toHaveLength(3)
  const line = /"\w" \(7 B, [0-9a-f]{64}\); unavailable; seen \w; https/
  expect(log.filter(text => line.test(text))).toHaveLength(5)
})

it('a run that stops has one error per input, at most ten, and all messages in its summary', async () => {
  const problem = (message: string) => ({ input: 'path', message, needs: 'workflow' }) as const
  const few = await reportAll(stoppedBy(problem('one'), problem('two')))
  expect(few.errors).toEqual([
    expect.stringMatching(/^One; two\. Nothing was registered or charged\. Start a new run/),
  ])
  expect(few.outputs).toMatchObject({ verdict: 'stopped', records: '[]', failures: '[]' })
  const messages = Array.from({ length: 11 }, (_, index) => `wrong ${index}`)
  const { errors, summary } = await reportAll(stoppedBy(...messages))
  expect(errors).toHaveLength(10)
  expect(errors[9]).toMatch(/^Also wrong: "input-9", "input-10"\. Nothing was [^.]+\.$/)
  expect(stepsOf(summary).filter(({ next }) => /^Wrong \d+\.$/.test(next))).toHaveLength(11)
})

it.each(['stopped-by-bug', 'bug', 'one-bug'])(
  'a bug is named with what was observed: %s',
  async name => {
    const [end = endedWith(), changes] = cases.get(name) ?? []
    const { errors } = await reportAll(end, changes)
    expect(errors).toEqual([expect.stringMatching(/internal-error.*x is not iterable/)])
  },
)

describe('the outputs records and failures', () => {
  it('have an entry for each artifact, without secrets or empty fields', async () => {
    const unread = { size: null, hash: null }
    const end = endedWith(
      { ...registeredAs('b', { extra: [1] }, { from: 'records-file' }), size: null },
      registeredAs('c', { payload: 'has top-secret' }, { maybeChargedAgain: true }),
      { ...failedAs('d', { code: 'unreadable', reason: 'file-unreadable' }), ...unread },
    )
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
    const d = { artifact: 'd', ...unread, code: 'unreadable', registered: 'no' }
    expect(JSON.parse(String(outputs['failures']))).toEqual([{ ...d, message: expect.any(String) }])
    const counts = { 'registered-count': 2, 'newly-registered-count': 1, 'failed-count': 1 }
    expect(outputs).toMatchObject({ verdict: 'partial', 'artifact-count': 3, ...counts })
    const dry = await reportAll(end, { inputs: { dryRun: true } })
    const none = { records: '[]', 'registered-count': 0, 'newly-registered-count': 0 }
    expect(dry.outputs).toMatchObject({ ...none, 'failed-count': 1 })
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

it('no report shows a secret, even where a text is truncated', async () => {
  const secret = 'top-"secret"-value'
  const record = { note: secret, blockchainType: secret, creationDate: secret }
  const end = endedWith(
    registeredAs(`${secret}.zip`, record),
    failedAs(`${secret}.msi`, { observed: `${'x'.repeat(990)}${secret}` }),
  )
  const inputs = { verificationUrl: secret, recordsPath: secret }
  for (const each of [{ ...end, unsaved: [secret] }, stoppedBy(secret)]) {
    const changes = { secrets: [secret], warned: [secret], inputs }
    const { warnings, errors, log, ...rest } = await reportAll(each, changes)
    // The runner redacts the log later, so no text may be truncated within a secret.
    const clean = [...warnings, ...errors, ...log].map(text => text.replaceAll(secret, '***'))
    expect(JSON.stringify([clean, rest])).not.toMatch(/top-|-value/)
  }
})
