/**
 * Tries forged records on the steps of `examples/deploy.yml`, with the real `gh` and an authority of its own. A forgery
 * differs in one thing from what is accepted; where a change of deploy.yml would let it pass, that is tried as well.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import {
  attest,
  makeAuthority,
  makeTrustedRoot,
  type Claims,
} from '../__tests__/support/authority.ts'
import { runAction } from '../__tests__/support/runner.ts'
import { makeLine, sha256, toJsonLines } from '../__tests__/support/samples.ts'
import { makeTemporaryFolder, makeWorkspace } from '../__tests__/support/workspace.ts'
import { runCommand } from './command.ts'

const deploy = readFileSync(join(import.meta.dirname, '../examples/deploy.yml'), 'utf8')
const inputs = z.record(z.string(), z.coerce.string())
const steps = z.array(z.object({ run: z.string().optional(), with: inputs.optional() }))
const workflow = z.object({ jobs: z.object({ deploy: z.object({ steps }) }) })

const service = 'https://app.dedit.io'
const [TAG, REF, OLDER] = ['v1.0.0', 'refs/tags/v1.0.0', 'refs/tags/v0.9.0']
const [RECORDS, PLANTED] = ['notarization-records.jsonl', 'notarization-records-planted.jsonl']

const folder = makeTemporaryFolder()
const at = (name: string): string => join(folder, name)
const base64 = (text: string): string => Buffer.from(text).toString('base64')

const own = makeAuthority('GitHub, Inc.')
const stranger = makeAuthority('GitHub, Inc.')
const foreign = makeAuthority('Evil')
const logged = makeAuthority('sigstore.dev')
writeFileSync(at('root'), makeTrustedRoot([own], [logged]))
writeFileSync(at('wider-root'), makeTrustedRoot([own, stranger], [foreign, own]))

/** What an attestation claims for a run of a workflow, such as `release.yml@refs/heads/main`. */
function by(run: string, repository = 'octo/app'): Claims {
  return {
    ca: own.ca,
    clock: own.clock,
    signer: `https://github.com/${repository}/.github/workflows/${run}`,
    repository: `https://github.com/${repository}`,
    ref: run.replace(/.*@/, ''),
    runner: 'github-hosted',
    issuer: 'https://token.actions.githubusercontent.com',
    predicateType: 'https://slsa.dev/provenance/v1',
    days: '1',
  }
}

const [release, backfill] = [`release.yml@${REF}`, 'backfill.yml@refs/heads/main']
const genuine = by(release)
const good = toJsonLines([makeLine(service, 'app')])
const forged = good + toJsonLines([makeLine(service, 'evil')])
const older = forged.replaceAll(REF, OLDER)

/** A text of deploy.yml, and what in its place lets a forgery pass. */
type Cure = readonly [text: string, replacement: string]
const widerRoot: Cure = ['gh attestation trusted-root', `cat ${at('wider-root')}`]
const anyRef: Cure = ['all(inputs; .source.ref == $ref)', 'true']
const flag = (text: string): Cure => ['--deny-self-hosted-runners', text]

/** Runs that are neither of release.yml for the tag nor of backfill.yml for main. */
const runs = ['evil.yml', 'release.yml.yml', 'RELEASE.yml', 'backfill.yml']
  .map(file => `${file}@${REF}`)
  .concat('release.yml@refs/tags/v1.0.0-rc', `release.yml@${OLDER}`, 'release.yml@refs/heads/main')
  .concat('release.yml@refs/heads/v1.0.0', 'release.yml@refs/pull/7/merge')
  .concat('backfill.yml@refs/heads/evil', 'backfill.yml@refs/pull/7/merge')

const [evil, other] = [by(release, 'octo/evil'), by(release, 'evil/app')]
const url = 'https://evil.example'

/** Attested as the genuine records are, but for one claim. */
const claimed: readonly (readonly [name: string, Partial<Claims>, Cure?])[] = [
  ...runs.map(run => [run, by(run), ['release.yml@refs/tags/$TAG', run]] as const),
  ['another repository', evil, ['$GH_REPO', 'octo/evil']],
  ['another owner', other, ['$GH_REPO', 'evil/app']],
  [
    'a workflow elsewhere that ours calls',
    { signer: evil.signer },
    ['com/$GH_REPO', 'com/octo/evil'],
  ],
  [
    'our workflow, called from elsewhere',
    { repository: evil.repository },
    ['"$GH_REPO"', 'octo/evil'],
  ],
  [
    'our workflow, called by a branch',
    { ref: 'refs/heads/evil' },
    ['--source-ref "${signer#*@}"', ''],
  ],
  ['a self-hosted runner', { runner: 'self-hosted' }, flag('')],
  ['another issuer', { issuer: url }, flag(`--cert-oidc-issuer ${url}`)],
  ['another predicate', { predicateType: url }, flag(`--predicate-type ${url}`)],
  ['another authority of this name', { ca: stranger.ca }, widerRoot],
  ['an authority of another name', { ca: foreign.ca }, widerRoot],
  ['the public authority, but in no log', logged],
  ['the clock of another authority', { clock: stranger.clock }, widerRoot],
  ['a certificate that ended before the time stamp', { days: '-1' }],
]

