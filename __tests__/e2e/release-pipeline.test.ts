/** The pipeline around it: an outage that is allowed to pass, the token of GitHub, and the links to commit and run. */
import { describe, expect, it } from '@jest/globals'
import {
  rawFault,
  redirectFault,
  resetFault,
  silenceFault,
  statusFault,
} from '../../simulator/index.ts'
import type { Fault, FaultRule, Simulator, SimulatorOptions } from '../../simulator/index.ts'
import { startGitHub } from '../support/github.ts'
import type { FakeGitHub } from '../support/github.ts'
import { runAction, startAction } from '../support/runner.ts'
import { job } from '../support/runner-environment.ts'
import { makeWorkspace } from '../support/workspace.ts'
import type { Workspace } from '../support/workspace.ts'
import {
  attach,
  checkRun,
  completions,
  hashesFor,
  hashesOf,
  heldLines,
  notarizeRelease,
  optionsOf,
  RECORDS,
  startPatientService,
  startRelease,
  TAG,
} from './release-support.ts'
import type { ReleaseRun, Scenario } from './release-support.ts'
import { makeLine, makeRecord, sha256, startService, toJsonLines } from './support.ts'

const outage = statusFault(501)
const fails = (name: string, fault: Fault): FaultRule => ({ hash: sha256(name), fault })

/** Runs with files `dist/<name>` that contain their names, without a release. */
async function notarizeFiles(
  scenario: Omit<Scenario, 'github'> & { readonly workspace: Workspace },
): Promise<ReleaseRun> {
  const github = await startGitHub()
  const run = await notarizeRelease({
    ...scenario,
    github,
    inputs: {
      path: 'dist',
      'release-tag': '',
      'if-service-unavailable': 'warn',
      'max-attempts': '1',
      ...scenario.inputs,
    },
  })
  expect(github.calls).toEqual([])
  return run
}

function makeFiles(...names: readonly string[]): Workspace {
  return makeWorkspace(Object.fromEntries(names.map(name => [`dist/${name}`, name])))
}

function expectDeferred(run: ReleaseRun, counts: { readonly failed: number; total: number }): void {
  expect(run.exitCode).toBe(0)
  expect(run.results).toMatchObject({
    verdict: 'deferred',
    'artifact-count': counts.total,
    'failed-count': counts.failed,
    'registered-count': counts.total - counts.failed,
  })
  expect(run.results.failures).toHaveLength(counts.failed)
  expect(run.annotations.error).toEqual([])
  expect(run.annotations.warning.filter(text => text.includes('NOT NOTARIZED'))).toHaveLength(1)
  expect(run.summary.split('\n')[0]).toContain('NOT NOTARIZED: deferred')
}

interface Outage {
  readonly what: string
  readonly endpoint?: 'login'
  readonly fault: Fault
  readonly inputs?: Scenario['inputs']
}

const outages: readonly Outage[] = [
  ...[408, 425, 429, 500, 501, 502, 503, 504, 599].map(status => ({
    what: `answers ${status}`,
    fault: statusFault(status),
  })),
  {
    what: 'asks to wait for longer than is allowed',
    fault: statusFault(429, { headers: { 'retry-after': '3600' } }),
    inputs: { 'max-attempts': '5' },
  },
  {
    what: 'breaks the connection',
    fault: resetFault('connect-accepted'),
    inputs: { 'max-attempts': '2' },
  },
  {
    what: 'says nothing',
    fault: silenceFault(),
    inputs: { 'timeout-seconds': '1' },
  },
  { what: 'cannot log in', endpoint: 'login', fault: statusFault(503) },
]

