/**
 * What every end-to-end test shares: the committed bundle as a step of a job, the simulator as the service, and the
 * rules that hold for each run whatever it was about.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, isAbsolute, join } from 'node:path'
import { afterAll, expect } from '@jest/globals'
import { z } from 'zod'
import { startSimulator } from '../../simulator/index.ts'
import type { Simulator, SimulatorOptions } from '../../simulator/index.ts'
import { cleanUp } from '../support/clean-up.ts'
import { runAction } from '../support/runner.ts'
import type { ActionRun, RunOptions } from '../support/runner.ts'
import { makeWorkspace } from '../support/workspace.ts'
import type { Workspace } from '../support/workspace.ts'

/** The key that every service of these tests takes. */
export const API_KEY = 'key_live_e2e_5f3c9a71d2'

/** Every secret field is text of its own, so that it can be found wherever it leaks to. */
export const subscription = {
  sessionId: 'cs_live_e2e_9dK2mQ7x',
  id: 'sub_e2e_1Nv0FG2e',
  userId: 471_100,
  planId: 'plan_e2e_gold',
  planNickname: 'Gold',
  status: 'active',
  created: 1_700_000_000,
  currentPeriodStart: 1_700_000_000,
  currentPeriodEnd: 4_102_444_800,
  canceledAt: 0,
  customer: 'cus_e2e_Q9s8d7f6',
  defaultPaymentMethod: 'pm_e2e_8Xy7Wv6U',
  latestInvoice: 'in_e2e_3K9d8f7s',
} as const

/** {@link subscription} as a workflow gives it. */
export const subscriptionText = JSON.stringify(subscription)

const subscriptionSecrets: readonly string[] = [
  subscription.sessionId,
  subscription.customer,
  subscription.defaultPaymentMethod,
  subscription.latestInvoice,
]

const services: Simulator[] = []

afterAll(async () => {
  cleanUp()
  await Promise.all(services.splice(0).map(service => service.close()))
})

/** Starts a service, until the tests of the file are over; any hash may be completed unless `requested` says otherwise. */
export async function startService(options: SimulatorOptions = {}): Promise<Simulator> {
  const service = await startSimulator({ requested: 'any', apiKeys: [API_KEY], ...options })
  services.push(service)
  return service
}

/** SHA-256 in lower-case hex. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const size = z.int().min(0).nullable()
const jsonObject = z.record(z.string(), z.unknown())
const json = z.string().transform((text): unknown => JSON.parse(text))
const count = z
  .string()
  .regex(/^(0|[1-9]\d*)$/)
  .transform(Number)

const recordsSchema = z.array(
  z.strictObject({
    artifact: z.string().min(1),
    size,
    hash,
    from: z.enum(['this-run', 'records-file']),
    record: jsonObject,
    redacted: z.array(z.string()).min(1).optional(),
    verificationUrl: z.string().optional(),
  }),
)

const failuresSchema = z.array(
  z.strictObject({
    artifact: z.string().min(1),
    size,
    hash: hash.nullable(),
    code: z.enum([
      'login-refused',
      'refused',
      'request-refused',
      'unavailable',
      'invalid-response',
      'record-mismatch',
      'unreadable',
      'changed',
      'cancelled',
      'not-saved',
      'internal-error',
    ]),
    registered: z.enum(['no', 'unknown']),
    message: z.string().min(1),
  }),
)

const lineSchema = z.strictObject({
  artifact: z.string().min(1),
  size,
  hash,
  service: z.string().min(1),
  record: jsonObject,
  redacted: z.array(z.string()).min(1).optional(),
  verificationUrl: z.string().optional(),
  problems: z.array(z.string().min(1)),
  source: z.looseObject({
    repository: z.string(),
    sha: z.string(),
    ref: z.string(),
    runId: z.string(),
    runAttempt: z.string(),
  }),
})

const outputsSchema = z.looseObject({
  verdict: z.enum(['registered', 'partial', 'failed', 'nothing-found', 'dry-run', 'stopped']),
  records: z.union([z.literal('').transform(() => null), json.pipe(recordsSchema)]),
  failures: json.pipe(failuresSchema),
  'records-path': z.string().refine(isAbsolute),
  'checksums-path': z.string(),
  'artifact-count': count,
  'registered-count': count,
  'newly-registered-count': count,
  'failed-count': count,
})

/** The outputs of the contract, read; `records` is null where the output is empty. */
export type Outputs = z.infer<typeof outputsSchema>

