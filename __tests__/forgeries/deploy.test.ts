/** The decisions of `examples/deploy.yml`: its own script with a stand-in for `gh`, then the verify action. */
import { spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterAll, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { z } from 'zod'
import { readPage } from '../docs/page.ts'
import { cleanUp } from '../support/clean-up.ts'
import { runAction } from '../support/runner.ts'
import { makeLine, source, toJsonLines } from '../support/samples.ts'
import { describeScripts } from '../support/script.ts'
import { makeTemporaryFolder, makeWorkspace } from '../support/workspace.ts'

afterAll(cleanUp)

const step = z.object({
  run: z.string().optional(),
  with: z.record(z.string(), z.coerce.string()).optional(),
})
const workflow = z.object({ jobs: z.object({ deploy: z.object({ steps: z.array(step) }) }) })
const [script, verify] = workflow.parse(parse(readPage('examples/deploy.yml'))).jobs.deploy.steps

const repository = 'octo/app'
const ref = 'refs/tags/v1.0.0'
const workflows = `${repository}/.github/workflows`

/** What an attestation says about its signer. */
interface Signed {
  readonly '--repo': string
  readonly '--signer-workflow': string
  readonly '--source-ref': string
  readonly isSelfHosted?: boolean
}

const byRelease: Signed = {
  '--repo': repository,
  '--signer-workflow': `${workflows}/release.yml@${ref}`,
  '--source-ref': ref,
}
const main = 'refs/heads/main'
const byBackfill: Signed = {
  '--repo': repository,
  '--signer-workflow': `${workflows}/backfill.yml@${main}`,
  '--source-ref': main,
}

/** Like `gh`: an option that is not given is not checked. Downloads what stands in `assets`. */
const gh = `#!${process.execPath}
  const [noun, verb, file, ...options] = process.argv.slice(2)
  if (verb === 'download') require('fs').cpSync('assets', options[options.indexOf('--dir') + 1], { recursive: true })
  else {
    const signed = JSON.parse(process.env.SIGNED)[file]
    const isRight = signed && options.every((name, at) => signed[name] === undefined || signed[name] === options[at + 1])
    if (!isRight || (signed.isSelfHosted && options.includes('--deny-self-hosted-runners'))) process.exit(1)
  }`
const bin = makeTemporaryFolder()
writeFileSync(join(bin, 'gh'), gh)
chmodSync(join(bin, 'gh'), 0o755)

const service = 'https://app.dedit.io'
const lines = (names: string, from = ref): string =>
  toJsonLines(
    Array.from(names, name => makeLine(service, name, { source: { ...source, ref: from } })),
  )

/** Deploys a release of the files a and b. Each records asset has content, and an attestation unless it is null. */
async function deploy(assets: readonly (readonly [records: string, signed: Signed | null])[]) {
  const named = assets.map(([records, signed], index) => {
    return { file: `notarization-records${index === 0 ? '' : `-${index}`}.jsonl`, records, signed }
  })
  const records = named.map(asset => [`assets/${asset.file}`, asset.records] as const)
  const files = { 'assets/a': 'a', 'assets/b': 'b', ...Object.fromEntries(records) }
  const workspace = makeWorkspace(files)
  const signed = Object.fromEntries(named.map(asset => [`release/${asset.file}`, asset.signed]))
  const env = {
    PATH: [bin, process.env['PATH']].join(delimiter),
    GH_REPO: repository,
    TAG: 'v1.0.0',
    SIGNED: JSON.stringify(signed),
  }
  const args = ['-e', '-c', script?.run ?? '']
  const { status, stdout } = spawnSync('bash', args, { cwd: workspace.root, env, encoding: 'utf8' })
  if (status !== 0) return stdout.trim()
  const inputs = verify?.with ?? {}
  const { outputs } = await runAction({ actionFile: 'verify/action.yml', workspace, inputs })
  return outputs['verdict']
}

const unsigned = '::error::No records file is signed by release.yml or backfill.yml.'
const elsewhere = `octo/evil/.github/workflows/release.yml@${ref}`

describeScripts('deploy.yml', () => {
  it.each<[string, Parameters<typeof deploy>[0], string]>([
    ['records signed by release.yml', [[lines('ab'), byRelease]], 'matched'],
    ['records signed by backfill.yml', [[lines('ab'), byBackfill]], 'matched'],
    [
      'two records files of which each has one file',
      [
        [lines('a'), byRelease],
        [lines('b'), byBackfill],
      ],
      'matched',
    ],
    ['records that nobody signed', [[lines('ab'), null]], unsigned],
    [
      'records of one file, and planted ones of the other',
      [
        [lines('a'), byRelease],
        [lines('b'), null],
      ],
      'unknown',
    ],
    [
      'records of another repository',
      [[lines('ab'), { ...byRelease, '--repo': 'octo/evil' }]],
      unsigned,
    ],
    [
      'records of a workflow elsewhere',
      [[lines('ab'), { ...byRelease, '--signer-workflow': elsewhere }]],
      unsigned,
    ],
    [
      'records of release.yml for a branch',
      [[lines('ab'), { ...byRelease, '--source-ref': main }]],
      unsigned,
    ],
    [
      'records of backfill.yml for a tag',
      [[lines('ab'), { ...byBackfill, '--source-ref': ref }]],
      unsigned,
    ],
    [
      'records of a self-hosted runner',
      [[lines('ab'), { ...byRelease, isSelfHosted: true }]],
      unsigned,
    ],
    ['signed records of an older tag', [[lines('ab', 'refs/tags/v0.9.0'), byBackfill]], unsigned],
    [
      'records of one file, and older ones of the other',
      [[lines('a') + lines('b', 'refs/tags/v0.9.0'), byRelease]],
      'unknown',
    ],
  ])('decides about %s', async (_, assets, expected) => {
    expect(await deploy(assets)).toBe(expected)
  })
})