describe('if-service-unavailable: warn', () => {
  it.each(outages)(
    'lets a run pass in which the service $what, and a later run finishes it',
    async ({ endpoint = 'completion', fault, inputs = {} }) => {
      let isUp = false
      const service = await startService({
        repeat: 'accept',
        faults: request => (!isUp && request.endpoint === endpoint ? fault : undefined),
      })
      const workspace = makeFiles('a')

      const run = await notarizeFiles({ service, workspace, inputs })

      expectDeferred(run, { failed: 1, total: 1 })
      expect(run.results.failures).toMatchObject([{ artifact: 'dist/a', code: 'unavailable' }])

      isUp = true
      const later = await notarizeFiles({ service, workspace })
      expect(later).toMatchObject({ exitCode: 0, outputs: { verdict: 'registered' } })
      expect(completions(service)).toEqual({ [sha256('a')]: 1 })
    },
  )

  it('lets a run pass that cannot reach the service', async () => {
    const service = await startService()
    await service.close()

    const run = await notarizeFiles({ service, workspace: makeFiles('a') })

    expectDeferred(run, { failed: 1, total: 1 })
    expect(run.results.failures).toMatchObject([{ code: 'unavailable', registered: 'no' }])
  })

  it('counts what was registered, and a later run sends only the rest', async () => {
    let isUp = false
    const service = await startService({
      repeat: 'accept',
      faults: ({ hash }) => (!isUp && hash === sha256('b') ? outage : undefined),
    })
    const workspace = makeFiles('a', 'b', 'c')

    const run = await notarizeFiles({ service, workspace })
    expectDeferred(run, { failed: 1, total: 3 })

    isUp = true
    const later = await notarizeFiles({ service, workspace })
    expect(later.exitCode).toBe(0)
    expect(later.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 1 })
    expect(completions(service)).toEqual(
      Object.fromEntries(['a', 'b', 'c'].map(name => [sha256(name), 1])),
    )
  })

  it('lets a run pass that was broken off after five outages', async () => {
    const names = ['1', '2', '3', '4', '5', '6', '7', '8']
    const service = await startService({ faults: [{ endpoint: 'completion', fault: outage }] })

    const run = await notarizeFiles({
      ...{ service, workspace: makeFiles(...names) },
      inputs: { concurrency: '1' },
    })

    expectDeferred(run, { failed: 8, total: 8 })
    expect(service.requests.filter(({ endpoint }) => endpoint === 'completion')).toHaveLength(5)
  })

  it('changes nothing about a run in which all is well', async () => {
    const service = await startService()
    const run = await notarizeFiles({ service, workspace: makeFiles('a') })

    expect(run).toMatchObject({ exitCode: 0, outputs: { verdict: 'registered' } })
    expect(run.annotations.warning).toEqual([])
  })

  it('changes nothing about a dry run, nor about a run that a guard stopped', async () => {
    const service = await startService()
    const workspace = makeFiles('a')

    const dry = await notarizeFiles({ service, workspace, inputs: { 'dry-run': 'true' } })
    const stopped = await notarizeFiles({ service, workspace, inputs: { path: 'nowhere' } })

    expect(dry).toMatchObject({ exitCode: 0, outputs: { verdict: 'dry-run' } })
    expect(stopped).toMatchObject({ exitCode: 1, outputs: { verdict: 'stopped' } })
  })
})

/** What goes wrong beside an outage, so that the run must fail. */
interface Worse {
  readonly what: string
  readonly service: SimulatorOptions
  readonly code: string
  /** Lines of the records file before the run, for a service. */
  readonly known?: (service: Simulator) => readonly unknown[]
  readonly inputs?: Scenario['inputs']
}

const both = (fault: Fault): SimulatorOptions => ({
  faults: [fails('a', outage), fails('b', fault)],
})