/** One line of a records file as this action writes it. */
export type RecordLine = z.infer<typeof lineSchema>

/** Reads the outputs of a run; throws unless each has the shape of the contract. */
export function readOutputs(run: ActionRun): Outputs {
  return outputsSchema.parse(run.outputs)
}

/** The lines of the records file, each in the shape of the contract; the file must end with a newline. */
export function readLines(run: ActionRun): RecordLine[] {
  const text = readIfThere(readOutputs(run)['records-path']) ?? ''
  expect(text === '' || text.endsWith('\n')).toBe(true)
  return text
    .split('\n')
    .slice(0, -1)
    .map(line => lineSchema.parse(JSON.parse(line)))
}

/** One scenario; what is missing has its default in `action.yml`, but for the four inputs that `notarize` gives. */
export interface Scenario extends Omit<RunOptions, 'workspace'> {
  readonly workspace: Workspace
  /** Gives `base-url`; without it the input is empty unless `inputs` has it. */
  readonly service?: Simulator
}

/** A run that has passed {@link checkEveryRun}, with its outputs read. */
export type CheckedRun = ActionRun & { readonly results: Outputs }

/**
 * Runs the action, with `api-key`, `base-url`, `subscription` and `path: dist` unless `inputs` says otherwise, and
 * applies what holds for every run.
 */
export async function notarize({
  service,
  inputs = {},
  ...options
}: Scenario): Promise<CheckedRun> {
  const given = {
    'api-key': API_KEY,
    'base-url': service?.url ?? '',
    subscription: subscriptionText,
    path: 'dist',
    ...inputs,
  }
  const issuedBefore = service?.tokens.length ?? 0
  const run = await runAction({ ...options, inputs: given })

  checkEveryRun(run, secretsOf(service, [given['api-key'], given.subscription]))
  const mustBeMasked = [
    ...(given['api-key'] === API_KEY ? [API_KEY] : []),
    ...(given.subscription === subscriptionText ? subscriptionSecrets : []),
    ...(service?.tokens.slice(issuedBefore).flatMap(withParts) ?? []),
  ]
  expect(run.masks).toEqual(expect.arrayContaining(mustBeMasked))
  return { ...run, results: readOutputs(run) }
}

/** Everything secret about runs against this service. */
export function secretsOf(
  service: Simulator | undefined,
  more: readonly (string | undefined)[] = [],
): string[] {
  const given = more.flatMap(text => text?.split('\n') ?? []).filter(text => text.length >= 6)
  const tokens = service?.tokens.flatMap(withParts) ?? []
  return [...new Set([API_KEY, ...subscriptionSecrets, ...given, ...tokens])]
}

function withParts(token: string): string[] {
  return [token, ...token.split('.')]
}

/** What holds for every run, whatever it was about. `secrets` may stand in `::add-mask::` lines and nowhere else. */
export function checkEveryRun(run: ActionRun, secrets: readonly string[]): void {
  expect(run).toMatchObject({ timedOut: false, signal: null, stderr: '' })
  expect({ env: run.env, path: run.path, state: run.state }).toEqual({
    env: '',
    path: '',
    state: '',
  })
  checkLog(run)
  checkSecrets(run, secrets)
  checkCounts(run)
  checkEnding(run)
  checkFiles(run)
  checkSummary(run)
}

/** The commands that the action has a use for; any other one was forged. */
const USED_COMMANDS = ['add-mask', 'debug', 'error', 'group', 'endgroup', 'notice', 'warning']

