/** The ways a run can fail or end, for the tests and for pictures of the summary. */
import { canceledFailure, Failure, problemAt, problemWith } from '../../src/failure.ts'
import { reasons, type Reason } from '../../src/failure.ts'
import type { Whereabouts } from '../../src/keep/keep.ts'
import { failed, planned, type Artifact } from '../../src/outcome.ts'
import type { RunEnd } from '../../src/report/report.ts'
import { readSubscription } from '../../src/service/subscription.ts'
import { AT } from '../records/entries.ts'
import { source, unreadOf } from '../support/samples.ts'
import { artifactAs, endedWith, failedAs, haltOf, kept, recordsAt } from './results.ts'
import { registeredAs, stoppedBy, type ReportChanges } from './results.ts'

/** How a run ended, and what differs from a plain run. */
export type Case = readonly [end: RunEnd, changes?: ReportChanges]

/** The fields of a record that a summary shows. */
export const sampleRecord = { creationDate: 1_767_225_600_000, blockchainType: 'ALGORAND' }
const app = registeredAs('app.zip', sampleRecord)
const all = endedWith(registeredAs('app.dmg', sampleRecord), app)

/** A failure for this reason, of which it is certain that nothing is registered, if it can be. */
export function failureOf(reason: Reason): Failure {
  const mayHaveActed = reason === 'record-mismatch' || reason === 'not-yet-registered'
  const observed = 'the registration returned HTTP 418'
  return new Failure('refused', reason, { observed, status: 418, mayHaveActed })
}

/** A run in which these artifacts failed, and two are registered. */
export function failing(...found: readonly Failure[]): RunEnd {
  const artifacts = found.map((failure, index) => artifactAs(`file-${index}.zip`, failed(failure)))
  return endedWith(...artifacts, ...all.artifacts)
}

/** Every place of the records. */
export const places = ['none', 'release', 'workflow-artifact', 'log', 'file'] as const

/** The same run with other facts about its records. */
function withRecords(end: RunEnd, changes: Partial<Whereabouts>): RunEnd {
  return { ...end, records: { ...end.records, ...changes } }
}

const inFile = recordsAt('file', all)

/** What a run itself can fail with although every artifact is registered. */
export const runFailures = {
  unsaved: [recordsAt('log', all), { halt: haltOf('not-saved') }],
  'unsaved-but-kept': [all, { halt: haltOf('not-saved') }],
  'unsaved-beside-file': [withRecords(inFile, { onlyInLog: 1 }), { halt: haltOf('not-saved') }],
  'run-canceled': [all, { halt: haltOf('cancelled') }],
  bug: [endedWith(app), { halt: haltOf('bug', 'cancelled'), isFull: true }],
  'outputs-failed': [inFile, { isFull: true }],
} as const satisfies Readonly<Record<string, readonly [RunEnd, ReportChanges?]>>

const txId = '6QCDV5K4ZLSKYGZ3JCLQ5XOGUJEUF3CGVQBJ6PHCCQWZUCTQVTNA'
const known = registeredAs('known.zip', { ...sampleRecord, txId }, { from: 'records-file' })
const otherCharge = { isDoubt: true, at: AT }
const twice = registeredAs('twice.zip', sampleRecord, { otherCharge })
const ofMerge = { isDoubt: false, at: AT }
const merged = registeredAs('merged.zip', sampleRecord, { otherCharge: ofMerge })
const confirmed = registeredAs('sure.zip', {}, { from: 'records-file', isConfirmed: true })

/** A file whose call may have acted. */
function lostAs(name: string, reason: Reason, observed: string, code: Failure['code']) {
  return failedAs(name, { code, reason, observed, mayHaveActed: true })
}

