/**
 * Checks the action files, workflows and examples of a repository with GitHub's own language service, offline. Prints
 * `file:line: message` for every problem. Run by `npm run check`.
 */
import { globSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, resolve, sep } from 'node:path'
import type { ActionMetadata, ActionReference } from '@actions/languageservice/action'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { parse } from 'yaml'
import { z } from 'zod'
import { readCommandLine, runCommand } from './command.ts'
import { readOwnName } from './own-name.ts'

const HELP = `Checks action files, workflows and examples with the language service of GitHub, offline.

Usage: npm run check, or node scripts/check-action.ts [FOLDER]

  FOLDER  of a repository (default: this one)
  --help  print this
`

const actionFiles = ['action.yml', '*/action.yml', '.github/actions/*/action.yml']
const workflowFiles = ['.github/workflows/*.{yml,yaml}', 'examples/**/*.{yml,yaml}']

/** Severities of the language server protocol: 1 is an error, 2 a warning, the rest is advice. */
const warning = 2

interface OurAction {
  readonly metadata: ActionMetadata
  readonly outputs: ReadonlySet<string>
}

/** An action of ours by what stands in `uses:`, without the ref. */
type OurActions = ReadonlyMap<string, OurAction>

const inputSchema = z.looseObject({
  required: z.boolean().catch(false),
  default: z.unknown(),
})
const actionSchema = z.looseObject({
  name: z.string().catch(''),
  inputs: z.record(z.string(), inputSchema.nullable()).nullish(),
  outputs: z.record(z.string(), z.unknown()).nullish(),
})
const stepSchema = z.looseObject({ id: z.string().optional(), uses: z.string().default('') })
const workflowSchema = z.looseObject({
  jobs: z.record(z.string(), z.looseObject({ steps: z.array(stepSchema).catch([]) })),
})

// The packages of the language service leave out file extensions, and import JSON as if it were code.
registerHooks({
  resolve: (specifier, context, next) => {
    for (const ending of ['', '.js', '/index.js']) {
      try {
        return next(specifier + ending, context)
      } catch {
        // The next ending may lead to it.
      }
    }
    return next(specifier, context)
  },
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
})
const { registerLogger, validate } = await import('@actions/languageservice')

function parseOrUndefined(text: string): unknown {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

/** What can be read of an action file; `validate` says what is wrong with one that cannot. */
function readAction(text: string): OurAction | undefined {
  const action = actionSchema.safeParse(parseOrUndefined(text)).data
  if (action === undefined) return undefined
  const inputs: Record<string, { description: string; required: boolean }> = {}
  for (const [name, input] of Object.entries(action.inputs ?? {})) {
    const isRequired = input?.required === true && input.default === undefined
    inputs[name] = { description: '', required: isRequired }
  }
  const metadata = { name: action.name, description: '', inputs }
  return { metadata, outputs: new Set(Object.keys(action.outputs ?? {})) }
}

/** Rewrites `uses: ./path` of a step as a reference with an owner, as the service looks up no local action. */
function nameLocalActions(text: string, ownName: string): string {
  const pattern = /^(\s*(?:-\s+)?uses:\s*["']?)\.\/(?!\.github\/workflows\/)([^"'\s#]*)/gm
  return text.replace(pattern, (_all, start: string, path: string) => {
    return `${start}${[ownName, ...path.split('/')].filter(part => part !== '').join('/')}@v0`
  })
}

/** Finds `steps.ID.outputs.NAME` where the step runs an action of ours that has no such output. */
function checkOutputs(text: string, actions: OurActions): readonly string[] {
  const workflow = workflowSchema.safeParse(parseOrUndefined(text)).data
  const outputsOf = new Map<string, ReadonlySet<string>>()
  for (const { id, uses } of Object.values(workflow?.jobs ?? {}).flatMap(job => job.steps)) {
    const ours = actions.get(uses.replace(/@.*/, ''))
    if (ours !== undefined && id !== undefined) outputsOf.set(id, ours.outputs)
  }
  return text.split('\n').flatMap((line, index) => {
    const uses = [...line.matchAll(/\bsteps\.([\w-]+)\.outputs\.([\w-]+)/g)]
    return uses
      .filter(([, id = '', name = '']) => outputsOf.get(id)?.has(name) === false)
      .map(([all]) => `${index + 1}: Invalid action output in '${all}'`)
  })
}

/** Checks one file; gives what is wrong with it, as `line: message`. */
async function checkFile(name: string, text: string, actions: OurActions) {
  const problems: string[] = []
  const ignore = (): void => undefined
  // An exception inside the service goes to its log only, and the file would pass for a good one.
  const error = (message: string): void => void problems.push(`1: ${message}`)
  registerLogger({ error, warn: ignore, info: ignore, log: ignore })
  const fetchActionMetadata = ({ owner, name: repository, path = '' }: ActionReference) => {
    const ours = actions.get([owner, repository, path].filter(part => part !== '').join('/'))
    // Actions of others are unknown here: without inputs in their metadata they are not checked.
    return Promise.resolve(ours?.metadata ?? { name: repository, description: '' })
  }
  const document = TextDocument.create(name, 'yaml', 1, text)
  const config = { actionsMetadataProvider: { fetchActionMetadata } }
  for (const { severity = 1, range, message } of await validate(document, config)) {
    const sentence = typeof message === 'string' ? message : message.value
    if (severity <= warning) problems.push(`${range.start.line + 1}: ${sentence}`)
  }
  return [...problems, ...checkOutputs(text, actions)]
}

async function main(): Promise<boolean> {
  const { words } = readCommandLine(HELP, z.object({}), 1)
  const root = resolve(words[0] ?? join(import.meta.dirname, '..'))
  const ownName = readOwnName(root)
  const find = (patterns: readonly string[]): readonly string[] => {
    const found = globSync(patterns, { cwd: root, exclude: ['node_modules', 'dist', 'lib'] })
    return found.map(file => file.replaceAll(sep, '/')).sort()
  }
  const files = [...new Set([...find(actionFiles), ...find(workflowFiles)])]
  const texts = new Map(files.map(file => [file, readFileSync(join(root, file), 'utf8')]))
  const actions = new Map<string, OurAction>()
  for (const file of find(actionFiles)) {
    const action = readAction(texts.get(file) ?? '')
    const name = `${ownName}/${file}`.replace(/\/action\.yml$/, '')
    if (action !== undefined) actions.set(name, action)
  }
  const problems: string[] = []
  if (!files.includes('action.yml')) problems.push('action.yml:1: The file is missing')
  for (const [file, text] of texts) {
    const found = await checkFile(file, nameLocalActions(text, ownName), actions)
    problems.push(...found.map(problem => `${file}:${problem.replaceAll(/\s*\n\s*/g, ' ')}`))
  }
  for (const problem of problems) console.log(problem)
  return problems.length === 0
}

await runCommand(main)
