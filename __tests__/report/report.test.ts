import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { cancelledFailure, Halt, notSavedFailure } from '../../src/halt.ts'
import type { Result } from '../../src/outcome.ts'
import type { Ending } from '../../src/report/report.ts'
import { Secrets } from '../../src/secrets.ts'
import { cleanUp } from '../support/clean-up.ts'
import {
  before,
  endedWith,
  failedAs,
  plannedAs,
  registeredAs,
  reportAll,
  stoppedBy,
  type ReportChanges,
} from './results.ts'

afterAll(cleanUp)

const haltOf = (...whys: readonly ('cancelled' | 'unsaved')[]): Halt => {
  const halt = new Halt()
  for (const why of whys) {
    if (why === 'cancelled') halt.cancel()
    else halt.stop(notSavedFailure)
  }
  return halt
}

const away = failedAs('z', { isDeferrable: true })
const awayUnsure = failedAs('z', { isDeferrable: true, registered: 'unknown' })
const warn = { ifServiceUnavailable: 'warn' } as const
const attachment = { tag: 'v1', failure: 'GitHub answered HTTP 502', links: [] }
const good = registeredAs('a')
const known = registeredAs('b', {}, before)
const all = '1 of 1 artifact registered (1 newly registered, 0 known before)'
const none = '❌ NOT NOTARIZED: 0 of 1 artifact registered; 1 failed'

const refusedWith = (status: number): Result =>
  failedAs('a', { code: 'refused', status, what: `the service answered HTTP ${status}` })
const mismatch = { code: 'record-mismatch', registered: 'unknown', remedy: 'ask them' } as const
const url = 'https://x.example/{hash}'

/** How a run ends: its first line, whether anything is registered or charged and what to do next, and what is not plain in it. */
type Outcome = readonly [
  name: string,
  firstLine: string,
  ending: Ending,
  says?: readonly RegExp[],
  changes?: ReportChanges,
]

