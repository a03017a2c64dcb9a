/** Bugs that are seeded into the source, one at a time: the exploration must find each of them. */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/**
 * Reads `bugs.txt`: below the name of each file, a line for each bug, with its name and its changes, `find --> replace`; `\n` is
 * a newline.
 */
export function readSeededBugs() {
  const text = readFileSync(new URL('bugs.txt', import.meta.url), 'utf8')
  return text.split('\n\n').flatMap(part => {
    const [file = '', ...bugs] = part.trimEnd().split('\n')
    return bugs.map(bug => {
      const [name = '', ...quotes] = bug.replaceAll('\\n', '\n').split(' | ')
      const changes = quotes.map(quote => quote.split(/ -->(?: |$)/))
      return { name, file, changes }
    })
  })
}

/** Changes a file of `src` when it is loaded. Throws if there is no such bug, or if it does not fit. */
export function seedBug(index: number): void {
  const bug = readSeededBugs()[index]
  if (bug === undefined) throw new Error(`there is no bug ${index}`)
  const { name, file, changes } = bug
  registerHooks({
    load: (url, context, next) => {
      if (!url.endsWith(`/${file}`)) return next(url, context)
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