const worse: readonly Worse[] = [
  { what: 'a registration was refused', service: both(statusFault(404)), code: 'refused' },
  { what: 'a payment was refused', service: both(statusFault(402)), code: 'refused' },
  { what: 'a right was refused', service: both(statusFault(403)), code: 'refused' },
  { what: 'the token was refused', service: both(statusFault(401)), code: 'login-refused' },
  {
    what: 'an answer was no record',
    service: both(rawFault('<html>')),
    code: 'invalid-response',
  },
  {
    what: 'an answer was a redirect',
    service: both(redirectFault('https://elsewhere.example/')),
    code: 'invalid-response',
  },
  {
    what: 'a record contradicted its request',
    service: {
      faults: [fails('a', outage)],
      record: (hash, record) => (hash === sha256('b') ? { ...record, signed: true } : record),
    },
    code: 'record-mismatch',
  },
  {
    what: 'a record of an earlier run contradicted its request',
    service: { faults: [fails('a', outage)] },
    known: service => [
      makeLine(service.url, 'b', {
        record: { ...makeRecord(sha256('b')), status: 'pending' },
        problems: ['status is "pending", not "registered"'],
      }),
    ],
    code: 'record-mismatch',
  },
  {
    what: 'the key was refused',
    service: { faults: [{ endpoint: 'login', fault: statusFault(401) }] },
    code: 'login-refused',
  },
  {
    what: 'the login was not understood',
    service: { faults: [{ endpoint: 'login', fault: statusFault(404) }] },
    code: 'invalid-response',
  },
]

describe('a run with an outage and more', () => {
  it.each(worse)('fails always, as $what', async ({ service: options, code, known, inputs }) => {
    const service = await startService(options)
    const workspace = makeFiles('a', 'b')
    if (known !== undefined) workspace.write(RECORDS, toJsonLines(known(service)))

    const run = await notarizeFiles({ service, workspace, inputs: { concurrency: '1', ...inputs } })

    expect(run.exitCode).toBe(1)
    expect(run.results.verdict).toBe('failed')
    expect(run.results.failures.map(failure => failure.code)).toContain(code)
    expect(run.summary.split('\n')[0]).not.toContain('deferred')
  })

  it('fails when refused payments broke it off', async () => {
    const names = ['1', '2', '3', '4', '5', '6', '7']
    const service = await startService({
      faults: ({ endpoint, nthOfEndpoint }) =>
        endpoint === 'completion' ? (nthOfEndpoint < 3 ? statusFault(402) : outage) : undefined,
    })

    const run = await notarizeFiles({
      ...{ service, workspace: makeFiles(...names) },
      inputs: { concurrency: '1' },
    })

    expect(run).toMatchObject({ exitCode: 1, outputs: { verdict: 'failed' } })
  })

  it('fails when an asset could not be read', async () => {
    const github = await startRelease(
      [
        { name: 'a', content: 'a' },
        { name: 'b', content: 'b', digest: null },
      ],
      { faults: [{ route: 'storage', fault: { kind: 'status', status: 503 } }] },
    )
    const service = await startService({ faults: [fails('a', outage)] })

    const run = await notarizeRelease({
      ...{ github, service },
      inputs: { 'if-service-unavailable': 'warn', 'max-attempts': '1' },
    })

    expect(run).toMatchObject({ exitCode: 1, outputs: { verdict: 'failed' } })
  })

  it('fails when it was cancelled', async () => {
    const service = await startService({ faults: [fails('a', silenceFault())] })
    const github = await startGitHub()
    const inputs = { path: 'dist', 'release-tag': '', 'if-service-unavailable': 'warn' }
    const workspace = makeFiles('a')
    const { child, finished } = startAction(optionsOf({ github, service, workspace, inputs }))
    const timer = setInterval(() => {
      if (service.inFlight > 0) child.kill('SIGINT')
    }, 50)

    const run = await finished
    clearInterval(timer)

    expect(run.exitCode).toBe(1)
    expect(run.outputs['verdict']).toBe('failed')
  })

  it.each(['', 'error'])('fails with if-service-unavailable "%s"', async policy => {
    const service = await startService({ faults: [fails('a', outage)] })

    const run = await notarizeFiles({
      ...{ service, workspace: makeFiles('a', 'b') },
      inputs: { 'if-service-unavailable': policy },
    })

    expect(run).toMatchObject({ exitCode: 1, outputs: { verdict: 'partial' } })
  })

  it('is stopped for any other value', async () => {
    const service = await startService()
    const run = await notarizeFiles({
      ...{ service, workspace: makeFiles('a') },
      inputs: { 'if-service-unavailable': 'ignore' },
    })

    expect(run).toMatchObject({ exitCode: 1, outputs: { verdict: 'stopped' } })
    expect(run.annotations.error).toEqual([
      expect.stringMatching(/^input "if-service-unavailable" must be error or warn/),
    ])
  })
})

