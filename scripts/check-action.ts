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
  inputs: z.record(z.string(), inputSchema.nullable()).nullish(),
  outputs: z.record(z.string(), z.unknown()).nullish(),
})
const stepSchema = z.looseObject({ id: z.string().optional(), uses: z.string().default('') })
const workflowSchema = z.looseObject({
  jobs: z.record(z.string(), z.looseObject({ steps: z.array(stepSchema).catch([]) })),
})

interface OurAction {
  readonly metadata: { readonly inputs: ActionInputs }
  readonly outputs: ReadonlySet<string>
}

/** Our actions by the text of `uses:` without the ref. */
type OurActions = ReadonlyMap<string, OurAction>

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

function readAction(text: string): OurAction {
  const action = actionSchema.safeParse(parse(text)).data
  const inputs: ActionInputs = {}
  for (const [name, input] of Object.entries(action?.inputs ?? {})) {
    const required = input?.required === true && input.default === undefined
    inputs[name] = { description: '', required }
  }
  return { metadata: { inputs }, outputs: new Set(Object.keys(action?.outputs ?? {})) }
}

/** Replaces `uses: ./path` with a reference to a repository, because the service does not look up local actions. */
function nameLocalActions(text: string, ownName: string): string {
  const pattern = /^(\s*(?:-\s+)?uses:\s*["']?)\.\/(?!\.github\/workflows\/)([^"'\s#]*)/gm
  return text.replace(pattern, (_all, start: string, path: string) => {
    return `${start}${[ownName, ...path.split('/')].filter(part => part !== '').join('/')}@v0`
  })
}

/** Finds each `steps.ID.outputs.NAME` whose step runs one of our actions, if that has no such output. */
function checkOutputs(text: string, actions: OurActions): readonly string[] {
  const { jobs } = workflowSchema.safeParse(parse(text)).data ?? {}
  const steps = Object.values(jobs ?? {}).flatMap(job => job.steps)
  const outputsOf = new Map(
    steps.map(({ id, uses }) => [id, actions.get(uses.replace(/@.*/, ''))?.outputs]),
  )
  return text
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(/\bsteps\.([\w-]+)\.outputs\.([\w-]+)/g)]
        .filter(([, id, name = '']) => outputsOf.get(id)?.has(name) === false)
        .map(([all]) => `${index + 1}: Invalid action output in '${all}'`),
    )
}

/** Checks one file, and returns its problems as `line: message`. */
async function checkFile(file: string, text: string, actions: OurActions) {
  const problems: string[] = []
  const ignore = (): void => undefined
  // The service only logs its own exceptions; without this the file would pass.
  const error = (message: string): void => void problems.push(`1: ${message}`)
  registerLogger({ error, warn: ignore, info: ignore, log: ignore })
  const fetchActionMetadata = ({ owner, name, path }: ActionReference) => {
    const ours = actions.get(`${owner}/${name}/${path ?? ''}`.replace(/\/$/, ''))
    // Third-party actions are unknown: their inputs are not checked.
    return Promise.resolve({ name, description: '', ...ours?.metadata })
  }
  const document = TextDocument.create(file, 'yaml', 1, text)
  const config = { actionsMetadataProvider: { fetchActionMetadata } }
  for (const { severity = 1, range, message } of await validate(document, config)) {
    const sentence = typeof message === 'string' ? message : message.value
    // 1 is an error, 2 a warning, the rest is advice.
    if (severity <= 2) problems.push(`${range.start.line + 1}: ${sentence}`)
  }
  return [...problems, ...checkOutputs(text, actions)]
}

await runCommand(async () => {
  const { words } = readCommandLine(HELP, z.object({}), 1)
  const root = resolve(words[0] ?? join(import.meta.dirname, '..'))
  const ownName = readOwnName(root)
  const find = (patterns: readonly string[]): readonly string[] => {
    const found = globSync(patterns, { cwd: root }).map(file => file.replaceAll(sep, '/'))
    return found.sort()
  }
  const read = (file: string): string => readFileSync(join(root, file), 'utf8')
  const actionFiles = find(actionPatterns)
  const actions = new Map<string, OurAction>()
  for (const file of actionFiles) {
    actions.set(`${ownName}/${file}`.replace(/\/action\.yml$/, ''), readAction(read(file)))
  }
  let count = 0
  const report = (problem: string): void => {
    count += 1
    console.log(problem.replaceAll(/\s*\n\s*/g, ' '))
  }
  if (!actionFiles.includes('action.yml')) report('action.yml:1: The file is missing')
  for (const file of new Set([...actionFiles, ...find(workflowPatterns)])) {
    const problems = await checkFile(file, nameLocalActions(read(file), ownName), actions)
    for (const problem of problems) report(`${file}:${problem}`)
  }
  return count === 0
})
