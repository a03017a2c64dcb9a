/**
 * The examples, replayed: every step of ours with the bundle, on a new machine for each job, with a second attempt at
 * least. The service takes repetitions, so that a hash that is paid for twice is seen.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { statusFault } from '../../simulator/index.ts'
import type { Fault, Simulator } from '../../simulator/index.ts'
import { startGitHub } from '../support/github.ts'
import type { FakeGitHub, GitHubOptions } from '../support/github.ts'
import { job } from '../support/runner-environment.ts'
import { parseWorkflow, replay } from '../support/workflow.ts'
import type { ForeignStep, OurStep, Replay, RunFacts, World } from '../support/workflow.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { CHECKSUMS, completions, linesOf, RECORDS, TAG } from './release-support.ts'
import { API_KEY, notarize, secretsOf, sha256, startService, subscriptionText } from './support.ts'

const folder = resolve(import.meta.dirname, '../../examples')
const replayed = new Set<string>()

afterAll(() => {
  const registering = readdirSync(folder).filter(name =>
    readFileSync(join(folder, name), 'utf8').includes('uses: OWNER/REPO@'),
  )
  expect([...replayed].toSorted()).toEqual(registering.toSorted())
})

/** A service that can be told to refuse hashes, or to be out of order for them. */
interface Switchboard {
  readonly service: Simulator
  /** What happens to the completion of these contents from now on. */
  readonly set: (faults: Readonly<Record<string, Fault>>) => void
}

async function startSwitchboard(): Promise<Switchboard> {
  let faults: ReadonlyMap<string, Fault> = new Map()
  const service = await startService({
    repeat: 'accept',
    faults: ({ hash = '' }) => faults.get(hash),
  })
  return {
    service,
    set: given => {
      faults = new Map(Object.entries(given).map(([content, fault]) => [sha256(content), fault]))
    },
  }
}

const refusal = statusFault(404)
const outage = statusFault(501)

interface Stage extends Switchboard {
  readonly github: FakeGitHub
  readonly world: World
  /** Replays one attempt of the example, and checks what holds for every one. */
  readonly run: (name: string, facts?: Partial<RunFacts>) => Promise<Replay>
}

async function setStage({
  builds = {},
  foreign = {},
  secrets = { NOTARIZATION_API_KEY: API_KEY, NOTARIZATION_SUBSCRIPTION: subscriptionText },
  ...options
}: Partial<Pick<World, 'builds' | 'foreign' | 'secrets'>> & GitHubOptions = {}): Promise<Stage> {
  const github = await startGitHub({ tags: { [TAG]: { commit: job.sha } }, ...options })
  const { service, set } = await startSwitchboard()
  const world: World = {
    ...{ github, serviceUrl: service.url, secrets, builds, foreign },
    ...{ caches: [], artifacts: new Map() },
  }
  const run: Stage['run'] = async (name, facts = {}) => {
    replayed.add(name)
    const workflow = parseWorkflow(readFileSync(join(folder, name), 'utf8'))
    const done = await replay(workflow, world, {
      ...{ runId: '100', attempt: 1, event: 'push', ref: job.ref },
      ...facts,
    })
    for (const step of done.steps) checkStep(step, service, world)
    expect(github.mistakes).toEqual([])
    return done
  }
  return { github, service, set, world, run }
}

function checkStep({ run }: OurStep, service: Simulator, { github, artifacts }: World): void {
  expect(run).toMatchObject({ timedOut: false, signal: null, stderr: '' })
  const kept = [...artifacts.values()].flatMap(files =>
    [...files.values()].map(bytes => Buffer.from(bytes).toString()),
  )
  const said = run.lines.filter(line => !line.startsWith('::add-mask::')).join('\n')
  const texts = [said, run.summary, JSON.stringify(run.outputs), ...kept]
  const secrets = [github.token, ...secretsOf(service)]
  expect(secrets.filter(secret => texts.some(text => text.includes(secret)))).toEqual([])
}

/** Each of these contents was registered, and paid for once; nothing else was. */
function expectOnce(service: Simulator, contents: readonly string[]): void {
  expect(completions(service)).toEqual(Object.fromEntries(contents.map(one => [sha256(one), 1])))
}

function verdicts({ steps }: Replay): (string | undefined)[] {
  return steps.map(({ run }) => run.outputs['verdict'])
}

function resultsOf({ results }: Replay): Record<string, string> {
  return Object.fromEntries(Object.entries(results).map(([name, { result }]) => [name, result]))
}

