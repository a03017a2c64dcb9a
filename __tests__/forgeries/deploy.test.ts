/** What `examples/deploy.yml` deploys: its own script, with a stand-in for `gh`. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import { sha256 } from '../support/samples.ts'
import { itRunsScripts } from '../support/script.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { stepsOf, withGh } from './example.ts'

const [script] = stepsOf('deploy.yml', 'deploy')

/** Like `gh`: downloads what stands in `assets`; an option that is not given is not checked. */
const run = withGh(`#!${process.execPath}
  const [noun, verb, file, ...options] = process.argv.slice(2)
  const { cpSync, readFileSync } = require('fs')
  const valueOf = name => options[options.indexOf(name) + 1]
  if (verb === 'download') return cpSync('assets', valueOf('--dir'), { recursive: true })
  const hash = require('crypto').createHash('sha256').update(readFileSync(file)).digest('hex')
  const verified = JSON.parse(process.env.ATTESTATIONS).filter(({ subjects, isSelfHosted, predicate, ...signed }) =>
    subjects.includes(hash) && !(isSelfHosted && options.includes('--deny-self-hosted-runners')) &&
    options.every((name, at) => signed[name] === undefined || signed[name] === options[at + 1]))
  if (verified.length === 0) process.exit(1)
  const input = JSON.stringify(verified.map(({ predicate }) => ({ verificationResult: { statement: { predicate } } })))
  const jq = require('child_process').spawnSync('jq', ['-r', valueOf('--jq')], { input, encoding: 'utf8' })
  console.log(jq.stdout.trim())
  process.exit(jq.status)`)

const tag = 'app@1.0.0+1'
const [ofTag, older, main] = [`refs/tags/${tag}`, 'refs/tags/v0.9.0', 'refs/heads/main']
const service = 'https://app.dedit.io'

/** An attestation of these contents by `release.yml` at the tag, with changes. */
function attest(contents: string, changes: Readonly<Record<string, unknown>> = {}) {
  const subjects = Array.from(contents, content => sha256(content))
  return {
    '--repo': 'octo/app',
    '--predicate-type': 'https://github.com/octo/app/notarization/v1',
    ...signedBy('release.yml', ofTag),
    isSelfHosted: false,
    subjects,
    predicate: predicateOf(contents),
    ...changes,
  }
}

function signedBy(workflow: string, ref: string) {
  return { '--cert-identity': `https://github.com/octo/app/.github/workflows/${workflow}@${ref}` }
}

function predicateOf(contents: string, changes: Readonly<Record<string, unknown>> = {}) {
  const records = Array.from(contents, content => ({ hash: sha256(content) }))
  return { service, source: { ref: ofTag }, records, ...changes }
}

/** Deploys a release whose files are named after their contents. Returns what was checked, or the error. */
function deploy(contents: string, attestations: readonly object[]): string | undefined {
  const workspace = makeWorkspace({ 'assets/notarization-records.jsonl': '' })
  for (const content of contents) workspace.write(`assets/${content}`, content)
  const ATTESTATIONS = JSON.stringify(attestations)
  const env = { GH_REPO: 'octo/app', TAG: tag, SERVICE: service, ATTESTATIONS }
  const { status, stdout } = run(script?.run ?? '', workspace, env)
  if (status !== 0) return /^::error::.*$/m.exec(stdout)?.[0]
  return readdirSync(join(workspace.root, 'checked')).join('')
}

const byBackfill = signedBy('backfill.yml', main)
const ofOlder = predicateOf('a', { source: { ref: older } })

itRunsScripts.each([
  ['of release.yml', [attest('ab')]],
  ['of backfill.yml', [attest('ab', byBackfill)]],
  ['of both, one for each file', [attest('a'), attest('b', byBackfill)]],
  [
    'beside those of an older tag',
    [attest('a', { predicate: ofOlder, ...byBackfill }), attest('ab')],
  ],
])('deploy.yml accepts the attestations %s', (_, attestations) => {
  expect(deploy('ab', attestations)).toBe('ab')
})

itRunsScripts.each([
  ['nobody', []],
  ['another repository', [attest('a', { '--repo': 'octo/evil' })]],
  ['another workflow', [attest('a', signedBy('test.yml', ofTag))]],
  ['release.yml at another tag', [attest('a', signedBy('release.yml', older))]],
  ['release.yml on a branch', [attest('a', signedBy('release.yml', main))]],
  ['backfill.yml on a branch', [attest('a', signedBy('backfill.yml', 'refs/heads/a'))]],
  ['a self-hosted runner', [attest('a', { isSelfHosted: true })]],
  ['provenance alone', [attest('a', { '--predicate-type': 'https://slsa.dev/provenance/v1' })]],
  ['an older tag', [attest('a', { predicate: ofOlder, ...byBackfill })]],
  ['another service', [attest('a', { predicate: predicateOf('a', { service: 'https://a.b' }) })]],
  ['a predicate without its record', [attest('a', { predicate: predicateOf('b') })]],
])('deploy.yml stops at a file that is attested by %s', (_, attestations) => {
  const error =
    '::error::release/a is not attested as notarized for app@1.0.0+1. Nothing was deployed.'
  expect(deploy('a', attestations)).toBe(error)
})

itRunsScripts('deploy.yml deploys nothing if one file is not attested, or if there is none', () => {
  expect(deploy('ab', [attest('a')])).toMatch('::error::release/b')
  expect(deploy('', [])).toBeUndefined()
})
