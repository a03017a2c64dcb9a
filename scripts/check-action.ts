/**
 * Checks action files, workflows and examples with GitHub's language service, offline. Prints `file:line: message` for
 * each problem. Run by `npm run check`.
 */
import { globSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, resolve, sep } from 'node:path'
import type { ActionInputs, ActionReference } from '@actions/languageservice/action'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { parse } from 'yaml'
import { z } from 'zod'
import { readCommandLine, runCommand } from './command.ts'
import { readOwnName } from './own-name.ts'

const HELP = `Checks action files, workflows and examples with GitHub's language service, offline.

Usage: npm run check, or node scripts/check-action.ts [FOLDER]

  FOLDER  a repository (default: this one)
  --help  print this
`

const actionPatterns = ['action.yml', '*/action.yml', '.github/actions/*/action.yml']
const workflowPatterns = ['.github/workflows/*.{yml,yaml}', 'examples/**/*.{yml,yaml}']

const inputSchema = z.looseObject({ required: z.boolean().catch(false), default: z.unknown() })
const actionSchema = z.looseObject({
  inputs: z.record(z.string(), inputSchema.nullable()).catch({}),
})

// The packages of the language service omit file extensions, and import JSON without attributes.
registerHooks({
  resolve: (specifier, context, next) => {
    try {
      return next(specifier, context)
    } catch {
      return next(`${specifier}.js`, context)
    }
  },
  load: (url, context, next) => {
    const importAttributes = url.endsWith('.json') ? { type: 'json' } : context.importAttributes
    return next(url, { ...context, importAttributes })
  },
})
const { registerLogger, validate } = await import('@actions/languageservice')

function readInputs(actionFile: string): ActionInputs {
  const inputs: ActionInputs = {}
  for (const [name, input] of Object.entries(actionSchema.parse(parse(actionFile)).inputs)) {
    const required = input?.required === true && input.default === undefined
    inputs[name] = { description: '', required }
  }
  return inputs
}

/** Replaces `uses: ./path` with a reference to a repository, because the service does not look up local actions. */
function nameLocalActions(text: string, ownName: string): string {
  const pattern = /^(\s*(?:-\s+)?uses:\s*["']?)\.\/(?!\.github\/workflows\/)([^"'\s#]*)/gm
  return text.replace(pattern, (_all, start: string, path: string) => {
    return `${start}${[ownName, ...path.split('/')].filter(part => part !== '').join('/')}@v0`
  })
}

/** Checks one file, and returns its problems as `line: message`. `inputs` are those of our actions by their name. */
async function checkFile(file: string, text: string, inputs: ReadonlyMap<string, ActionInputs>) {
  const problems: string[] = []
  const ignore = (): void => undefined
  // The service only logs its own exceptions; without this the file would pass.
  const error = (message: string): void => void problems.push(`1: ${message}`)
  registerLogger({ error, warn: ignore, info: ignore, log: ignore })
  const fetchActionMetadata = ({ owner, name, path }: ActionReference) => {
    const ours = inputs.get(`${owner}/${name}/${path ?? ''}`.replace(/\/$/, ''))
    const metadata = { name, description: '' }
    // Third-party actions are unknown: their inputs are not checked.
    return Promise.resolve(ours === undefined ? metadata : { ...metadata, inputs: ours })
  }
  const document = TextDocument.create(file, 'yaml', 1, text)
  const config = { actionsMetadataProvider: { fetchActionMetadata } }
  for (const { severity = 1, range, message } of await validate(document, config)) {
    const sentence = typeof message === 'string' ? message : message.value
    // 1 is an error, 2 a warning, the rest is advice.
    if (severity <= 2) problems.push(`${range.start.line + 1}: ${sentence}`)
  }
  return problems
}

await runCommand(async () => {
  const { words } = readCommandLine(HELP, {}, 1)
  const root = resolve(words[0] ?? join(import.meta.dirname, '..'))
  const ownName = readOwnName(root)
  const find = (patterns: readonly string[]): readonly string[] =>
    globSync(patterns, { cwd: root })
      .map(file => file.replaceAll(sep, '/'))
      .sort()
  const read = (file: string): string => readFileSync(join(root, file), 'utf8')
  const actionFiles = find(actionPatterns)
  const inputs = new Map(
    actionFiles.map(file => [
      `${ownName}/${file}`.replace(/\/action\.yml$/, ''),
      readInputs(read(file)),
    ]),
  )
  let isGood = true
  for (const file of new Set([...actionFiles, ...find(workflowPatterns)])) {
    for (const problem of await checkFile(file, nameLocalActions(read(file), ownName), inputs)) {
      isGood = false
      console.log(`${file}:${problem.replaceAll(/\s*\n\s*/g, ' ')}`)
    }
  }
  return isGood
})