function artifactText({ artifacts }: World, name: string): string {
  const [bytes] = artifacts.get(name)?.values() ?? []
  return Buffer.from(bytes ?? '').toString()
}

/** The merged or only records file holds a line for each of these, and a later run needs no other. */
async function expectRecords(text: string, contents: readonly string[], stage: Stage) {
  const hashes = linesOf(text).map(line => /"hash":"([0-9a-f]{64})"/.exec(line)?.[1])
  expect(hashes.toSorted()).toEqual(contents.map(sha256).toSorted())
  const files = Object.fromEntries(contents.map(content => [`dist/${content}`, content]))
  const before = stage.service.requests.length
  const run = await notarize({
    service: stage.service,
    workspace: makeWorkspace({ ...files, [RECORDS]: text }),
  })
  expect(run.results.verdict).toBe('registered')
  expect(stage.service.requests).toHaveLength(before)
}

const build = { '': { 'app.tar.gz': 'tarball', 'app.zip': 'zip', 'notes.txt': 'notes' } }

describe('release.yml', () => {
  it('finishes in a second attempt what the first left, and a third sends nothing', async () => {
    const stage = await setStage({ builds: build })
    const { service, run, set, world } = stage
    set({ zip: refusal })

    const first = await run('release.yml')
    expect(verdicts(first)).toEqual(['partial'])
    expect(resultsOf(first)).toEqual({ release: 'failure' })

    set({})
    const second = await run('release.yml', { attempt: 2 })
    expect(verdicts(second)).toEqual(['registered'])
    expectOnce(service, ['tarball', 'zip'])

    const requests = service.requests.length
    const third = await run('release.yml', { attempt: 3 })
    expect(verdicts(third)).toEqual(['registered'])
    expect(service.requests).toHaveLength(requests)
    await expectRecords(artifactText(world, 'notarization-records'), ['tarball', 'zip'], stage)
  })

  it('takes no records of another run', async () => {
    const { service, run } = await setStage({ builds: build })

    await run('release.yml', { runId: '10' })
    await run('release.yml', { runId: '1' })

    expect(Object.values(completions(service))).toEqual([2, 2])
  })
})

describe('attest.yml', () => {
  it('gives the attestation the names and hashes of all that was notarized', async () => {
    const subjects: string[] = []
    const attest = ({ inputs, workspace }: ForeignStep): void => {
      subjects.push(workspace.read(inputs['subject-checksums'] ?? ''))
    }
    const { service, run, set } = await setStage({
      builds: build,
      foreign: { 'actions/attest': attest },
    })
    set({ zip: refusal })

    expect(resultsOf(await run('attest.yml'))).toEqual({ release: 'failure' })
    expect(subjects).toEqual([])

    set({})
    expect(resultsOf(await run('attest.yml', { attempt: 2 }))).toEqual({ release: 'success' })
    expect(subjects).toEqual([
      ['app.tar.gz', 'app.zip', 'notes.txt']
        .map((name, at) => `${sha256(['tarball', 'zip', 'notes'][at] ?? '')}  dist/${name}\n`)
        .join(''),
    ])
    expectOnce(service, ['tarball', 'zip', 'notes'])
  })
})

describe('build-matrix.yml', () => {
  const targets = ['linux-x64', 'linux-arm64', 'macos-arm64']
  const builds = Object.fromEntries(
    targets.map(target => [
      target,
      { [`app-${target}.zip`]: target, [`${target}.txt`]: `${target}!` },
    ]),
  )
  const contents = targets.flatMap(target => [target, `${target}!`])

  it('hashes without a secret, and registers once in one job', async () => {
    const stage = await setStage({ builds })
    const { service, run, set, world } = stage
    set({ 'linux-arm64': refusal })

    const first = await run('build-matrix.yml')
    expect(verdicts(first)).toEqual(['dry-run', 'dry-run', 'dry-run', 'partial'])
    const dry = first.steps.filter(step => step.job === 'build')
    expect(dry.flatMap(({ inputs }) => Object.keys(inputs))).toEqual(
      targets.flatMap(() => ['path', 'dry-run']),
    )

    set({})
    const second = await run('build-matrix.yml', { attempt: 2, failedOf: first })
    expect(verdicts(second)).toEqual(['registered'])
    expectOnce(service, contents)

    const requests = service.requests.length
    const third = await run('build-matrix.yml', { attempt: 3 })
    expect(verdicts(third)).toEqual(['dry-run', 'dry-run', 'dry-run', 'registered'])
    expect(service.requests).toHaveLength(requests)
    await expectRecords(artifactText(world, 'notarization-records'), contents, stage)
  })

  it('stops where two builds have one name for different bytes', async () => {
    const same = Object.fromEntries(targets.map(target => [target, { 'app.zip': target }]))
    const { service, run } = await setStage({ builds: same })

    const first = await run('build-matrix.yml')

    expect(verdicts(first).at(-1)).toBe('stopped')
    expect(service.requests).toEqual([])
  })
})