const bundle = attest(forged, genuine)
const goodBundle = attest(good, genuine)
const read = (text: string, key: string): string => RegExp(`"${key}":"(.*?)"`).exec(text)?.[1] ?? ''
const put = (key: string, value = read(goodBundle, key)): string =>
  bundle.replace(read(bundle, key), value)
const statement = Buffer.from(read(goodBundle, 'payload'), 'base64').toString()
const rewritten = base64(statement.replace(sha256(good), sha256(forged)))

/** What takes the place of the genuine bundle. */
const bundles: Readonly<Record<string, string | undefined>> = {
  'no bundle': undefined,
  'an empty bundle': '',
  'a bundle that is no JSON': 'verified',
  'a cut bundle': bundle.slice(0, -9),
  'the bundle of another file': goodBundle,
  'the bundle behind that of another file': `${goodBundle}\n${bundle}`,
  'the bundle before that of another file': `${bundle}\n${goodBundle}`,
  'a list of bundles': `[${bundle}]`,
  'a rewritten statement': goodBundle.replace(read(goodBundle, 'payload'), rewritten),
  'another type of statement': put('payloadType', 'application/json'),
  'no signature': put('sig', ''),
  'the signature of another statement': put('sig'),
  'the certificate of another run': put('rawBytes'),
  'no certificate': bundle.replace(/"certificate":{.*?}/, '"publicKey":{"hint":"x"}'),
  'no time stamp': bundle.replace(/{"signedTimestamp":.*?}/, ''),
  'the time stamp of another signature': put('signedTimestamp'),
  'a time stamp that is none': put('signedTimestamp', base64('now')),
}

/** What takes the place of the genuine records, beside their bundle. */
const altered: Readonly<Record<string, string>> = {
  'a changed byte': forged.replace('registered', 'registereD'),
  'a byte more': `${forged}\n`,
  'a line more': forged + toJsonLines([makeLine(service, 'more')]),
  'a line less': forged.slice(good.length),
  'a cut line': forged.slice(0, -9),
  'no records': '',
}

/** Records that our workflows attest, although they are of another release, or no records. */
const attested: readonly (readonly [name: string, records: string, run: string, Cure])[] = [
  ['an older release, replayed', older, `release.yml@${OLDER}`, ['refs/tags/$TAG', OLDER]],
  ['an older release, in this run', older, release, anyRef],
  ['an older release, backfilled', older, backfill, anyRef],
  ['an older release and this one', older + forged, backfill, anyRef],
  ['lines without a ref', forged.replaceAll('"ref"', '"no"'), release, anyRef],
  ['lines that are no JSON', `${forged}evil`, release, anyRef],
]

/** Records with their bundle. */
interface Forgery {
  readonly name: string
  readonly records: string
  readonly bundle: string | undefined
  readonly cure?: Cure | undefined
}

function* forge(): Generator<Forgery> {
  for (const [name, claims, cure] of claimed)
    yield {
      name: `signed by ${name}`,
      records: forged,
      bundle: attest(forged, { ...genuine, ...claims }),
      cure,
    }
  for (const [name, text] of Object.entries(bundles)) yield { name, records: forged, bundle: text }
  for (const [name, records] of Object.entries(altered)) yield { name, records, bundle }
  for (const [name, records, run, cure] of attested)
    yield { name, records, bundle: attest(records, by(run)), cure }
}

