/**
 * What the end-to-end tests of the main action share: the committed bundle as a step of a job, and the simulator as the
 * service. What holds for each run is in `support/finished-run.ts`.
 */
import { spawnSync } from 'node:child_process'
import { afterAll, expect } from '@jest/globals'
import { startSimulator } from '../../simulator/index.ts'
import type { Simulator, SimulatorOptions } from '../../simulator/index.ts'
import { cleanUp } from '../support/clean-up.ts'
import { checkFinishedRun, readSummary } from '../support/finished-run.ts'
import type { Facts } from '../support/finished-run.ts'
import { readOutputs } from '../support/outputs.ts'
import type { Outputs } from '../support/outputs.ts'
import { runAction } from '../support/runner.ts'
import type { ActionRun, RunOptions } from '../support/runner.ts'
import { API_KEY, subscriptionSecrets, subscriptionText } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'
import type { Workspace } from '../support/workspace.ts'

export { readLines, readStateLines, readSummary } from '../support/finished-run.ts'
export type { Summary } from '../support/finished-run.ts'
export { readOutputs } from '../support/outputs.ts'
export type { Outputs } from '../support/outputs.ts'
export type { RecordLine } from '../support/record-lines.ts'
export {
  API_KEY,
  makeLine,
  makeRecord,
  makeStateLine,
  sha256,
  subscription,
  subscriptionText,
  toJsonLines,
} from '../support/samples.ts'

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

/** One scenario; what is missing has its default in `action.yml`, but for the four inputs that `notarize` gives. */
export interface Scenario extends Omit<RunOptions, 'workspace'> {
  readonly workspace: Workspace
  /** Gives `base-url`; without it the input is empty unless `inputs` has it. */
  readonly service?: Simulator
  /** See {@link Facts}. */
  readonly mustFail?: boolean
}

/** A run that has passed {@link checkFinishedRun}, with its outputs read. */
export type CheckedRun = ActionRun & { readonly results: Outputs }

/**
 * Runs the action, with `api-key`, `base-url`, `subscription` and `path: dist` unless `inputs` says otherwise, and
 * applies what holds for every run.
 */
export async function notarize({
  service,
  inputs = {},
  mustFail = false,
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

  checkEveryRun(run, secretsOf(service, [given['api-key'], given.subscription]), { mustFail })
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

/** {@link checkFinishedRun} for the main action, which has secrets. */
export function checkEveryRun(run: ActionRun, secrets: readonly string[], facts: Facts = {}): void {
  checkFinishedRun(run, { secrets, ...facts })
}

/** What every run that stopped says, and that it sent nothing; {@link checkFinishedRun} has the outputs. */
export function checkStopped(run: CheckedRun, service?: Simulator): void {
  expect(run.results.verdict).toBe('stopped')
  expect(service?.requests ?? []).toEqual([])
  expect(service?.maxConnections ?? 0).toBe(0)
  expect(readSummary(run.summary).verdict).toMatch(
    /^## ❌ (DRY RUN, )?NOT NOTARIZED: stopped before anything was sent$/u,
  )
  expect(run.summary).toContain('Nothing was registered or charged')
  expect(run.summary.match(/^<li>/gm)).toHaveLength(run.annotations.error.length)
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

/** Compares every request that the service saw with the contract: method, path, all headers, body, and no request more. */
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

/** A workspace with these files below `dist`. */
export function makeRelease(files: Readonly<Record<string, string | Uint8Array>>): Workspace {
  return makeWorkspace(
    Object.fromEntries(Object.entries(files).map(([name, content]) => [`dist/${name}`, content])),
  )
}