describe('shards.yml', () => {
  const builds = {
    core: { 'core.zip': 'core', 'core.txt': 'core!' },
    plugins: { 'plugins.zip': 'plugins' },
    docs: { 'docs.zip': 'docs' },
  }
  const contents = ['core', 'core!', 'docs', 'plugins']

  it('joins the records of all shards, also those of a shard that failed', async () => {
    const stage = await setStage({ builds })
    const { service, run, set, world } = stage
    set({ 'core!': refusal })

    const first = await run('shards.yml')
    expect(verdicts(first)).toEqual(['partial', 'registered', 'registered'])
    expect(resultsOf(first)).toEqual({ notarize: 'failure', join: 'success' })
    await expectRecords(
      artifactText(world, 'notarization-records'),
      ['core', 'docs', 'plugins'],
      stage,
    )

    set({})
    const second = await run('shards.yml', { attempt: 2, failedOf: first })
    expect(resultsOf(second)).toEqual({ notarize: 'success', join: 'success' })
    expectOnce(service, contents)
    await expectRecords(artifactText(world, 'notarization-records'), contents, stage)
  })
})

describe('matrix-release-coverage.yml', () => {
  const targets = ['linux-x64', 'linux-arm64', 'macos-arm64']
  const builds = Object.fromEntries(
    targets.map(target => [target, { [`app-${target}.zip`]: target }]),
  )

  it('registers each part once, and releases only when all parts and all records are there', async () => {
    const foreign = { 'actions/attest': () => undefined }
    const { github, service, run, set, world } = await setStage({ builds, foreign })
    set({ 'linux-arm64': refusal })

    const first = await run('matrix-release-coverage.yml')
    expect(resultsOf(first)).toEqual({ build: 'failure', release: 'skipped' })

    set({})
    world.artifacts.clear()
    const second = await run('matrix-release-coverage.yml', { attempt: 2, failedOf: first })
    expect(resultsOf(second)).toEqual({ build: 'success', release: 'success' })
    expect(verdicts(second)).toEqual(['registered', 'registered', 'registered', 'matched'])
    expectOnce(service, targets)
    expect(linesOf(github.texts(TAG)[RECORDS])).toHaveLength(3)
  })

  it('makes no release when a part is lost on the way', async () => {
    const foreign = { 'actions/attest': () => undefined }
    const { github, run, world } = await setStage({ builds, foreign })
    const first = await run('matrix-release-coverage.yml')
    expect(resultsOf(first)).toEqual({ build: 'success', release: 'success' })
    const part = world.artifacts.get('part-macos-arm64') ?? new Map<string, Uint8Array>()
    const left = [...part].filter(([file]) => !file.startsWith('dist/'))
    world.artifacts.set('part-macos-arm64', new Map(left))

    const again = await run('matrix-release-coverage.yml', {
      attempt: 2,
      failedOf: {
        ...first,
        results: { ...first.results, release: { result: 'failure', outputs: {} } },
      },
    })

    expect(verdicts(again)).toEqual(['missing'])
    expect(resultsOf(again)).toEqual({ build: 'success', release: 'failure' })
    expect(github.releases()).toHaveLength(1)
  })
})