describe('a deferred release', () => {
  const assets = ['a.zip', 'b.zip', 'c.zip'].map(name => ({ name, content: name }))
  const inputs = { ...attach, 'if-service-unavailable': 'warn', 'max-attempts': '1' }

  it('is finished by a later run on a new machine, by what the release holds', async () => {
    let isUp = false
    const service = await startService({
      repeat: 'accept',
      faults: ({ hash }) => (!isUp && hash === sha256('b.zip') ? outage : undefined),
    })
    const github = await startRelease(assets)

    const run = await notarizeRelease({ github, service, inputs })
    expectDeferred(run, { failed: 1, total: 3 })
    expect(hashesOf(heldLines(github))).toEqual(hashesFor('a.zip', 'c.zip'))

    isUp = true
    const later = await notarizeRelease({ github, service, inputs })
    expect(later).toMatchObject({ exitCode: 0, outputs: { verdict: 'registered' } })
    expect(hashesOf(heldLines(github))).toEqual(hashesFor('a.zip', 'b.zip', 'c.zip'))
    expect(Object.values(completions(service))).toEqual([1, 1, 1])
  })

  it('fails when the records could not be attached', async () => {
    const service = await startService({ faults: [fails('b.zip', outage)] })
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

    expectDeferred(run, { failed: 3, total: 3 })
    expect(github.texts(TAG)).toEqual(before)
  })
})

describe('the token of GitHub', () => {
  it('is masked and sent nowhere in a run without a release', async () => {
    const service = await startService()
    const run = await notarizeFiles({
      ...{ service, workspace: makeFiles('a') },
      env: { RUNNER_DEBUG: '1' },
    })

    expect(run.exitCode).toBe(0)
  })

  it('is taken from the default, as a workflow does not name it', async () => {
    const github = await startRelease([{ name: 'a.zip', content: 'a' }])
    const service = await startService()

    const run = await notarizeRelease({
      ...{ github, service },
      inputs: { 'github-token': undefined },
      env: { 'INPUT_GITHUB-TOKEN': github.token, RUNNER_DEBUG: '1' },
    })

    expect(run.exitCode).toBe(0)
    expect(github.calls.map(({ headers }) => headers['authorization'])).toEqual([
      ...[1, 2, 3].map(() => `token ${github.token}`),
    ])
  })

  it('is needed with a release: without it nothing is sent', async () => {
    const github = await startRelease([{ name: 'a.zip', content: 'a' }])
    const service = await startService()

    const run = await runAction(
      optionsOf({ github, service, inputs: { 'github-token': undefined } }),
    )

    expect(run.exitCode).toBe(1)
    expect(run.annotations.error).toEqual([expect.stringMatching(/^input "github-token"/)])
    expect([...github.calls, ...service.requests]).toEqual([])
  })

  // checkRun looks for it in everything that leaves the action.
  it('is taken out when GitHub echoes it in an error, with whatever would act in the log', async () => {
    const github = await startRelease([{ name: 'a.zip', content: 'a' }])
    const message = `bad ${github.token}\n::stop-commands::x\r\n##[error]y <b>`
    github.setFaults([
      { route: 'list-releases', fault: { kind: 'status', status: 500, body: { message } } },
    ])
    const service = await startService()

    const run = await notarizeRelease({ github, service, env: { RUNNER_DEBUG: '1' } })

    expect(run.exitCode).toBe(1)
    expect(run.annotations.error).toHaveLength(1)
    expect(run.annotations.error[0]).toContain('***')
  })

  it('is taken out when GitHub echoes it while records are attached', async () => {
    const github = await startRelease([{ name: 'a.zip', content: 'a' }])
    const body = { message: `bad ${github.token}` }
    github.setFaults([{ route: 'rename-asset', fault: { kind: 'status', status: 403, body } }])
    const service = await startService()

    const run = await notarizeRelease({ github, service, inputs: attach, failsToAttach: true })

    expect(run.annotations.error).toEqual([expect.stringContaining('***')])
  })

  it('is taken out of a record of the service, and of what is attached', async () => {
    const github = await startRelease([{ name: 'a.zip', content: 'a' }])
    const service = await startService({ record: () => ({ description: `by ${github.token}` }) })

    const run = await notarizeRelease({ github, service, inputs: attach })

    expect(run.exitCode).toBe(0)
    expect(run.results.records).toMatchObject([{ record: { description: 'by ***' } }])
    expect(JSON.stringify(github.texts(TAG))).not.toContain(github.token)
    expect(heldLines(github)).toHaveLength(1)
  })
})

