/**
 * The job summaries that somebody should look at: real runs of the action against the simulator, one for each way in
 * which a run can end.
 */
import { rmSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { runAction, startAction } from '../__tests__/support/runner.ts'
import type { RunOptions } from '../__tests__/support/runner.ts'
import type { Values } from '../__tests__/support/runner-environment.ts'
import { makeWorkspace } from '../__tests__/support/workspace.ts'
import type { Workspace } from '../__tests__/support/workspace.ts'
import {
  DEFAULT_API_KEY,
  exampleSubscription,
  rawFault,
  silenceFault,
  startSimulator,
  statusFault,
} from '../simulator/index.ts'
import type { Fault, SimulatorOptions } from '../simulator/index.ts'

/** The summary of one run. */
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
const release = {
  'release/app-1.2.3-linux-x64.tar.gz': 7_340_032,
  'release/app-1.2.3-linux-arm64.tar.gz': 7_012_352,
  'release/app-1.2.3-macos-universal.dmg': 11_534_336,
  'release/app-1.2.3-windows-x64.msi': 9_437_184,
  'release/app-1.2.3.sbom.spdx.json': 48_213,
  'release/SHA256SUMS': 512,
} as const

type Name = keyof typeof release

const names = Object.keys(release)

function contentOf(name: string, size: number): Buffer {
  return Buffer.alloc(size, `${name}\n`)
}

function makeRelease(): Workspace {
  return makeWorkspace(
    Object.fromEntries(
      Object.entries(release).map(([name, size]) => [name, contentOf(name, size)]),
    ),
  )
}

function hashOf(name: Name): string {
  return sha256(contentOf(name, release[name]))
}

function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex')
}

/** As the ids of the blockchain that the service names look. */
function transactionOf(hash: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bytes = createHash('sha512').update(hash).digest().subarray(0, 52)
  return Array.from(bytes, byte => alphabet.charAt(byte % alphabet.length)).join('')
}

interface Scene {
  readonly workspace?: Workspace
  readonly before?: Values
  readonly inputs?: Values
  readonly service?: SimulatorOptions
}

/** Runs the action in a scene, after another run with the inputs `before` if they are given, and gives its summary. */
async function summaryOf(
  { main }: Program,
  { workspace = makeRelease(), before, inputs = {}, service = {} }: Scene,
): Promise<string> {
  const simulator = await startSimulator({ requested: 'any', ...service })
  try {
    const usual = { ...main, workspace }
    if (before !== undefined) {
      await runAction({ ...usual, inputs: { ...given(simulator.url), ...before } })
    }
    const run = await runAction({ ...usual, inputs: { ...given(simulator.url), ...inputs } })
    return run.summary
  } finally {
    await simulator.close()
  }
}

function given(url: string): Values {
  return {
    'api-key': DEFAULT_API_KEY,
    'base-url': url,
    subscription: JSON.stringify(exampleSubscription),
    path: 'release',
    'max-attempts': '1',
    'timeout-seconds': '1',
  }
}

function faultsOf(faults: Readonly<Partial<Record<Name, Fault>>>): SimulatorOptions {
  const byHash = new Map(names.filter(isName).map(name => [hashOf(name), faults[name]]))
  return {
    faults: ({ endpoint, hash }) =>
      endpoint === 'completion' ? byHash.get(hash ?? '') : undefined,
  }
}

function isName(name: string): name is Name {
  return name in release
}

async function cancelled({ main }: Program): Promise<string> {
  const workspace = makeRelease()
  const simulator = await startSimulator({
    requested: 'any',
    faults: ({ endpoint, nthOfEndpoint }) =>
      endpoint === 'completion' && nthOfEndpoint > 3 ? silenceFault({ done: true }) : undefined,
  })
  try {
    const inputs = { ...given(simulator.url), 'timeout-seconds': '60', concurrency: '1' }
    const { child, finished } = startAction({ ...main, workspace, inputs })
    while (simulator.requests.length < 5 && child.exitCode === null) await delay(20)
    child.kill('SIGINT')
    return (await finished).summary
  } finally {
    await simulator.close()
  }
}

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
  "it's @octocat #1 ~struck~.md",
  `${'very-long-name-'.repeat(15)}.tar.gz`,
  `${'deep/'.repeat(60)}file.bin`,
] as const

