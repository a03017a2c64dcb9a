import { afterAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { isFailed, isRegistered } from '../../src/outcome.ts'
import type { RunEnd } from '../../src/report/report.ts'
import { readSubscription } from '../../src/service/subscription.ts'
import { anchorsOf } from '../docs/page.ts'
import { cleanUp } from '../support/clean-up.ts'
import { decodeHtml } from '../support/html.ts'
import { sha256 } from '../support/samples.ts'
import { cases, failing, failingAll, failures, places, runFailures, unsure } from './cases.ts'
import { endedWith, failedAs, registeredAs, reportAll, stoppedBy } from './results.ts'
import type { ReportChanges } from './results.ts'

afterAll(cleanUp)

const failuresSchema = z.array(z.object({ message: z.string() }))

/** The steps of a summary as text: the first sentences, which are bold, and all. */
function stepsOf(summary: string) {
  const items = [...summary.matchAll(/<li><b>(.*?)<\/b>(.*?)<\/li>/gs)]
  return items.map(([, next = '', rest = '']) => ({ next: textOf(next), rest: textOf(rest) }))
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
  const last = steps.at(-1)
  expect(steps.length > 1).toBe(exitCode === 1)
  expect(new Set(steps.map(({ next, rest }) => next + rest)).size).toBe(steps.length)
  // Only the last step says how to run again, in the same words everywhere.
  for (const { next, rest } of steps.slice(0, -1)) expect(`${next} ${rest}`).not.toMatch(again)
  if (last !== undefined) {
    expect(`${last.next} ${last.rest}`).toMatch(again)
    checkMoney(`${last.next} ${last.rest}`)
  }
  for (const [index, { next }] of steps.entries()) {
    expect(log.find(line => line.startsWith(`${index + 1}. `))).toContain(next)
  }
  for (const [, page = '', anchor] of summary.matchAll(/blob\/v1\/(docs\/[^"#]+)#?([^"]*)"/g)) {
    if (anchor !== '')
      expect([page, anchorsOf(page)]).toEqual([page, expect.arrayContaining([anchor])])
  }
  if (end.kind === 'stopped') {
    expect(exitCode).toBe(1)
    return
  }
  // Nobody can correct an input that the workflow does not set.
  if (changes.inputs?.baseUrl === undefined) {
    const text = [textOf(summary), ...errors, ...log].join(' ')
    expect(text).not.toMatch(/base-url|secret that you pass as "subscription"/)
  }

  expect(errors).toHaveLength(exitCode)
  expect(title).toBe(`## ${log.at(-1) ?? ''}`)
  const [first] = steps
  if (first !== undefined) expect(errors[0]?.toLowerCase()).toContain(first.next.toLowerCase())
  const isNothing = /nothing was registered/i
  const isMaybe = end.artifacts.some(({ outcome }) => {
    return outcome.state === 'failed' && outcome.failure.registered === 'unknown'
  })
  if (changes.inputs?.dryRun !== true && (isMaybe || end.artifacts.some(isRegistered))) {
    expect([summary, ...errors, ...log].join('\n')).not.toMatch(isNothing)
  }

  if (changes.isFull === true) return
  const entries = failuresSchema.parse(JSON.parse(String(outputs['failures'])))
  expect(entries).toHaveLength(end.artifacts.filter(isFailed).length)
  for (const { message } of entries) {
    const told = steps.filter(({ next }) => message.toLowerCase().startsWith(next.toLowerCase()))
    expect([message, told.length > 0]).toEqual([message, true])
    expect(message).toContain(last?.next)
  }
}

/** Checks that a text does not say both that nothing is charged again and that something may be. */
function checkMoney(text: string): void {
  if (!text.includes('not charged again.')) return
  expect([text, text.match(chargedAgain)?.length]).toEqual([text, 1])
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

const pairs = [
  'unpaid',
  'already-registered',
  'registration-rejected',
  'file-changed',
  'unavailable',
]

it('all reports agree if two failures meet', async () => {
  const found = [...failures.values()].filter(({ reason }) => pairs.includes(reason))
  for (const one of found) {
    for (const other of found) await check(failing(one, unsure(other)))
  }
})

it.each([
  ['registered', /^✅ NOTARIZED: 6 of 6 artifacts registered$/],
  ['only-in-log', /^✅ NOTARIZED: 6 of 6 artifacts registered$/],
  ['charged-again', /^⚠️ NOTARIZED: 8 of 8 artifacts registered/],
  ['unsaved', /^❌ NOTARIZED, but .*6 of 6 artifacts registered/],
  ['run-canceled', /^❌ NOTARIZED, but the run was canceled: 6 of 6 artifacts registered$/],
  ['partial', /^❌ PARTLY NOTARIZED: 4 of 6 artifacts registered$/],
  ['outage-of-all', /^❌ NOT NOTARIZED: 0 of 6 artifacts registered$/],
  ['only-409', /^❌ NOT CONFIRMED: 0 of 6 artifacts .*registered, 6 without a record \(409\)$/],
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

describe('how to run again', () => {
  it.each<[string, index: number, same: RegExp, changed: RegExp]>([
    ['no records', 0, /^Re-run the failed jobs\.$/, /^Start a new run/],
    ['the release', 1, /^Re-run the failed jobs\.$/, /^Start a new run/],
    ['a workflow artifact', 2, /^Re-run the failed jobs\.$/, /^Give the records .* new run/],
    ['the log', 4, /^Save the record lines .* new run/, /^Save the record lines .* new run/],
    ['the file', 5, /^Give the records .* new run/, /^Give the records .* new run/],
    ['left to the post step', 6, /end of the log.*re-run/i, /end of the log.*new run/],
    ['unreadable', 7, /^Re-run .* save a copy/, /^Give the records .* new run/],
    ['unknown', 8, /^Re-run the failed jobs\.$/, /^Start a new run/],
  ])('follows from where the records are and from what has to change: %s', async (...row) => {
    const [, index, same, changed] = row
    const place = places[index] ?? { kind: 'none' }
    const ends = ['unpaid', 'file-unreadable'] as const
    const [unpaid, unreadable] = ends.map(reason => reportAll({ ...failing(reason), place }))
    expect(stepsOf((await unpaid)?.summary ?? '').at(-1)?.next).toMatch(same)
    expect(stepsOf((await unreadable)?.summary ?? '').at(-1)?.next).toMatch(changed)
  })

  it.each<[string, end: RunEnd, same: boolean]>([
    ['409', failingAll('already-registered'), true],
    ['a record that does not match', failingAll('record-mismatch'), true],
    ['a refusal', failingAll('registration-rejected'), true],
    ['409 beside what helps', failing('already-registered', 'unpaid'), true],
    ['an outage', failingAll('unavailable'), false],
    ['a wrong key', failingAll('wrong-key'), true],
  ])('says whether a re-run ends the same way: %s', async (_, end, isSame) => {
    const { rest = '' } = stepsOf((await reportAll(end)).summary).at(-1) ?? {}
    expect(/same way|fails? again/.test(rest)).toBe(isSame)
  })
})

it('equal failures are one step with the first three names, which are linked to their look-up', async () => {
  const artifacts = ['a', 'b', 'c', 'd', 'e'].map(name =>
    failedAs(name, { observed: `seen ${name}`, registered: 'unknown' }),
  )
  const inputs = { verificationUrl: 'https://x.example/{hash}' }
  const { summary, log } = await reportAll(endedWith(...artifacts), { inputs })
  const [step] = stepsOf(summary)
  expect(stepsOf(summary)).toHaveLength(2)
  expect(step?.rest).toContain('a, b, c, and 2 more')
  const [list = ''] = summary.split('<table>')
  expect(list.match(/<a href="https:\/\/x\.example/g)).toHaveLength(3)
  expect(
    log.filter(line => /"\w" \(7 B, [0-9a-f]{64}\); unavailable; seen \w; https/.test(line)),
  ).toHaveLength(5)
})

it('a run that stops has one error per input, at most ten, and all messages in its summary', async () => {
  const problems = ['one', 'two'].map(
    message => ({ input: 'path', message, needs: 'workflow' }) as const,
  )
  const few = await reportAll(stoppedBy(...problems))
  expect(few.errors).toHaveLength(1)
  expect(few.errors[0]).toMatch(/^One; two\. Nothing was registered or charged\./)
  const messages = Array.from({ length: 11 }, (_, index) => `wrong ${index}`)
  const { errors, summary } = await reportAll(stoppedBy(...messages))
  expect([errors.length, errors[9]]).toEqual([
    10,
    expect.stringMatching(/^Also wrong: "input-9", "input-10"\./),
  ])
  expect(stepsOf(summary).filter(({ next }) => /^Wrong \d+\.$/.test(next))).toHaveLength(11)
  expect(few.outputs).toMatchObject({ verdict: 'stopped', records: '[]', failures: '[]' })
})

it('a bug is named with what was observed, and where to report it', async () => {
  for (const name of ['stopped-by-bug', 'bug', 'one-bug']) {
    const [end = endedWith(), changes] = cases.get(name) ?? []
    const { errors } = await reportAll(end, changes)
    expect([name, ...errors]).toEqual([
      name,
      expect.stringMatching(/internal-error.*x is not iterable/),
    ])
  }
})

describe('the outputs records and failures', () => {
  it('have an entry for each artifact, without secrets or empty fields', async () => {
    const artifacts = [
      { ...registeredAs('b', { extra: [1] }, { from: 'records-file' }), size: null },
      registeredAs('c', { payload: 'has top-secret' }, { maybeChargedAgain: true }),
      {
        ...failedAs('d', { code: 'unreadable', reason: 'file-unreadable' }),
        size: null,
        hash: null,
      },
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
  const artifacts = [
    registeredAs(`${secret}.zip`, record),
    failedAs(`${secret}.msi`, { observed: `${'x'.repeat(990)}${secret}` }),
  ]
  const end = { ...endedWith(...artifacts), unsaved: [secret] }
  const inputs = { verificationUrl: secret, recordsPath: secret }
  for (const each of [end, stoppedBy(secret)]) {
    const changes = { secrets: [secret], warned: [secret], inputs }
    const { warnings, errors, log, ...rest } = await reportAll(each, changes)
    // The runner redacts the log later, so no text may be truncated within a secret.
    const clean = [...warnings, ...errors, ...log].map(text => text.replaceAll(secret, '***'))
    expect(JSON.stringify([clean, rest])).not.toMatch(/top-|-value/)
  }
})
