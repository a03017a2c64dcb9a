/** Every way a run can end and what it must say, for the tests and for pictures of the summary. */
import { bugFailure, makeFailure, mismatchFailure, type Failure } from '../../src/failure.ts'
import { failed, type Result } from '../../src/outcome.ts'
import type { CompletedRun, RunEnd } from '../../src/report/report.ts'
import { cancelledFailure, notSavedFailure } from '../../src/runtime/halt.ts'
import { describeReply, failureOf, type FailedCall } from '../../src/service/call-failure.ts'
import * as operations from '../../src/service/operations.ts'
import type { Answer, Reply } from '../../src/service/transport.ts'
import { openRun } from '../support/samples.ts'
import { endedWith, haltOf, registeredAs, stoppedBy, type ReportChanges } from './results.ts'

/** The first line (`…` is any text), how the run ended, and what differs from a plain run. */
export type Case = readonly [line: string, ending: RunEnd, changes?: ReportChanges]

const names = [
  'release/SHA256SUMS',
  'release/app-1.2.3-linux-arm64.tar.gz',
  'release/app-1.2.3-linux-x64.tar.gz',
  'release/app-1.2.3-macos.dmg',
  'release/app-1.2.3-windows-x64.msi',
  'release/app-1.2.3.sbom.spdx.json',
] as const

/** The fields of a record that a summary shows. */
export const sampleRecord = { creationDate: 1_767_225_600_000, blockchainType: 'ALGORAND' }
const txId = '6QCDV5K4ZLSKYGZ3JCLQ5XOGUJEUF3CGVQBJ6PHCCQWZUCTQVTNA'
const good = names.map(name => registeredAs(name, sampleRecord))
const all = endedWith(...good)

/** A run in which the first artifacts failed and the others are registered. */
function failing(...failures: readonly Failure[]): CompletedRun {
  const results = good.map((result, index): Result => {
    const failure = failures[index]
    return failure === undefined ? result : { ...result, outcome: failed(failure) }
  })
  return endedWith(...results)
}

function allFailing(failure: Failure): CompletedRun {
  return failing(...names.map(() => failure))
}

/** The failure of a call, by default of the completion. */
function failedCall(reply: Reply, changes: Partial<FailedCall> = {}): Failure {
  const operation = operations.completionOperation(operations.neverRequested)
  const call = { operation, reply, attempts: 1, mayBeRegistered: false }
  const replyText = describeReply(reply, changes.operation ?? operation, text => text)
  return failureOf({ ...call, replyText, ...changes })
}

function answer(status: number, body = '{"message":"cannot be completed"}'): Answer {
  return { kind: 'answer', status, body, retryAfterMs: null }
}

function noAnswer(reason: string): Reply {
  return { kind: 'no-answer', reason, wasSent: false, cause: 'connection' }
}

function failedLogin(status: number, body?: string): Failure {
  return failedCall(answer(status, body), { operation: operations.loginOperation })
}

function unsure(reply: Reply): Failure {
  return { ...failedCall(reply, { attempts: 5, mayBeRegistered: true }), registered: 'unknown' }
}

const status503 = unsure(answer(503, ''))
const timeout = unsure(noAnswer('no answer within 30 s'))
const noConnection = failedCall(noAnswer('the connection was refused (ECONNREFUSED)'))
const notTried = { ...noConnection, what: 'not tried after 5 failed registrations' }
const mismatch = mismatchFailure(['status is "pending", not "registered"'])
const denied = makeFailure({
  code: 'unreadable',
  what: 'the file could not be read: permission denied (EACCES)',
  remedy: 'correct its permissions or exclude it, then run the job again',
})

const unreadable = { ...registeredAs(names[4]), size: null, hash: null, outcome: failed(denied) }
const planned: Result = { ...registeredAs(names[3]), outcome: { state: 'planned', open: null } }
const open: Result = { ...registeredAs(names[2]), outcome: { state: 'planned', open: openRun } }
const contradictedResult: Result = { ...registeredAs(names[0]), outcome: { state: 'contradicted' } }
const known = registeredAs(names[1], { ...sampleRecord, txId }, { from: 'records-file' })

const attachment = {
  tag: 'v1.2.3',
  failure: 'HTTP 502 while uploading the records; run the job again',
  warnings: ['Delete "notarization-write-test-1" from the release, if it is there: HTTP 502'],
  hasPrintedLines: false,
}

const linking = { inputs: { verificationUrl: 'https://notary.example/verification/{hash}' } }
const deferring: ReportChanges = { inputs: { ifServiceUnavailable: 'warn' } }
const inDryRun = { inputs: { dryRun: true } }
const cancelled = { halt: haltOf('cancelled') }
const full = { isFull: true }
const unsaved = { halt: haltOf('unsaved') }

const but = '❌ NOTARIZED, but'
const nothing = '❌ NOT NOTARIZED: 0 of 6 artifacts registered; 6 failed'
const none = `${nothing} (not registered)`
const oneUnsure = '❌ PARTLY NOTARIZED: 5 of 6 … 1 failed (may be registered)'
const stop = '❌ NOT NOTARIZED: stopped before anything was sent'
const counts = '6 of 6 artifacts registered (6 new, 0 from earlier runs'

