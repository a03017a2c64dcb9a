/** The walls of the house: what `npm run lint` refuses, and what old versions of Node can read. */
import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { ESLint, Linter } from 'eslint'

const root = resolve(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** The rules on imports and their users that a file with this text would break. */
async function brokenWalls(file: string, line: string): Promise<readonly string[]> {
  const walls = ['import-x/no-restricted-paths', 'import-x/no-cycle', 'no-restricted-syntax']
  const eslint = new ESLint({ cwd: root, ruleFilter: ({ ruleId }) => walls.includes(ruleId) })
  const results = await eslint.lintText(line, { filePath: join(root, file) })
  return results.flatMap(({ messages }) => messages.map(({ ruleId }) => ruleId ?? 'no rule'))
}

describe('the rooms', () => {
  let rooms: readonly string[] = []

  beforeAll(async () => {
    const config: unknown = await import(join(root, 'eslint.config.js'))
    const rows =
      typeof config === 'object' && config !== null && 'rooms' in config ? config.rooms : null
    rooms = Array.isArray(rows) ? rows.flat().map(String) : []
  })

  it('are all that there is in src, each of them once', () => {
    expect([...rooms].sort()).toEqual(readdirSync(join(root, 'src')).sort())
  })

  it.each([
    ['src/text/size.ts', "import { Stop } from '../stop.ts'"],
    ['src/text/size.ts', "export * from '../secrets.ts'"],
    ['src/stop.ts', "import type { Source } from './environment.ts'"],
    ['src/clock.ts', "export const late = import('./host.ts')"],
    ['src/records/line.ts', "import type { Plan } from '../plan.ts'"],
    ['src/service/retry.ts', "import type { Inputs } from '../inputs.ts'"],
    ['src/artifacts/hash.ts', "import type {} from '../release/api.ts'"],
    ['src/plan.ts', "import './register/register.ts'"],
    ['src/report/log.ts', "import '../verify/compare.ts'"],
    ['src/verify/compare.ts', "import '../main.ts'"],
    ['src/main.ts', "import './index.ts'"],
    ['src/main.ts', "import '../simulator/index.ts'"],
    ['simulator/index.ts', "import '../src/text/size.ts'"],
    ['scripts/probe.ts', "import '../src/plan.ts'"],
  ])('lets %s not look up: %s', async (file, line) => {
    expect(await brokenWalls(file, line)).toContain('import-x/no-restricted-paths')
  })

  it.each([
    ['src/main.ts', "import './host.ts'"],
    ['src/plan.ts', "import './text/size.ts'"],
    ['src/verify/compare.ts', "import '../report/log.ts'"],
    ['src/text/size.ts', "import './words.ts'"],
    ['scripts/probe.ts', "import '../src/service/retry.ts'"],
    ['src/runner.ts', "import '@actions/core'"],
    ['src/clock.ts', "import { setTimeout } from 'node:timers/promises'"],
  ])('let %s look down: %s', async (file, line) => {
    expect(await brokenWalls(file, line)).toEqual([])
  })

  it.each([
    ['src/main.ts', "import '@actions/core'"],
    ['src/main.ts', "import '../node_modules/@actions/core/lib/command.js'"],
    ['src/release/open.ts', "export const late = import('@actions/github')"],
    ['src/release/api.ts', "import '@actions/http-client/lib/proxy'"],
    ['src/runner.ts', "export * from 'undici'"],
    ['src/plan.ts', 'export const { HOME } = process.env'],
    ['src/register/pool.ts', "import { setTimeout } from 'node:timers/promises'"],
    ['src/register/pool.ts', 'setInterval(() => undefined, 1)'],
  ])('keep what few use to these few: %s: %s', async (file, line) => {
    expect(await brokenWalls(file, line)).toEqual(['no-restricted-syntax'])
  })
})

describe('the entry of the actions', () => {
  /** What a parser for the language of Node 12 says against a module. */
  const misread = (code: string): readonly string[] =>
    new Linter()
      .verify(code, { languageOptions: { ecmaVersion: 2020, sourceType: 'module' } })
      .map(({ message }) => message)

  it('can be read by old versions of Node up to its check of the version', () => {
    const code = stripTypeScriptTypes(read('src/index.ts'))
    expect(misread(code)).toEqual([])
    expect(code).not.toMatch(/^\s*(?:import|export)\b(?!\()/m)
    expect(code.split('\n').find(line => !/^\s*(\/\/|$)/.test(line))).toContain('process.versions')
    expect(misread('await 1')).not.toEqual([])
  })

  it('is old enough in the bundle, too, with all that the bundler adds', () => {
    for (const file of ['dist/index.js', 'dist/verify/index.js'])
      expect(misread(read(file))).toEqual([])
  })
})
