/** Every way in which a run can end, with what it must say: for the tests, and for pictures of the summary. */
import { bugFailure, makeFailure, type Failure } from '../../src/failure.ts'
import { failed, type Result } from '../../src/outcome.ts'
import type { Ended, Ending } from '../../src/report/report.ts'
import { cancelledFailure, notSavedFailure } from '../../src/runtime/halt.ts'
import { describeReply, failureOf } from '../../src/service/call-failure.ts'
import {
  completionOperation,
  loginOperation,
  neverRequested,
  type Operation,
} from '../../src/service/operations.ts'
import type { Reply } from '../../src/service/transport.ts'
import { openRun } from '../support/samples.ts'
import {
  before,
  endedWith,
  haltOf,
  registeredAs,
  stoppedBy,
  type ReportChanges,
} from './results.ts'

/** What a run must say: its first line begins so, behind its sign. */
type Expected = readonly [exitCode: 0 | 1, verdict: string, line: string]

/** What a run must say, how it ended, and what differs from a plain run. */
export type Case = readonly [expected: Expected, ending: Ending, changes?: ReportChanges]

const names = [
  'release/SHA256SUMS',
  'release/app-1.2.3-linux-arm64.tar.gz',
  'release/app-1.2.3-linux-x64.tar.gz',
  'release/app-1.2.3-macos.dmg',
  'release/app-1.2.3-windows-x64.msi',
  'release/app-1.2.3.sbom.spdx.json',
] as const

/** The fields of a record that a summary shows. */
export const sampleRecord = {
  creationDate: 1_767_225_600_000,
  blockchainType: 'ALGORAND',
  txId: null,
}
const good = names.map(name => registeredAs(name, sampleRecord))

const completion = completionOperation(true, neverRequested)
const login = loginOperation
const noAnswer = (reason: string): Reply => {
  return { kind: 'no-answer', reason, wasSent: false, cause: 'connection' }
}
const answer = (status: number, body = ''): Reply => {
  return { kind: 'answer', status, body, retryAfter: null, date: null }
}

interface CallFacts {
  readonly operation?: Operation
  readonly registered?: Failure['registered']
  readonly attempts?: number
  readonly retryAfterMs?: number
}

/** The failure of a call, in the words of the service. */
function failedCall(reply: Reply, facts: CallFacts = {}): Failure {
  const { operation = completion, registered = 'no', attempts = 1, retryAfterMs = null } = facts
  const mayBeRegistered = registered === 'unknown'
  const replyText = describeReply(reply, operation, text => text)
  const call = { operation, reply, replyText, attempts, mayBeRegistered, retryAfterMs }
  return { ...failureOf(call), registered }
}

const unknown = { registered: 'unknown', attempts: 5 } as const
const status503 = failedCall(answer(503), unknown)
const lost = failedCall(noAnswer('no answer within 30 s'), unknown)
const noConnection = failedCall(noAnswer('the connection was refused (ECONNREFUSED)'))
const notUnderstood = failedCall(answer(200, '<html>'), { registered: 'unknown' })
const notTried = makeFailure({
  code: 'unavailable',
  what: 'not tried, as 5 registrations had failed in a row (the last: HTTP 503)',
  remedy: 'run the job again later',
  isDeferrable: true,
})
const mismatch = makeFailure({
  code: 'record-mismatch',
  registered: 'unknown',
  what: 'the record contradicts its request (status is "pending", not "registered")',
  remedy: 'ask the service what became of this hash, then settle it with a line in the records',
})

/** The first of the artifacts failed, each in its own way; the others are registered. */
function failing(...failures: readonly Failure[]): Ended {
  const results = good.map((result, index): Result => {
    const failure = failures[index]
    return failure === undefined ? result : { ...result, outcome: failed(failure) }
  })
  return endedWith(...results)
}

function allFailing(failure: Failure): Ended {
  return failing(...names.map(() => failure))
}

const all = '6 of 6 artifacts registered (6 newly registered, 0 known before)'
const none: Expected = [1, 'failed', 'NOT NOTARIZED: 0 of 6 artifacts registered; 6 failed']
const stopped: Expected = [1, 'stopped', 'NOT NOTARIZED: stopped before anything was sent']
const green: Expected = [0, 'registered', `NOTARIZED: ${all}`]

function greenBut(short: string): Expected {
  return [1, 'registered', `NOTARIZED, but ${short}: ${all}`]
}