async function hostile(program: Program): Promise<string> {
  const workspace = makeWorkspace(
    Object.fromEntries(hostileNames.map(name => [`release/${name}`, name])),
  )
  const service: SimulatorOptions = {
    record: hash => ({
      blockchainType: '<b>CHAIN</b> | ![x](https://evil.example/x.png)',
      txId: hash === sha256(hostileNames[0]) ? '`</code><script>alert(1)</script>' : null,
    }),
    faults: ({ endpoint, nthOfEndpoint }) =>
      endpoint === 'completion' && nthOfEndpoint === 3
        ? statusFault(422, { body: '<h1>::error::</h1>' })
        : undefined,
  }
  return summaryOf(program, { workspace, service })
}

async function thousand(program: Program): Promise<string> {
  const workspace = makeWorkspace(
    Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [
        `release/part-${String(index).padStart(4, '0')}.bin`,
        `content ${index}`,
      ]),
    ),
  )
  const inputs = { 'max-registrations': '1000', concurrency: '32', 'timeout-seconds': '30' }
  return summaryOf(program, { workspace, inputs })
}

async function verify(program: Program, spoil: (workspace: Workspace) => void): Promise<string> {
  const workspace = makeRelease()
  await summaryOf(program, { workspace })
  spoil(workspace)
  const inputs = { path: 'release', records: recordsFile, 'require-all': 'true' }
  return (await runAction({ ...program.verify, workspace, inputs })).summary
}

const cases: Readonly<Record<string, Case>> = {
  'full-success': program => summaryOf(program, {}),
  'one-artifact': program => summaryOf(program, { inputs: { path: 'release/SHA256SUMS' } }),
  'with-transactions': program =>
    summaryOf(program, {
      inputs: { 'verification-url': 'https://notary.example/verification/{hash}' },
      service: { record: hash => ({ txId: transactionOf(hash) }) },
    }),
  'partial-failure': program =>
    summaryOf(program, {
      service: {
        ...faultsOf({
          'release/app-1.2.3-linux-x64.tar.gz': statusFault(422),
          'release/app-1.2.3-linux-arm64.tar.gz': silenceFault({ done: true }),
          'release/app-1.2.3-macos-universal.dmg': rawFault('<html>Gateway</html>'),
        }),
        record: hash =>
          hash === hashOf('release/app-1.2.3-windows-x64.msi') ? { status: 'pending' } : {},
      },
    }),
  'total-failure': program => summaryOf(program, { service: { apiKeys: ['another'] } }),
  'mixed-with-earlier': program => summaryOf(program, { before: { path: 'release/*.tar.gz' } }),
  'input-error': program =>
    summaryOf(program, {
      inputs: { 'base-url': 'http://notary.example', 'api-key': '', concurrency: '0' },
    }),
  'dry-run': program =>
    summaryOf(program, { before: { path: 'release/*.dmg' }, inputs: { 'dry-run': 'true' } }),
  deferred: program =>
    summaryOf(program, {
      inputs: { 'if-service-unavailable': 'warn' },
      service: faultsOf({
        'release/app-1.2.3-linux-x64.tar.gz': statusFault(503),
        'release/app-1.2.3-windows-x64.msi': statusFault(503),
        'release/SHA256SUMS': silenceFault(),
      }),
    }),
  cancelled,
  'thousand-artifacts': thousand,
  'hostile-names': hostile,
  'nothing-found': program =>
    summaryOf(program, { inputs: { path: 'none/**', 'if-no-files-found': 'warn' } }),
  'verify-matched': program => verify(program, () => undefined),
  'verify-failed': program =>
    verify(program, workspace => {
      workspace.write('release/app-1.2.3-windows-x64.msi', 'another content')
      workspace.write('release/new-tool.exe', 'never notarized')
      rmSync(workspace.path('release/SHA256SUMS'))
    }),
}

/** Runs every case, or those named, one after the other. */
export async function* makeCases(
  program: Program,
  wanted: readonly string[],
): AsyncGenerator<SummaryCase> {
  const unknown = wanted.find(name => !Object.hasOwn(cases, name))
  if (unknown !== undefined) {
    throw new Error(`no case "${unknown}"; there are: ${Object.keys(cases).join(', ')}`)
  }
  for (const [name, run] of Object.entries(cases)) {
    if (wanted.length === 0 || wanted.includes(name)) yield { name, markdown: await run(program) }
  }
}