/** Puts the `gh` on the PATH, or one that Go builds, behind a script that takes the place of GitHub. */
function installGh(): void {
  let gh = spawnSync('bash', ['-c', 'type -P gh'], { encoding: 'utf8' }).stdout.trim()
  if (gh === '') {
    gh = at('built-gh')
    const download = ['mod', 'download', '-json', 'github.com/cli/cli/v2@v2.96.0']
    const module: unknown = JSON.parse(execFileSync('go', download, { encoding: 'utf8' }))
    const { Dir } = z.object({ Dir: z.string() }).parse(module)
    execFileSync('go', ['build', '-C', Dir, '-o', gh, './cmd/gh'], { stdio: 'inherit' })
  }
  // The proxy does not exist, so that whatever would leave this machine fails.
  const script = `#!/bin/bash
    case "$1 $2" in
      'release download') exec cp -r ../assets "$5" ;;
      'attestation trusted-root') exec cat ${at('root')} ;;
      'attestation verify') HTTPS_PROXY=http://127.0.0.1:9 exec ${gh} "$@" 2>> ../messages ;;
    esac
    exit 1`
  writeFileSync(at('gh'), script)
  chmodSync(at('gh'), 0o755)
}

/** Runs deploy.yml for a release of two files; a forgery under another name stands beside genuine records of one. */
async function runDeploy(forgery: Forgery, name: string, cure: Cure = ['\n', '\n']) {
  const workspace = makeWorkspace({
    '../messages': '',
    '../assets/app': 'app',
    '../assets/evil': 'evil',
  })
  const add = (file: string, text: string, signed?: string): void => {
    workspace.write(`../assets/${file}`, text)
    if (signed !== undefined) workspace.write(`../assets/${file}.sigstore.json`, signed)
  }
  if (name !== RECORDS) add(RECORDS, good, goodBundle)
  add(name, forgery.records, forgery.bundle)
  if (!deploy.includes(cure[0])) throw new Error(`deploy.yml has no ${cure[0]}`)
  const all = workflow.parse(parse(deploy.replaceAll(...cure))).jobs.deploy.steps
  const use = all.findIndex(step => step.run === undefined)
  const PATH = [folder, process.env['PATH']].join(delimiter)
  const env = { ...process.env, PATH, TAG, GH_REPO: 'octo/app', GH_TOKEN: 'none' }
  for (const { run = '' } of all.slice(0, use)) {
    const { status, stderr } = spawnSync('bash', ['-e', '-c', run], { cwd: workspace.root, env })
    if (status !== 0) throw new Error(`a step of deploy.yml failed: ${stderr.toString()}`)
  }
  const verify = { workspace, actionFile: 'verify/action.yml', inputs: all[use]?.with ?? {} }
  const { outputs } = await runAction(verify)
  const files = globSync('{release,trusted}/*', { cwd: workspace.root })
  return {
    verdict: outputs['verdict'],
    /** What verify could read, by its name. */
    texts: new Map(files.map(file => [file, workspace.read(file)])),
    messages: workspace.read('../messages').match(/(?<=^Error: ).*/gm) ?? [],
  }
}

/** Tries a forgery in the place of the records, and beside them; returns whether it is refused as it should be. */
async function tryForgery(forgery: Forgery): Promise<boolean> {
  const { name, cure } = forgery
  const messages = new Set<string>()
  let isRefused = true
  for (const file of [RECORDS, PLANTED]) {
    const deployment = await runDeploy(forgery, file)
    const trusted = [...deployment.texts.keys()].filter(one => one.startsWith('trusted/')).join()
    const isLeft = [...deployment.texts.values()].some(text => text.includes(sha256('evil')))
    const expected = file === RECORDS ? ' stopped' : `trusted/${RECORDS} unknown`
    isRefused &&= `${trusted} ${deployment.verdict}` === expected && !isLeft
    for (const message of deployment.messages) messages.add(message)
  }
  console.log(`${isRefused ? 'refused' : 'ACCEPTED'}: ${name}: ${[...messages].join('; ')}`)
  if (cure === undefined) return isRefused
  const isUnderstood = (await runDeploy(forgery, PLANTED, cure)).texts.has(`trusted/${PLANTED}`)
  console.log(`  ${isUnderstood ? 'accepted' : 'REFUSED'} with "${cure[1]}" for "${cure[0]}"`)
  return isRefused && isUnderstood
}

await runCommand(async () => {
  installGh()
  for (const file of [RECORDS, PLANTED]) {
    const { verdict } = await runDeploy({ name: 'genuine', records: forged, bundle }, file)
    console.log(`genuine records in ${file}: ${verdict}`)
    if (verdict !== 'matched') return false
  }
  let [kinds, wrong] = [0, 0]
  for (const forgery of forge()) {
    kinds += 1
    if (!(await tryForgery(forgery))) wrong += 1
  }
  console.log(`${kinds} kinds of forgery, ${wrong} of them not refused as they should be`)
  return wrong === 0
})
