/** Every way a run can fail or end, for the tests and for pictures of the summary. */
import { Failure, problemWith, type FailureCode, type Reason } from '../../src/failure.ts'
import type { Place } from '../../src/keep/keep.ts'
import { failed, type Artifact } from '../../src/outcome.ts'
import type { CompletedRun, RunEnd } from '../../src/report/report.ts'
import { sampleTime, source } from '../support/samples.ts'
import { artifactAs, endedWith, haltOf, kept, placeAt, registeredAs, stoppedBy } from './results.ts'
import type { ReportChanges } from './results.ts'

/** How a run ended, and what differs from a plain run. */
export type Case = readonly [end: RunEnd, changes?: ReportChanges]

const names = 'SHA256SUMS app-arm64.tar.gz app-x64.tar.gz app.dmg app.msi app.sbom.json'.split(' ')

/** The fields of a record that a summary shows. */
export const sampleRecord = { creationDate: 1_767_225_600_000, blockchainType: 'ALGORAND' }
const good = names.map(name => registeredAs(`dist/${name}`, sampleRecord))
const all = endedWith(...good)

const refusal = 'the registration returned HTTP'
const download = 'GET /repos/o/r/releases/assets/7 returned HTTP'
const noResponse = 'the registration got no response: no response within 30 s'
const observed: Readonly<Record<Reason, readonly [FailureCode, text: string, status?: number]>> = {
  'wrong-key': ['login-refused', 'the login returned HTTP 401', 401],
  'rejected-token': ['login-refused', `${refusal} 401`, 401],
  'not-the-service': ['invalid-response', 'the login returned HTTP 200, not a JSON object', 200],
  unpaid: ['refused', `${refusal} 402: "payment required"`, 402],
  forbidden: ['refused', `${refusal} 403: "not allowed"`, 403],
  'no-request': ['refused', `${refusal} 404: "not found"`, 404],
  'request-not-found': ['refused', `${refusal} 404: "not found"`, 404],
  'already-registered': ['refused', `${refusal} 409: "already exists"`, 409],
  'registration-rejected': ['refused', `${refusal} 422: "not accepted"`, 422],
  'request-exists': ['request-refused', 'the request returned HTTP 409', 409],
  'request-rejected': ['request-refused', 'the request returned HTTP 422', 422],
  'no-active-subscription': ['refused', 'the lookup of the subscription returned HTTP 404', 404],
  'no-subscription-data': ['invalid-response', 'the request returned HTTP 200', 200],
  'unexpected-response': ['invalid-response', `${refusal} 200 and a body over 1 MiB`, 200],
  redirect: ['invalid-response', `${refusal} 302`, 302],
  'rate-limit': ['unavailable', `${refusal} 429`, 429],
  'long-wait': ['unavailable', `${refusal} 503, and asks to wait 2 h`, 503],
  unavailable: ['unavailable', `${refusal} 503: "overloaded"`, 503],
  unreachable: ['unavailable', 'the login got no response: connection refused (ECONNREFUSED)'],
  'unknown-host': ['unavailable', 'the login got no response: unknown host name (ENOTFOUND)'],
  'proxy-refused': ['unavailable', 'the proxy returned HTTP 407'],
  'untrusted-certificate': ['unavailable', 'SELF_SIGNED_CERT_IN_CHAIN'],
  'expired-certificate': ['unavailable', 'CERT_HAS_EXPIRED'],
  'record-mismatch': ['record-mismatch', 'status is "pending", not "registered"'],
  'not-saved': ['not-saved', ''],
  'file-unreadable': ['unreadable', 'permission denied (EACCES)'],
  'file-changed': ['changed', ''],
  'name-not-utf8': ['unreadable', ''],
  'asset-incomplete': ['unreadable', 'the download of "x" has 7 bytes, but GitHub lists 14'],
  'github-token': ['unreadable', `${download} 401`],
  'github-permission': ['unreadable', `${download} 403`],
  'github-rate-limit': ['unreadable', `${download} 429`],
  'github-unavailable': ['unreadable', `${download} 503`],
  canceled: ['cancelled', ''],
  bug: ['internal-error', 'x is not iterable'],
}

function isReason(name: string): name is Reason {
  return name in observed
}

function failureFor(reason: Reason): Failure {
  const [code, text, status = null] = observed[reason]
  const registered = reason === 'record-mismatch' ? 'unknown' : 'no'
  return new Failure(code, reason, { observed: text, status, registered })
}

/** Every reason as a failure of which it is certain that nothing is registered. */
export const failures = new Map(
  Object.keys(observed)
    .filter(name => isReason(name))
    .map(reason => [reason, failureFor(reason)]),
)

/** What a failure is if an earlier call got no response. */
export function unsure(failure: Failure): Failure {
  return failure.with({ registered: 'unknown' })
}

const unavailable = unsure(failureFor('unavailable').with({ observed: noResponse, status: null }))

/** A run of six artifacts in which the first failed. */
export function failing(...found: readonly (Reason | Failure)[]): CompletedRun {
  return endedWith(
    ...good.map((artifact, index) => {
      const failure = found[index]
      if (failure === undefined) return artifact
      const known = typeof failure === 'string' ? failureFor(failure) : failure
      return { ...artifact, outcome: failed(known) }
    }),
  )
}

/** A run in which all artifacts failed, so that there is no record. */
export function failingAll(found: Reason | Failure): CompletedRun {
  return { ...failing(...good.map(() => found)), place: placeAt('none') }
}

