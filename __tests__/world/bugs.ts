/** Bugs that are seeded into the source, one at a time: the exploration must find each of them. */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** Reads `bugs.txt`: the name and file of each bug, the texts to replace and their replacements; `\n` is a newline. */
export function readSeededBugs() {
  const text = readFileSync(new URL('bugs.txt', import.meta.url), 'utf8')
  const bugs = text.trimEnd().split(/\n(?![-+])/)
  return bugs.map(bug => {
    const [, name = '', file = ''] = /^(.*): (.*)/.exec(bug) ?? []
    const changes = [...bug.matchAll(/^- (.*)(?:\n\+ (.*))?/gm)].map(([, find = '', by = '']) =>
      [find, by].map(part => part.replaceAll('\\n', '\n')),
    )
    return { name, file, changes }
  })
}

/** Changes a file of `src` when it is loaded. Throws if there is no such bug, or if it does not fit. */
export function seedBug(index: number): void {
  const bug = readSeededBugs()[index]
  if (bug === undefined) throw new Error(`there is no bug ${index}`)
  const { name, file, changes } = bug
  registerHooks({
    load: (url, context, next) => {
      if (!url.endsWith(`/src/${file}`)) return next(url, context)
      let source = readFileSync(new URL(url), 'utf8')
      for (const [find = '', by = ''] of changes) {
        const [before = '', after, ...more] = source.split(find)
        if (after === undefined || more.length > 0) {
          throw new Error(`"${name}" does not fit ${file} exactly once: ${find}`)
        }
        source = before + by + after
      }
      return { format: 'module-typescript', source, shortCircuit: true }
    },
  })
}
