/** The pages that somebody should look at: what a real run says for each way in which it can end. */
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { basename } from 'node:path'
import { startGitHub } from '../__tests__/support/github.ts'
import type { GitHubOptions } from '../__tests__/support/github.ts'
import { startAction, type StartedAction } from '../__tests__/support/runner.ts'
import { job, type Values } from '../__tests__/support/runner-environment.ts'
import {
  API_KEY,
  makeLine,
  makeStateLine,
  sha256,
  subscription,
  subscriptionText,
  toJsonLines,
} from '../__tests__/support/samples.ts'
import { makeWorkspace, type Workspace } from '../__tests__/support/workspace.ts'
import { rawFault, resetFault, startSimulator, statusFault } from '../simulator/index.ts'
import type { Fault, FaultRule, SimulatorOptions } from '../simulator/index.ts'

/** How a run is made to end in its own way; what is missing makes it end well. */
interface Scenario {
  /** Contents by name; by default a release of six files. */
  readonly files?: Readonly<Record<string, string>>
  readonly inputs?: Values
  readonly env?: Values
  readonly service?: SimulatorOptions
  /** Text of the records file, for the service at this URL. */
  readonly records?: (url: string) => string
  /** The artifacts are assets of a release, to which the records are attached. */
  readonly github?: GitHubOptions
  /** Happens when the first completion is answered. */
  readonly during?: (started: StartedAction) => void
  readonly page?: 'evidence'
  /** The page is that of the second action, after this has happened. */
  readonly verifyAfter?: (workspace: Workspace) => void
}

const recordsFile = 'notarization-records.jsonl'
const names = [
  ...['app-1.2.3-linux-arm64.tar.gz', 'app-1.2.3-linux-x64.tar.gz', 'app-1.2.3-macos.dmg'],
  ...['app-1.2.3-windows-x64.msi', 'app-1.2.3.sbom.spdx.json', 'SHA256SUMS'],
].map(name => `release/${name}`)
const [arm = '', x64 = '', dmg = '', msi = '', , sums = ''] = names
const release = Object.fromEntries(names.map(name => [name, `content of ${name}`]))
const assets = names.map(name => ({ name: basename(name), content: release[name] ?? '' }))

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

const hostile: Scenario = {
  files: Object.fromEntries(hostileNames.map((name, index) => [`release/${name}`, String(index)])),
  env: { GITHUB_REF: 'refs/heads/x_www.evil.example', GITHUB_REF_NAME: 'x_www.evil.example' },
  service: {
    record: () => ({
      blockchainType: '<b>CHAIN</b> | ![x](https://evil.example/x.png)',
      txId: '`</code><script>alert(1)</script>',
    }),
    faults: [
      {
        ...{ endpoint: 'completion', hash: sha256('3') },
        fault: statusFault(422, {
          body: { error: '<h1>::error::</h1> @octocat www.evil.example' },
        }),
      },
    ],
  },
}

/** As the ids of the blockchain that the service names look. */
function transactionOf(hash: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bytes = createHash('sha512').update(hash).digest().subarray(0, 52)
  return Array.from(bytes, byte => alphabet.charAt(byte % alphabet.length)).join('')
}

/** The completion of this file meets a fault, as often as is said. */
function hit(name: string, fault: Fault, to = Infinity): FaultRule {
  return { endpoint: 'completion', hash: sha256(release[name] ?? ''), fault, to }
}

/** Lines of an earlier run. */
const known = (url: string, name: string) => makeLine(url, release[name] ?? '', { artifact: name })
const open = (url: string, name: string) =>
  makeStateLine(url, release[name] ?? '', { artifact: name })

const refused = (status: number): Scenario => ({
  service: { faults: [{ endpoint: 'completion', fault: statusFault(status) }] },
})
const transactions: SimulatorOptions = { record: hash => ({ txId: transactionOf(hash) }) }
const outage = statusFault(501)
const lost = statusFault(503, { effect: 'after' })
const pending = rawFault(JSON.stringify({ ...known('', msi).record, status: 'pending' }))