const outcomes: readonly Outcome[] = [
  [
    ...([
      'success',
      '✅ NOTARIZED: 2 of 2 artifacts registered (1 newly registered, 1 known before)',
    ] as const),
    endedWith(good, known),
  ],
  ['nothing found', '⚠️ NOTHING NOTARIZED: no artifact was found', endedWith()],
  [
    ...([
      'nothing found, and cancelled',
      '❌ NOTHING NOTARIZED: no artifact was found; the run was cancelled',
    ] as const),
    ...([endedWith(), [], { halt: haltOf('cancelled') }] as const),
  ],
  [
    ...(['charged again', `✅ NOTARIZED: ${all}`] as const),
    { ...endedWith(registeredAs('a', {}, { unansweredTries: 1 })), openHashes: 1 },
    [
      /1 artifact is registered, but may have been charged more than once/,
      /compare the registrations of this run with what the service charges/i,
      /1 hash may have been registered by an earlier run that read no answer; this run planned to send it again/,
    ],
  ],
  [
    ...(['attach failed', `⚠️ NOTARIZED, but the records are not attached to v1: ${all}`] as const),
    { ...endedWith(good), attachment },
    [/nothing is charged again/, /run the job again.*attach the records file by hand/i],
  ],
  [
    'records file gone',
    `⚠️ NOTARIZED, but the records file was removed or cut by somebody else: ${all}`,
    { ...endedWith(good), isRecordsFileGone: true },
    [/registered and charged, but no later run knows it/, /save the output &#34;records&#34;/i],
  ],
  [
    'record not saved',
    `⚠️ NOTARIZED, but a record is not saved in the records file: ${all}`,
    endedWith(good),
    [
      /registered and charged, but no later run knows/,
      /add that line to the records file by hand/i,
    ],
    { halt: haltOf('unsaved') },
  ],
  [
    ...([
      'cancelled with all registered',
      `⚠️ NOTARIZED, but the run was cancelled: ${all}`,
    ] as const),
    ...([endedWith(good), [/run the job again/i], { halt: haltOf('cancelled') }] as const),
  ],
  [
    'cancelled and not saved',
    `⚠️ NOTARIZED, but the run was cancelled, and a record is not saved in the records file: ${all}`,
    ...([endedWith(good), [], { halt: haltOf('unsaved', 'cancelled') }] as const),
  ],
  [
    ...([
      'outputs not written',
      `⚠️ NOTARIZED, but the outputs could not be written: ${all}`,
    ] as const),
    ...([endedWith(good), [/the records file has every record/i], { broken: 'outputs' }] as const),
  ],
  [
    'cancelled',
    '❌ PARTLY NOTARIZED: 1 of 2 artifacts registered (1 newly registered, 0 known before); 1 failed and may be registered; the run was cancelled',
    endedWith(good, failedAs('c', { ...cancelledFailure, registered: 'unknown' })),
    [/cancelled before the answer came.*may be registered and charged/s, /run the job again/i],
    { halt: haltOf('cancelled') },
  ],
  [
    'deferred',
    '⚠️ NOT NOTARIZED: deferred; 1 of 2 artifacts registered (0 newly registered, 1 known before); the service was not available for 1, which may be registered',
    ...([
      endedWith(known, awayUnsure),
      [/may be registered and charged/, /try later/i],
      warn,
    ] as const),
  ],
  [
    ...(['deferrable, but cancelled', `${none}; the run was cancelled`, endedWith(away)] as const),
    ...([[], { ...warn, halt: haltOf('cancelled') }] as const),
  ],
  ['deferrable, but not asked for', none, endedWith(away)],
  [
    ...([
      'deferrable beside another',
      none.replace('1 artifact', '2 artifacts').replace('1 failed', '2 failed'),
    ] as const),
    ...([endedWith(away, failedAs('c')), [], warn] as const),
  ],
  [
    'dry run',
    '🔎 DRY RUN, nothing was sent: 2 of 4 artifacts would be registered (1 may have been registered by an earlier run), 1 known before, 1 not sent again until a person has settled it',
    endedWith(plannedAs('a'), known, plannedAs('c', 'held'), plannedAs('d', 'open')),
    ...([[], { isDryRun: true }] as const),
  ],
  [
    'dry run with a fault',
    '❌ DRY RUN, nothing was sent: 1 of 2 artifacts would be registered, 0 known before, 1 could not be hashed',
    endedWith(plannedAs('a'), failedAs('b', { code: 'unreadable', remedy: 'allow it' })),
    ...([[/nothing was spent/, /allow it/i], { isDryRun: true }] as const),
  ],
  [
    ...(['stopped', '❌ NOT NOTARIZED: stopped before anything was sent'] as const),
    stoppedBy('input "path": correct the pattern'),
    [/Nothing was registered or charged/, /correct the pattern.*/],
  ],
  [
    ...([
      'stopped in a dry run',
      '❌ DRY RUN, NOT NOTARIZED: stopped before anything was sent',
    ] as const),
    ...([stoppedBy('x'), [], { isDryRun: true }] as const),
  ],
  [
    ...([
      'stopped by a bug',
      '❌ NOT NOTARIZED: stopped after something may have been sent',
    ] as const),
    { ...stoppedBy('internal-error: please report it'), mayHaveSent: true },
    [/Something may be registered and charged/, /please report it/],
  ],
  [
    ...(['payment required', none, endedWith(refusedWith(402))] as const),
    [
      /Payment required: the subscription&#39;s period has ended on 2026-10-31 00:00:00 UTC.*spent nothing/s,
    ],
    { periodEndedAt: Date.UTC(2026, 9, 31) },
  ],
  ...(
    [
      [400, /Not accepted: most likely the subscription data/, /anew/],
      [402, /Payment required: most likely the subscription has ended/, /renew the subscription/i],
      [403, /Forbidden: most likely/, /of the same account/],
      [404, /Not found: most likely nobody has requested/, /request-registration/],
      [422, /Not accepted: most likely the subscription data/, /anew/],
      [418, /The service answered HTTP 418/, /try later/i],
    ] as const
  ).map(([status, cause, next]): Outcome => {
    const spent = /spent nothing for it; an earlier run whose records file is not here/
    return [`refused with ${status}`, none, endedWith(refusedWith(status)), [cause, spent, next]]
  }),
  [
    ...(['known at the service', none, endedWith(refusedWith(409))] as const),
    [
      /❌&nbsp;<b>refused<\/b> \(HTTP 409\).*<a href="https:\/\/x\.example.*Registered already.*spent nothing/s,
      /bring the records of that run back as &#34;notarization-records.jsonl&#34;.*if they are lost/i,
    ],
    { verificationUrl: url },
  ],
  [
    ...(['wrong address', none] as const),
    endedWith(failedAs('a', { code: 'invalid-response', status: 404 })),
    [/Most likely &#34;base-url&#34; is not the address.*nothing was spent/s, /try later/i],
  ],
  [
    ...(['wrong key', none, endedWith(failedAs('a', { code: 'login-refused' }))] as const),
    [/The service does not accept the API key.*nothing was spent/s, /try later/i],
  ],
  [
    ...(['record mismatch', `${none} and may be registered`] as const),
    endedWith(failedAs('a', mismatch)),
    [/may be registered and charged/, /ask them(?!.*again)/i],
  ],
]

it.each(outcomes)(
  'what a reader looks for is in the summary, its first line in the log as well: %s',
  async (_, firstLine, ending, says = [], changes = {}) => {
    const { summary, log, errors, exitCode } = await reportAll(ending, changes)
    expect(summary.split('\n')[0]).toBe(`## ${firstLine}`)
    if (ending.kind === 'ended') expect(log.at(-1)).toBe(firstLine)
    // The first line never contradicts the exit code.
    expect(exitCode).toBe(/^(?:✅|🔎|⚠️ NOT(?!ARIZED, but))/u.test(firstLine) ? 0 : 1)
    expect(errors).toHaveLength(exitCode)
    for (const text of says) expect(summary).toMatch(text)
    expect(summary.replace(/^```.*?^```$/gms, '')).not.toMatch(/`|&#96;/)
  },
)

describe('the outputs', () => {
  it('are all set, after a partial failure', async () => {
    const { outputs } = await reportAll(endedWith(good, known, failedAs('c')))
    expect(outputs).toMatchObject({
      ...{ verdict: 'partial', 'artifact-count': 3, 'registered-count': 2 },
      ...{ 'newly-registered-count': 1, 'failed-count': 1 },
      'checksums-path': '/tmp/checksums.txt',
      'records-path': expect.stringMatching(/^\/.*records\.jsonl$/),
      'evidence-path': expect.stringMatching(/^\/.*notarization-evidence\.md$/),
    })
  })

  it.each([stoppedBy('x'), { ...stoppedBy('x'), mayHaveSent: true }])(
    'are all set when the run stopped',
    async ending => {
      const { outputs } = await reportAll(ending, { recordsPath: '/work/records.jsonl' })
      expect(outputs).toEqual({
        ...{ verdict: 'stopped', records: '[]', failures: '[]', 'artifact-count': 0 },
        ...{ 'registered-count': 0, 'newly-registered-count': 0, 'failed-count': 0 },
        ...{ 'records-path': '/work/records.jsonl', 'checksums-path': '', 'evidence-path': '' },
      })
    },
  )

  it('of a run that passes although the service was away have the verdict deferred', async () => {
    const { outputs, warnings } = await reportAll(endedWith(good, away), warn)
    expect(outputs['verdict']).toBe('deferred')
    expect(warnings).toEqual([expect.stringContaining('NOT NOTARIZED: deferred')])
  })
})

describe('the evidence page', () => {
  it('is rendered from the records file and written to the folder for temporary files', async () => {
    const path = String((await reportAll(endedWith(good))).outputs['evidence-path'])
    expect(readFileSync(path, 'utf8')).toContain('# Notarization evidence')
    expect(basename(path)).toBe('notarization-evidence.md')
  })

  it.each<[string, Ending, ReportChanges, number]>([
    ['nothing is registered', endedWith(failedAs('a')), {}, 0],
    ['the file has no record', endedWith(good), { recordsPath: '/dev/null' }, 0],
    ['the file was removed', { ...endedWith(good), isRecordsFileGone: true }, {}, 0],
    ['the file cannot be read', endedWith(good), { recordsPath: '/none/records.jsonl' }, 1],
    ['there is no room', endedWith(good), { tempFolder: '/none' }, 1],
  ])('is not there when %s', async (_, ending, changes, warnings) => {
    const reported = await reportAll(ending, changes)
    expect(reported.outputs['evidence-path']).toBe('')
    expect(reported.warnings).toHaveLength(warnings)
  })
})

describe('the summary', () => {
  it('is written only if it is wanted', async () => {
    expect((await reportAll(endedWith(good), { showSummary: false })).summary).toBe('')
    expect((await reportAll(stoppedBy('x'), { showSummary: false })).summary).toBe('')
  })

  it('that cannot be written is a warning: the run did its work', async () => {
    const reported = await reportAll(endedWith(good), { broken: 'summary' })
    expect(reported).toMatchObject({ exitCode: 0, errors: [] })
    expect(reported.warnings).toHaveLength(1)
  })

  it('has the warnings that change what the reader must do, and where the evidence is attached', async () => {
    const links = [{ name: 'notarization-records.jsonl', url: 'https://github.example/r' }]
    const ending = { ...endedWith(good), warnings: ['the period has ended; renew it'] }
    const { summary, log } = await reportAll(
      { ...ending, attachment: { tag: 'v1', failure: null, links } },
      { releaseTag: 'v1' },
    )
    expect(summary).toContain('⚠️ The period has ended; renew it.')
    expect(summary).toContain('<a href="https://github.example/r">')
    expect(log.at(-1)).toContain('https://github.example/r')
  })
})

describe('the errors', () => {
  it('are one, whatever came together', async () => {
    const { errors } = await reportAll(
      { ...endedWith(good, failedAs('b')), attachment },
      { halt: haltOf('unsaved', 'cancelled'), broken: 'outputs' },
    )
    expect(errors).toEqual([
      expect.stringMatching(
        /^1 of 2 artifacts failed\. The first, "b": unavailable: .*cancelled.*could not be saved.*attached.*outputs/,
      ),
    ])
  })

  it.each([
    [[failedAs('a', { registered: 'unknown' })], '1 of 1 artifact failed and may be registered.'],
    [[failedAs('a'), awayUnsure], '2 of 2 artifacts failed, 1 of them may be registered.'],
  ])('say how many of how many failed, and what of it may be registered', async (results, text) => {
    expect((await reportAll(endedWith(...results))).errors[0]).toContain(text)
  })

  it('of a stop are ten at most, with the cancel and the outputs that could not be written', async () => {
    const ending = stoppedBy(...Array.from({ length: 20 }, (_, index) => `problem ${index}`))
    const { errors } = await reportAll(ending)
    expect(errors).toHaveLength(10)
    const halt = haltOf('cancelled')
    const late = await reportAll(stoppedBy('problem'), { halt, broken: 'outputs' })
    expect(late.errors).toEqual([
      ...['problem', 'The run was cancelled by a signal; nothing was sent'],
      expect.stringContaining('outputs could not be written'),
    ])
  })
})

describe('what may be registered', () => {
  it('is linked to where it can be looked up, in message, list and row', async () => {
    const { summary, outputs } = await reportAll(endedWith(awayUnsure), {
      verificationUrl: 'https://x.example/{hash}',
    })
    const url = `https://x.example/${awayUnsure.hash ?? ''}`
    expect(summary.split(`<a href="${url}">`)).toHaveLength(4)
    expect(outputs['failures']).toContain(`look its hash up first, at ${url}`)
  })

  it.each([null, 'https://x.example/{txId}'])(
    'names the input that would link it, where that is %p',
    async verificationUrl => {
      const { summary, outputs } = await reportAll(endedWith(awayUnsure), { verificationUrl })
      expect(summary).toContain('the input &#34;verification-url&#34; would link it')
      expect(outputs['failures']).toContain('verification-url')
    },
  )

  it('is not linked if it is certain that it is not there', async () => {
    const { summary } = await reportAll(endedWith(failedAs('a')), {
      verificationUrl: 'https://x.example/{hash}',
    })
    expect(summary).not.toContain('x.example')
  })
})

it('secrets are in nothing that is reported', async () => {
  const secrets = new Secrets(() => undefined)
  secrets.add(['top-secret-value'])
  const reported = await reportAll(
    endedWith(
      registeredAs('a', { note: 'has top-secret-value', creationDate: 1 }, before),
      failedAs('b', { what: `${'x'.repeat(990)}top-secret-value`, remedy: 'top-secret-value' }),
    ),
    { secrets },
  )
  const said = JSON.stringify([
    reported,
    await reportAll(stoppedBy('top-secret-value'), { secrets }),
  ])
  expect(said).not.toMatch(/top-s/)
  expect(said).toContain('has ***')
  expect(reported.outputs['records']).toContain('"redacted":["/note"]')
})