/** By the name of the picture. */
export const cases: Readonly<Record<string, Case>> = {
  registered: [`✅ NOTARIZED: ${counts})`, all, linking],
  'registered-before': [
    '✅ NOTARIZED: 2 of 2 artifacts registered (1 new, 1 from earlier runs)',
    endedWith(registeredAs(names[0], sampleRecord), known),
  ],
  'charged-again': [
    `⚠️ NOTARIZED: ${counts}; 1 may have been charged more than once)`,
    endedWith(...good.slice(1), registeredAs(names[0], sampleRecord, { maybeChargedAgain: true })),
  ],
  attached: [
    `✅ NOTARIZED: ${counts})`,
    { ...all, attachment: { ...attachment, failure: null }, warnings: ['1 hash is open'] },
  ],
  'attach-failed': [
    `${but} the records are not attached to v1.2.3: ${counts})`,
    { ...all, attachment: { ...attachment, hasPrintedLines: true } },
  ],
  'release-incomplete': [
    `${but} the release v1.2.3 is not complete: ${counts})`,
    {
      ...all,
      attachment: {
        ...attachment,
        failure: 'replaced during this run, without a record: "app.zip"',
      },
    },
  ],
  'not-saved': [
    '❌ PARTLY NOTARIZED: 4 of 6 … 2 failed (not registered); a record is only in the log',
    failing(notSavedFailure, notSavedFailure),
    unsaved,
  ],
  'not-saved-at-the-end': [`${but} a record is only in the log: ${counts})`, all, unsaved],
  cancelled: [
    '❌ PARTLY NOTARIZED: 4 of 6 … 2 failed (1 may be registered, 1 not registered); the run was cancelled',
    failing({ ...cancelledFailure, registered: 'unknown' }, cancelledFailure),
    cancelled,
  ],
  'cancelled-at-the-end': [`${but} the run was cancelled: ${counts})`, all, cancelled],
  bug: [
    `${oneUnsure}; internal-error: a bug in this action: x is not iterable`,
    failing(bugFailure('x is not iterable', 'https://x.example/issues')),
    { halt: haltOf('bug') },
  ],
  'outputs-failed': [`${but} the outputs could not be written (ENOSPC): ${counts})`, all, full],
  'partial-failure': [
    '❌ PARTLY NOTARIZED: 2 of 6 … 4 failed (3 may be registered, 1 not registered)',
    failing(failedCall(answer(422)), timeout, unsure(answer(200, '<html>')), mismatch),
    linking,
  ],
  'refused-400': [none, allFailing(failedCall(answer(400)))],
  'refused-402': [none, allFailing(failedCall(answer(402)))],
  'refused-403': [none, allFailing(failedCall(answer(403)))],
  'refused-404': [none, allFailing(failedCall(answer(404)))],
  'refused-409': [
    '❌ RECORDS MISSING: the service says that 6 artifacts are already registered',
    allFailing(failedCall(answer(409))),
    linking,
  ],
  'open-and-refused': [
    '❌ PARTLY NOTARIZED: … 1 failed (known to the service and may be registered)',
    failing(unsure(answer(409))),
  ],
  'login-refused': [none, allFailing(failedLogin(401))],
  'wrong-base-url': [none, allFailing(failedLogin(404, '<!doctype html>'))],
  outage: [
    '❌ NOT CONFIRMED: 0 of 6 artifacts registered; 6 failed (5 may be registered, 1 not registered)',
    failing(status503, status503, status503, status503, status503, notTried),
    linking,
  ],
  'rate-limit': [none, allFailing(failedCall({ ...answer(429), retryAfterMs: 3_600_000 }))],
  timeout: [oneUnsure, failing(timeout), linking],
  'record-mismatch': [oneUnsure, failing(mismatch)],
  deferred: [
    '⚠️ DEFERRED, the service was unavailable: 4 of 6 … 2 failed (1 may be registered, 1 not registered)',
    failing(status503, noConnection),
    deferring,
  ],
  'deferred-but-cancelled': [
    '❌ DEFERRED, the service was unavailable: 5 of 6 … 1 failed (not registered); the run was cancelled',
    failing(noConnection),
    { ...deferring, ...cancelled },
  ],
  'outage-and-refusal': [
    '❌ PARTLY NOTARIZED: 4 of 6 … 2 failed (1 may be registered, 1 known to the service)',
    failing(status503, failedCall(answer(409))),
    deferring,
  ],
  'nothing-found': [
    '⚠️ NOTHING NOTARIZED: no artifact was found, so nothing was sent',
    { ...endedWith(), warnings: ['input "path": the pattern "release/*.zip" matches no file'] },
  ],
  'dry-run': [
    '🔎 DRY RUN, nothing was sent: 2 of 4 artifacts would be registered, 1 of them may have been registered by an earlier run, 1 registered before, 1 not sent until settled',
    endedWith(contradictedResult, known, open, planned),
    inDryRun,
  ],
  'dry-run-unreadable': [
    '❌ DRY RUN, nothing was sent: 1 of 2 artifacts … 0 registered before, 1 could not be hashed',
    endedWith(planned, unreadable),
    inDryRun,
  ],
  'stopped-by-inputs': [
    stop,
    stoppedBy(
      'input "api-key" is empty; set it to the secret API key, for example ${{ secrets.NOTARIZATION_API_KEY }} (runs from forks get no secrets; a dry run needs none: dry-run: true)',
      'input "base-url" must start with https:// (got "http://notary.example"); use the https address of the service',
    ),
  ],
  'stopped-dry-run': [
    '❌ DRY RUN, NOT NOTARIZED: stopped before anything was sent',
    stoppedBy('input "path": the pattern "release/*.zip" matches no file'),
    inDryRun,
  ],
  'stopped-by-bug': [stop, stoppedBy(), { halt: haltOf('bug') }],
  'stopped-by-signal': [
    '❌ NOT NOTARIZED: cancelled before anything was sent',
    stoppedBy(),
    cancelled,
  ],
}