describe('draft-release.yml', () => {
  it('publishes only what is notarized, with its records in the release', async () => {
    const { github, service, run, set } = await setStage({ builds: build, makesImmutable: true })
    set({ notes: refusal })

    const first = await run('draft-release.yml')
    expect(resultsOf(first)).toEqual({ draft: 'success', publish: 'failure' })
    expect(github.release(TAG).draft).toBe(true)

    set({})
    const second = await run('draft-release.yml', { attempt: 2, failedOf: first })
    expect(resultsOf(second)).toEqual({ draft: 'success', publish: 'success' })
    expect(github.release(TAG)).toMatchObject({ draft: false, immutable: true })
    expect(Object.keys(github.texts(TAG)).toSorted()).toEqual(
      ['app.tar.gz', 'app.zip', 'notes.txt', CHECKSUMS, RECORDS].toSorted(),
    )
    expectOnce(service, ['tarball', 'zip', 'notes'])

    const third = await run('draft-release.yml', { attempt: 3 })
    expect(resultsOf(third)).toEqual({ draft: 'success', publish: 'success' })
    expect(github.releases()).toHaveLength(1)
    expectOnce(service, ['tarball', 'zip', 'notes'])
  })

  it('sends nothing twice when the records could not be attached', async () => {
    const { github, service, run } = await setStage({ builds: build })
    github.setFaults([{ route: 'upload-asset', from: 2, fault: { kind: 'status', status: 403 } }])

    const first = await run('draft-release.yml')
    expect(resultsOf(first)).toEqual({ draft: 'success', publish: 'failure' })
    expect(verdicts(first)).toEqual(['registered'])
    expect(github.release(TAG).draft).toBe(true)

    github.setFaults([])
    const second = await run('draft-release.yml', { attempt: 2, failedOf: first })
    expect(resultsOf(second)).toEqual({ draft: 'success', publish: 'success' })
    expect(linesOf(github.texts(TAG)[RECORDS])).toHaveLength(3)
    expectOnce(service, ['tarball', 'zip', 'notes'])
  })

  it('builds again in a new attempt, and keeps the draft that is there', async () => {
    const stage = await setStage({ builds: build })
    await stage.run('draft-release.yml')
    const again: World = { ...stage.world, builds: { '': { 'app.zip': 'other bytes' } } }
    const workflow = parseWorkflow(readFileSync(join(folder, 'draft-release.yml'), 'utf8'))

    const facts = { runId: '100', attempt: 2, event: 'push', ref: job.ref }
    const second = await replay(workflow, again, facts)

    expect(resultsOf(second)).toEqual({ draft: 'success', publish: 'success' })
    expectOnce(stage.service, ['tarball', 'zip', 'notes'])
  })
})

/** GoReleaser: builds, writes the checksums, and makes the release. */
function goreleaser(github: () => FakeGitHub): World['foreign'] {
  const files = { 'app_linux.tar.gz': 'linux', 'app_darwin.tar.gz': 'darwin' }
  return {
    'goreleaser/goreleaser-action': ({ workspace }) => {
      const assets = Object.entries(files).map(([name, content]) => ({ name, content }))
      const lines = assets.map(({ name, content }) => `${sha256(content)}  ${name}\n`)
      const text = lines.join('')
      workspace.write('dist/checksums.txt', text)
      github().addRelease({
        tag: TAG,
        assets: [...assets, { name: 'checksums.txt', content: text }],
      })
    },
  }
}

describe('goreleaser.yml and finish-deferred.yml', () => {
  const checksums = `${sha256('linux')}  app_linux.tar.gz\n${sha256('darwin')}  app_darwin.tar.gz\n`
  const contents = ['linux', 'darwin', checksums]
  const schedule = { event: 'schedule', ref: 'refs/heads/main' }

  async function setReleaseStage(): Promise<Stage> {
    const place: { github?: FakeGitHub } = {}
    const stage = await setStage({
      foreign: goreleaser(() => {
        if (place.github === undefined) throw new Error('There is no GitHub yet')
        return place.github
      }),
    })
    place.github = stage.github
    return stage
  }

  it('let a release pass in an outage, and finish it later', async () => {
    const { github, service, run, set } = await setReleaseStage()
    set({ linux: outage, [checksums]: outage })

    const first = await run('goreleaser.yml')
    expect(verdicts(first)).toEqual(['deferred'])
    expect(resultsOf(first)).toEqual({ release: 'success', notarize: 'success' })

    // The outage is not over.
    set({ [checksums]: outage })
    const early = await run('finish-deferred.yml', { ...schedule, runId: '200' })
    expect(verdicts(early)).toEqual(['deferred'])

    set({})
    const later = await run('finish-deferred.yml', { ...schedule, runId: '201' })
    expect(verdicts(later)).toEqual(['registered'])
    expectOnce(service, contents)
    expect(linesOf(github.texts(TAG)[RECORDS])).toHaveLength(3)

    const requests = service.requests.length
    const idle = await run('finish-deferred.yml', { ...schedule, runId: '202' })
    expect(verdicts(idle)).toEqual(['registered'])
    expect(service.requests).toHaveLength(requests)
  })

  it('send nothing twice when the release is run again after it was finished', async () => {
    const { service, run, set } = await setReleaseStage()
    set({ linux: outage })
    const first = await run('goreleaser.yml')
    set({})
    await run('finish-deferred.yml', { ...schedule, runId: '200' })

    const failedOf = {
      ...first,
      results: { ...first.results, notarize: { result: 'failure', outputs: {} } },
    } as const
    const second = await run('goreleaser.yml', { attempt: 2, failedOf })

    expect(verdicts(second)).toEqual(['registered'])
    expectOnce(service, contents)
  })

  it('stop when a published file is not the one of the checksums file', async () => {
    const { github, service, run } = await setReleaseStage()
    const first = await run('goreleaser.yml')
    expect(verdicts(first)).toEqual(['registered'])
    github.removeAsset(TAG, 'app_linux.tar.gz')
    github.addAsset(TAG, { name: 'app_linux.tar.gz', content: 'evil' })

    const failedOf = {
      ...first,
      results: { ...first.results, notarize: { result: 'failure', outputs: {} } },
    } as const
    const second = await run('goreleaser.yml', { attempt: 2, failedOf })

    expect(verdicts(second)).toEqual(['stopped'])
    expectOnce(service, contents)
  })

  it('look at several releases, and at none', async () => {
    const { github, service, run } = await setStage()
    const none = await run('finish-deferred.yml', schedule)
    expect(resultsOf(none)).toEqual({ list: 'success', finish: 'skipped' })

    for (const tag of ['v1', 'v2'])
      github.addRelease({ tag, assets: [{ name: 'a', content: tag }] })
    const both = await run('finish-deferred.yml', { ...schedule, runId: '101' })
    expect(verdicts(both)).toEqual(['registered', 'registered'])
    expectOnce(service, ['v1', 'v2'])
  })
})

