/**
 * Checks the action files, workflows and examples of a repository, by default this one, with GitHub's language service,
 * offline. Prints `file:line: message` for each problem. Run by `npm run check`.
 */
import { globSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, posix, resolve, sep } from 'node:path'
import type { ActionInputs, ActionReference } from '@actions/languageservice/action'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { parse } from 'yaml'
import { z } from 'zod'
import { ownName } from './own-name.ts'

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '..'))
const actionPatterns = ['action.yml', '*/action.yml', '.github/actions/*/action.yml']
const workflowPatterns = ['.github/workflows/*.{yml,yaml}', 'examples/**/*.{yml,yaml}']

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

function find(patterns: readonly string[]): readonly string[] {
  return globSync(patterns, { cwd: root }).map(file => file.replaceAll(sep, '/'))
}

const inputSchema = z.looseObject({ required: z.boolean().catch(false), default: z.unknown() })
const actionSchema = z.looseObject({
  inputs: z.record(z.string(), inputSchema.nullable()).catch({}),
})

function readInputs(actionFile: string): ActionInputs {
  const { inputs } = actionSchema.parse(parse(readFileSync(join(root, actionFile), 'utf8')))
  const known = Object.entries(inputs).map(([name, input]) => {
    const required = input?.required === true && input.default === undefined
    return [name, { description: '', required }] as const
  })
  return Object.fromEntries(known)
}

/** The inputs of our actions by owner, name and path. */
const ours = new Map(
  find(actionPatterns).map(file => [posix.join(ownName, posix.dirname(file)), readInputs(file)]),
)

function fetchActionMetadata({ owner, name, path = '' }: ActionReference) {
  const inputs = ours.get(posix.join(owner, name, path))
  const metadata = { name, description: '' }
  // Third-party actions are unknown: their inputs are not checked.
  return Promise.resolve(inputs === undefined ? metadata : { ...metadata, inputs })
}

/** Checks one file, and returns its problems as `line: message`. */
async function checkFile(file: string): Promise<readonly string[]> {
  // The service does not look up local actions, except reusable workflows.
  const local = /^(\s*(?:-\s+)?uses:\s*["']?)\.\/(?!\.github\/workflows\/)([^"'\s#]*)/gm
  const text = readFileSync(join(root, file), 'utf8').replace(
    local,
    (_, uses: string, path: string) => {
      return `${uses}${posix.join(ownName, path).replace(/\/$/, '')}@v0`
    },
  )
  const problems: string[] = []
  const ignore = (): void => undefined
  // The service only logs its own exceptions; without this the file would pass.
  const error = (message: string): void => void problems.push(`1: ${message}`)
  registerLogger({ error, warn: ignore, info: ignore, log: ignore })
  const document = TextDocument.create(file, 'yaml', 1, text)
  const config = { actionsMetadataProvider: { fetchActionMetadata } }
  for (const { severity = 1, range, message } of await validate(document, config)) {
    const sentence = typeof message === 'string' ? message : message.value
    // 1 is an error, 2 a warning, the rest is advice.
    if (severity <= 2) problems.push(`${range.start.line + 1}: ${sentence}`)
  }
  return problems
}

for (const file of [...find(actionPatterns), ...find(workflowPatterns)].toSorted()) {
  for (const problem of await checkFile(file)) {
    console.log(`${file}:${problem.replaceAll(/\s*\n\s*/g, ' ')}`)
    process.exitCode = 1
  }
}
