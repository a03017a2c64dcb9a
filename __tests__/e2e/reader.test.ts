/** What somebody reads at 2 a.m.: the three answers, whole; how they are put together is tested with `report/`. */
import { expect, it } from '@jest/globals'
import { resetFault, statusFault, type Fault, type FaultRule } from '../../simulator/index.ts'
import { decodeHtml } from '../support/html.ts'
import {
  makeLetters,
  makeLine,
  notarize,
  readSummary,
  sha256,
  startService,
  subscription,
} from './support.ts'

const ended = JSON.stringify({ ...subscription, currentPeriodEnd: 1_700_000_000 })

/** What the markup of a summary shows, in one line. */
function textOf(markup: string): string {
  return decodeHtml(markup.replaceAll(/<[^<>]*>/g, '')).replaceAll(/\s+/g, ' ')
}

it('each reason says what happened, whether anything is registered or charged, and what to do next', async () => {
  const fail = (letter: string, fault: Fault): FaultRule => {
    return { endpoint: 'completion', hash: sha256(letter), fault }
  }
  const service = await startService({
    faults: [
      fail('b', statusFault(409)),
      fail('c', statusFault(409)),
      fail('d', statusFault(402)),
      fail('e', resetFault('done')),
    ],
    record: hash => (hash === sha256('f') ? { custody: true } : {}),
  })
  const run = await notarize({
    service,
    workspace: makeLetters('abcdef'),
    inputs: {
      'max-attempts': '2',
      'verification-url': 'https://notary.example/{hash}',
      subscription: ended,
    },
  })

  const { verdict, rows } = readSummary(run.summary)
  expect(verdict).toMatch(/PARTLY NOTARIZED: 1 of 6 .*5 failed, 2 of them may be registered/)
  // The log ends with it as well, for who reads nothing else.
  expect(run.lines).toContain(verdict.slice(3))
  // Those that may be registered come first, and can be looked up.
  expect(rows.map(row => row[1])).toEqual(
    ['e', 'f', 'b', 'c', 'd', 'a'].map(name => `dist/${name}`),
  )
  for (const letter of ['e', 'f', 'b', 'c']) {
    expect(run.summary).toContain(`<a href="https://notary.example/${sha256(letter)}">`)
  }
  const items = [...run.summary.matchAll(/<li>(.*?)<\/li>/gs)].map(([, item = '']) => textOf(item))
  // The two alike are explained once.
  expect(items).toEqual([
    expect.stringMatching(
      /may be registered.*unavailable.*What.*may be registered.*Next:.*if found/,
    ),
    expect.stringMatching(/record-mismatch.*What.*custody.*may be registered.*Next:/),
    expect.stringMatching(/refused, HTTP 409.*dist\/b.*dist\/c.*knows the hash.*Next:/),
    expect.stringMatching(/HTTP 402.*What.*subscription.*Nothing was registered.*Next: Renew/),
  ])
})

it('a run that stopped says so first, then why and for which tag', async () => {
  const service = await startService()
  const run = await notarize({ service, inputs: { 'max-registrations': '0' } })

  expect(readSummary(run.summary).verdict).toMatch(/NOT NOTARIZED: stopped before anything was/)
  expect(textOf(run.summary)).toMatch(
    /For v1\.2\.3, commit \w{12}, run \d+.*Nothing was registered or charged.*"max-registrations" is 0/,
  )
})

it('the log of an outage says what is tried again, why and when', async () => {
  const busy = (seconds: string) => statusFault(503, { headers: { 'retry-after': seconds } })
  const service = await startService({
    faults: [
      { endpoint: 'login', to: 1, fault: busy('1') },
      { endpoint: 'completion', fault: busy('0') },
    ],
  })
  const run = await notarize({ service, inputs: { 'max-attempts': '2' } })

  expect(run.lines.filter(line => line.includes('1 of 2'))).toEqual([
    expect.stringMatching(/login.*1 of 2.*503.*in 1(\.0)? s$/),
    expect.stringMatching(/the registration of ".+".*1 of 2.*503/),
  ])
})

it('a warning that changes what the reader must do is in the summary, too', async () => {
  const service = await startService()
  const workspace = makeLetters('ab', [makeLine(service.url, 'b')])
  const run = await notarize({ service, workspace, inputs: { subscription: ended } })

  expect(run.annotations.warning).toHaveLength(1)
  expect(textOf(run.summary)).toContain(run.annotations.warning[0]?.slice(1))
})