describe('backfill.yml', () => {
  const tag = 'release/1.0"; echo $(id) `id` ${{ github.token }}'.replaceAll(' ', '_')
  const assets = [
    { name: 'app.zip', content: 'app' },
    { name: 'old.zip', content: 'old', digest: null },
  ]
  const facts = (attach: boolean) => ({
    event: 'workflow_dispatch',
    ref: 'refs/heads/main',
    inputs: { tag, attach },
  })

  it('notarizes a release by its digests, and a later run sends nothing', async () => {
    const { github, service, run, set } = await setStage({ releases: [{ tag, assets }] })
    set({ app: refusal })

    const first = await run('backfill.yml', facts(true))
    expect(verdicts(first)).toEqual(['partial'])
    set({})
    const second = await run('backfill.yml', { ...facts(true), attempt: 2 })
    const other = await run('backfill.yml', { ...facts(true), runId: '101' })

    expect([...verdicts(second), ...verdicts(other)]).toEqual(['registered', 'registered'])
    expectOnce(service, ['app', 'old'])
    expect(linesOf(github.texts(tag)[RECORDS])).toHaveLength(2)
    expect(github.routes('storage')).not.toEqual([])
  })

  it('keeps the records of an immutable release as an artifact', async () => {
    const { github, service, run, world } = await setStage({
      releases: [{ tag, assets, immutable: true }],
    })

    expect(verdicts(await run('backfill.yml', facts(true)))).toEqual(['stopped'])
    expect(service.requests).toEqual([])

    const without = await run('backfill.yml', { ...facts(false), runId: '101' })
    const again = await run('backfill.yml', { ...facts(false), runId: '101', attempt: 2 })
    expect([...verdicts(without), ...verdicts(again)]).toEqual(['registered', 'registered'])
    expectOnce(service, ['app', 'old'])
    expect(linesOf(artifactText(world, 'notarization-records'))).toHaveLength(2)
    expect(Object.keys(github.texts(tag))).toEqual(['app.zip', 'old.zip'])
  })
})

describe('pull-request.yml', () => {
  it('shows what would be registered, without a secret, in each attempt', async () => {
    const { github, service, run } = await setStage({ builds: build, secrets: {} })
    const facts = { event: 'pull_request', ref: 'refs/pull/7/merge' }

    for (const attempt of [1, 2]) {
      const done = await run('pull-request.yml', { ...facts, attempt })

      expect(verdicts(done)).toEqual(['dry-run'])
      expect(resultsOf(done)).toEqual({ 'dry-run': 'success' })
      expect(done.steps[0]?.run.summary).toContain('2 of 2 artifacts would be registered')
    }
    expect([...service.requests, ...github.calls]).toEqual([])
  })

  it('fails where a pattern matches nothing', async () => {
    const { run } = await setStage({ builds: { '': { 'app.zip': 'zip' } }, secrets: {} })

    expect(resultsOf(await run('pull-request.yml', { event: 'pull_request' }))).toEqual({
      'dry-run': 'failure',
    })
  })
})