function checkLog(run: ActionRun): void {
  for (const text of [run.stdout, run.summary, ...Object.values(run.outputs)]) {
    expect(text).not.toMatch(/^\s+at /m)
    // A stack in one line: its line ends are escaped as those of any text.
    expect(text).not.toMatch(/\bat .*:\d+:\d+|node:internal|index\.js:\d/)
  }
  // Every control character but the line end; a text from outside must not act in a terminal either.
  expect(run.stdout).not.toMatch(/[^\P{Cc}\n]/u)
  expect(USED_COMMANDS).toEqual(expect.arrayContaining(run.commands.map(({ command }) => command)))
  const { error, warning, notice } = run.annotations
  for (const messages of [error, warning, notice]) {
    expect(messages.length).toBeLessThanOrEqual(10)
    for (const message of messages) {
      expect(message).toMatch(/\S/)
      expect(message.length).toBeLessThanOrEqual(4096)
    }
  }
}

function checkSecrets(run: ActionRun, secrets: readonly string[]): void {
  expect(secrets).not.toEqual([])
  expect(run.masks.filter(mask => mask.length < 6)).toEqual([])
  const kept = [subscription.id, String(subscription.userId), subscription.planId]
  expect(run.masks.filter(mask => kept.some(text => text.includes(mask)))).toEqual([])

  const said = run.lines.filter(line => !line.startsWith('::add-mask::'))
  const commands = run.commands.filter(({ command }) => command !== 'add-mask')
  const places = [
    ['stdout', said.join('\n')],
    ['commands', commands.map(({ message }) => message).join('\n')],
    ['stderr', run.stderr],
    ['summary', run.summary],
    ...Object.entries(run.outputs),
    ...[...filesBelow(run.workspace.root), ...filesBelow(run.workspace.temp)].map(
      file => [basename(file), readFileSync(file, 'utf8')] as const,
    ),
    ['records file', readIfThere(run.outputs['records-path'] ?? '') ?? ''],
  ] as const
  const leaks = places.flatMap(([place, text]) =>
    secrets.flatMap(secret =>
      formsOf(secret)
        .filter(form => text.includes(form))
        .map(form => `${place}: ${form}`),
    ),
  )
  expect(leaks).toEqual([])
  // The platform drops an empty output, too, but nothing is lost with it.
  const full = Object.entries(run.outputs).filter(([, value]) => value !== '')
  expect(run.jobOutputs).toEqual(Object.fromEntries(full))
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString('base64'),
    bytes.toString('base64url'),
  ]
}

function checkCounts(run: ActionRun): void {
  const { verdict, records, failures, ...rest } = readOutputs(run)
  const total = rest['artifact-count']
  const registered = rest['registered-count']
  const newly = rest['newly-registered-count']
  const failed = rest['failed-count']
  const isOpen = ['dry-run', 'stopped'].includes(verdict)

  if (!isOpen) expect(verdict).toBe(verdictOf({ total, failed, registered }))
  if (isOpen)
    expect({ registered, newly, records }).toEqual({ registered: 0, newly: 0, records: [] })
  if (verdict === 'stopped') expect({ total, failed }).toEqual({ total: 0, failed: 0 })
  if (verdict === 'dry-run') expect(total).toBeGreaterThanOrEqual(failed)
  else expect(total).toBe(registered + failed)
  expect(newly).toBeLessThanOrEqual(registered)

  if (records !== null) {
    expect(records).toHaveLength(registered)
    expect(records.filter(({ from }) => from === 'this-run')).toHaveLength(newly)
    expect(records).toEqual(sortedByArtifact(records))
  }
  const lengthOf = (name: string): number => run.outputs[name]?.length ?? 0
  expect(lengthOf('records')).toBeLessThanOrEqual(300_000)
  expect(lengthOf('failures')).toBeLessThanOrEqual(50_000)
  expect(failures).toEqual(sortedByArtifact(failures))
  expect(failures.length).toBeLessThanOrEqual(failed)
  // Cut only where the next entry would not have fitted.
  if (failures.length < failed) expect(lengthOf('failures')).toBeGreaterThan(45_000)
}

