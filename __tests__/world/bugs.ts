/** Bugs to seed into the source, one at a time: the exploration must find each of them. */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** A change of one file of `src`. */
export interface SeededBug {
  readonly name: string
  readonly file: string
  /** What is replaced by what. */
  readonly changes: readonly (readonly string[])[]
}

/** Reads `bugs.txt`: for each bug its name and file, lines to replace and what by; a newline is `\n`. */
export function readSeededBugs(): readonly SeededBug[] {
  const text = readFileSync(new URL('bugs.txt', import.meta.url), 'utf8')
  return text.split(/\n(?![-+])/).flatMap(bug => {
    const [, name, file] = /^(.*): (.*)/.exec(bug) ?? []
    if (name === undefined || file === undefined) return []
    const changes = [...bug.matchAll(/^- (.*)(?:\n\+ (.*))?/gm)]
    return {
      name,
      file,
      changes: changes.map(([, find = '', by = '']) => [find, by].map(unescape)),
    }
  })
}

function unescape(text: string): string {
  return text.replaceAll('\\n', '\n')
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
      for (const [find = '', by = ''] of changes) {
        if (!source.includes(find)) throw new Error(`"${name}" does not fit ${file}: ${find}`)
        source = source.replace(find, () => by)
      }
      return { format: 'module-typescript', source, shortCircuit: true }
    },
  })
}
