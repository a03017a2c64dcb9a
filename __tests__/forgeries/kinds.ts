/**
 * Records that `examples/deploy.yml` must reject. Each differs in one thing from accepted records, and has the change of
 * deploy.yml that would accept it, if there is one.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeLine, sha256, toJsonLines } from '../support/samples.ts'
import { makeTemporaryFolder } from '../support/workspace.ts'
import { attest, makeAuthority, makeTrustedRoot, type Claims } from './authority.ts'

const service = 'https://app.dedit.io'
const [REF, OLDER] = ['refs/tags/v1.0.0', 'refs/tags/v0.9.0']

const folder = makeTemporaryFolder()
const at = (name: string): string => join(folder, name)
const base64 = (text: string): string => Buffer.from(text).toString('base64')

const own = makeAuthority('GitHub, Inc.')
const stranger = makeAuthority('GitHub, Inc.')
const foreign = makeAuthority('Evil')
const logged = makeAuthority('sigstore.dev')

/** The output of `gh attestation trusted-root`, and a file that also trusts other authorities. */
export const trustedRoot = at('root')
const widerTrustedRoot = at('wider-root')
writeFileSync(trustedRoot, makeTrustedRoot([own], [logged]))
writeFileSync(widerTrustedRoot, makeTrustedRoot([own, stranger], [foreign, own]))

/** Returns the genuine claims for a run of a workflow, such as `release.yml@refs/heads/main`. */
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

/** A text in deploy.yml, and the replacement for it that accepts a forgery. */
export type Bypass = readonly [text: string, replacement: string]
const widerRoot: Bypass = ['gh attestation trusted-root', `cat ${widerTrustedRoot}`]
const anyRef: Bypass = ['all(inputs; .source.ref == $ref)', 'true']
const evilSigner: Bypass = ['com/$GH_REPO', 'com/octo/evil']
const evilCaller: Bypass = ['"$GH_REPO"', 'octo/evil']
const anySourceRef: Bypass = ['--source-ref "${signer#*@}"', '']
const flag = (text: string): Bypass => ['--deny-self-hosted-runners', text]

/** Neither release.yml for the tag nor backfill.yml for main. */
const runs = ['evil.yml', 'release.yml.yml', 'RELEASE.yml', 'backfill.yml']
  .map(file => `${file}@${REF}`)
  .concat('release.yml@refs/tags/v1.0.0-rc', `release.yml@${OLDER}`, 'release.yml@refs/heads/main')
  .concat('release.yml@refs/heads/v1.0.0', 'release.yml@refs/pull/7/merge')
  .concat('backfill.yml@refs/heads/evil', 'backfill.yml@refs/pull/7/merge')

const [evil, other] = [by(release, 'octo/evil'), by(release, 'evil/app')]
const url = 'https://evil.example'

/** Attested like genuine records, except for one claim. */
const claimed: readonly (readonly [name: string, Partial<Claims>, Bypass?])[] = [
  ...runs.map(run => [run, by(run), ['release.yml@refs/tags/$TAG', run]] as const),
  ['another repository', evil, ['$GH_REPO', 'octo/evil']],
  ['another owner', other, ['$GH_REPO', 'evil/app']],
  ['a workflow elsewhere that ours calls', { signer: evil.signer }, evilSigner],
  ['our workflow, called from elsewhere', { repository: evil.repository }, evilCaller],
  ['our workflow, called by a branch', { ref: 'refs/heads/evil' }, anySourceRef],
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

/** Replacements for the genuine bundle. */
const bundles: Readonly<Record<string, string | undefined>> = {
  'no bundle': undefined,
  'an empty bundle': '',
  'a bundle that is not JSON': 'verified',
  'a cut bundle': bundle.slice(0, -9),
  'the bundle of another file': goodBundle,
  'the bundle after that of another file': `${goodBundle}\n${bundle}`,
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
  'an invalid time stamp': put('signedTimestamp', base64('now')),
}

/** Replacements for the records of a genuine bundle. */
const altered: Readonly<Record<string, string>> = {
  'a changed byte': forged.replace('registered', 'registereD'),
  'an additional line': forged + toJsonLines([makeLine(service, 'more')]),
  'no records': '',
}

/** Attested by our workflows, but for another release, or not records. */
const attested: readonly (readonly [name: string, records: string, run: string, Bypass])[] = [
  ['an older release, replayed', older, `release.yml@${OLDER}`, ['refs/tags/$TAG', OLDER]],
  ['an older release, in this run', older, release, anyRef],
  ['an older release, backfilled', older, backfill, anyRef],
  ['an older release and this one', older + forged, backfill, anyRef],
  ['lines without a ref', forged.replaceAll('"ref"', '"no"'), release, anyRef],
  ['lines that are not JSON', `${forged}evil`, release, anyRef],
]

export interface Forgery {
  readonly name: string
  readonly records: string
  readonly bundle: string | undefined
  readonly bypass?: Bypass | undefined
}

/** Yields every kind of forgery: records of `app` and `evil` without a valid signature for this release. */
export function* forge(): Generator<Forgery> {
  for (const [name, claims, bypass] of claimed) {
    const signed = attest(forged, { ...genuine, ...claims })
    yield { name: `signed by ${name}`, records: forged, bundle: signed, bypass }
  }
  for (const [name, text] of Object.entries(bundles)) yield { name, records: forged, bundle: text }
  for (const [name, records] of Object.entries(altered)) yield { name, records, bundle }
  for (const [name, records, run, bypass] of attested)
    yield { name, records, bundle: attest(records, by(run)), bypass }
}

export const genuineRecords: Forgery = { name: 'genuine', records: good, bundle: goodBundle }

/** Of `app` and `evil`. */
export const allGenuineRecords: Forgery = { name: 'genuine', records: forged, bundle }
