/** Artifacts and record lines in which a number stands for a content. */
import type { Artifact, ArtifactSource } from '../../src/artifacts/artifact.ts'
import { makeFailure } from '../../src/failure.ts'
import { parseRecords } from '../../src/records/reading.ts'
import { compareWithRecords, type Compared } from '../../src/verify/compare.ts'
import { indexRecords, type RecordsIndex } from '../../src/verify/records.ts'
import { hashOf, makeRecord, source, toJsonLines } from '../support/samples.ts'

export const SERVICE = 'https://notary.example'
export const COMMIT = 'a'.repeat(40)

/** An artifact as it was found. */
export function artifact(name: string, content: number, from: ArtifactSource = 'path'): Artifact {
  return { source: from, name, size: content, hash: hashOf(content) }
}

/** An artifact that could not be read. */
export function unread(name: string): Artifact {
  const what = 'it could not be read: permission denied'
  const failure = makeFailure({ code: 'unreadable', what, remedy: 'correct its rights' })
  return { source: 'path', name, failure }
}

/** What a line says beyond its name and content. */
export interface Changes {
  readonly service?: string
  readonly sha?: string | null
  readonly runId?: string | null
  readonly runAttempt?: string
  readonly problems?: readonly string[]
  readonly record?: object
}

function headOf(name: string, content: number, changes: Changes) {
  const { service = SERVICE, sha = COMMIT, runId = '1', runAttempt = '1' } = changes
  const from = { ...source, sha, runId, runAttempt }
  return { artifact: name, size: content, hash: hashOf(content), service, source: from }
}

/** The record line of a content under a name. */
export function line(name: string, content: number, changes: Changes = {}) {
  const { problems = [], record = {} } = changes
  const head = headOf(name, content, changes)
  return { ...head, record: { ...makeRecord(head.hash), ...record }, problems }
}

/** A line that says that a content was sent. */
export function sent(name: string, content: number, changes: Changes = {}) {
  return { ...headOf(name, content, changes), state: 'sent', at: '2026-01-01T00:00:00.000Z' }
}

export const bad = { problems: ['status is "pending", not "registered"'] } as const

/** Reads lines as the file `records.jsonl`. */
export function index(
  lines: readonly object[],
  { baseUrl = null, redact = text => text }: Partial<Parameters<typeof indexRecords>[1]> = {},
): RecordsIndex {
  const bytes = Buffer.from(toJsonLines(lines))
  return indexRecords([parseRecords(bytes, 'records.jsonl')], { baseUrl, redact })
}

/** Compares artifacts with lines. */
export function compare(
  artifacts: readonly Artifact[],
  lines: readonly object[],
  { sha = null, baseUrl = null }: { sha?: string | null; baseUrl?: string | null } = {},
): Compared {
  return compareWithRecords({ artifacts, records: index(lines, { baseUrl }), sha })
}
