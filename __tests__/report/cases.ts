/** Every way a run can fail or end, for the tests and for pictures of the summary. */
import { bugFailure, Failure, mismatchFailure, type Explanation } from '../../src/failure.ts'
import { failed } from '../../src/outcome.ts'
import type { CompletedRun, RunEnd } from '../../src/report/report.ts'
import { cancelledFailure, notSavedFailure } from '../../src/runtime/halt.ts'
import * as operations from '../../src/service/operations.ts'
import { sampleTime } from '../support/samples.ts'
import { artifactAs, endedWith, haltOf, registeredAs, stoppedBy } from './results.ts'
import type { ReportChanges } from './results.ts'

/** How a run ended, and what differs from a plain run. */
export type Case = readonly [end: RunEnd, changes?: ReportChanges]

const names = 'SHA256SUMS app-arm64.tar.gz app-x64.tar.gz app.dmg app.msi app.sbom.json'.split(' ')

/** The fields of a record that a summary shows. */
export const sampleRecord = { creationDate: 1_767_225_600_000, blockchainType: 'ALGORAND' }
const good = names.map(name => registeredAs(name, sampleRecord))
const all = endedWith(...good)

/** The failures of each kind of call: one for each status with a cause of its own. */
function* failedCalls(): Generator<[name: string, Failure]> {
  for (const [key, operation] of Object.entries(operations)) {
    if (!('refusals' in operation)) continue
    const { name, refusedCode: code, refusals, unexpected } = operation
    const endsRun = key === 'login' || key === 'retrieval'
    for (const [word, advice] of Object.entries(refusals)) {
      const status = Number(word) || 418
      const detail = `${name} returned HTTP ${status}: "cannot be done"`
      yield [`${key}-${word}`, new Failure({ ...advice, code, detail, status, endsRun })]
    }
    const detail = `${name} returned HTTP 302`
    const parts = { ...unexpected, code: 'invalid-response', detail, status: 302 } as const
    // After a redirect of a completion, nobody knows.
    const registered = endsRun ? 'no' : 'unknown'
    yield [`${key}-redirect`, new Failure({ ...parts, endsRun, registered })]
  }
  for (const [key, advice] of Object.entries(operations.general)) {
    const detail = 'the registration got no answer: no answer within 30 s'
    const registered = key === 'unavailable' || key === 'registeredUnanswered' ? 'unknown' : 'no'
    yield [key, new Failure({ ...advice, code: 'unavailable', detail, registered })]
  }
}

const unreadable = new Failure({
  code: 'unreadable',
  cause: 'the file could not be read: permission denied (EACCES)',
  remedy: 'make the file readable or exclude it',
  rerun: 'new-run',
})

/** Failures of an artifact: every code, and every answer with a cause of its own. */
const failures = new Map<string, Failure>([
  ...failedCalls(),
  ['record-mismatch', mismatchFailure(['status is "pending", not "registered"'])],
  ['unreadable', unreadable],
  ['cancelled', cancelledFailure],
  ['not-saved', notSavedFailure],
  ['internal-error', bugFailure('x is not iterable', 'https://x.example/issues')],
])

function failureNamed(name: string): Failure {
  const failure = failures.get(name)
  if (failure === undefined) throw new Error(`there is no failure "${name}"`)
  return failure
}

for (const name of ['completion-402', 'login-401', 'unavailable', 'cancelled', 'not-saved']) {
  const detail = 'an earlier run sent it on 2026-01-31 12:00:00 UTC and saved no record'
  failures.set(`${name}-open`, failureNamed(name).with({ registered: 'unknown', detail }))
}

/** A run in which the first artifacts failed and the others are registered. If one ends the run, all failed. */
export function failing(...causes: readonly string[]): CompletedRun {
  const found = causes.map(failureNamed)
  const rest = found.find(({ endsRun }) => endsRun)
  const artifacts = good.map((artifact, index) => {
    const failure = found[index] ?? rest
    return failure === undefined ? artifact : { ...artifact, outcome: failed(failure) }
  })
  return endedWith(...artifacts)
}

/** A run that registered everything, with a release that has all records or not. */
function attached(failure: Explanation | null, hasAllLines: boolean): CompletedRun {
  return { ...all, attachment: { tag: 'v1.2.3', failure, warnings: [], hasAllLines } }
}

