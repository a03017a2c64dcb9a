/** The pipeline around it: an outage that is allowed to pass, the token of GitHub, and the links to commit and run. */
import { describe, expect, it } from '@jest/globals'
import { resetFault, statusFault } from '../../simulator/index.ts'
import type { Endpoint, Fault, FaultRule, SimulatorOptions } from '../../simulator/index.ts'
import { startGitHub } from '../support/github.ts'
import type { Route } from '../support/github.ts'
import { runAction } from '../support/runner.ts'
import { job } from '../support/runner-environment.ts'
import { makeWorkspace } from '../support/workspace.ts'
import type { Workspace } from '../support/workspace.ts'
import {
  assetsOf,
  attach,
  completions,
  hashesFor,
  hashesOf,
  heldLines,
  notarizeRelease,
  optionsOf,
  RECORDS,
  linesOf,
  startRelease,
  TAG,
} from './release-support.ts'
import type { Scenario } from './release-support.ts'
import { sha256, startService } from './support.ts'
import type { CheckedRun } from './support.ts'

const outage = statusFault(501)
const oneByOne = { concurrency: '1' } as const
const fails = (name: string, fault: Fault): FaultRule => ({ hash: sha256(name), fault })

/** Runs without a release, one try a call, for files `dist/<name>` that contain their names. */
async function notarizeFiles({
  files,
  ...scenario
}: Omit<Scenario, 'github'> & { readonly files: string | Workspace }): Promise<CheckedRun> {
  const github = await startGitHub()
  const defaults = { path: 'dist', 'release-tag': '', 'max-attempts': '1' }
  const run = await notarizeRelease({
    ...{ ...scenario, github },
    workspace: typeof files === 'string' ? makeFiles(files) : files,
    inputs: { ...defaults, 'if-service-unavailable': 'warn', ...scenario.inputs },
  })
  expect(github.calls).toEqual([])
  return run
}

function makeFiles(names: string): Workspace {
  return makeWorkspace(Object.fromEntries(names.split(' ').map(name => [`dist/${name}`, name])))
}

function expectDeferred(run: CheckedRun, [failed, total]: readonly [number, number]): void {
  expect(run.exitCode).toBe(0)
  expect(run.results).toMatchObject({
    verdict: 'deferred',
    'artifact-count': total,
    'failed-count': failed,
    'registered-count': total - failed,
  })
  expect(run.results.failures).toHaveLength(failed)
  expect(run.annotations.error).toEqual([])
  expect(run.annotations.warning.filter(text => text.includes('NOT NOTARIZED'))).toHaveLength(1)
  expect(run.summary.split('\n')[0]).toContain('NOT NOTARIZED: deferred')
}

function expectFailed(run: CheckedRun, verdict = 'failed'): void {
  expect(run).toMatchObject({ exitCode: 1, outputs: { verdict } })
  expect(run.summary.split('\n')[0]).not.toContain('deferred')
}

describe('if-service-unavailable: warn', () => {
  it.each<[string, Fault, Endpoint?]>([
    ['answers 503', statusFault(503)],
    ['breaks the connection', resetFault('connect-accepted')],
    ['cannot log in', statusFault(503), 'login'],
  ])(
    'lets a run pass in which the service %s, and a later run finishes it',
    async (_what, fault, endpoint = 'completion') => {
      let isUp = false
      const service = await startService({
        repeat: 'accept',
        faults: request => (!isUp && request.endpoint === endpoint ? fault : undefined),
      })

      const run = await notarizeFiles({ service, files: 'a' })

      expectDeferred(run, [1, 1])
      expect(run.results.failures).toMatchObject([{ artifact: 'dist/a', code: 'unavailable' }])

      isUp = true
      const later = await notarizeFiles({ service, files: run.workspace })
      expect(later).toMatchObject({ exitCode: 0, outputs: { verdict: 'registered' } })
      expect(completions(service)).toEqual({ [sha256('a')]: 1 })
    },
  )

  it('lets a run pass that cannot reach the service', async () => {
    const service = await startService()
    await service.close()

    const run = await notarizeFiles({ service, files: 'a' })

    expectDeferred(run, [1, 1])
    expect(run.results.failures).toMatchObject([{ code: 'unavailable', registered: 'no' }])
  })

  it('lets a run pass that was stopped by five outages', async () => {
    const service = await startService({ faults: [{ endpoint: 'completion', fault: outage }] })

    const run = await notarizeFiles({ service, files: '1 2 3 4 5 6 7 8', inputs: oneByOne })

    expectDeferred(run, [8, 8])
    expect(service.requests.filter(({ endpoint }) => endpoint === 'completion')).toHaveLength(5)
  })
})

