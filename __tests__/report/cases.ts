/** The ways a run can fail or end, for the tests and for pictures of the summary. */
import {
  canceledFailure,
  Failure,
  notSavedFailure,
  problemAt,
  problemWith,
  reasons,
} from '../../src/failure.ts'
import type { Reason } from '../../src/failure.ts'
import type { Place } from '../../src/keep/keep.ts'
import { failed, isFailed, planned } from '../../src/outcome.ts'
import type { CompletedRun, RunEnd } from '../../src/report/run-end.ts'
import { sampleTime, source, unreadOf } from '../support/samples.ts'
import { artifactAs, endedWith, failedAs, haltOf, kept, placeAt } from './results.ts'
import { registeredAs, stoppedBy, type ReportChanges } from './results.ts'

/** How a run ended, and what differs from a plain run. */
export type Case = readonly [end: RunEnd, changes?: ReportChanges]

/** The fields of a record that a summary shows. */
export const sampleRecord = { creationDate: 1_767_225_600_000, blockchainType: 'ALGORAND' }
const app = registeredAs('app.zip', sampleRecord)
const all = endedWith(registeredAs('app.dmg', sampleRecord), app)

/** Every reason as a failure of which it is certain that nothing is registered. */
export const failures: ReadonlyMap<Reason, Failure> = new Map(
  reasons.map(reason => {
    const registered = reason === 'record-mismatch' ? 'unknown' : 'no'
    const observed = 'the registration returned HTTP 418'
    return [reason, new Failure('refused', reason, { observed, status: 418, registered })]
  }),
)

/** What a failure is if an earlier call got no response. */
export function unsure(failure: Failure): Failure {
  return failure.with({ registered: 'unknown' })
}

/** A run in which these artifacts failed, and two are registered. */
export function failing(...found: readonly (Reason | Failure)[]): CompletedRun {
  const artifacts = found.map((failure, index) => {
    const known = typeof failure === 'string' ? failures.get(failure) : failure
    if (known === undefined) throw new Error('every reason has a failure')
    return artifactAs(`file-${index}.zip`, failed(known))
  })
  return endedWith(...artifacts, ...all.artifacts)
}

/** A run in which all artifacts failed, so that there is no record. */
export function failingAll(found: Reason | Failure): CompletedRun {
  return endedWith(...failing(found, found).artifacts.filter(isFailed))
}

/** Every place of the records. */
export const places: readonly Place[] = [
  placeAt('none'),
  placeAt('release'),
  kept,
  placeAt('log'),
  placeAt('file'),
]

/** What a run itself can fail with although every artifact is registered. */
export const runFailures = {
  unsaved: [{ ...all, place: placeAt('log'), unsaved: ['app.dmg'] }],
  'unsaved-beside-kept': [{ ...all, unsaved: ['app.dmg'] }, { halt: haltOf('not-saved') }],
  'unsaved-beside-file': [{ ...all, place: placeAt('file'), unsaved: ['app.dmg'] }],
  'run-canceled': [all, { halt: haltOf('cancelled') }],
  bug: [endedWith(app), { halt: haltOf('bug', 'cancelled'), isFull: true }],
  'outputs-failed': [{ ...all, place: placeAt('file') }, { isFull: true }],
} as const satisfies Readonly<Record<string, readonly [CompletedRun, ReportChanges?]>>

const txId = '6QCDV5K4ZLSKYGZ3JCLQ5XOGUJEUF3CGVQBJ6PHCCQWZUCTQVTNA'
const known = registeredAs('known.zip', { ...sampleRecord, txId }, { from: 'records-file' })
const twice = registeredAs('twice.zip', {}, { maybeChargedAgain: true })
const confirmed = registeredAs('sure.zip', {}, { from: 'records-file', isConfirmed: true })
const noResponse = 'the registration got no response: socket hang up'
const lost = failedAs('lost.zip', { observed: noResponse, registered: 'unknown' })
const overloaded = 'the registration returned HTTP 503: "overloaded"'
const down = failedAs('down.zip', { observed: overloaded, status: 503 })
const notTried = 'not tried, because an earlier failure ended the run'
const untried = ['e.zip', 'f.zip', 'g.zip', 'h.zip'].map(name =>
  failedAs(name, { observed: notTried }),
)
const exists = 'the registration returned HTTP 409: "exists"'
const reason = 'already-registered'
const taken = failedAs('taken.zip', { code: 'refused', reason, observed: exists, status: 409 })
const takenOrLost = failedAs('open.zip', { reason, registered: 'unknown', status: 409 })
const unsent = artifactAs('unsent.zip', failed(notSavedFailure))
const mismatch = { code: 'record-mismatch', reason: 'record-mismatch' } as const
const other = failedAs('other.zip', {
  ...mismatch,
  observed: 'hash is missing, signed is true, not false',
  registered: 'unknown',
})
const wrongKey = failedAs('late.zip', {
  code: 'login-refused',
  reason: 'wrong-key',
  observed: 'the login returned HTTP 401',
  status: 401,
})
const cut = failedAs('cut.zip', {
  code: 'cancelled',
  reason: 'canceled',
  observed: 'the registration got no response before the run was canceled',
  registered: 'unknown',
})
const unread = unreadOf('locked.zip')
const inDoubt = artifactAs('open.zip', { state: 'planned', lastDoubtAt: sampleTime })
const fresh = artifactAs('new.zip', planned)