const none = 'the registration got no response'
const reset = `${none}: connection reset by peer (ECONNRESET)`
const lost = lostAs('lost.zip', 'unavailable', reset, 'unavailable')
const long = `late-${'and-long-'.repeat(11)}name.zip`
const late = lostAs(long, 'timeout', `${none} within 60 s`, 'unavailable')
const latest = lostAs('late.zip', 'timeout', `${none} within 600 s`, 'unavailable')
const cut = lostAs('cut.zip', 'canceled', `${none} before the run was canceled`, 'cancelled')
const differs = 'hash is missing, signed is true, not false'
const other = lostAs('other.zip', 'record-mismatch', differs, 'record-mismatch')
const isPending = 'status is "pending", not "registered"'
const pending = lostAs('pending.zip', 'not-yet-registered', isPending, 'record-mismatch')
const busy = { observed: 'the registration returned HTTP 503', said: ': "overloaded"', status: 503 }
const down = failedAs('down.zip', busy)
const lost503 = new Failure('unavailable', 'unavailable', { ...busy, mayHaveActed: true })
const notTried = { code: 'not-tried', reason: 'unavailable' } as const
const untried = Array.from('efghij', letter => failedAs(`${letter}.zip`, notTried))
const unpaidFor = failedAs('z.zip', { code: 'not-tried', reason: 'unpaid' })
/** A file that the service refused. */
function refusedAs(name: string, reason: Reason, status: number, doubtAt: string | null = null) {
  const said = status === 409 ? ': "exists"' : ': "quota used up"'
  const observed = `the registration returned HTTP ${status}`
  const failure = new Failure('refused', reason, { observed, said, status })
  return artifactAs(name, failed(failure, doubtAt))
}

const unpaid = ['p.zip', 'q.zip'].map(name => refusedAs(name, 'unpaid', 402))
const doubtful = refusedAs('again.zip', 'unpaid', 402, AT)
const taken = refusedAs('taken.zip', 'already-registered', 409)
const takenOrLost = refusedAs('open.zip', 'already-registered', 409, AT)
const noSpace = 'no space left on device (ENOSPC)'
const unsent = failedAs('unsent.zip', { code: 'not-tried', reason: 'not-saved', observed: noSpace })
const nonsense = failedAs('nonsense.zip', {
  code: 'invalid-response',
  reason: 'unexpected-response',
  observed: 'the registration returned HTTP 200 and a body that is not a JSON object',
  said: ': "OK"',
  status: 200,
  mayHaveActed: true,
})
const login = { observed: 'the login returned HTTP 401', status: 401, isOfLogin: true }
const ofKey = { code: 'login-refused', reason: 'wrong-key', ...login } as const
const wrongKey = failedAs('key.zip', ofKey)
const elsewhere = { ...login, code: 'invalid-response', reason: 'not-the-service' } as const
const unread = unreadOf('locked.zip')
const inDoubt = artifactAs('open.zip', { state: 'planned', lastDoubtAt: AT })
const fresh = artifactAs('new.zip', planned)

const emptyKey = problemWith('api-key', 'is empty', {
  next: 'pass a secret that exists and that this job can read',
  hint: 'runs from forks and of Dependabot get no secrets',
  needs: 'nothing',
})
const next = 'correct the pattern (one per line)'
const wrongPath = ['"a*" matches no file', '"b*" matches no file'].map(why =>
  problemAt('path', why, { next, docs: 'reference.md#patterns' }),
)
const unreadable = problemAt('keep-records', 'the records of earlier attempts cannot be read', {
  next: 'wait 10 minutes',
  hint: 'if it stops here again, the linked section says what to do',
  needs: 'nothing',
  docs: 'records.md#records-that-cannot-be-read',
})
const damaged = problemAt('records-path', '"r.jsonl": line 3 is not a JSON object', {
  next: 'restore the records file, do not delete it',
  docs: 'records.md#records-that-cannot-be-read',
})
const full = problemAt('records-path', '"r.jsonl" cannot be written: no space left (ENOSPC)', {
  next: 'free disk space on the runner',
  needs: 'nothing',
})
const decide = { next: 'decide whether you want to be charged for 2 registrations' }
const twoLeft = 'is 1, but 2 distinct hashes are left to register'
const tooMany = problemWith('max-registrations', twoLeft, decide)
const noAccess = problemAt('release-tag', 'GET /releases returned HTTP 403', {
  next: 'give the job the permission "contents: read"',
})
const warned = ['"x*" matches no file. Is it right']
const release = { tag: 'v1.2.3', url: `${source.commitUrl}/v1.2.3` }
const earlier = [1, 2].map(attempt => ({ name: `records-${attempt}`, url: null }))
const unnamed = { confirmedHashes: null }
const payment = readSubscription('{"id":"sub_1"}')
const set = { baseUrl: 'https://notary.example', payment, requestRegistration: false }