const scenarios: Readonly<Record<string, Scenario>> = {
  'full-success': {},
  'success-without-links': {
    inputs: { 'verification-url': '' },
    records: url => toJsonLines([known(url, x64)]),
  },
  'one-artifact': { files: { 'release/app.zip': 'app' } },
  'with-transactions': { service: transactions },
  'attached-to-release': { github: {} },
  'attach-failed': {
    github: {
      faults: [{ route: 'upload-asset', from: 2, fault: { kind: 'status', status: 403 } }],
    },
  },
  'records-file-gone': {
    during: ({ workspace }) => {
      rmSync(workspace.path(recordsFile))
    },
  },
  'charged-again': {
    inputs: {
      subscription: JSON.stringify({ ...subscription, currentPeriodEnd: subscription.created }),
    },
    records: url => toJsonLines([open(url, dmg)]),
    service: { faults: [hit(x64, lost, 1), hit(msi, lost, 2)] },
  },
  'partial-failure': {
    service: {
      faults: [
        ...[hit(arm, statusFault(422, { body: { error: 'subscription is not valid' } }))],
        ...[hit(x64, resetFault('done')), hit(dmg, rawFault('<html>')), hit(msi, pending)],
      ],
    },
  },
  'record-mismatch': { service: { faults: [hit(msi, pending)] } },
  'refused-402': refused(402),
  'refused-403': refused(403),
  'refused-404': refused(404),
  'refused-409': refused(409),
  'refused-422': refused(422),
  'open-and-refused': {
    records: url => toJsonLines([open(url, msi)]),
    service: { faults: [hit(msi, statusFault(409))] },
  },
  'login-refused': { inputs: { 'api-key': 'key_that_nobody_knows' } },
  'wrong-base-url': {
    service: {
      faults: [{ endpoint: 'login', fault: statusFault(404, { body: '<!doctype html>' }) }],
    },
  },
  outage: { service: { faults: [{ endpoint: 'completion', fault: outage }] } },
  deferred: {
    inputs: { 'if-service-unavailable': 'warn' },
    service: { faults: [hit(msi, outage), hit(x64, outage)] },
  },
  cancelled: {
    inputs: { concurrency: '2' },
    service: { latencyMs: 100 },
    during: ({ child }) => child.kill('SIGINT'),
  },
  'dry-run': {
    inputs: { 'dry-run': 'true' },
    records: url => toJsonLines([known(url, arm), open(url, x64)]),
  },
  'dry-run-at-most-once': {
    inputs: { 'dry-run': 'true', 'retry-unanswered': 'false' },
    records: url => toJsonLines([known(url, arm), open(url, x64)]),
  },
  'nothing-found': { files: {}, inputs: { 'if-no-files-found': 'warn' } },
  'stopped-by-inputs': {
    inputs: {
      ...{ 'api-key': '', 'base-url': 'http://notary.example' },
      subscription: subscriptionText.slice(0, -20),
    },
  },
  'stopped-by-damaged-records': { records: () => '{"artifact":\n' },
  'stopped-by-limit': { inputs: { 'max-registrations': '3' } },
  'stopped-by-moved-tag': { github: { tags: { [job.refName]: { commit: 'decade'.repeat(7) } } } },
  'stopped-by-published-bytes': {
    github: { releases: [{ tag: job.refName, assets: [{ name: basename(x64), content: '' }] }] },
  },
  'thousand-artifacts': {
    files: Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`release/part-${index}.bin`, String(index)]),
    ),
    inputs: { 'max-registrations': '1000', concurrency: '16' },
  },
  'hostile-names': hostile,
  'evidence-page': {
    ...{ page: 'evidence', service: { ...transactions, faults: [hit(dmg, lost, 1)] } },
    records: url => toJsonLines([known(url, sums)]),
  },
  'evidence-page-hostile': { ...hostile, page: 'evidence' },
  'verify-matched': { verifyAfter: () => undefined },
  'verify-altered': {
    verifyAfter: workspace => {
      workspace.write(msi, 'another content')
    },
  },
  'verify-unknown': {
    verifyAfter: workspace => {
      workspace.write('release/new-tool.exe', 'never notarized')
    },
  },
  'verify-missing': {
    verifyAfter: workspace => {
      rmSync(workspace.path(sums))
    },
  },
}

/** The names of all cases. */
export const caseNames = Object.keys(scenarios)

/** Plays a case and gives its page, in Markdown. */
export async function summarize(name: string): Promise<string> {
  const scenario = scenarios[name] ?? {}
  const { files = release, inputs, env, service, records, during, verifyAfter } = scenario
  const workspace = makeWorkspace(files)
  const answered = Promise.withResolvers<undefined>()
  const simulator = await startSimulator({
    ...{ requested: 'any', repeat: 'accept', apiKeys: [API_KEY], ...service },
    onFinished: ({ endpoint }) => {
      if (endpoint === 'completion') answered.resolve(undefined)
    },
  })
  try {
    if (records !== undefined) workspace.write(recordsFile, records(simulator.url))
    const github = scenario.github && (await startRelease(scenario.github))
    const started = startAction({
      ...{ workspace, env: { ...github?.env, ...env } },
      inputs: {
        ...{ 'api-key': API_KEY, 'base-url': simulator.url, subscription: subscriptionText },
        ...{ path: 'release', 'max-attempts': '3', ...github?.inputs },
        'verification-url': 'https://notary.example/verification/{hash}',
        ...inputs,
      },
    })
    await Promise.race([answered.promise, started.finished])
    during?.(started)
    const { summary, outputs } = await started.finished
    if (scenario.page === 'evidence') return workspace.read(outputs['evidence-path'] ?? '')
    if (verifyAfter === undefined) return summary
    verifyAfter(workspace)
    const given = { path: 'release', 'base-url': simulator.url, 'require-all': 'true' }
    const verified = startAction({ workspace, inputs: given, actionFile: 'verify/action.yml' })
    return (await verified.finished).summary
  } finally {
    await simulator.close()
  }
}

/** The release that the run is for, and what the run must be given to find it. */
async function startRelease(options: GitHubOptions) {
  const github = await startGitHub({
    releases: [{ tag: job.refName, assets }],
    tags: { [job.refName]: { commit: job.sha } },
    ...options,
  })
  const inputs = { 'release-tag': job.refName, 'attach-to-release': 'true' }
  return {
    env: { GITHUB_API_URL: github.url },
    inputs: { ...inputs, 'github-token': github.token },
  }
}
