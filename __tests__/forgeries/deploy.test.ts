/** What `examples/deploy.yml` deploys from a public repository: its own scripts, with a stand-in for `gh`. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import { sha256 } from '../support/samples.ts'
import { itRunsScripts } from '../support/script.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { stepsOf, withGh } from './example.ts'

const script = stepsOf('deploy.yml', 'deploy')
  .map(step => step.run)
  .join('\n')

/** Like `gh`: downloads what stands in `assets`; an option that is not given is not checked. */
const run = withGh(`#!/bin/bash
if [ "$2" = download ]; then exec cp -r assets "\${@: -1}"; fi
jq -nr --arg hash "$(sha256sum < "$3" | cut -c 1-64)" '$ARGS.positional as $options
  | [env.ATTESTATIONS | fromjson[] | select(.subjects | index($hash))
    | select((.isSelfHosted and ($options | index("--deny-self-hosted-runners"))) | not)
    | select(all(.signed | to_entries[]; . as {$key, $value}
      | $options | index($key) | . == null or $options[. + 1] == $value))
    | { verificationResult: { statement: { predicate, predicateType: .signed["--predicate-type"] } } }]
  | if . == [] then halt_error else ('"\${@: -1}"') end' --args -- "$@"`)

const tag = 'app@1.0.0+1'
const ofTag = `refs/tags/${tag}`
const service = 'https://app.dedit.io'

type Fields = Readonly<Record<string, unknown>>

const by = (workflow: string) => ({
  '--cert-identity': `https://github.com/octo/app/.github/workflows/${workflow}`,
})
const usual = {
  '--repo': 'octo/app',
  '--predicate-type': 'https://github.com/octo/app/notarization/v1',
  ...by(`release.yml@${ofTag}`),
}

/** An attestation of these contents by `release.yml` at the tag, with changes. */
function attest(contents: string, signed: Fields = {}, predicate: Fields = {}) {
  const subjects = Array.from(contents, content => sha256(content))
  const records = subjects.map(hash => ({ hash }))
  const ofRun = { service, source: { ref: ofTag }, records, ...predicate }
  return { signed: { ...usual, ...signed }, isSelfHosted: false, subjects, predicate: ofRun }
}

/** Deploys a release whose files are named after their contents. Returns what is left to deploy, or the error. */
function deploy(contents: string, attestations: readonly object[]): string | undefined {
  const workspace = makeWorkspace({ 'assets/notarization-records.jsonl': '' })
  for (const content of contents) workspace.write(`assets/${content}`, content)
  const ATTESTATIONS = JSON.stringify(attestations)
  const TYPE = usual['--predicate-type']
  const env = { GH_REPO: 'octo/app', TAG: tag, SERVICE: service, TYPE, ATTESTATIONS }
  const { status, stdout } = run(script, workspace, env)
  if (status !== 0) return /^::error::.*$/m.exec(stdout)?.[0]
  return readdirSync(join(workspace.root, 'release')).join('')
}

const byBackfill = by('backfill.yml@refs/heads/main')
const ofOlder = attest('a', byBackfill, { source: { ref: 'refs/tags/v0.9.0' } })
const provenance = { '--predicate-type': 'https://slsa.dev/provenance/v1' }

itRunsScripts.each([
  ['of release.yml', [attest('ab')]],
  ['of backfill.yml', [attest('ab', byBackfill)]],
  ['of both, one for each file', [attest('a'), attest('b', byBackfill)]],
  ['beside those of an older tag', [ofOlder, attest('ab')]],
])('deploy.yml accepts the attestations %s', (_, attestations) => {
  expect(deploy('ab', attestations)).toBe('ab')
})

itRunsScripts.each([
  ['nobody', []],
  ['another repository', [attest('a', { '--repo': 'octo/evil' })]],
  ['another workflow', [attest('a', by(`test.yml@${ofTag}`))]],
  ['release.yml at another tag', [attest('a', by('release.yml@refs/tags/v0.9.0'))]],
  ['release.yml on a branch', [attest('a', by('release.yml@refs/heads/main'))]],
  ['backfill.yml on a branch', [attest('a', by('backfill.yml@refs/heads/a'))]],
  ['a self-hosted runner', [{ ...attest('a'), isSelfHosted: true }]],
  ['provenance alone', [attest('a', provenance)]],
  ['another type that `gh` returns, too', [attest('a', { '--predicate-type': undefined })]],
  ['an older tag', [ofOlder]],
  ['another service', [attest('a', {}, { service: 'https://a.b' })]],
  ['a predicate without its record', [attest('a', {}, { records: [{ hash: sha256('b') }] })]],
])('deploy.yml stops at a file that is attested by %s', (_, attestations) => {
  const error =
    '::error::release/a has no attestation that shows that it was notarized for app@1.0.0+1. Nothing was deployed.'
  expect(deploy('a', attestations)).toBe(error)
})

itRunsScripts('deploy.yml deploys nothing if one file is not attested, or if there is none', () => {
  expect(deploy('ab', [attest('a')])).toMatch('::error::release/b')
  expect(deploy('', [])).toBeUndefined()
})
