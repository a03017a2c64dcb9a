/** The ways a run can fail or end, for the tests and for pictures of the summary. */
import { Failure, mismatchFailure, notSavedFailure } from '../../src/failure.ts'
import { problemAt, problemWith, reasons, type Problem, type Reason } from '../../src/failure.ts'
import type { Place } from '../../src/keep/keep.ts'
import { failed, isFailed } from '../../src/outcome.ts'
import type { CompletedRun, RunEnd } from '../../src/report/report.ts'
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

/** Every place of the records, as docs/failures.md calls it. */
export const places: Readonly<Record<string, Place>> = {
  None: placeAt('none'),
  'On the release, all of them': placeAt('release'),
  'In a workflow artifact': kept,
  'Only in the log': placeAt('log'),
  'Only in the file (`keep-records: false`)': placeAt('file'),
}

/** What a run itself can fail with although every artifact is registered. */
export const runFailures = {
  unsaved: [{ ...all, place: placeAt('log'), unsaved: ['app.dmg'] }],
  'unsaved-beside-kept': [{ ...all, unsaved: ['app.dmg', 'app.zip'] }],
  'unsaved-beside-file': [{ ...all, place: placeAt('file'), unsaved: ['app.dmg'] }],
  'state-line-unsaved': [all, { halt: haltOf('not-saved') }],
  'run-canceled': [{ ...all, place: placeAt('log') }, { halt: haltOf('cancelled') }],
  bug: [endedWith(app), { halt: haltOf('bug', 'cancelled'), isFull: true }],
  'outputs-failed': [{ ...all, place: placeAt('file') }, { isFull: true }],
} as const satisfies Readonly<Record<string, readonly [CompletedRun, ReportChanges?]>>

const txId = '6QCDV5K4ZLSKYGZ3JCLQ5XOGUJEUF3CGVQBJ6PHCCQWZUCTQVTNA'
const known = registeredAs('known.zip', { ...sampleRecord, txId }, { from: 'records-file' })
const twice = registeredAs('twice.zip', {}, { maybeChargedAgain: true })
const confirmed = registeredAs('sure.zip', {}, { from: 'records-file', isConfirmed: true })
const lost = failedAs('lost.zip', { observed: 'no response in 30 s', registered: 'unknown' })
const down = failedAs('down.zip', { observed: 'HTTP 503: "overloaded"', status: 503 })
const reason = 'already-registered'
const taken = failedAs('taken.zip', { code: 'refused', reason, observed: 'exists', status: 409 })
const takenOrLost = failedAs('open.zip', { reason, registered: 'unknown', status: 409 })
const unsent = artifactAs('unsent.zip', failed(notSavedFailure))
const other = artifactAs('other.zip', failed(mismatchFailure(['status is "x"', 'signed is true'])))
const unread = unreadOf('locked.zip')
const contradicted = artifactAs('a.zip', { state: 'contradicted', problems: ['x', 'y'] })
const open = artifactAs('open.zip', { state: 'planned', openSince: sampleTime })
const planned = artifactAs('new.zip', { state: 'planned', openSince: null })

const emptyKey = problemWith('api-key', 'is empty; pass a secret', 'secret')
const wrongPath = ['"a*" matches no file', '"b*" matches no file'].map(why =>
  problemAt('path', why),
)
const unreadable = problemAt('keep-records', 'the records cannot be read', 'nothing')
const noAccess: Problem = {
  input: 'release-tag',
  message: 'the release cannot be read: HTTP 403',
  needs: 'nothing',
  reason: 'github-permission',
}
const warned = ['"x*" matches no file: docs/reference.md#patterns, docs/verify.md. Is it right']
const release = { tag: 'v1.2.3', url: `${source.commitUrl}/v1.2.3`, lacksRecords: false }
const earlier = [1, 2, 3, 4, 5, 6].map(attempt => ({ name: `records-${attempt}`, url: null }))

/** The ways to end, by the name of its picture. */
export const cases: Readonly<Record<string, Case>> = {
  registered: [all],
  'every-state': [
    endedWith(app, confirmed, down, known, lost, other, taken, twice, unread),
    { warned },
  ],
  'all-down': [endedWith(down, unread), { attempt: 2 }],
  'all-409': [{ ...endedWith(taken), place: placeAt('none') }, { attempt: 2 }],
  'all-lost': [endedWith(lost)],
  'all-mismatched': [{ ...endedWith(other), place: kept }],
  'on-attempt-2': [{ ...endedWith(known, takenOrLost), place: kept }, { attempt: 2 }],
  'charged-again': [endedWith(twice)],
  'only-in-log': [{ ...all, place: placeAt('log', { workflowArtifacts: earlier }) }],
  'on-release': [{ ...endedWith(app, down), place: placeAt('release'), release }],
  'release-lacks-lines': [{ ...all, release: { ...release, tag: "it's", lacksRecords: true } }],
  'nothing-found': [endedWith(), { warned }],
  'nothing-found-canceled': [endedWith(), { halt: haltOf('cancelled') }],
  'dry-run': [endedWith(contradicted, known, open, planned), { inputs: { dryRun: true } }],
  'dry-run-unreadable': [endedWith(planned, unread), { inputs: { dryRun: true } }],
  'dry-run-canceled': [
    endedWith(known, planned),
    { inputs: { dryRun: true }, halt: haltOf('cancelled') },
  ],
  'stopped-by-inputs': [stoppedBy(emptyKey, ...wrongPath)],
  'stopped-on-attempt-2': [{ ...stoppedBy(unreadable), place: kept }, { attempt: 2 }],
  'stopped-dry-run': [stoppedBy(noAccess), { inputs: { dryRun: true } }],
  'stopped-by-bug': [stoppedBy(), { halt: haltOf('bug') }],
  'stopped-by-signal': [stoppedBy(), { halt: haltOf('cancelled') }],
  'canceled-with-unsaved': [
    { ...endedWith(app, lost), place: placeAt('log'), unsaved: ['app.zip'] },
    { halt: haltOf('cancelled') },
  ],
  'many-failures': [
    {
      ...endedWith(app, down, known, lost, other, unsent),
      unsaved: ['app.zip'],
      place: placeAt('log'),
    },
    { attempt: 2, halt: haltOf('cancelled') },
  ],
  ...runFailures,
}