const attaching = { attachToRelease: true, releaseTag: 'v1.2.3' }
const notKept = { ...attaching, keepRecords: false }
const answered = { detail: 'HTTP 502 to POST /repos/octo/app/releases/1/assets' }
const brokenUpload = {
  ...answered,
  cause: 'GitHub sent no valid answer',
  remedy: 'wait until GitHub is available again',
  rerun: 'failed-jobs',
} as const
const fullRelease = {
  ...answered,
  cause: 'the release takes no more files',
  remedy: 'download the workflow artifact with the records, and keep it elsewhere',
  rerun: null,
}
const replaced = {
  cause: 'replaced assets of v1.2.3 have no record',
  detail: 'replaced during this run: "app.zip"',
  remedy: 'check the new files (new content is charged), and replace wrong ones',
  rerun: 'failed-jobs',
} as const

/** What a run itself can fail with although every artifact is registered. */
export const runFailures = {
  'attach-failed': [attached(brokenUpload, false), { inputs: attaching }],
  'attach-failed-not-kept': [attached(brokenUpload, false), { inputs: notKept }],
  'release-full': [attached(fullRelease, false), { inputs: attaching }],
  'release-changed': [attached(replaced, true), { inputs: attaching }],
  'release-changed-not-attaching': [attached(replaced, false)],
  unsaved: [all, { halt: haltOf('unsaved') }],
  'unsaved-release': [attached(null, true), { inputs: attaching, halt: haltOf('unsaved') }],
  'state-line-unsaved': [all, { halt: haltOf('not-saved') }],
  'run-cancelled': [all, { halt: haltOf('cancelled') }],
  'run-cancelled-attaching': [
    attached(cancelledFailure, false),
    { inputs: attaching, halt: haltOf('cancelled') },
  ],
  bug: [all, { halt: haltOf('bug') }],
  'outputs-failed': [all, { isFull: true }],
} satisfies Readonly<Record<string, readonly [CompletedRun, ReportChanges?]>>

const txId = '6QCDV5K4ZLSKYGZ3JCLQ5XOGUJEUF3CGVQBJ6PHCCQWZUCTQVTNA'
const known = registeredAs('known.zip', { ...sampleRecord, txId }, { from: 'records-file' })
const paidTwice = registeredAs('paid-twice.zip', sampleRecord, { maybeChargedAgain: true })
const planned = artifactAs('new.zip', { state: 'planned', openSince: null })
const open = artifactAs('open.zip', { state: 'planned', openSince: sampleTime })
const contradicted = artifactAs('a.zip', { state: 'contradicted', problems: ['status is "x"'] })
const unread = { ...artifactAs('locked.zip', failed(unreadable)), size: null, hash: null }
const inDryRun = { inputs: { dryRun: true } }
const several = failing('completion-402', 'unavailable-open', 'record-mismatch')

const others: Readonly<Record<string, Case>> = {
  registered: [all],
  'registered-before': [endedWith(registeredAs('app.zip', sampleRecord), known)],
  'charged-again': [endedWith(...good.slice(1), paidTwice)],
  attached: [attached(null, true), { inputs: attaching, warned: ['1 hash is open'] }],
  'nothing-found': [endedWith(), { warned: ['the pattern "release/*.zip" matches no file'] }],
  'dry-run': [endedWith(contradicted, known, open, planned), inDryRun],
  'dry-run-unreadable': [endedWith(planned, unread), inDryRun],
  'dry-run-cancelled': [endedWith(planned), { ...inDryRun, halt: haltOf('cancelled') }],
  'stopped-by-inputs': [stoppedBy('input "api-key" is empty', 'input "base-url" must be one URL')],
  'stopped-dry-run': [stoppedBy('input "path": "dist/*.zip" matches no file'), inDryRun],
  'stopped-by-bug': [stoppedBy(), { halt: haltOf('bug') }],
  'stopped-by-signal': [stoppedBy(), { halt: haltOf('cancelled') }],
  'unavailable-release': [failing('unavailable'), { inputs: attaching }],
  'only-409': [endedWith(artifactAs('app.zip', failed(failureNamed('completion-409'))))],
  'two-remedies': [failing('completion-402', 'unreadable')],
  'many-failures': [several, { halt: haltOf('unsaved', 'cancelled') }],
}

/** Every way to end, by the name of its picture. */
export const cases: ReadonlyMap<string, Case> = new Map([
  ...Object.entries(others),
  ...[...failures.keys()].map((name): [string, Case] => [name, [failing(name)]]),
  ...Object.entries(runFailures),
])