describe('a run with an outage and more fails always', () => {
  const away = fails('a', outage)

  it.each<[string, string, SimulatorOptions]>([
    ['a registration was refused', 'refused', { faults: [away, fails('b', statusFault(404))] }],
    ['the token was refused', 'login-refused', { faults: [away, fails('b', statusFault(401))] }],
    [
      'a record contradicted its request',
      'record-mismatch',
      { faults: [away], record: (_hash, record) => ({ ...record, signed: true }) },
    ],
    [
      'the key was refused',
      'login-refused',
      { faults: [{ endpoint: 'login', fault: statusFault(401) }] },
    ],
  ])('%s', async (_what, code, options) => {
    const service = await startService(options)

    const run = await notarizeFiles({ service, files: 'a b', inputs: oneByOne })

    expectFailed(run)
    expect(run.results.failures.map(failure => failure.code)).toContain(code)
  })

  it('an asset could not be read', async () => {
    const github = await startRelease(
      [...assetsOf({ a: 'a' }), { name: 'b', content: 'b', digest: null }],
      { faults: [{ route: 'storage', fault: { kind: 'status', status: 503 } }] },
    )
    const service = await startService({ faults: [fails('a', outage)] })
    const inputs = { 'if-service-unavailable': 'warn', 'max-attempts': '1' }

    expectFailed(await notarizeRelease({ github, service, inputs }))
  })

  it.each(['', 'error'])('if-service-unavailable is "%s"', async policy => {
    const service = await startService({ faults: [fails('a', outage)] })
    const inputs = { 'if-service-unavailable': policy }

    expectFailed(await notarizeFiles({ service, files: 'a b', inputs }), 'partial')
  })
})

describe('a deferred release', () => {
  const assets = assetsOf({ 'a.zip': 'a', 'b.zip': 'b', 'c.zip': 'c' })
  const inputs = { ...attach, 'if-service-unavailable': 'warn', 'max-attempts': '1' }

  it('is finished by a later run on a new machine, by what the release holds', async () => {
    let isUp = false
    const service = await startService({
      repeat: 'accept',
      faults: ({ hash }) => (!isUp && hash === sha256('b') ? outage : undefined),
    })
    const github = await startRelease(assets)

    const run = await notarizeRelease({ github, service, inputs })
    expectDeferred(run, [1, 3])
    expect(hashesOf(heldLines(github))).toEqual(hashesFor('a', 'c'))

    isUp = true
    const later = await notarizeRelease({ github, service, inputs })
    expect(later).toMatchObject({ exitCode: 0, outputs: { verdict: 'registered' } })
    expect(hashesOf(heldLines(github))).toEqual(hashesFor('a', 'b', 'c'))
    expect(Object.values(completions(service))).toEqual([1, 1, 1])
  })

  it('fails when the records could not be attached', async () => {
    const service = await startService({ faults: [fails('b', outage)] })
    const github = await startRelease(assets, {
      faults: [{ route: 'rename-asset', fault: { kind: 'status', status: 403 } }],
    })

    const run = await notarizeRelease({ github, service, inputs, failsToAttach: true })

    expect(run.exitCode).toBe(1)
    expect(run.annotations.error).toEqual([expect.stringContaining('could not be attached')])
  })

  it('is left as it is when nothing was registered', async () => {
    const service = await startService({ faults: [{ endpoint: 'login', fault: outage }] })
    const github = await startRelease(assets)
    const before = github.texts(TAG)

    const run = await notarizeRelease({ github, service, inputs })

    expectDeferred(run, [3, 3])
    expect(github.texts(TAG)).toEqual(before)
  })
})

