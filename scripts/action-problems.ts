/**
 * The part of `check-action.ts` that runs as a bundle: prints `file:line: message` for every problem in the
 * action files and workflows of a folder, and sets exit code 1 if there is any.
 */
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { registerLogger, validate } from '@actions/languageservice'
import type { ActionMetadata, ActionReference } from '@actions/languageservice/action'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { parse } from 'yaml'
import { z } from 'zod'
import { readOwnName } from './own-name.ts'

const ACTION_FILES = ['action.yml', '*/action.yml', '.github/actions/*/action.yml']
const WORKFLOW_FILES = ['.github/workflows/*.{yml,yaml}', 'examples/**/*.{yml,yaml}']

/** Stands for `./` in front of the language service, which looks up no local action. */
const HERE = { owner: 'this', name: 'repository' } as const

/** Severities of the language server protocol: 1 is an error, 2 a warning, the rest is advice. */
const WARNING = 2

interface Problem {
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  readonly message: string
}

interface OurAction {
  readonly metadata: ActionMetadata
  readonly outputs: ReadonlySet<string>
}

const actionSchema = z.looseObject({
  name: z.string().catch(''),
  inputs: z
    .record(
      z.string(),
      z
        .looseObject({
          required: z.boolean().catch(false),
          default: z.unknown(),
          deprecationMessage: z.string().optional().catch(undefined),
        })
        .nullable(),
    )
    .nullish(),
  outputs: z.record(z.string(), z.unknown()).nullish(),
})

const workflowSchema = z.looseObject({
  jobs: z.record(
    z.string(),
    z.looseObject({
      steps: z
        .array(z.looseObject({ id: z.string().optional(), uses: z.string().optional() }))
        .catch([]),
    }),
  ),
})

const root = process.argv[2] ?? '.'
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const find = (patterns: readonly string[]): string[] =>
  globSync(patterns, { cwd: root, exclude: ['node_modules', 'dist', 'lib'] })
    .map(file => file.replaceAll(sep, '/'))
    .sort()

/** The actions of this folder by the path in `uses: ./path`; one that cannot be read is left out, `validate` says why. */
function readActions(files: readonly string[]): ReadonlyMap<string, OurAction> {
  return new Map(
    files.flatMap(file => {
      const action = actionSchema.safeParse(parseOrUndefined(read(file))).data
      if (action === undefined) return []
      const inputs = Object.entries(action.inputs ?? {}).map(([name, input]) => {
        const message = input?.deprecationMessage
        return [
          name,
          {
            description: '',
            required: input?.required === true && input.default === undefined,
            ...(message === undefined ? {} : { deprecationMessage: message }),
          },
        ] as const
      })
      const path = file.replace(/\/?action\.yml$/, '')
      const metadata = { name: action.name, description: '', inputs: Object.fromEntries(inputs) }
      return [[path, { metadata, outputs: new Set(Object.keys(action.outputs ?? {})) }]]
    }),
  )
}

function parseOrUndefined(text: string): unknown {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

/** Rewrites `uses: ./path` of a step to a reference with an owner; lines stay where they are. */
function nameLocalActions(text: string): string {
  return text.replace(
    /^(\s*(?:-\s+)?uses:\s*["']?)\.\/(?!\.github\/workflows\/)([^"'\s#]*)/gm,
    (_all, start: string, path: string) => {
      const steps = [HERE.owner, HERE.name, ...path.split('/').filter(step => step !== '')]
      return `${start}${steps.join('/')}@v0`
    },
  )
}

/** Finds the action of this folder that a reference means. */
function findOurs(
  actions: ReadonlyMap<string, OurAction>,
  { owner, name, path }: Pick<ActionReference, 'owner' | 'name' | 'path'>,
): OurAction | undefined {
  const isOurs = (owner === HERE.owner && name === HERE.name) || `${owner}/${name}` === ownName
  return isOurs ? actions.get(path ?? '') : undefined
}

async function checkWithService(
  file: string,
  actions: ReadonlyMap<string, OurAction>,
): Promise<Problem[]> {
  const text = nameLocalActions(read(file))
  // Actions of others are unknown here: without inputs in their metadata they are not checked.
  const found = await validate(TextDocument.create(file, 'yaml', 1, text), {
    actionsMetadataProvider: {
      fetchActionMetadata: reference =>
        Promise.resolve(
          findOurs(actions, reference)?.metadata ?? { name: reference.name, description: '' },
        ),
    },
  })
  return found
    .filter(({ severity }) => severity === undefined || severity <= WARNING)
    .map(({ range, message }) => ({
      file,
      line: range.start.line + 1,
      message: typeof message === 'string' ? message : message.value,
    }))
}

/** Finds `steps.ID.outputs.NAME` where the step runs an action of this folder that has no such output. */
function checkOutputs(file: string, actions: ReadonlyMap<string, OurAction>): Problem[] {
  const text = nameLocalActions(read(file))
  const workflow = workflowSchema.safeParse(parseOrUndefined(text)).data
  const outputsOfStep = new Map<string, ReadonlySet<string>>()
  for (const step of Object.values(workflow?.jobs ?? {}).flatMap(job => job.steps)) {
    const [owner = '', name = '', ...path] = (step.uses ?? '').replace(/@.*/, '').split('/')
    const ours = findOurs(actions, { owner, name, path: path.join('/') })
    if (ours !== undefined && step.id !== undefined) outputsOfStep.set(step.id, ours.outputs)
  }
  return text.split('\n').flatMap((line, index) =>
    [...line.matchAll(/\bsteps\.([\w-]+)\.outputs\.([\w-]+)/g)].flatMap(
      ([all, id = '', name = '']) => {
        const outputs = outputsOfStep.get(id)
        if (outputs === undefined || outputs.has(name)) return []
        return [{ file, line: index + 1, message: `Invalid action output '${name}' in '${all}'` }]
      },
    ),
  )
}

const ownName = readOwnName(root)
const actionFiles = find(ACTION_FILES)
const workflowFiles = find(WORKFLOW_FILES).filter(file => !actionFiles.includes(file))
const problems: Problem[] = []

// An exception inside the service goes to its log only, and the file would pass for a good one.
let current = ''
const ignore = (): void => undefined
registerLogger({
  error: message => problems.push({ file: current, line: 1, message }),
  warn: ignore,
  info: ignore,
  log: ignore,
})

async function main(): Promise<void> {
  if (!actionFiles.includes('action.yml')) {
    problems.push({ file: 'action.yml', line: 1, message: 'The file is missing' })
  }
  const actions = readActions(actionFiles)
  for (const file of [...actionFiles, ...workflowFiles]) {
    current = file
    problems.push(...(await checkWithService(file, actions)))
  }
  for (const file of workflowFiles) problems.push(...checkOutputs(file, actions))

  problems.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
  for (const { file, line, message } of problems) {
    process.stdout.write(`${file}:${line}: ${message.replaceAll(/\s*\n\s*/g, ' ')}\n`)
  }
  if (problems.length > 0) process.exitCode = 1
}

void main()
