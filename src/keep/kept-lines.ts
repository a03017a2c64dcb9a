/** What main and the post step have in common. The post step loads it each time, so it imports nothing. */
import type { Source } from '../runtime/environment.ts'

export const whyNoService = 'this server has no artifact service'

/**
 * What main saves for the post step. The value of `records` is `written` as soon as the records file has a line of this run,
 * then one of those that the functions below make. None of them is secret.
 */
export const states = { records: 'records', evidencePath: 'evidence-path' } as const

/** The run ended before it registered anything, so that its post step has nothing to do. */
export const freeState = 'free'

/** Main has left this file to the post step. */
export function leftState(bytes: number, digest: string): string {
  return `left ${bytes} ${digest}`
}

/** Every line of the file is kept or printed. */
export function keptState(digest: string): string {
  return `kept ${digest}`
}

/** Whether a records file has a line of this attempt or, for a release, any record. */
export function hasLinesToKeep(
  records: Buffer,
  { runId, runAttempt }: Source,
  isForRelease: boolean,
): boolean {
  // The text that every line of this attempt has in its source.
  const ofAttempt = JSON.stringify({ runId, runAttempt }).slice(1, -1)
  return records.includes(ofAttempt) || (isForRelease && records.includes('"record":'))
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

/** The warning above lines that are only in the log. */
export function tellOnlyInLog(why: string): string {
  return `The records could not be kept as a workflow artifact: ${why}. Outside this machine, only this log has them, in the lines below.`
}
