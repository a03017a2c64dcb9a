/** Reads records files, each line once; pure. */
import { isUtf8 } from 'node:buffer'
import { problemAt, type Problem, type Remedy } from '../failure.ts'
import { maxMessageLength, quote } from '../text/escape.ts'
import { maxLineBytes, parseLine, withoutIncompleteLine } from './lines.ts'
import type { Line, Place } from './lines.ts'

/** A records file from the disk or from elsewhere, such as an asset of a release. */
export interface FoundRecords {
  /** As messages name it: `notarization-records.jsonl of the release`. */
  readonly name: string
  /** Null if they are damaged, or too large to be read. */
  readonly bytes: Buffer | null
  /** The input that led to it: damage is reported under it. */
  readonly input: 'records-path' | 'keep-records' | 'release-tag' | 'earlier-releases' | 'records'
}

/** The section of the docs about them. */
export const unreadableDocs = 'records.md#records-that-cannot-be-read'
const lost = 'files that only it records are charged a second time'
const ofAsset = { place: 'release', needs: 'nothing', docs: unreadableDocs } as const

/** By the input that led to a file: where its lines are, and what to do if it is damaged. */
export const waysOfInput: Readonly<
  Record<FoundRecords['input'], Remedy & { readonly place: Place }>
> = {
  'records-path': {
    place: 'file',
    next: 'restore the records file, do not delete it',
    hint: 'get it again from where this job has it: the commit, the release, or the workflow artifact of an earlier run',
    docs: unreadableDocs,
  },
  'keep-records': {
    place: 'workflow-artifact',
    next: 'save a copy of this workflow artifact, then delete it',
    needs: 'nothing',
    docs: unreadableDocs,
  },
  'release-tag': {
    ...ofAsset,
    next: 'save a copy of this asset, then repair the asset or delete it',
    hint: `without it, ${lost}`,
  },
  'earlier-releases': {
    ...ofAsset,
    next: 'save a copy of the asset, then delete it',
    hint: `otherwise, set "earlier-releases" to false: either way, ${lost}`,
  },
  records: { place: 'file', next: 'download the file again', docs: unreadableDocs },
}

const maxDamage = 5

/** Parses records files. Returns their lines, each once with its places, one problem for each damaged file, and warnings. */
export function readRecords(files: readonly FoundRecords[]) {
  const lines = new Map<string, Line>()
  const problems: Problem[] = []
  const warnings: string[] = []
  for (const { bytes: content, name, input } of files) {
    const { place, ...remedy } = waysOfInput[input]
    const bytes = content ?? Buffer.alloc(0)
    const whole = withoutIncompleteLine(bytes)
    if (whole.length < bytes.length) {
      const why = 'a run was stopped while writing it'
      warnings.push(`The last line of "${quote(name)}" is incomplete and was dropped: ${why}`)
    }
    const found: Line[] = []
    const damage =
      content === null ? ['the records are missing, damaged or larger than 64 MiB'] : []
    for (let start = 0, number = 1; start < whole.length; number++) {
      const newline = whole.indexOf('\n', start)
      const bytesOfLine = whole.subarray(start, newline === -1 ? whole.length : newline)
      start += bytesOfLine.length + 1
      const isTooLong = bytesOfLine.length > maxLineBytes
      let line: Line | string = isTooLong ? 'is longer than 4 MiB' : 'is not valid UTF-8'
      if (!isTooLong && isUtf8(bytesOfLine)) {
        const text = bytesOfLine.toString().trim()
        if (text === '') continue
        line = lines.get(text) ?? parseLine(text)
      }
      if (typeof line !== 'string') found.push(line)
      else damage.push(`line ${number} ${quote(line, maxMessageLength)}`)
      // The run stops: a large file that is no records file is not read to its end.
      if (damage.length === maxDamage) break
    }
    if (damage.length > 0) {
      // Nothing of a damaged file is used.
      problems.push(problemAt(input, `"${quote(name)}": ${damage.join('; ')}`, remedy))
      continue
    }
    for (const line of found) {
      line.places.add(place)
      lines.set(line.text, line)
    }
  }
  return { lines, problems, warnings }
}
