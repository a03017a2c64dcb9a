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

const haltOf = (...whys: readonly ('bug' | 'cancelled' | 'unsaved')[]): Halt => {
  const halt = new Halt()
  for (const why of whys) {
    if (why === 'bug') halt.noteBug(new Error('x'), 'https://x.example/issues')
    else if (why === 'cancelled') halt.cancel()
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

/** How a run ends, its first line, and what the summary says of it: what happened, what is spent, what to do next. */
interface Outcome {
  readonly line: string
  readonly ending: Ending
  readonly says?: readonly RegExp[]
  readonly changes?: ReportChanges
}

const but = (short: string): string => `⚠️ NOTARIZED, but ${short}: ${all}`
const refused = (status: number, ...says: readonly RegExp[]): Outcome => ({
  ...{ line: none, ending: endedWith(refusedWith(status)) },
  says: [/spent nothing for it; an earlier run whose records file is not here/, ...says],
})

const outcomes: readonly Outcome[] = [
  {
    line: '✅ NOTARIZED: 2 of 2 artifacts registered (1 newly registered, 1 known before)',
    ending: endedWith(good, known),
  },
  { line: '⚠️ NOTHING NOTARIZED: no artifact was found', ending: endedWith() },
  {
    line: '❌ NOTHING NOTARIZED: no artifact was found; the run was cancelled',
    ...{ ending: endedWith(), changes: { halt: haltOf('cancelled') } },
  },
  {
    line: `✅ NOTARIZED: ${all}`,
    ending: endedWith(registeredAs('a', {}, { unansweredTries: 1 })),
    says: [/1 artifact is registered, but may have been charged more than once: .*Compare the reg/],
  },
  {
    line: but('the records are not attached to v1'),
    ending: { ...endedWith(good), attachment },
    says: [/nothing is charged again/, /run the job again.*attach the records file by hand/i],
  },
  {
    line: but('the records file was removed or cut by somebody else'),
    ending: { ...endedWith(good), isRecordsFileGone: true },
    says: [/charged, but no later run knows it/, /save the output &#34;records&#34;/i],
  },
  {
    line: but('a record is not saved in the records file'),
    ...{ ending: endedWith(good), changes: { halt: haltOf('unsaved') } },
    says: [/charged, but no later run knows/, /add that line to the records file by hand/i],
  },
  {
    line: but('the run was cancelled'),
    ...{ ending: endedWith(good), changes: { halt: haltOf('cancelled') } },
    says: [/nothing more was sent after the signal/, /run the job again/i],
  },
  {
    line: but('the run was cancelled, and a record is not saved in the records file'),
    ...{ ending: endedWith(good), changes: { halt: haltOf('unsaved', 'cancelled') } },
  },
  {
    line: but('the outputs could not be written'),
    ...{ ending: endedWith(good), changes: { isFull: true } },
    says: [/the records file has every record/i, /make room/i],
  },
  {
    line: but('the run met a bug in this action'),
    ...{ ending: endedWith(good), changes: { halt: haltOf('bug') } },
    says: [/Please report it/],
  },
  {
    line: '❌ PARTLY NOTARIZED: 1 of 2 artifacts registered (1 newly registered, 0 known before); 1 failed and may be registered; the run was cancelled',
    ending: endedWith(good, failedAs('c', { ...cancelledFailure, registered: 'unknown' })),
    says: [/The run was cancelled.*may be registered and charged/s, /run the job again/i],
    changes: { halt: haltOf('cancelled') },
  },
  {
    line: '⚠️ NOT NOTARIZED: deferred; 1 of 2 artifacts registered (0 newly registered, 1 known before); the service was not available: 1 failed and may be registered',
    ...{ ending: endedWith(known, awayUnsure), changes: warn },
    says: [/may be registered and charged/, /try later/i],
  },
  {
    line: `${none}; the run was cancelled`,
    ...{ ending: endedWith(away), changes: { ...warn, halt: haltOf('cancelled') } },
  },
  // Deferrable, but not asked for; then not alone.
  { line: none, ending: endedWith(away) },
  {
    line: none.replace('1 artifact', '2 artifacts').replace('1 failed', '2 failed'),
    ...{ ending: endedWith(away, failedAs('c')), changes: warn },
  },
  {
    line: '🔎 DRY RUN, nothing was sent: 2 of 4 artifacts would be registered (1 may have been registered by an earlier run), 1 known before, 1 not sent again until a person has settled it',
    ending: endedWith(plannedAs('a'), known, plannedAs('c', 'held'), plannedAs('d', 'open')),
    changes: { isDryRun: true },
  },
  {
    line: '❌ DRY RUN, nothing was sent: 1 of 2 artifacts would be registered, 0 known before, 1 could not be hashed',
    ending: endedWith(plannedAs('a'), failedAs('b', { code: 'unreadable', remedy: 'allow it' })),
    ...{ says: [/nothing was spent/, /allow it/i], changes: { isDryRun: true } },
  },
  {
    line: '❌ NOT NOTARIZED: stopped before anything was sent',
    ending: stoppedBy('input "path": correct the pattern'),
    says: [/Nothing was registered or charged/, /correct the pattern.*/],
  },
  {
    line: '❌ DRY RUN, NOT NOTARIZED: stopped before anything was sent',
    ...{ ending: stoppedBy('x'), changes: { isDryRun: true } },
  },
  {
    line: '❌ NOT NOTARIZED: stopped before anything was sent',
    ...{ ending: stoppedBy(), says: [/please report it/], changes: { halt: haltOf('bug') } },
  },
  refused(400, /Not accepted: most likely the subscription data/, /anew/),
  refused(402, /Payment required: most likely the subscription has ended/, /renew the subscr/i),
  refused(403, /Forbidden: most likely/, /of the same account/),
  refused(404, /Not found: most likely nobody has requested/, /request-registration/),
  refused(422, /Not accepted: most likely the subscription data/, /anew/),
  refused(418, /The service answered HTTP 418/, /try later/i),
  {
    line: `${none} and may be registered`,
    ending: endedWith(failedAs('a', { code: 'refused', status: 409, registered: 'unknown' })),
    says: [/most likely a try whose answer was lost has registered it/, /try later/i],
  },
  {
    line: none,
    ending: endedWith(failedAs('a', { code: 'request-refused', status: 404 })),
    says: [/<\/b> The service is away\./, /try later/i],
  },
  {
    ...{ line: none, ending: endedWith(failedAs('a', { code: 'invalid-response', status: 404 })) },
    says: [/Most likely &#34;base-url&#34; is not the address.*nothing was spent/s, /try later/i],
  },
  {
    line: `${none} and may be registered`,
    ending: endedWith(failedAs('a', { code: 'invalid-response', registered: 'unknown' })),
    says: [/<\/b> The service is away\./, /try later/i],
  },
  {
    ...{ line: none, ending: endedWith(failedAs('a', { code: 'login-refused' })) },
    says: [/The service does not accept the API key.*nothing was spent/s, /try later/i],
  },
  {
    ...{ line: `${none} and may be registered`, ending: endedWith(failedAs('a', mismatch)) },
    says: [/may be registered and charged/, /ask them(?!.*again)/i],
  },
]

it.each(outcomes)(
  'what a reader looks for is in the summary, its first line in the log as well: $line',
  async ({ line, ending, says = [], changes = {} }) => {
    const { summary, log, errors, exitCode } = await reportAll(ending, changes)
    expect(summary.split('\n')[0]).toBe(`## ${line}`)
    if (ending.kind === 'ended') expect(log.at(-1)).toBe(line)
    // The first line never contradicts the exit code.
    expect(exitCode).toBe(/^(?:✅|🔎|⚠️ NOT(?!ARIZED, but))/u.test(line) ? 0 : 1)
    expect(errors).toHaveLength(exitCode)
    for (const text of says) expect(summary).toMatch(text)
    expect(summary.replace(/^```.*?^```$/gms, '')).not.toMatch(/`|&#96;/)
  },
)

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

it('the warning of a run that passes although the service was away says what to do first', async () => {
  const { outputs, warnings } = await reportAll(endedWith(good, awayUnsure), warn)
  expect(outputs['verdict']).toBe('deferred')
  expect(warnings).toEqual([
    expect.stringMatching(/^NOT NOTARIZED: deferred; .*look up at the service first what may be/),
  ])
})

describe('the errors', () => {
  it('are one, whatever came together', async () => {
    const { errors } = await reportAll(
      { ...endedWith(good, failedAs('b')), attachment },
      { halt: haltOf('unsaved', 'cancelled'), isFull: true },
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

  it('have what failed as well where a run would be deferred but was cancelled', async () => {
    const changes = { ...warn, halt: haltOf('cancelled') }
    const { errors, warnings } = await reportAll(endedWith(away), changes)
    expect(errors).toEqual([expect.stringMatching(/^1 of 1 artifact failed\. .*cancelled/)])
    expect(warnings).toEqual([])
  })

  it('of a stop are with the cancel and the outputs that could not be written', async () => {
    const halt = haltOf('cancelled')
    const { errors } = await reportAll(stoppedBy('problem'), { halt, isFull: true })
    expect(errors).toEqual([
      ...['problem', 'The run was cancelled by a signal; nothing was sent'],
      expect.stringContaining('outputs could not be written'),
    ])
  })
})

describe('what may be registered', () => {
  it('is linked to where it can be looked up, in message, list and row', async () => {
    const { summary, outputs } = await reportAll(endedWith(awayUnsure), { verificationUrl: url })
    const address = url.replace('{hash}', awayUnsure.hash ?? '')
    expect(summary.split(`<a href="${address}">`)).toHaveLength(4)
    expect(outputs['failures']).toContain(`look its hash up first, at ${address}`)
    const several = await reportAll(endedWith(awayUnsure, awayUnsure), { verificationUrl: url })
    expect(several.log[0]).toContain('look its hash up first, at the address of "verification-url"')
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
    const { summary } = await reportAll(endedWith(failedAs('a')), { verificationUrl: url })
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
