/**
 * What somebody reads at 2 a.m.: each outcome says in its first line what happened, and below whether anything is
 * registered or charged, and what to do next. What a failing disk, a signal or a release adds is in their own files.
 */
import { describe, expect, it } from '@jest/globals'
import { resetFault, statusFault } from '../../simulator/index.ts'
import type { Fault, SimulatorOptions } from '../../simulator/index.ts'
import {
  makeLine,
  makeRelease,
  notarize,
  readSummary,
  sha256,
  startService,
  subscription,
  toJsonLines,
} from './support.ts'
import type { CheckedRun } from './support.ts'

/** What the markup of a summary shows, in one line. */
function textOf(markup: string): string {
  return markup
    .replaceAll(/<wbr>|<[^<>]*>/g, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/\s+/g, ' ')
}

/** The first reason of a summary: its title, and what is said under each label. */
function answersOf({ summary }: CheckedRun): readonly string[] {
  const [, item = ''] = /<li>(.*?)<\/li>/s.exec(summary) ?? []
  return item.split('<br>').slice(1).map(textOf)
}

const meeting = (fault: Fault, endpoint: 'login' | 'completion' = 'completion') => ({
  faults: [{ endpoint, fault }],
})

interface Outcome {
  readonly what: string
  readonly service?: SimulatorOptions
  readonly inputs?: Readonly<Record<string, string>>
  readonly firstLine: RegExp
  /** What happened, whether anything is registered or charged, and what to do next. */
  readonly answers: readonly [RegExp, RegExp, RegExp] | null
  readonly state?: string
}

const failed = /^## ❌ NOT NOTARIZED: 0 of 1 artifact registered; 1 failed$/u
const failedOpen =
  /^## ❌ NOT NOTARIZED: 0 of 1 artifact registered; 1 failed and may be registered$/u
const nothingSpent = /did not register it and spent nothing for it/
const maybe = /it may be registered and charged: look its hash up first, .*"verification-url"/i
const again = /run the job again later, with the same records file/i