function partly(registered: number, rest: string): Expected {
  const counts = `${registered} of 6 artifacts registered (${registered} newly registered, 0 known`
  return [1, 'partial', `PARTLY NOTARIZED: ${counts} before); ${rest}`]
}

function refused(status: number): Failure {
  return failedCall(answer(status, '{"message":"cannot be completed"}'))
}

const linking = { verificationUrl: 'https://notary.example/verification/{hash}' }
const attachment = {
  tag: 'v1.2.3',
  failure: 'GitHub answered HTTP 502',
  warnings: ['the write test "notarization-write-test-1" could not be deleted'],
  hasPrintedLines: false,
}
const planned: Result = { ...registeredAs(names[3]), outcome: { state: 'planned', open: null } }
const unreadable: Result = {
  name: names[4],
  size: null,
  hash: null,
  outcome: failed(
    makeFailure({
      code: 'unreadable',
      what: 'the file could not be read: permission denied (EACCES)',
      remedy: 'correct its permissions or exclude it, then run the job again',
    }),
  ),
}
const hostile =
  '</td></table><h1>NOTARIZED</h1> [a](https://evil.example) @octocat #1 `x`\n::error::'

const txId = '6QCDV5K4ZLSKYGZ3JCLQ5XOGUJEUF3CGVQBJ6PHCCQWZUCTQVTNA'

