/** Entries of a records file for tests, and their lines. */
import type { JsonObject } from '../../src/outcome.ts'
import { formatRecordLine, type RecordEntry, type Source } from '../../src/records/record-line.ts'

export const SERVICE = 'https://notary.example'

export const source: Source = {
  repository: 'octo/app',
  sha: '6dcb09b5b57875f334f61aebed695e2e4193db5e',
  ref: 'refs/tags/v1.2.3',
  runId: '1658821493',
  runAttempt: '1',
  commitUrl: 'https://github.com/octo/app/commit/6dcb09b5b57875f334f61aebed695e2e4193db5e',
  runUrl: 'https://github.com/octo/app/actions/runs/1658821493/attempts/1',
}

/** A hash in the shape of SHA-256 with this number. */
export function hashOf(number: number): string {
  return number.toString(16).padStart(64, '0')
}

/** A record that is right for this hash. */
export function recordOf(hash: string): JsonObject {
  return { hash, custody: false, signed: false, status: 'registered', paymentId: 'sub_1' }
}

/** An entry that is right, with changes. */
export function entryOf(number: number, changes: Partial<RecordEntry> = {}): RecordEntry {
  const hash = hashOf(number)
  return {
    ...{ artifact: `dist/app-${number}.zip`, size: number, hash, service: SERVICE },
    ...{ record: recordOf(hash), problems: [], redacted: [] },
    ...changes,
  }
}

/** The line of an entry, newline included. */
export function lineOf(number: number, changes: Partial<RecordEntry> = {}): string {
  return formatRecordLine(entryOf(number, changes), source)
}
