/**
 * The pages that somebody should look at: what the report says for each way in which a run can end, with the texts of
 * the rooms below it; verify in real runs against the simulator.
 */
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { makeFailure, type Failure } from '../src/failure.ts'
import { cancelledFailure, Halt, notSavedFailure } from '../src/halt.ts'
import type { Registered, Result } from '../src/outcome.ts'
import {
  endedWith,
  evidenceOf,
  lineAs,
  reportAll,
  stoppedBy,
  type Ending,
  type ReportChanges,
} from '../__tests__/report/results.ts'
import { runAction, type RunOptions } from '../__tests__/support/runner.ts'
import type { Values } from '../__tests__/support/runner-environment.ts'
import { makeWorkspace, type Workspace } from '../__tests__/support/workspace.ts'
import { DEFAULT_API_KEY, exampleSubscription, startSimulator } from '../simulator/index.ts'

/** A page in Markdown. */
export interface SummaryCase {
  readonly name: string
  readonly markdown: string
}

/** Which program is run: the committed bundle, or the source as it stands. */
export interface Program {
  readonly main: RunOptions
  readonly verify: RunOptions
}

type Case = (program: Program) => Promise<string>

const recordsFile = 'notarization-records.jsonl'
const service = 'https://notary.example'
const verificationUrl = `${service}/verification/{hash}`
const release = {
  'release/app-1.2.3-linux-arm64.tar.gz': 7_012_352,
  'release/app-1.2.3-linux-x64.tar.gz': 7_340_032,
  'release/app-1.2.3-macos-universal.dmg': 11_534_336,
  'release/app-1.2.3-windows-x64.msi': 9_437_184,
  'release/app-1.2.3.sbom.spdx.json': 48_213,
  'release/SHA256SUMS': 512,
} as const

const names = Object.keys(release)
const [arm = '', x64 = '', dmg = '', msi = '', sbom = '', sums = ''] = names