/** By the name of the picture. */
export const cases: Readonly<Record<string, Case>> = {
  registered: [green, endedWith(...good), { inputs: linking }],
  'registered-before': [
    [
      0,
      'registered',
      'NOTARIZED: 2 of 2 artifacts registered (1 newly registered, 1 known before)',
    ],
    endedWith(
      registeredAs(names[1], { ...sampleRecord, txId }),
      registeredAs(names[2], sampleRecord, before),
    ),
  ],
  'charged-again': [
    [0, 'registered', `NOTARIZED: ${all.slice(0, -1)}; 1 may have been charged more than once)`],
    endedWith(...good.slice(1), registeredAs(names[0], sampleRecord, { maybeChargedAgain: true })),
  ],
  'open-hashes-and-old-subscription': [
    green,
    {
      ...endedWith(...good),
      warnings: [
        '1 hash is open (sent by an earlier run, without a record) and may be registered already',
        'input "subscription": its period ended on 2026-01-01 00:00:00 UTC; renew it',
      ],
    },
  ],
  'hostile-names': [
    [1, 'partial', 'PARTLY NOTARIZED: 2 of 3 artifacts registered'],
    endedWith(
      registeredAs(hostile, { creationDate: hostile, blockchainType: hostile, txId: hostile }),
      { ...registeredAs(`x/${hostile}`), outcome: failed({ ...lost, what: hostile }) },
      registeredAs(`${'deep/'.repeat(60)}very-long-name-invoice\u202egnp.exe`, sampleRecord),
    ),
  ],
  'thousand-artifacts': [
    [1, 'partial', 'PARTLY NOTARIZED: 999 of 1000 artifacts registered (999 newly'],
    endedWith(
      ...Array.from({ length: 999 }, (_, index) =>
        registeredAs(`release/${index}.bin`, sampleRecord),
      ),
      { ...registeredAs('release/x.bin'), outcome: failed(noConnection) },
    ),
  ],
  attached: [green, { ...endedWith(...good), attachment: { ...attachment, failure: null } }],
  'attach-failed': [
    greenBut('the records are not attached to v1.2.3'),
    { ...endedWith(...good), attachment: { ...attachment, hasPrintedLines: true } },
  ],
  'release-incomplete': [
    greenBut('the release v1.2.3 is not complete'),
    { ...endedWith(...good), attachment: { ...attachment, failure: '"app.zip" was replaced' } },
  ],
  'not-saved': [
    partly(4, '2 failed; a record is not saved'),
    failing(notSavedFailure, notSavedFailure),
    { halt: haltOf('unsaved') },
  ],
  'not-saved-at-the-end': [
    greenBut('a record is not saved, only in the log'),
    endedWith(...good),
    { halt: haltOf('unsaved') },
  ],
  cancelled: [
    partly(4, '2 failed, 1 of them may be registered; the run was cancelled'),
    failing({ ...cancelledFailure, registered: 'unknown' }, cancelledFailure),
    { halt: haltOf('cancelled') },
  ],
  'cancelled-at-the-end': [
    greenBut('the run was cancelled'),
    endedWith(...good),
    { halt: haltOf('cancelled') },
  ],
  bug: [
    partly(5, '1 failed and may be registered; internal-error: a bug'),
    failing(bugFailure('x is not iterable', 'https://x.example/issues')),
    { halt: haltOf('bug') },
  ],
  'outputs-failed': [
    greenBut('the outputs could not be written (ENOSPC)'),
    endedWith(...good),
    { isFull: true },
  ],
  'partial-failure': [
    partly(2, '4 failed, 3 of them may be registered'),
    failing(refused(422), lost, notUnderstood, mismatch),
    { inputs: linking },
  ],
  'refused-400': [none, allFailing(refused(400))],
  'refused-402': [none, allFailing(refused(402))],
  'refused-403': [none, allFailing(refused(403))],
  'refused-404': [none, allFailing(refused(404))],
  'refused-409': [
    [1, 'failed', 'RECORDS MISSING: 6 artifacts known to the service, but not recorded here'],
    allFailing(refused(409)),
    { inputs: linking },
  ],
  'open-and-refused': [
    partly(5, '1 failed and may be registered (known to the service)'),
    failing(failedCall(answer(409), { registered: 'unknown' })),
    { inputs: linking },
  ],
  'login-refused': [none, allFailing(failedCall(answer(401), { operation: login }))],
  'wrong-base-url': [
    none,
    allFailing(failedCall(answer(404, '<!doctype html>'), { operation: login })),
  ],
  outage: [
    [1, 'failed', `${none[2]}, 5 of them may be registered`],
    failing(status503, status503, status503, status503, status503, notTried),
    { inputs: linking },
  ],
  'rate-limit': [none, allFailing(failedCall(answer(429), { retryAfterMs: 3_600_000 }))],
  timeout: [partly(5, '1 failed and may be registered'), failing(lost), { inputs: linking }],
  'record-mismatch': [partly(5, '1 failed and may be registered'), failing(mismatch)],
  deferred: [
    [0, 'deferred', 'DEFERRED, the service was unavailable: 4 of 6 artifacts registered'],
    failing(status503, noConnection),
    { inputs: { ...linking, ifServiceUnavailable: 'warn' } },
  ],
  'deferred-but-cancelled': [
    [1, 'deferred', 'DEFERRED, the service was unavailable: 5 of 6 artifacts registered'],
    failing(noConnection),
    { inputs: { ifServiceUnavailable: 'warn' }, halt: haltOf('cancelled') },
  ],
  'outage-and-refusal': [
    partly(3, '3 failed, 1 of them may be registered, 1 known to the service'),
    failing(status503, refused(409), refused(402)),
    { inputs: { ifServiceUnavailable: 'warn' } },
  ],
  'nothing-found': [
    [0, 'nothing-found', 'NOTHING NOTARIZED: no artifact was found'],
    { ...endedWith(), warnings: ['input "path": the pattern "release/*.zip" matches no file'] },
  ],
  'dry-run': [
    [
      0,
      'dry-run',
      'DRY RUN, nothing was sent: 2 of 4 artifacts would be registered, 1 of them may have been registered by an earlier run, 1 known before, 1 not sent',
    ],
    endedWith(
      { ...registeredAs(names[0]), outcome: { state: 'held' } },
      registeredAs(names[1], sampleRecord, before),
      { ...registeredAs(names[2]), outcome: { state: 'planned', open: openRun } },
      planned,
    ),
    { inputs: { dryRun: true } },
  ],
  'dry-run-unreadable': [
    [
      1,
      'dry-run',
      'DRY RUN, nothing was sent: 1 of 2 artifacts would be registered, 0 known before, 1 could',
    ],
    endedWith(planned, unreadable),
    { inputs: { dryRun: true } },
  ],
  'stopped-by-inputs': [
    stopped,
    stoppedBy(
      'input "api-key" is empty; give the secret API key, for example ${{ secrets.NOTARIZATION_API_KEY }} (secrets are not given to runs from forks; a dry run needs none: dry-run: true)',
      'input "base-url" must start with https:// (got "http://notary.example"); use the https address of the service',
    ),
  ],
  'stopped-dry-run': [
    [1, 'stopped', 'DRY RUN, NOT NOTARIZED: stopped before anything was sent'],
    stoppedBy('input "path": the pattern "release/*.zip" matches no file'),
    { inputs: { dryRun: true } },
  ],
  'stopped-by-bug': [stopped, stoppedBy(), { halt: haltOf('bug') }],
  'stopped-by-signal': [
    [1, 'stopped', 'NOT NOTARIZED: cancelled before anything was sent'],
    stoppedBy(),
    { halt: haltOf('cancelled') },
  ],
}