/** Every place of the records. */
export const places: readonly Place[] = [
  placeAt('none'),
  placeAt('release'),
  kept,
  { ...kept, isEarlierMissing: true },
  placeAt('log'),
  placeAt('log', { isEarlierMissing: true }),
  placeAt('file'),
  placeAt('post-step'),
  placeAt('unreadable'),
  placeAt('none', { isEarlierMissing: true }),
]

/** What a run itself can fail with although every artifact is registered. */
export const runFailures = {
  unsaved: [{ ...all, place: placeAt('log'), unsaved: ['dist/app.dmg'] }],
  'unsaved-with-others': [{ ...all, unsaved: ['dist/app.dmg'] }],
  'state-line-unsaved': [all, { halt: haltOf('not-saved') }],
  'run-canceled': [{ ...all, place: placeAt('post-step') }, { halt: haltOf('cancelled') }],
  bug: [all, { halt: haltOf('bug') }],
  'outputs-failed': [all, { isFull: true }],
} as const satisfies Readonly<Record<string, readonly [CompletedRun, ReportChanges?]>>

const txId = '6QCDV5K4ZLSKYGZ3JCLQ5XOGUJEUF3CGVQBJ6PHCCQWZUCTQVTNA'
const known = registeredAs('known.zip', { ...sampleRecord, txId }, { from: 'records-file' })
const twice = registeredAs('twice.zip', sampleRecord, { maybeChargedAgain: true })
const confirmed = registeredAs('sure.zip', {}, { from: 'records-file', isConfirmed: true })
const planned = artifactAs('new.zip', { state: 'planned', openSince: null })
const open = artifactAs('open.zip', { state: 'planned', openSince: sampleTime })
const contradicted = artifactAs('a.zip', { state: 'contradicted', problems: ['status is "x"'] })
const unread = {
  ...artifactAs('x.zip', failed(failureFor('file-unreadable'))),
  size: null,
  hash: null,
}
const inDryRun = { inputs: { dryRun: true } }
const ofRelease = { inputs: { releaseTag: 'v1.2.3' } }
const emptyKey = problemWith(
  'api-key',
  'is empty; pass a secret (runs from forks get none)',
  'secret',
)
const badUrl = problemWith(
  'base-url',
  'must start with https://; use the https address',
  'workflow',
)
const unreadable = problemWith('keep-records', 'cannot be read: HTTP 503', 'nothing')

function many(count: number): readonly Artifact[] {
  return Array.from({ length: count }, (_, index) =>
    registeredAs(`dist/part-${index}.bin`, sampleRecord),
  )
}

const others: Readonly<Record<string, Case>> = {
  registered: [all],
  'registered-before': [endedWith(known)],
  'charged-again': [endedWith(...good.slice(1), twice, confirmed, known)],
  'with-warning': [all, { warned: ['The pattern "release/*.zip" matches no file'] }],
  'only-in-log': [{ ...all, place: placeAt('log') }],
  'only-in-file': [{ ...all, place: placeAt('file') }, { inputs: { keepRecords: false } }],
  'on-release': [
    {
      ...all,
      place: placeAt('release'),
      release: { tag: 'v1.2.3', url: `${source.commitUrl}/v1.2.3`, lacksRecords: false },
    },
    ofRelease,
  ],
  'release-lacks-lines': [
    { ...all, release: { tag: 'v1.2.3', url: null, lacksRecords: true } },
    ofRelease,
  ],
  'nothing-found': [
    { ...endedWith(), place: placeAt('none') },
    { warned: ['The pattern "release/*.zip" matches no file'] },
  ],
  'dry-run': [endedWith(contradicted, known, open, planned), inDryRun],
  'dry-run-unreadable': [endedWith(planned, unread), inDryRun],
  'stopped-by-inputs': [stoppedBy(emptyKey, badUrl)],
  'stopped-on-attempt-2': [{ ...stoppedBy(badUrl), place: kept }, { attempt: 2 }],
  'stopped-unreadable': [
    { ...stoppedBy(unreadable), place: placeAt('unreadable') },
    { attempt: 2 },
  ],
  'stopped-dry-run': [stoppedBy('input "path": "dist/*.zip" matches no file'), inDryRun],
  'stopped-by-bug': [stoppedBy(), { halt: haltOf('bug') }],
  'stopped-by-signal': [stoppedBy(), { halt: haltOf('cancelled') }],
  partial: [failing('unpaid', 'unpaid')],
  outage: [failing(unavailable, unavailable, 'unavailable', 'unavailable')],
  'outage-of-all': [failingAll('unreachable')],
  'only-409': [failingAll('already-registered')],
  'outage-on-attempt-2': [
    { ...failing(unavailable), place: { ...kept, isEarlierMissing: true } },
    { attempt: 2 },
  ],
  'many-failures': [
    {
      ...failing('record-mismatch', unavailable, 'unpaid'),
      unsaved: ['dist/app.msi'],
      place: placeAt('log'),
    },
    { halt: haltOf('cancelled') },
  ],
  'three-of-300': [
    endedWith(
      ...failing('file-unreadable', unavailable, 'already-registered').artifacts.slice(0, 3),
      ...many(297),
    ),
  ],
}

/** Every way to end, by the name of its picture. */
export const cases: ReadonlyMap<string, Case> = new Map([
  ...Object.entries(others),
  ...[...failures.keys()].map((name): [string, Case] => [`one-${name}`, [failing(name)]]),
  ...Object.entries(runFailures),
])
