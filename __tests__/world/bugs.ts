/** Bugs to seed into the source, one at a time: the exploration must find each of them. */
import { readFileSync } from 'node:fs'

/** A change of one file of `src`. */
export interface SeededBug {
  readonly name: string
  readonly file: string
  readonly changes: readonly Change[]
}

interface Change {
  readonly find: string
  readonly replace: string
}

/** Reads `bugs.txt`: for each bug its name and file, and what is replaced by what; a newline is `\n`. */
export function readSeededBugs(): readonly SeededBug[] {
  const text = readFileSync(new URL('bugs.txt', import.meta.url), 'utf8')
  return text
    .trimEnd()
    .split(/\n(?![-+])/)
    .map(readBug)
}

function readBug(text: string): SeededBug {
  const [title = '', ...lines] = text.split('\n')
  const [name = '', file = ''] = title.split(': ')
  const texts = lines.map(line => line.slice(2).replaceAll('\\n', '\n'))
  const changes = texts.flatMap((find, at) => {
    return at % 2 === 0 ? [{ find, replace: texts[at + 1] ?? '' }] : []
  })
  return { name, file, changes }
}

/** The source of a file with its bug. Throws if the bug does not fit. */
export function seedBug({ name, file, changes }: SeededBug, source: string): string {
  return changes.reduce((changed, { find, replace }) => {
    if (!changed.includes(find)) throw new Error(`"${name}" does not fit ${file}: ${find}`)
    return changed.replace(find, () => replace)
  }, source)
}
