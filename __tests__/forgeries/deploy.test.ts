/** The decisions of `examples/deploy.yml`: its own script with a stand-in for `gh`, then the verify action. */
import { expect } from '@jest/globals'
import { runAction } from '../support/runner.ts'
import { makeLine, source, toJsonLines } from '../support/samples.ts'
import { itRunsScripts } from '../support/script.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { stepsOf, withGh } from './example.ts'

const [script, verify] = stepsOf('deploy.yml', 'deploy')

/** Like `gh`: an option that is not given is not checked. Downloads what stands in `assets`. */
const run = withGh(`#!${process.execPath}
  const [noun, verb, file, ...options] = process.argv.slice(2)
  if (verb === 'download') require('fs').cpSync('assets', options[options.indexOf('--dir') + 1], { recursive: true })
  else {
    const signed = JSON.parse(process.env.SIGNED)[file]
    const isRight = signed && options.every((name, at) => signed[name] === undefined || signed[name] === options[at + 1])
    if (!isRight || (signed.isSelfHosted && options.includes('--deny-self-hosted-runners'))) process.exit(1)
  }`)

const [tag, older, main] = ['refs/tags/app@1.0.0+1', 'refs/tags/v0.9.0', 'refs/heads/main']
const signedBy = (file: string, ref: string) => ({
  '--repo': 'octo/app',
  '--cert-identity': `https://github.com/octo/app/.github/workflows/${file}@${ref}`,
  '--source-ref': ref,
  isSelfHosted: false,
})
const byRelease = signedBy('release.yml', tag)
const byBackfill = signedBy('backfill.yml', main)

/** An asset with records of these contents: what its attestation says, if there is one, and the ref of the records. */
type RecordsAsset = readonly [contents: string, typeof byRelease | null, ref?: string]

/** Deploys a release of the files a and b. Returns the error of the script, or the verdict of the verify action. */
async function deploy(assets: readonly RecordsAsset[]): Promise<string | undefined> {
  const files: Record<string, string> = { 'assets/a': 'a', 'assets/b': 'b' }
  const signed: Record<string, object | null> = {}
  for (const [index, [contents, attestation, ref = tag]] of assets.entries()) {
    const file = `notarization-records-${index}.jsonl`
    const ofRef = { source: { ...source, ref } }
    const lines = Array.from(contents, text => makeLine('https://app.dedit.io', text, ofRef))
    files[`assets/${file}`] = toJsonLines(lines)
    signed[`release/${file}`] = attestation
  }
  const workspace = makeWorkspace(files)
  const env = {
    GITHUB_SERVER_URL: 'https://github.com',
    GH_REPO: 'octo/app',
    TAG: 'app@1.0.0+1',
    SIGNED: JSON.stringify(signed),
  }
  const { status, stdout } = run(script?.run ?? '', workspace, env)
  if (status !== 0) return /^::error::.*$/m.exec(stdout)?.[0]
  const inputs = verify?.with ?? {}
  const { outputs } = await runAction({ actionFile: 'verify/action.yml', workspace, inputs })
  return outputs['verdict']
}

const signers = [byRelease, byBackfill].map(signed => signed['--cert-identity'])
const unsigned = `::error::No records of app@1.0.0+1 are signed by ${signers.join(' or ')}.`
const inOther = { ...byRelease, '--repo': 'octo/evil' }
const onBranch = { ...byRelease, '--source-ref': main }
const selfHosted = { ...byRelease, isSelfHosted: true }

itRunsScripts.each<[string, expected: string, ...(readonly RecordsAsset[])]>([
  ['accepts the records of both workflows', 'matched', ['a', byRelease], ['b', byBackfill]],
  ['ignores a planted records file', 'unknown', ['a', byRelease], ['b', null]],
  ['ignores records of an older tag', 'unknown', ['a', byRelease], ['b', byBackfill, older]],
  ['misses a file that has a record', 'missing', ['abc', byRelease]],
  ['rejects records of another repository', unsigned, ['ab', inOther]],
  ['rejects records of another workflow', unsigned, ['ab', signedBy('test.yml', tag)]],
  ['rejects only records of older tags', unsigned, ['ab', byBackfill, older]],
  ['rejects records of release.yml for a branch', unsigned, ['ab', onBranch]],
  ['rejects records of a self-hosted runner', unsigned, ['ab', selfHosted]],
])('deploy.yml %s', async (_, expected, ...assets) => {
  expect(await deploy(assets)).toBe(expected)
})