describe('commit and run', () => {
  const commit = `https://ghe.example:8443/octo/app/commit/${job.sha}`
  const run = `https://ghe.example:8443/octo/app/actions/runs/${job.runId}`
  const env = { GITHUB_SERVER_URL: 'https://ghe.example:8443', GITHUB_RUN_ATTEMPT: '3' }

  it('are linked by each entry of the records file and by the summary, on the server of the run', async () => {
    const service = await startService()
    const done = await notarizeFiles({ service, workspace: makeFiles('a', 'b'), env })

    const lines = done.workspace.read(RECORDS).split('\n').slice(0, -1)
    expect(lines).toHaveLength(2)
    for (const line of lines) {
      expect(line).toContain(`"${commit}"`)
      expect(line).toMatch(new RegExp(`"${run}(/attempts/3)?"`))
    }
    expect(done.summary).toContain(`<a href="${commit}">`)
    expect(done.summary).toMatch(new RegExp(`<a href="${run}(/attempts/3)?">`))
  })

  it('are linked also by the summary of a run that sent nothing and of one that failed', async () => {
    const service = await startService({ faults: [fails('a', statusFault(404))] })
    const workspace = makeFiles('a')

    const failed = await notarizeFiles({ service, workspace, env })
    const dry = await notarizeFiles({ service, workspace, env, inputs: { 'dry-run': 'true' } })

    for (const { summary } of [failed, dry]) expect(summary).toContain(`<a href="${commit}">`)
  })

  it('are left away where they are not known', async () => {
    const service = await startService()
    const away = {
      GITHUB_SERVER_URL: undefined,
      GITHUB_RUN_ID: undefined,
      GITHUB_SHA: undefined,
      GITHUB_REPOSITORY: undefined,
    }
    const github: FakeGitHub = await startGitHub()
    const workspace = makeFiles('a')
    const inputs = { path: 'dist', 'release-tag': '' }
    const done = await runAction(optionsOf({ github, service, workspace, inputs, env: away }))

    expect(done.exitCode).toBe(0)
    expect(done.summary).not.toContain('<a ')
    expect(done.summary).not.toMatch(/undefined|null/)
    expect(done.workspace.read(RECORDS)).not.toContain('undefined')
  })
})

describe('a run for a release without GITHUB_REPOSITORY', () => {
  it('is stopped before anything is sent', async () => {
    const github = await startRelease([])
    const service = await startPatientService()
    const inputs = { ...attach }

    const run = await runAction(
      optionsOf({ github, service, inputs, env: { GITHUB_REPOSITORY: undefined } }),
    )

    checkRun(run, { github, service })
    expect(run.exitCode).toBe(1)
    expect(run.annotations.error).toEqual([expect.stringContaining('GITHUB_REPOSITORY')])
    expect(service.requests).toEqual([])
  })
})