// checkRun looks for it in everything that leaves the action, in runs without a release too.
describe('the token of GitHub', () => {
  const assets = assetsOf({ 'a.zip': 'a' })

  it('is taken from the default, as a workflow does not name it', async () => {
    const github = await startRelease(assets)
    const service = await startService()

    const run = await notarizeRelease({
      ...{ github, service },
      inputs: { 'github-token': undefined },
      env: { 'INPUT_GITHUB-TOKEN': github.token, RUNNER_DEBUG: '1' },
    })

    expect(run.exitCode).toBe(0)
    expect(github.calls.length).toBeGreaterThan(0)
    expect(new Set(github.calls.map(({ headers }) => headers['authorization']))).toEqual(
      new Set([`token ${github.token}`]),
    )
  })

  it.each([
    ['with a release, without it', { 'github-token': undefined }, {}, 'github-token'],
    ['without GITHUB_REPOSITORY', {}, { GITHUB_REPOSITORY: undefined }, 'GITHUB_REPOSITORY'],
  ])('is of use to nobody %s: nothing is sent', async (_what, inputs, env, said) => {
    const github = await startRelease(assets)
    const service = await startService()

    const run = await runAction(optionsOf({ github, service, env, inputs }))

    expect(run.exitCode).toBe(1)
    expect(run.annotations.error).toEqual([expect.stringContaining(said)])
    expect([...github.calls, ...service.requests]).toEqual([])
  })

  it.each<[string, Route, number]>([
    ['the release is looked up', 'get-release-by-tag', 400],
    ['records are attached', 'rename-asset', 403],
  ])(
    'is taken out of an error when %s, with whatever would act in the log',
    async (_when, route, status) => {
      const github = await startRelease(assets)
      const body = { message: `bad ${github.token}\n::stop-commands::x\r\n##[error]y <b>` }
      github.setFaults([{ route, fault: { kind: 'status', status, body } }])
      const service = await startService()

      const run = await notarizeRelease({
        ...{ github, service, env: { RUNNER_DEBUG: '1' } },
        inputs: attach,
        failsToAttach: route === 'rename-asset',
      })

      expect(run.annotations.error).toEqual([expect.stringContaining('bad ***')])
    },
  )

  it('is taken out of a record of the service, and of what is attached', async () => {
    const github = await startRelease(assets)
    const service = await startService({ record: () => ({ description: `by ${github.token}` }) })

    const run = await notarizeRelease({ github, service, inputs: attach })

    expect(run.results.records).toMatchObject([{ record: { description: 'by ***' } }])
    expect(hashesOf(heldLines(github))).toEqual(hashesFor('a'))
    expect(JSON.stringify(github.texts(TAG))).not.toContain(github.token)
  })
})

describe('commit and run', () => {
  const commit = `https://ghe.example:8443/octo/app/commit/${job.sha}`
  const run = `https://ghe.example:8443/octo/app/actions/runs/${job.runId}/attempts/3`
  const env = { GITHUB_SERVER_URL: 'https://ghe.example:8443', GITHUB_RUN_ATTEMPT: '3' }

  it('are linked by each line of the records file and by every summary, on the server of the run', async () => {
    const service = await startService({ faults: [fails('b', statusFault(404))] })
    const files = makeFiles('a b')

    for (const inputs of [{}, { 'dry-run': 'true' }, { path: 'nowhere' }]) {
      const { summary } = await notarizeFiles({ service, files, env, inputs })
      expect(summary).toContain(`<a href="${commit}">`)
      expect(summary).toContain(`<a href="${run}">`)
    }

    const lines = linesOf(files.read(RECORDS))
    expect(hashesOf(lines)).toEqual(hashesFor('a'))
    for (const line of lines)
      expect(JSON.parse(line)).toMatchObject({ source: { commitUrl: commit, runUrl: run } })
  })

  it('are left out where they are not known, and a ref makes no link of its own', async () => {
    const service = await startService()
    const github = await startGitHub()
    const done = await runAction(
      optionsOf({
        ...{ github, service, workspace: makeFiles('a') },
        inputs: { path: 'dist', 'release-tag': '' },
        env: {
          ...{ GITHUB_SERVER_URL: undefined, GITHUB_RUN_ID: undefined, GITHUB_SHA: undefined },
          ...{ GITHUB_REPOSITORY: undefined, GITHUB_REF: 'refs/heads/x_www.evil.example' },
        },
      }),
    )

    expect(done.exitCode).toBe(0)
    expect(done.summary).not.toMatch(/<a |undefined|null|www\./)
    expect(done.workspace.read(RECORDS)).not.toContain('undefined')
  })
})