function verdictOf(counts: Record<'total' | 'failed' | 'registered', number>): string {
  if (counts.total === 0) return 'nothing-found'
  if (counts.failed === 0) return 'registered'
  return counts.registered === 0 ? 'failed' : 'partial'
}

function sortedByArtifact<T extends { readonly artifact: string }>(entries: readonly T[]): T[] {
  return entries.toSorted((a, b) =>
    a.artifact < b.artifact ? -1 : a.artifact > b.artifact ? 1 : 0,
  )
}

function checkEnding(run: ActionRun): void {
  const { verdict, 'failed-count': failed } = readOutputs(run)
  const hasFailed = verdict === 'stopped' || failed > 0
  expect(run.exitCode).toBe(hasFailed ? 1 : 0)
  if (verdict === 'stopped') expect(run.annotations.error.length).toBeGreaterThanOrEqual(1)
  else expect(run.annotations.error).toHaveLength(hasFailed ? 1 : 0)
  // So that the reason is found where the reader of a red step looks first.
  if (hasFailed) expect(run.commands.at(-1)?.command).toBe('error')
}

function checkFiles(run: ActionRun): void {
  const { records, ...outputs } = readOutputs(run)
  const files = filesBelow(run.workspace.root).map(file => basename(file))
  expect(files.filter(name => name.startsWith('.records-probe'))).toEqual([])

  const lines = (readIfThere(outputs['records-path']) ?? '').split('\n')
  for (const { hash, from } of records ?? []) {
    const known = lines.filter(line => line.includes(`"hash":"${hash}"`))
    expect(known.length).toBeGreaterThanOrEqual(1)
    if (from === 'this-run') expect(lineSchema.parse(JSON.parse(known.at(-1) ?? ''))).toBeDefined()
  }
  const checksumsPath = outputs['checksums-path']
  if (checksumsPath === '') return
  expect(checksumsPath.startsWith(run.workspace.temp)).toBe(true)
  for (const line of (readIfThere(checksumsPath) ?? '').split('\n').slice(0, -1)) {
    expect(line).toMatch(/^\\?[0-9a-f]{64} {2}.+$/s)
  }
}