/** A file for each reason, with nothing else that is told. */
function everyReason(parts: Partial<Failure> = {}): readonly Artifact[] {
  return reasons.map(reason => failedAs(`${reason}.zip`, { reason, ...parts }))
}

const hurt = [lost, nonsense, other, pending, taken]
const rest = artifactAs('rest.zip', failed(canceledFailure))
const later = endedWith(known, takenOrLost)
const inLogs = { kind: 'log', isEarlierInLogs: true } as const
const onRelease = { kind: 'release', recorded: new Set<string>() } as const
const withDamage = withRecords(stoppedBy(damaged), { isDamaged: true })
/** What attempt 1 kept. */
const kept1 = { records: all.records, runCharges: all.charges, workflowArtifacts: [kept] }
const withUnread = withRecords(stoppedBy(unreadable), { kind: 'workflow-artifact' })

/** The ways to end, by the name of its picture. */
export const cases: Readonly<Record<string, Case>> = {
  registered: [all],
  'every-state': [endedWith(app, confirmed, down, known, ...hurt, twice, unread), { warned }],
  '503': [failing(lost503, lost503)],
  '402': [endedWith(app, ...unpaid), { inputs: unnamed }],
  '402-of-data': [endedWith(app, ...unpaid), { inputs: { payment } }],
  '402-of-active': [endedWith(app, ...unpaid), { inputs: { payment: 'active' } }],
  '400-of-data': [endedWith(refusedAs('no.zip', 'rejected', 400)), { inputs: { payment } }],
  '404': [endedWith(refusedAs('no.zip', 'no-request', 404)), { inputs: set }],
  '403': [
    endedWith(refusedAs('no.zip', 'forbidden', 403), failedAs('a.zip', { reason: 'forbidden' })),
  ],
  'every-reason': [endedWith(...everyReason())],
  'every-reason-where-inputs-are-set': [
    endedWith(...everyReason({ isOfLogin: true })),
    { inputs: set },
  ],
  'every-doubt': [endedWith(app, ...everyReason({ observed: none, mayHaveActed: true }))],
  'all-down': [endedWith(down, ...untried, unread), { attempt: 2 }],
  'all-unreadable': [endedWith(unread)],
  'all-409': [endedWith(taken), { attempt: 2 }],
  'some-409': [endedWith(app, taken), { inputs: unnamed }],
  'ended-by-402': [endedWith(taken, ...unpaid, unpaidFor), { halt: haltOf('unpaid') }],
  'lost-first': [endedWith(lost, ...untried)],
  'lost-after-503': [endedWith(down, lost, nonsense, ...untried), { halt: haltOf('unavailable') }],
  'lost-last': [endedWith(app, lost), { inputs: unnamed }],
  timeout: [endedWith(app, late), { inputs: { verificationUrl: null } }],
  'longest-timeout': [endedWith(app, doubtful, latest), { inputs: { timeoutSeconds: 600 } }],
  pending: [endedWith(app, pending)],
  mismatch: [endedWith(app, other)],
  'wrong-key': [endedWith(wrongKey, failedAs('key2.zip', ofKey))],
  'something-else': [endedWith(failedAs('a.zip', elsewhere))],
  'wrong-address': [
    endedWith(failedAs('a.zip', elsewhere), failedAs('b.zip', { ...elsewhere, reason: 'blocked' })),
    { inputs: { baseUrl: 'https://notary.example' } },
  ],
  'in-doubt-then-402': [endedWith(known, doubtful, ...unpaid), { attempt: 2 }],
  'on-attempt-2': [
    { ...later, workflowArtifacts: earlier, hasPage: false },
    { attempt: 2, inputs: unnamed },
  ],
  'charged-twice': [
    { ...endedWith(twice, merged), runCharges: { least: 3, most: 4 } },
    { attempt: 2 },
  ],
  'only-in-log': [recordsAt('log', all)],
  'only-in-log-beside-kept': [{ ...recordsAt('log', all), workflowArtifacts: [kept] }],
  'log-and-failed': [withRecords(recordsAt('log', endedWith(app, ...unpaid)), inLogs)],
  'log-beside-kept': [
    { ...recordsAt('log', endedWith(app, ...unpaid)), workflowArtifacts: [kept] },
  ],
  'file-and-failed': [
    recordsAt('file', failing(lost503, lost503)),
    { inputs: { keepRecords: false } },
  ],
  'registered-before-without-artifact-service': [
    { ...withRecords(endedWith(known), inLogs), workflowArtifacts: [], hasPage: false },
    { attempt: 2 },
  ],
  'no-artifact-service-2': [withRecords(endedWith(wrongKey), inLogs), { attempt: 2 }],
  'on-release': [{ ...recordsAt('release', endedWith(app, down)), release }],
  'released-before': [
    { ...withRecords(recordsAt('none', endedWith(known)), { isReleased: true }), release },
  ],
  'kept-beside-release': [{ ...withRecords(endedWith(app), onRelease), release }],
  'file-changed': [endedWith(app, failedAs('b.zip', { code: 'changed', reason: 'file-changed' }))],
  'disk-full': [endedWith(app, unsent), { halt: haltOf('not-saved'), isFull: true }],
  'nothing-found': [endedWith(), { warned }],
  'nothing-found-canceled': [endedWith(), { halt: haltOf('cancelled') }],
  'dry-run': [endedWith(known, inDoubt, fresh), { inputs: { dryRun: true } }],
  'dry-run-beyond-limit': [endedWith(fresh), { inputs: { dryRun: true, maxRegistrations: 0 } }],
  'dry-run-unreadable': [endedWith(fresh, unread), { inputs: { dryRun: true } }],
  'stopped-by-inputs': [stoppedBy(...wrongPath, emptyKey)],
  'stopped-by-damage': [{ ...withDamage, artifacts: [fresh] }],
  'stopped-on-attempt-2': [{ ...withUnread, workflowArtifacts: [kept] }, { attempt: 2 }],
  'stopped-after-attempt-1': [{ ...stoppedBy(emptyKey), ...kept1 }, { attempt: 2 }],
  'stopped-after-plan': [{ ...stoppedBy(full), artifacts: [fresh, inDoubt, known] }],
  'too-many': [{ ...stoppedBy(tooMany), artifacts: [fresh, artifactAs('two.zip', planned)] }],
  'stopped-dry-run': [
    withRecords(stoppedBy(noAccess), { kind: 'workflow-artifact' }),
    { inputs: { dryRun: true } },
  ],
  'stopped-by-bug': [stoppedBy(), { halt: haltOf('bug') }],
  'stopped-by-signal': [stoppedBy(), { halt: haltOf('cancelled') }],
  canceled: [endedWith(app, cut, rest), { halt: haltOf('cancelled') }],
  'many-failures': [
    recordsAt('log', endedWith(app, down, known, lost, other, unsent, twice)),
    { attempt: 2, halt: haltOf('not-saved', 'cancelled') },
  ],
  ...runFailures,
}
