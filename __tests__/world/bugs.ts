/** Bugs to seed into the source, one at a time: the exploration must find each of them. */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

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

/** Changes a file of `src` as it is loaded. Throws for a bug that is not in the list, or that does not fit. */
export function seedBug(index: number): void {
  const bug = readSeededBugs()[index]
  if (bug === undefined) throw new Error(`there is no bug ${index}`)
  const { name, file, changes } = bug
  registerHooks({
    load: (url, context, next) => {
      if (!url.endsWith(`/src/${file}`)) return next(url, context)
      let source = readFileSync(new URL(url), 'utf8')
      for (const { find, replace } of changes) {
        if (!source.includes(find)) throw new Error(`"${name}" does not fit ${file}: ${find}`)
        source = source.replace(find, () => replace)
      }
      return { format: 'module-typescript', source, shortCircuit: true }
    },
  })
}