/** The markup that a summary may have; what is left without it must be text. */
const OUR_TAGS =
  /<\/?(table|tr|td|th|code|b|a|ol|li)>|<br>|<wbr>|<code title="[^"<>]*">|<th align="left">|<td colspan="\d">|<a href="https?:\/\/[^"<>\s]+">/g

function checkSummary(run: ActionRun): void {
  expect(run.summaryBytes).toBeLessThan(1024 * 1024)
  if (run.summary === '') return
  expect(run.summary).toMatch(/^## .+\n/)
  const { rows, shell } = readSummary(run.summary)
  const foreign = run.summary.replace(shell, '').replaceAll(OUR_TAGS, '')
  expect(foreign).not.toMatch(/[<>]/)
  const isWhole = !/\d artifacts? more (is|are) not shown/.test(run.summary)
  if (isWhole) expect(rows).toHaveLength(readOutputs(run)['artifact-count'])
}

/** A job summary as its reader sees it. */
export interface Summary {
  /** The first line. */
  readonly verdict: string
  readonly titles: readonly string[]
  /** The texts of the cells, entities decoded. */
  readonly rows: readonly (readonly string[])[]
  /** The block to paste into a shell, its fence included; empty if there is none. */
  readonly shell: string
}

/** Reads a job summary. */
export function readSummary(text: string): Summary {
  const [table = ''] = /<table>.*<\/table>/s.exec(text) ?? []
  const [titles = [], ...rows] = [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => toText(cell)),
  )
  const [shell = ''] = /^```sh\n.*?^```\n/ms.exec(text) ?? []
  return { verdict: text.split('\n')[0] ?? '', titles, rows, shell }
}

function toText(html: string): string {
  return html
    .replaceAll(/<wbr>|<\/?(code|b|a)( (href|title)="[^"]*")?>/g, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}

/** What a service should have seen. */
export interface Traffic {
  /** One completion each, in any order. */
  readonly hashes: readonly string[]
  /** Default: one if there are completions. */
  readonly logins?: number
  readonly apiKey?: string
  /** Body of each completion. Default: {@link subscriptionText}. */
  readonly body?: string
  readonly prefix?: string
}

/** Holds every request that the service saw against the contract: method, path, all headers, body, and no request more. */
export function checkTraffic(service: Simulator, traffic: Traffic): void {
  const { hashes, logins = Math.min(1, hashes.length), body = subscriptionText } = traffic
  const { apiKey = API_KEY, prefix = '' } = traffic
  const seen = service.requests.map(({ method, path, headers, bodyText }) => ({
    method,
    path,
    headers: { ...headers },
    bodyText,
  }))
  const expected = (path: string, bodyText: string, more: Readonly<Record<string, string>>) => ({
    method: 'POST',
    path: `${prefix}/api/v2/${path}`,
    headers: {
      accept: 'application/json',
      connection: 'keep-alive',
      'content-length': String(Buffer.byteLength(bodyText)),
      'content-type': 'application/json',
      host: new URL(service.url).host,
      'user-agent': 'notarize-release',
      ...more,
    },
    bodyText,
  })
  const login = expected('auth/login', JSON.stringify({ apiKey }), {})
  const completions = hashes.map(hash =>
    expected(`registration/${hash}/forfait`, body, {
      authorization: `Bearer ${service.tokens.at(-1) ?? ''}`,
    }),
  )
  const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
    a.path < b.path ? -1 : 1
  // The logins come first; the workers then go on side by side.
  expect(seen.slice(0, logins)).toEqual(Array.from({ length: logins }, () => login))
  expect(seen.slice(logins).sort(byPath)).toEqual(completions.sort(byPath))
}

/** Runs the real `sha256sum -c` in the workspace; gives its lines. Fails unless each file is right. */
export function checkWithSha256sum(run: ActionRun): string[] {
  const { status, stdout, stderr } = spawnSync(
    'sha256sum',
    ['--strict', '-c', readOutputs(run)['checksums-path']],
    { cwd: run.workspace.root, encoding: 'utf8', input: '' },
  )
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout.split('\n').slice(0, -1)
}

/** An honest line of a records file, for runs that start with one. */
export function makeLine(service: string, content: string, changes: Partial<RecordLine> = {}) {
  const hash = sha256(content)
  return {
    artifact: `dist/${content}`,
    size: Buffer.byteLength(content),
    hash,
    service,
    record: makeRecord(hash),
    problems: [],
    source: {
      repository: 'octo/app',
      sha: '0000000000000000000000000000000000000000',
      ref: 'refs/tags/v1.0.0',
      runId: '1',
      runAttempt: '1',
    },
    ...changes,
  }
}

/** A record in the observed shape (service-api.md 2.1). */
export function makeRecord(hash: string): Record<string, unknown> {
  return {
    hash,
    description: 'registered by an earlier run',
    custody: false,
    signed: false,
    signer: null,
    signature: null,
    txHash: null,
    status: 'registered',
    blockchainType: 'ALGORAND',
    holder: null,
    txId: null,
    assetId: null,
    tags: [],
    paymentId: 'sub_of_an_earlier_period',
    creationDate: 1_767_225_600_000,
    payload: null,
    userId: 1,
  }
}

/** Lines as the text of a records file. */
export function toJsonLines(lines: readonly unknown[]): string {
  return lines.map(line => `${JSON.stringify(line)}\n`).join('')
}

/** A workspace with these files below `dist`. */
export function makeRelease(files: Readonly<Record<string, string | Uint8Array>>): Workspace {
  return makeWorkspace(
    Object.fromEntries(Object.entries(files).map(([name, content]) => [`dist/${name}`, content])),
  )
}

function readIfThere(file: string): string | undefined {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true
    ? readFileSync(file, 'utf8')
    : undefined
}

function filesBelow(folder: string): string[] {
  return (
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
      // A name that is not UTF-8 leads nowhere.
      .filter(file => existsSync(file))
  )
}
