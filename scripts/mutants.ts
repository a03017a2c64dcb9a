/**
 * Makes small changes to src, one at a time in a copy of the repository, and counts how many of these mutants the tests
 * detect. Run by `npm run mutants`.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { z } from 'zod'
import { makeTemporaryFolder } from '../__tests__/support/workspace.ts'
import { readCommandLine, runCommand, wholeNumber } from './command.ts'
import { makeRandom } from '../__tests__/support/random.ts'

const HELP = `Counts how many mutants of src the tests detect: the unit tests of the file, else the end-to-end tests.

Usage: npm run mutants -- [options]

  --count N    number of mutants that compile (default: 40)
  --seed S     selects the mutants; the same seed selects the same ones (default: 1)
  --help       print this
`

const root = join(import.meta.dirname, '..')
const typeCheck = ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.build.json']
/** Tests that take longer hang, so the mutant counts as killed. */
const timeoutMs = 300_000

/** Pairs of tokens that replace each other. */
const tokens = '=== !== < <= > >= && || + - true false'.split(' ')

/** Returns the texts that can replace a node. */
function replacementsOf(node: ts.Node, text: string): readonly string[] {
  const swapped = tokens[tokens.indexOf(text) ^ 1]
  if (swapped !== undefined) return [swapped]
  if (ts.isNumericLiteral(node)) return [`${text} + 1`]
  // Prose is not tested: skip strings with spaces.
  if (ts.isStringLiteral(node) && /^\S+$/.test(node.text)) return ["''"]
  if (ts.isPrefixUnaryExpression(node) && text.startsWith('!')) return [text.slice(1)]
  const droppable = [ts.isExpressionStatement, ts.isThrowStatement, ts.isContinueStatement]
  if (droppable.some(matches => matches(node))) return [';']
  const { parent } = node
  if (ts.isIfStatement(parent) && parent.expression === node) return [`!(${text})`, 'false', 'true']
  if (ts.isConditionalExpression(parent) && parent.condition === node) return [`!(${text})`]
  return []
}

/** A change; `text` is the whole changed file. */
interface Mutation {
  readonly line: number
  readonly before: string
  readonly after: string
  readonly text: string
}

function findMutations(text: string): readonly Mutation[] {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true)
  const found: Mutation[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    const [start, before] = [node.getStart(source), node.getText(source)]
    const line = source.getLineAndCharacterOfPosition(start).line + 1
    for (const after of replacementsOf(node, before)) {
      const mutant = text.slice(0, start) + after + text.slice(node.end)
      found.push({ line, before, after, text: mutant })
    }
    node.forEachChild(visit)
  }
  source.forEachChild(visit)
  return found
}

/** Copies the repository, and allows unused code in the copy. */
function copyRepository(): string {
  const folder = makeTemporaryFolder()
  const list = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root })
  for (const file of list.stdout.toString().split('\0')) {
    if (file !== '' && existsSync(join(root, file))) cpSync(join(root, file), join(folder, file))
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const settings = join(folder, 'tsconfig.json')
  const lax = readFileSync(settings, 'utf8').replace(/"noUnused(Locals|Parameters)": true,/g, '')
  writeFileSync(settings, lax.replace('"allowUnreachableCode": false,', ''))
  return folder
}

/** Runs a Node program in the copy; returns whether it succeeds in time. */
async function succeeds(folder: string, ...args: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, args, { cwd: folder, detached: true, stdio: 'ignore' })
  // Kills the whole group: Jest workers that never end outlive Jest.
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), timeoutMs)
  const exit: readonly unknown[] = await once(child, 'exit')
  clearTimeout(timer)
  return exit[0] === 0
}

/** Runs tests in the copy, and returns whether all passed. */
function passes(folder: string, ...tests: readonly string[]): Promise<boolean> {
  const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js']
  const options = ['--config=jest.config.js', '--bail', '--silent', '--passWithNoTests']
  return succeeds(folder, ...jest, ...options, ...tests)
}

/** Returns what detects the change to a file; null if nothing does. */
async function findKiller(folder: string, file: string): Promise<string | null> {
  const ignored = '--testPathIgnorePatterns=__tests__/(e2e|scripts|chaos)/'
  const tests = globSync(`__tests__/${dirname(file).split('/')[1]}/*.test.ts`, { cwd: folder })
  if (!(await passes(folder, ignored, '--findRelatedTests', file, ...tests))) return 'unit tests'
  if (!(await succeeds(folder, 'scripts/build.ts'))) return 'the build'
  return (await passes(folder, '__tests__/e2e', '__tests__/chaos')) ? null : 'end-to-end tests'
}

const optionsSchema = z.object({
  count: wholeNumber({ min: 1 }).default(40),
  seed: wholeNumber().default(1),
})

await runCommand(async () => {
  const { count, seed } = readCommandLine(HELP, optionsSchema).options
  const folder = copyRepository()
  const files = globSync('src/**/*.ts', { cwd: folder })
  const texts = new Map(files.sort().map(file => [file, readFileSync(join(folder, file), 'utf8')]))
  // Every line of src is equally likely.
  const lines = [...texts].flatMap(([file, text]) => text.split('\n').map(() => file))
  const random = makeRandom(seed)
  const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)]
  if (!(await passes(folder, '--testPathIgnorePatterns=__tests__/scripts/'))) {
    throw new Error('the tests fail without a mutant')
  }
  const tried = new Set<string>()
  let killed = 0
  while (tried.size < count) {
    const file = pick(lines) ?? ''
    const text = texts.get(file) ?? ''
    const mutation = pick(findMutations(text))
    if (mutation === undefined || tried.has(file + mutation.text)) continue
    writeFileSync(join(folder, file), mutation.text)
    const compiles = await succeeds(folder, ...typeCheck)
    const killer = compiles ? await findKiller(folder, file) : null
    writeFileSync(join(folder, file), text)
    if (!compiles) continue
    tried.add(file + mutation.text)
    if (killer !== null) killed += 1
    const result = killer === null ? 'SURVIVED' : `killed by ${killer}`
    const change = `${mutation.before} -> ${mutation.after}`.replaceAll(/\s+/g, ' ')
    console.log(`${result}: ${file}:${mutation.line}: ${change}`)
  }
  console.log(
    `${killed} of ${count} killed (${Math.round((100 * killed) / count)} %), seed ${seed}`,
  )
  return true
})
