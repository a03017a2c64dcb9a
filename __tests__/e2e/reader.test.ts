/**
 * What somebody reads at 2 a.m. The first line of each outcome is in `report/report.test.ts`; what a failing disk, a
 * signal or a release adds is in their own files.
 */
import { expect, it } from '@jest/globals'
import { resetFault, statusFault } from '../../simulator/index.ts'
import type { Fault, FaultRule } from '../../simulator/index.ts'
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

/** What the markup of a summary shows, in one line. */
function textOf(markup: string): string {
  return markup
    .replaceAll(/<wbr>|<[^<>]*>/g, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/\s+/g, ' ')
}

/** The reasons of a summary: what is said under each label. */
function answersOf(summary: string): readonly (readonly string[])[] {
  const items = [...summary.matchAll(/<li>(.*?)<\/li>/gs)].map(([, item = '']) => item)
  return items.map(item => item.split('<br>').slice(1).map(textOf))
}

it('each reason says what happened, whether anything is registered or charged, and what to do next', async () => {
  const fail = (name: string, fault: Fault): FaultRule => ({
    ...{ endpoint: 'completion', hash: sha256(name), fault },
  })
  const service = await startService({
    faults: [
      fail('b', statusFault(409)),
      fail('c', statusFault(409)),
      fail('d', statusFault(402)),
      fail('e', resetFault('done')),
    ],
    record: hash => (hash === sha256('f') ? { custody: true } : {}),
  })
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const workspace = makeRelease(Object.fromEntries(names.map(name => [name, name])))
  const inputs = {
    ...{ 'max-attempts': '2', 'verification-url': 'https://notary.example/{hash}' },
    subscription: JSON.stringify({ ...subscription, currentPeriodEnd: 1_700_000_000 }),
  }
  const run = await notarize({ service, workspace, inputs })

  const { verdict, rows } = readSummary(run.summary)
  expect(verdict).toMatch(/PARTLY NOTARIZED: 1 of 6 .*; 5 failed, 2 of them may be registered$/)
  // The log ends with it as well, for who reads nothing else.
  expect(run.visibleLog).toContain(verdict.slice(3))
  // Those that may be registered come first, with the link to look them up.
  expect(rows.map(row => row[1])).toEqual(
    ['e', 'f', 'b', 'c', 'd', 'a'].map(name => `dist/${name}`),
  )
  expect(rows[0]?.[0]).toContain('look it up')
  // The service knows that hash: nobody can say that it is not registered.
  expect(rows[2]?.[0]).toMatch(/^❌\srefused.*look it up/)
  expect(rows[4]?.[0]).toMatch(/^❌\snot\sregistered$/)
  expect(run.summary).toContain(`<a href="https://notary.example/${sha256('e')}">`)
  expect(rows.slice(0, 5).map(row => /^[\w-]+/.exec(row.at(-1) ?? '')?.[0])).toEqual([
    ...['unavailable', 'record-mismatch', 'refused', 'refused', 'refused'],
  ])
  const maybe = 'it may be registered and charged: look its hash up first, .*'
  const answers = [
    ['.*after 2 tries', maybe, 'Run the job again later, with the same records file'],
    ['.*contradicts the request \\(custody', maybe, 'Ask the service what became of this'],
    [
      'Registered already',
      'This run spent nothing for it; an earlier run may have registered it',
      'Bring the records of that run back as "notarization-records\\.jsonl".*if they are lost',
    ],
    [
      "Payment required: the subscription's period has ended on 2023-11-14 22:13:20 UTC",
      'This run did not register it and spent nothing for it',
      'Renew the subscription',
    ],
  ]
  const labels = ['What happened: ', 'Registered or charged\\? ', 'Next: ']
  expect(answersOf(run.summary)).toEqual(
    answers.map(texts =>
      texts.map((text, at) => expect.stringMatching(new RegExp(`^${labels[at]}${text}`, 'i'))),
    ),
  )
  // The log groups the reasons as well: the two alike are explained once.
  const explained = run.lines.filter(
    line => !line.startsWith('::') && /registered already/i.test(line),
  )
  expect(explained).toEqual([expect.stringMatching(/^2 artifacts, refused: refused: /)])
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

it('the log of an outage says what is tried again, why and when', async () => {
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
