/**
 * Writes the name of the repository that publishes this action wherever a reader is to copy it from. Run by
 * `npm run own -- OWNER/REPO`; a second call replaces the name of the first.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { z } from 'zod'
import { readCommandLine, runCommand, stopForUsage } from './command.ts'
import { readOwnName } from './own-name.ts'

const HELP = `Writes the name of the repository that publishes this action into package.json, README, docs and examples.

Usage: npm run own -- OWNER/REPO

  --help  print this
`

/** Pages, examples and settings; what is code reads package.json. */
const PLACES = [
  'package.json',
  '*.md',
  '{docs,examples}/**/*.{md,yml,yaml,json}',
  '.github/**/*.{md,yml,yaml}',
]

/** Names as GitHub allows them: letters, digits and hyphens for an owner, dots and underscores too for a repository. */
const NAME = /^[a-z\d](?:-?[a-z\d]){0,38}\/(?!\.{1,2}$)[\w.-]{1,100}$/i

/** A file in which the name was replaced. */
export interface Replaced {
  readonly file: string
  readonly times: number
}

/** Whether a text is the name of a repository, with its owner. */
export function isRepositoryName(text: string): boolean {
  return NAME.test(text) && !text.endsWith('.git')
}

/** Replaces a name where it stands alone: not as a part of a longer one. */
export function replaceName(text: string, names: { readonly from: string; readonly to: string }) {
  const from = names.from.replaceAll('.', '\\.')
  const parts = text.split(new RegExp(`(?<![\\w.-])${from}(?![\\w-]|\\.(?!git\\b)\\w)`))
  return { text: parts.join(names.to), times: parts.length - 1 }
}

/** Gives this repository its name; says where it replaced the one before. */
export function own(root: string, name: string): readonly Replaced[] {
  const names = { from: readOwnName(root), to: name }
  const files = globSync(PLACES, { cwd: root, exclude: ['node_modules'] }).sort()
  return files.flatMap(file => {
    const { text, times } = replaceName(readFileSync(join(root, file), 'utf8'), names)
    if (times === 0) return []
    writeFileSync(join(root, file), text)
    return [{ file: file.replaceAll(sep, '/'), times }]
  })
}

function main(): boolean {
  const { words } = readCommandLine(HELP, z.object({}), 1)
  const [name] = words
  if (name === undefined) stopForUsage('the name is missing')
  if (!isRepositoryName(name)) stopForUsage(`"${name}" is no name such as octo/notarize-release`)
  const root = resolve(import.meta.dirname, '..')
  const before = readOwnName(root)
  if (before === name) {
    console.log(`The name is ${name} already; nothing was changed.`)
    return true
  }
  for (const { file, times } of own(root, name)) console.log(`${file}: ${times}`)
  console.log(`${before} is ${name} now; look at the changes with "git diff" and commit them.`)
  return true
}

if (import.meta.main) await runCommand(main)