const emptyKey = problemWith('api-key', 'is empty', {
  next: 'pass a secret that exists and that this job can read',
  hint: 'runs from forks and of Dependabot get no secrets',
})
const wrongPath = ['"a*" matches no file', '"b*" matches no file'].map(why =>
  problemAt('path', why, {
    next: 'correct the pattern (one per line)',
    docs: 'reference.md#patterns',
  }),
)
const unreadable = problemAt('keep-records', 'the records of earlier attempts cannot be read', {
  next: 'wait a few minutes',
  hint: 'if a re-run stops here again, recover the records by hand',
  needs: 'nothing',
  docs: 'records.md#records-that-cannot-be-read',
})
const full = problemAt('records-path', '"r.jsonl" cannot be written: no space left (ENOSPC)', {
  next: 'free disk space on the runner',
  needs: 'nothing',
})
const noAccess = problemAt('release-tag', 'GET /releases returned HTTP 403', {
  next: 'give the job the permission "contents: read"',
})
const warned = ['"x*" matches no file. Is it right']
const release = { tag: 'v1.2.3', url: `${source.commitUrl}/v1.2.3` }
const earlier = [1, 2, 3, 4, 5, 6].map(attempt => ({ name: `records-${attempt}`, url: null }))

/** The ways to end, by the name of its picture. */
export const cases: Readonly<Record<string, Case>> = {
  registered: [all],
  'every-state': [
    { ...endedWith(app, confirmed, down, known, lost, other, taken, twice, unread), doubtCount: 4 },
    { warned },
  ],
  'all-down': [endedWith(down, unread), { attempt: 2 }],
  'all-unreadable': [endedWith(unread)],
  'all-409': [{ ...endedWith(taken), isEarlierMissing: true }, { attempt: 2 }],
  'all-lost': [
    { ...endedWith(lost, ...untried), doubtCount: 2, place: { ...kept, kind: 'none', page: null } },
  ],
  'all-mismatched': [endedWith(other, failedAs('next.zip', { ...mismatch, observed: notTried }))],
  'lost-then-wrong-key': [endedWith(wrongKey, lost, app)],
  'on-attempt-2': [
    {
      ...endedWith(known, takenOrLost),
      place: placeAt('workflow-artifact', { workflowArtifacts: earlier.slice(0, 2) }),
    },
    { attempt: 2 },
  ],
  'charged-again': [endedWith(twice)],
  'only-in-log': [{ ...all, place: placeAt('log', { workflowArtifacts: earlier }) }],
  'log-and-failed': [{ ...endedWith(app, down), place: placeAt('log') }],
  'earlier-missing': [{ ...endedWith(app, down), isEarlierMissing: true }, { attempt: 2 }],
  'on-release': [
    { ...endedWith(app, down), place: placeAt('release'), recorded: new Set(), release },
  ],
  'kept-beside-release': [{ ...endedWith(app), place: { ...kept, kind: 'release' }, release }],
  'file-changed': [endedWith(app, failedAs('b.zip', { code: 'changed', reason: 'file-changed' }))],
  'nothing-found': [endedWith(), { warned }],
  'nothing-found-canceled': [endedWith(), { halt: haltOf('cancelled') }],
  'dry-run': [endedWith(known, inDoubt, fresh), { inputs: { dryRun: true } }],
  'dry-run-unreadable': [endedWith(fresh, unread), { inputs: { dryRun: true } }],
  'dry-run-canceled': [
    endedWith(known, fresh),
    { inputs: { dryRun: true }, halt: haltOf('cancelled') },
  ],
  'stopped-by-inputs': [stoppedBy(emptyKey, ...wrongPath)],
  'stopped-on-attempt-2': [
    { ...stoppedBy(unreadable), place: { ...kept, page: null } },
    { attempt: 2 },
  ],
  'stopped-after-plan': [
    { ...stoppedBy(full), artifacts: [fresh, inDoubt, known], recorded: new Set() },
  ],
  'stopped-dry-run': [stoppedBy(noAccess), { inputs: { dryRun: true } }],
  'stopped-by-bug': [stoppedBy(), { halt: haltOf('bug') }],
  'stopped-by-signal': [stoppedBy(), { halt: haltOf('cancelled') }],
  canceled: [
    endedWith(cut, artifactAs('rest.zip', failed(canceledFailure))),
    { halt: haltOf('cancelled') },
  ],
  'canceled-with-unsaved': [
    { ...endedWith(app, lost), unsaved: ['app.zip'] },
    { halt: haltOf('cancelled') },
  ],
  'many-failures': [
    {
      ...endedWith(app, down, known, lost, other, unsent),
      unsaved: ['app.zip'],
      place: placeAt('log'),
      isEarlierMissing: true,
    },
    { attempt: 2, halt: haltOf('cancelled') },
  ],
  ...runFailures,
}