const sha = 'c0ffee0123456789abcdef0123456789abcdef01'
const home = 'https://github.com/octo/app'
const source = {
  ...{ repository: 'octo/app', sha, ref: 'refs/tags/v1.2.3', runId: '16001234567' },
  ...{ runAttempt: '1', commitUrl: `${home}/commit/${sha}` },
  runUrl: `${home}/actions/runs/16001234567/attempts/1`,
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function sizeOf(name: string): number {
  return name in release ? (Object.entries(release).find(([one]) => one === name)?.[1] ?? 0) : 4096
}

/** As the ids of the blockchain that the service names look. */
function transactionOf(hash: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bytes = createHash('sha512').update(hash).digest().subarray(0, 52)
  return Array.from(bytes, byte => alphabet.charAt(byte % alphabet.length)).join('')
}

function recordOf(hash: string, txId: string | null = null): Registered['record'] {
  return {
    ...{ hash, custody: false, signed: false, status: 'registered', blockchainType: 'ALGORAND' },
    ...{ txId, paymentId: 'sub_1Nv0FGQ9RKHgCVdK', userId: 4211 },
    creationDate: Date.UTC(2026, 10, 21, 2, 14, 7),
  }
}

function named(name: string, outcome: Result['outcome']): Result {
  return { name, size: sizeOf(name), hash: sha256(name), outcome }
}

function good(name: string, changes: Partial<Registered> = {}): Result {
  const record = recordOf(sha256(name))
  return named(name, {
    ...{ state: 'registered', from: 'this-run', record, redacted: [], unansweredTries: 0 },
    ...changes,
  })
}

function bad(
  name: string,
  failure: Pick<Failure, 'code' | 'what' | 'remedy'> & Partial<Failure>,
): Result {
  return named(name, { state: 'failed', failure: makeFailure(failure) })
}

/** The release, with other outcomes for some of it. */
function releaseWith(others: Readonly<Record<string, Result>> = {}): readonly Result[] {
  return names.map(name => others[name] ?? good(name))
}

async function pageOf(ending: Ending, changes: ReportChanges = {}): Promise<string> {
  return (await reportAll(ending, { source, baseUrl: service, ...changes })).summary
}

const later =
  'run the job again later, with the same records file, and check "base-url" if it stays so'

const refusal = (
  status: number,
  said: string,
): Pick<Failure, 'code' | 'what' | 'remedy'> & Partial<Failure> => ({
  code: 'refused',
  status,
  what: `the registration failed: the service answered HTTP ${status}: "${said}"`,
  remedy: 'check that the registration was requested and that the subscription is valid',
})

const away = makeFailure({
  code: 'unavailable',
  what: 'the registration failed after 5 tries: no answer within 30 s',
  remedy: later,
  registered: 'unknown',
  ...{ isOutage: true, isDeferrable: true },
})

const unreachable: Failure = {
  ...away,
  registered: 'no',
  what: 'the registration failed after 5 tries: the connection was refused (ECONNREFUSED)',
}

const notTried: Failure = {
  ...unreachable,
  what: `not tried, as 5 registrations failed in a row (the last: ${unreachable.what})`,
}

const mismatch = makeFailure({
  code: 'record-mismatch',
  registered: 'unknown',
  what: 'the service answered with a record that contradicts the request (status is "pending", not "registered")',
  remedy:
    'ask the service what became of this hash; it is not sent again until its line is removed from the records file by hand',
})

const garbled = makeFailure({
  ...{ code: 'invalid-response', registered: 'unknown', status: 200 },
  what: 'the registration failed: the service answered HTTP 200 with a body that cannot be understood',
  remedy: 'run the job again later, with the same records file',
})

const allRefused =
  (status: number, said: string, changes: ReportChanges = {}): Case =>
  () =>
    pageOf(endedWith(...names.map(name => bad(name, refusal(status, said)))), changes)

const halted = (...steps: readonly ((halt: Halt) => void)[]): Halt => {
  const halt = new Halt()
  for (const step of steps) step(halt)
  return halt
}

const stoppedWith =
  (...messages: readonly string[]): Case =>
  () =>
    pageOf(stoppedBy(...messages))

const links = ['records.jsonl', 'checksums.txt', 'evidence.md'].map(name => ({
  name: `notarization-${name}`,
  url: `${home}/releases/download/v1.2.3/notarization-${name}`,
}))

const attachment = { tag: 'v1.2.3', failure: null, links }

const hostileNames = [
  '<img src=x onerror=alert(1)>.tgz',
  '</td></tr></table><h1>NOTARIZED</h1>.zip',
  'a|b|c.zip',
  '**bold** [link](https://evil.example).txt',
  '`code` and $math$.bin',
  'two\nlines.txt',
  '::error::forged ##[error]x.txt',
  'invoice\u202egnp.exe',
  'zero\u200bwidth.txt',
  'café 日本語 📦 עברית.tar.gz',
  "it's @octocat #1 ~struck~ www.evil.example.md",
  `${'very-long-name-'.repeat(15)}.tar.gz`,
  `${'deep/'.repeat(60)}file.bin`,
] as const

const hostileRecord = {
  blockchainType: '<b>CHAIN</b> | ![x](https://evil.example/x.png)',
  txId: '`</code><script>alert(1)</script>',
  creationDate: Date.UTC(2026, 10, 21, 2, 14, 7),
}

function evidencePage(
  results: readonly Result[],
  changes: { readonly verificationUrl?: string } = {},
): Promise<string> {
  const older = {
    ...source,
    ...{ ref: 'refs/tags/v1.2.2', sha: sha.replace('c0ffee', 'decade'), runId: '15990000001' },
  }
  const entries = results.flatMap(({ name, size, hash, outcome }, index) => {
    if (outcome.state !== 'registered' || hash === null) return []
    const { record, unansweredTries } = outcome
    const isOld = index % 5 === 4
    const creationDate = Date.UTC(2026, isOld ? 9 : 10, 21, 2, 14, index % 60)
    const line = { size, hash, service, unansweredTries, source: isOld ? older : source }
    return [lineAs(name, { ...line, ...changes, record: { ...record, creationDate } })]
  })
  return Promise.resolve(evidenceOf(entries))
}

async function verify(program: Program, spoil: (workspace: Workspace) => void): Promise<string> {
  const workspace = makeWorkspace(
    Object.fromEntries(names.map(name => [name, Buffer.alloc(sizeOf(name), `${name}\n`)])),
  )
  const simulator = await startSimulator({ requested: 'any' })
  try {
    const inputs: Values = {
      ...{ 'api-key': DEFAULT_API_KEY, 'base-url': simulator.url, path: 'release' },
      subscription: JSON.stringify(exampleSubscription),
    }
    await runAction({ ...program.main, workspace, inputs })
    spoil(workspace)
    const given = { path: 'release', records: recordsFile, 'require-all': 'true' }
    const asked = { ...given, 'base-url': simulator.url }
    return (await runAction({ ...program.verify, workspace, inputs: asked })).summary
  } finally {
    await simulator.close()
  }
}

const cases: Readonly<Record<string, Case>> = {
  'full-success': () => pageOf(endedWith(...releaseWith()), { verificationUrl }),
  'success-without-links': () =>
    pageOf(endedWith(good(arm), good(x64, { from: 'records-file' }), good(sums))),
  'one-artifact': () => pageOf(endedWith(good('app.zip'))),
  'with-transactions': () =>
    pageOf(
      endedWith(
        ...releaseWith().map(one => ({
          ...one,
          outcome: {
            ...good(one.name).outcome,
            record: recordOf(one.hash ?? '', transactionOf(one.name)),
          } as const,
        })),
      ),
      { verificationUrl },
    ),
  'attached-to-release': () =>
    pageOf(
      { ...endedWith(...names.map(name => good(name.slice('release/'.length)))), attachment },
      { verificationUrl, releaseTag: 'v1.2.3' },
    ),
  'attach-failed': () =>
    pageOf(
      {
        ...endedWith(...releaseWith()),
        attachment: { ...attachment, failure: 'GitHub answered HTTP 502 to the upload', links: [] },
      },
      { verificationUrl, releaseTag: 'v1.2.3' },
    ),
  'not-saved': () =>
    pageOf(endedWith(...releaseWith({ [sums]: bad(sums, notSavedFailure) })), {
      halt: halted(halt => {
        halt.stop(notSavedFailure)
      }),
    }),
  'records-file-gone': () => pageOf({ ...endedWith(...releaseWith()), isRecordsFileGone: true }),
  'charged-again': () =>
    pageOf({
      ...endedWith(
        ...releaseWith({
          [x64]: good(x64, { unansweredTries: 1 }),
          [msi]: good(msi, { unansweredTries: 2 }),
        }),
      ),
      openHashes: 1,
      warnings: [
        'the period of the subscription has ended on 2026-11-20 00:00:00 UTC; renew it before the next release',
      ],
    }),
  'partial-failure': () =>
    pageOf(
      endedWith(
        ...releaseWith({
          [arm]: bad(arm, refusal(422, 'subscription is not valid')),
          [x64]: named(x64, { state: 'failed', failure: away }),
          [dmg]: named(dmg, { state: 'failed', failure: garbled }),
          [msi]: named(msi, { state: 'failed', failure: mismatch }),
        }),
      ),
      { verificationUrl },
    ),
  'record-mismatch': () =>
    pageOf(
      endedWith(...releaseWith({ [msi]: named(msi, { state: 'failed', failure: mismatch }) })),
    ),
  'refused-402': allRefused(402, 'Payment Required', { periodEndedAt: Date.UTC(2026, 9, 31) }),
  'refused-403': allRefused(403, 'Forbidden'),
  'refused-404': allRefused(404, 'no such request'),
  'refused-409': allRefused(409, 'hash already registered', { verificationUrl }),
  'refused-422': allRefused(422, 'userId does not match'),
  'open-and-refused': () =>
    pageOf(
      endedWith(
        ...releaseWith({
          [msi]: bad(msi, {
            ...refusal(409, 'hash already registered'),
            registered: 'unknown',
            what: 'the service refuses it (HTTP 409); the earlier run of 2026-11-20 03:12:45 UTC sent it and read no answer, so it is probably registered',
            remedy: `look it up; if it is there, add its record as a line to "${recordsFile}", else remove the lines of this hash`,
          }),
        }),
      ),
      { verificationUrl },
    ),
  'login-refused': () =>
    pageOf(
      endedWith(
        ...names.map(name =>
          bad(name, {
            ...{ code: 'login-refused', status: 401 },
            what: 'the login failed: the service answered HTTP 401',
            remedy: 'check the secret behind "api-key" and that the key is for this service',
          }),
        ),
      ),
    ),
  'wrong-base-url': () =>
    pageOf(
      endedWith(
        ...names.map(name =>
          bad(name, {
            ...{ code: 'invalid-response', status: 404 },
            what: 'the login failed: POST https://www.notary.example/api/v2/auth/login was answered HTTP 404 with an HTML page',
            remedy:
              'give the address of the API of the service, as its documentation or your account there shows it, up to but without "/api/v2"',
          }),
        ),
      ),
      { baseUrl: 'https://www.notary.example' },
    ),
  outage: () =>
    pageOf(
      endedWith(
        ...releaseWith({
          [sums]: named(sums, { state: 'failed', failure: notTried }),
          ...Object.fromEntries(
            [arm, x64, dmg, msi, sbom].map(name => [
              name,
              named(name, { state: 'failed', failure: unreachable }),
            ]),
          ),
        }),
      ),
    ),
  deferred: () =>
    pageOf(
      endedWith(
        ...releaseWith({
          [msi]: named(msi, { state: 'failed', failure: away }),
          [x64]: named(x64, { state: 'failed', failure: unreachable }),
        }),
      ),
      { ifServiceUnavailable: 'warn', verificationUrl },
    ),
  cancelled: () =>
    pageOf(
      endedWith(
        ...releaseWith({
          [msi]: named(msi, {
            state: 'failed',
            failure: { ...cancelledFailure, registered: 'unknown' },
          }),
          [sbom]: named(sbom, { state: 'failed', failure: cancelledFailure }),
          [sums]: named(sums, { state: 'failed', failure: cancelledFailure }),
        }),
      ),
      {
        halt: halted(halt => {
          halt.cancel()
        }),
      },
    ),
  'dry-run': () =>
    pageOf(
      {
        ...endedWith(
          ...releaseWith({
            [arm]: good(arm, { from: 'records-file' }),
            [x64]: named(x64, { state: 'planned', isOpen: true }),
            [dmg]: named(dmg, { state: 'planned', isOpen: false }),
            [msi]: named(msi, { state: 'held' }),
            [sbom]: named(sbom, { state: 'planned', isOpen: false }),
            [sums]: named(sums, { state: 'planned', isOpen: false }),
          }),
        ),
        openHashes: 1,
      },
      { isDryRun: true },
    ),
  'nothing-found': () => pageOf(endedWith()),
  'stopped-by-inputs': stoppedWith(
    'input "api-key" is empty; secrets are not given to runs from forks, and "dry-run" needs none',
    'input "base-url" must start with https:// (got "http://notary.example"); use the https address of the service',
    'input "subscription" is JSON that ends too early, behind character 212 of 212; store it in one line: gh secret set NOTARIZATION_SUBSCRIPTION < subscription.json',
  ),
  'stopped-by-damaged-records': stoppedWith(
    `input "records-path": "${recordsFile}", line 4 is not valid JSON; nothing is sent, as an artifact may be paid for twice; restore "${recordsFile}" or correct the line by hand`,
  ),
  'stopped-by-limit': stoppedWith(
    'input "max-registrations" is 100, and 4812 distinct hashes are left to register ("**" matches 4812 files); correct the patterns, or raise the limit if each is to be paid for',
  ),
  'stopped-by-moved-tag': stoppedWith(
    `input "release-tag": the tag "v1.2.3" points to ${sha.replace('c0ffee', 'decade')} now, but this run is for ${sha}; run the release again for the tag as it is`,
  ),
  'stopped-by-published-bytes': stoppedWith(
    `input "release-tag": what was built here is not what the release "v1.2.3" publishes: "${x64}" has ${sha256('a')}, but the asset has ${sha256('b')}; upload the files of this build, or notarize the assets alone`,
  ),
  'stopped-by-bug': () =>
    pageOf({
      ...{ kind: 'stopped', checksumsPath: '', mayHaveSent: true },
      problems: [
        {
          input: null,
          message: `internal-error: a bug in this action: x is not iterable; nothing more was sent; please report it at ${home}/issues`,
        },
      ],
    }),
  'thousand-artifacts': () =>
    pageOf(
      endedWith(
        ...Array.from({ length: 1000 }, (_, index) =>
          good(`release/part-${String(index).padStart(4, '0')}.bin`),
        ),
      ),
    ),
  'hostile-names': () =>
    pageOf(
      {
        ...endedWith(
          ...hostileNames.map((name, index) =>
            index === 3
              ? bad(name, refusal(422, '<h1>::error::</h1> @octocat www.evil.example'))
              : good(name, { record: hostileRecord }),
          ),
        ),
        attachment: { tag: 'x_www.evil.example', failure: 'why <b>not</b> @octocat', links: [] },
      },
      { source: { ...source, ref: 'refs/heads/x_www.evil.example' } },
    ),
  'evidence-page': () =>
    evidencePage(
      releaseWith({
        [dmg]: good(dmg, { record: recordOf('', transactionOf(dmg)), unansweredTries: 1 }),
      }),
      { verificationUrl: verificationUrl.replace('{hash}', sha256(arm)) },
    ),
  'evidence-page-hostile': () =>
    evidencePage(hostileNames.map(name => good(name, { record: hostileRecord }))),
  'verify-matched': program => verify(program, () => undefined),
  'verify-altered': program =>
    verify(program, workspace => {
      workspace.write(msi, 'another content')
    }),
  'verify-unknown': program =>
    verify(program, workspace => {
      workspace.write('release/new-tool.exe', 'never notarized')
    }),
  'verify-missing': program =>
    verify(program, workspace => {
      rmSync(workspace.path(sums))
    }),
}

/** Makes every case, or those named, one after the other. */
export async function* makeCases(
  program: Program,
  wanted: readonly string[],
): AsyncGenerator<SummaryCase> {
  const unknown = wanted.find(name => !Object.hasOwn(cases, name))
  if (unknown !== undefined) {
    throw new Error(`no case "${unknown}"; there are: ${Object.keys(cases).join(', ')}`)
  }
  for (const [name, make] of Object.entries(cases)) {
    if (wanted.length === 0 || wanted.includes(name)) yield { name, markdown: await make(program) }
  }
}