const outcomes: readonly Outcome[] = [
  {
    what: 'all is well',
    firstLine:
      /^## ✅ NOTARIZED: 1 of 1 artifact registered \(1 newly registered, 0 known before\)$/u,
    answers: null,
    state: '✅ registered',
  },
  {
    what: 'HTTP 409: the service knows the hash',
    service: meeting(statusFault(409)),
    firstLine: failed,
    answers: [
      /registered already/i,
      /this run spent nothing for it; an earlier run may have registered it/i,
      /records of that run back as "notarization-records\.jsonl".*if they are lost/i,
    ],
    state: '❌ refused',
  },
  {
    what: 'HTTP 402, the period of the subscription having ended',
    service: meeting(statusFault(402)),
    inputs: { subscription: JSON.stringify({ ...subscription, currentPeriodEnd: 1_700_000_000 }) },
    firstLine: failed,
    answers: [
      /payment required: the subscription's period has ended on 2023-11-14 22:13:20 UTC/i,
      nothingSpent,
      /renew the subscription/i,
    ],
    state: '❌ not registered',
  },
  {
    what: 'an answer that was lost to the end',
    service: meeting(resetFault('done')),
    inputs: { 'max-attempts': '2' },
    firstLine: failedOpen,
    answers: [/after 2 tries/i, maybe, again],
    state: '❓ may be registered',
  },
  {
    what: 'an outage that the author lets pass',
    service: meeting(statusFault(503), 'login'),
    inputs: { 'max-attempts': '1', 'if-service-unavailable': 'warn' },
    firstLine: /^## ⚠️ NOT NOTARIZED: deferred; 0 of 1 artifact registered; the service was not/u,
    answers: [/HTTP 503/, /nothing was spent/i, again],
  },
  {
    what: 'a record that contradicts its request',
    service: { record: () => ({ custody: true }) },
    firstLine: failedOpen,
    answers: [/contradicts the request \(custody/i, maybe, /ask the service what became of this/i],
    state: '❓ may be registered',
  },
]

describe('an outcome', () => {
  it.each(outcomes)('is understood from the summary: $what', async scenario => {
    const { service: options = {}, inputs = {}, firstLine, answers, state } = scenario
    const service = await startService(options)
    const run = await notarize({ service, workspace: makeRelease({ a: 'a' }), inputs })

    const { verdict, rows } = readSummary(run.summary)
    expect(verdict).toMatch(firstLine)
    // The log ends with it as well, for who reads nothing else.
    expect(run.visibleLog).toContain(verdict.slice(3))
    if (state !== undefined) expect(rows[0]?.[0]?.replaceAll(/\s/g, ' ')).toBe(state)
    const labels = ['What happened: ', String.raw`Registered or charged\? `, 'Next: ']
    expect(answersOf(run)).toEqual(
      (answers ?? []).map((answer, index) =>
        expect.stringMatching(new RegExp(`^${labels[index]}.*(${answer.source})`, answer.flags)),
      ),
    )
    // To run the same job again changes nothing for a record that is never sent again.
    if (run.results.failures[0]?.code === 'record-mismatch') {
      expect(run.summary).not.toMatch(/run the job again/)
    }
  })

  it('with several codes has one advice for each, and each row keeps its code', async () => {
    const faults = [
      { hash: sha256('b'), fault: statusFault(409) },
      { hash: sha256('c'), fault: statusFault(409) },
      { hash: sha256('d'), fault: statusFault(404) },
      { hash: sha256('e'), fault: resetFault('done') },
    ]
    const service = await startService({
      faults: faults.map(one => ({ ...one, endpoint: 'completion' })),
    })
    const workspace = makeRelease({ a: 'a', b: 'b', c: 'c', d: 'd', e: 'e' })
    const inputs = { 'max-attempts': '1', 'verification-url': 'https://notary.example/{hash}' }
    const run = await notarize({ service, workspace, inputs })

    const { verdict, rows } = readSummary(run.summary)
    expect(verdict).toMatch(/PARTLY NOTARIZED: 1 of 5 .*; 4 failed, 1 of them may be registered$/)
    // Those that may be registered come first, with the link to look them up.
    expect(rows.map(row => row[1])).toEqual(['dist/e', 'dist/b', 'dist/c', 'dist/d', 'dist/a'])
    expect(rows[0]?.[0]).toContain('look it up')
    expect(run.summary).toContain(`<a href="https://notary.example/${sha256('e')}">`)
    expect(rows.slice(0, 4).map(row => /^\w+/.exec(row.at(-1) ?? '')?.[0])).toEqual([
      ...['unavailable', 'refused', 'refused', 'refused'],
    ])
    expect(run.summary.match(/<b>Next:<\/b>/g)).toHaveLength(3)
    // The log groups the reasons as well: the two alike are explained once.
    const explained = run.lines.filter(
      line => !line.startsWith('::') && /registered already/i.test(line),
    )
    expect(explained).toEqual([expect.stringMatching(/^2 artifacts, refused: refused: /)])
  })
})

it('a run that stopped says so first, then why and for which tag', async () => {
  const service = await startService()
  const workspace = makeRelease({ a: 'a' })
  const run = await notarize({ service, workspace, inputs: { 'max-registrations': '0' } })

  const first = '## ❌ NOT NOTARIZED: stopped before anything was sent'
  expect(readSummary(run.summary).verdict).toBe(first)
  expect(textOf(run.summary)).toMatch(
    /For v1\.2\.3, commit \w{12}, run \d+.* Nothing was registered or charged\. .*"max-registrations" is 0, and 1 distinct hash is left.*correct the patterns, or raise/,
  )
})

describe('the log of an outage', () => {
  it('says what is tried again, why and when', async () => {
    const service = await startService({
      faults: [
        { endpoint: 'login', to: 1, fault: statusFault(503, { headers: { 'retry-after': '1' } }) },
        { endpoint: 'completion', fault: statusFault(503, { headers: { 'retry-after': '0' } }) },
      ],
    })
    const workspace = makeRelease({ a: 'a' })
    const run = await notarize({ service, workspace, inputs: { 'max-attempts': '2' } })

    const said = run.lines.filter(line => line.includes('try 1 of 2'))
    expect(said).toEqual([
      expect.stringMatching(/login: try 1 of 2 .*503.*; next in 1(\.0)? s$/),
      expect.stringMatching(/^the registration of ".+": try 1 of 2 .*503.*; next in/),
    ])
  })
})

it('a warning that changes what the reader must do is in the summary, too', async () => {
  const service = await startService()
  const ended = { ...subscription, currentPeriodEnd: 1_700_000_000 }
  const inputs = { subscription: JSON.stringify(ended) }
  const workspace = makeRelease({ a: 'a', b: 'b' })
  workspace.write('notarization-records.jsonl', toJsonLines([makeLine(service.url, 'b')]))
  const run = await notarize({ service, workspace, inputs })

  expect(run.annotations.warning).toHaveLength(1)
  expect(textOf(run.summary)).toContain((run.annotations.warning[0] ?? '?').slice(1))
})
