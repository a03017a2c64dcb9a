/**
 * Writes the name of the repository that publishes this action to all pages that readers copy it from. Run by
 * `npm run own -- NAME`; can be repeated with another name.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { z } from 'zod'
import { readCommandLine, runCommand, stopForUsage } from './command.ts'
import { readOwnName } from './own-name.ts'

const HELP = `Writes the name of the repository that publishes this action to package.json, README, docs and examples.

Usage: npm run own -- NAME

  NAME    owner and repository, such as octo/notarize-release
  --help  print this
`

/** Pages, examples and settings; code reads package.json. */
const places = ['package.json', '*.md', '{docs,examples,.github}/**/*.{md,yml,yaml,json}']

/** Names that GitHub allows: letters, digits and hyphens; in the repository also dots and underscores. */
const validName = /^[a-z\d](?:-?[a-z\d]){0,38}\/(?!\.{1,2}$)[\w.-]{1,100}(?<!\.git)$/i

/** Replaces the name of a repository, and returns the changed files. */
export async function own(root: string, name: string): Promise<readonly string[]> {
  // Not as part of a longer name, nor where a page shows this command.
  const before = readOwnName(root).replaceAll('.', '\\.')
  const pattern = new RegExp(
    `(?<!npm run own -- |[\\w.-])${before}(?![\\w-]|\\.(?!git\\b)\\w)`,
    'g',
  )
  const changed: string[] = []
  for (const file of globSync(places, { cwd: root, exclude: ['node_modules'] }).sort()) {
    const path = join(root, file)
    const text = readFileSync(path, 'utf8')
    const named = text.replaceAll(pattern, name)
    if (named === text) continue
    // The length of the name changes the width of Markdown tables.
    const options = { ...(await resolveConfig(path)), filepath: path }
    writeFileSync(path, file.endsWith('.md') ? await format(named, options) : named)
    changed.push(file)
  }
  return changed
}

if (import.meta.main) {
  const [name] = readCommandLine(HELP, z.object({}), 1).words
  if (name === undefined) stopForUsage('the name is missing')
  if (!validName.test(name)) stopForUsage(`"${name}" is not a name such as octo/notarize-release`)
  await runCommand(async () => {
    const changed = await own(join(import.meta.dirname, '..'), name)
    console.log(changed.join('\n'))
    console.log(`${changed.length} files changed; check them with "git diff", then commit them.`)
    return true
  })
}
