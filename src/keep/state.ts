/** What main saves for the post step, and what both do with the lines of a records file. */
import { hash } from 'node:crypto'
import type { Source } from '../runtime/environment.ts'
import type { WorkflowArtifact } from '../runtime/outside.ts'

export const whyNoService = 'this server has no artifact service'

/**
 * The value of the state `records` is `written` as soon as this run has written a line (the ledger saves that), then one
 * of these. None of them is secret. Without a state, main was killed before its first line.
 */
export const formatState = {
  /** The run ended before it registered anything: nothing is to do. */
  free: () => 'free',
  /** The post step keeps this file. */
  left: (records: Buffer) => `left ${digestOf(records)} ${records.length}`,
  /** Every line of this file is kept or printed. */
  done: (records: Buffer) => `done ${digestOf(records)}`,
} as const

/**
 * Compares what main saved with the records file as it is now: whether the post step has to keep the file, and whether it
 * lacks lines that main left, and that are neither kept nor printed.
 */
export function readState(
  state: string,
  records: Buffer,
  { source, isForRelease }: { readonly source: Source; readonly isForRelease: boolean },
): { readonly isDue: boolean; readonly isLost: boolean } {
  const [kind, digest, bytes] = state.split(' ')
  const isDone = kind === 'free' || (kind === 'done' && digest === digestOf(records))
  const isDue = !isDone && hasLinesToKeep(records, source, isForRelease)
  let isLost = false
  if (kind === 'written') isLost = !hasLineOf(source, records)
  // Another step may have made it longer.
  if (kind === 'left') isLost = digest !== digestOf(records.subarray(0, Number(bytes)))
  return { isDue, isLost }
}

function digestOf(bytes: Buffer): string {
  return hash('sha256', bytes)
}

/** Whether a records file has a line of this attempt or, for a release, any record. */
export function hasLinesToKeep(records: Buffer, source: Source, isForRelease: boolean): boolean {
  return hasLineOf(source, records) || (isForRelease && records.includes('"record":'))
}

/** Whether a records file has a line of this attempt. */
function hasLineOf({ runId, runAttempt }: Source, records: Buffer): boolean {
  // The text that every line of this attempt has in its source.
  return records.includes(JSON.stringify({ runId, runAttempt }).slice(1, -1))
}

/** Returns the lines of a records file that are JSON: another step may still be writing the last one. */
export function wholeLines(records: Buffer): readonly string[] {
  return records.toString().split('\n').filter(isJson)
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

export function tellKept({ name, url }: WorkflowArtifact): string {
  const kept = `The records are kept in the workflow artifact ${name}`
  if (url === null) return kept
  return `${kept}: ${url}`
}

/** The warning above lines that are only in the log. */
export function tellOnlyInLog(why: string): string {
  return `The records could not be kept as a workflow artifact: ${why}. The lines below are their only copy outside this machine.`
}
