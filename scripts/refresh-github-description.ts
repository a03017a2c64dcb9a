/**
 * Extracts from GitHub's own OpenAPI description what the tests of this action need: the calls that it makes. When GitHub
 * has changed, run `node scripts/refresh-github-description.ts [version]`, with a version of `@octokit/openapi`.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'

const target = join(import.meta.dirname, '../__tests__/support/github-openapi.json')
const calls = /^\/repos\/\{owner\}\/\{repo\}\/(releases(\/.*)?|git\/(ref|tags)\/.*)$/
const unused = /\/(latest|generate-notes|reactions.*)$/
const prose = /^(description|summary|examples?|externalDocs|tags|x-github)$/
const file = 'package/generated/api.github.com.json'

const folder = mkdtempSync(join(tmpdir(), 'github-description-'))
const pack = ['pack', '--silent', `@octokit/openapi@${process.argv[2] ?? 'latest'}`]
const archive = execFileSync('npm', pack, { cwd: folder, encoding: 'utf8' }).trim()
execFileSync('tar', ['-xzf', archive, file], { cwd: folder })
const tree = z.record(z.string(), z.unknown())
const whole = tree.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')))
rmSync(folder, { recursive: true })

const references: Record<string, unknown> = {}

/** A part of the description without prose; what it refers to is kept once, in `references`. */
function reduce(key: string, value: unknown): unknown {
  // A property may have the name of a text; its value is a schema then.
  if (prose.test(key) && tree.safeParse(value).data?.['type'] === undefined) return
  if (key === '$ref' && typeof value === 'string' && !(value in references)) {
    const path = value.split('/').slice(1)
    references[value] = null
    const found = path.reduce<unknown>((at, part) => tree.parse(at)[part], whole)
    references[value] = JSON.parse(JSON.stringify(found, reduce))
  }
  return value
}

const kept = Object.entries(tree.parse(whole['paths'])).filter(
  ([path]) => calls.test(path) && !unused.test(path),
)
const paths: unknown = JSON.parse(JSON.stringify(Object.fromEntries(kept), reduce))
writeFileSync(target, `${JSON.stringify({ paths, references })}\n`)
