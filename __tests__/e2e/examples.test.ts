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
import { readRecordsText } from '../support/record-lines.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { completions, RECORDS, TAG } from './release-support.ts'
import { API_KEY, notarize, secretsOf, sha256, startService, subscriptionText } from './support.ts'

const folder = resolve(import.meta.dirname, '../../examples')
const replayed = new Set<string>()

/** It asks a server on the internet for a time stamp: it is checked by the linters only. */
const NOT_REPLAYED = ['witness.yml']

afterAll(() => {
  expect([...replayed, ...NOT_REPLAYED].toSorted()).toEqual(readdirSync(folder).toSorted())
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
  readonly run: (name: string, facts?: Partial<Facts>) => Promise<Replay>
}

interface Facts extends RunFacts {
  /** What a user changes in the example. */
  readonly edit: (text: string) => string
}

async function setStage({
  builds = {},
  foreign = {},
  commands = {},
  secrets = { NOTARIZATION_API_KEY: API_KEY, NOTARIZATION_SUBSCRIPTION: subscriptionText },
  ...options
}: Partial<Pick<World, 'builds' | 'foreign' | 'secrets' | 'commands'>> &
  GitHubOptions = {}): Promise<Stage> {
  const github = await startGitHub({ tags: { [TAG]: { commit: job.sha } }, ...options })
  const { service, set } = await startSwitchboard()
  const world: World = {
    ...{ github, serviceUrl: service.url, secrets, builds, commands },
    foreign: { 'actions/attest': () => undefined, ...goreleaser(github), ...foreign },
    ...{ caches: [], artifacts: new Map(), notes: new Map() },
  }
  const run: Stage['run'] = async (
    name,
    { edit = (text: string): string => text, ...facts } = {},
  ) => {
    replayed.add(name)
    const workflow = parseWorkflow(edit(readFileSync(join(folder, name), 'utf8')))
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

/** The records file has a record of each of these and of nothing else, and a later run needs no other. */
async function expectRecords(
  text: string,
  contents: readonly string[],
  { service }: Stage,
): Promise<void> {
  const { records } = readRecordsText(text)
  const hashes = new Set(records.map(({ hash }) => hash))
  expect([...hashes].toSorted()).toEqual(contents.map(sha256).toSorted())
  const files = Object.fromEntries(contents.map(content => [`dist/${content}`, content]))
  const before = service.requests.length
  const run = await notarize({ service, workspace: makeWorkspace({ ...files, [RECORDS]: text }) })
  expect(run.results.verdict).toBe('registered')
  expect(service.requests).toHaveLength(before)
}

/** The hashes that the records of a release have. */
function attachedHashes(github: FakeGitHub): readonly string[] {
  const { records } = readRecordsText(github.texts(TAG)[RECORDS] ?? '')
  return records.map(({ hash }) => hash).toSorted()
}

const build = { '': { 'app.tar.gz': 'tarball', 'app.zip': 'zip', 'notes.txt': 'notes' } }
const contents = ['tarball', 'zip', 'notes']
const failed = { result: 'failure', outputs: {} } as const

/** An attempt whose job of this name is run again, whatever became of it. */
function againFrom(replay: Replay, name: string): Replay {
  return { ...replay, results: { ...replay.results, [name]: failed } }
}

/** GoReleaser: builds, writes the checksums, and makes the draft. */
function goreleaser(github: FakeGitHub): World['foreign'] {
  return {
    'goreleaser/goreleaser-action': ({ inputs, workspace }) => {
      const assets = [
        { name: 'app_1.2.3_linux.tar.gz', content: 'tarball' },
        { name: 'app_1.2.3_darwin.tar.gz', content: 'zip' },
      ]
      const text = assets.map(({ name, content }) => `${sha256(content)}  ${name}\n`).join('')
      const sums = { name: 'app_1.2.3_checksums.txt', content: text }
      workspace.write(`dist/${sums.name}`, text)
      github.addRelease({
        ...{ tag: TAG, draft: inputs['args'] === 'release --clean --draft' },
        assets: [...assets, sums],
      })
    },
  }
}

const goreleaserSums = `${sha256('tarball')}  app_1.2.3_linux.tar.gz\n${sha256('zip')}  app_1.2.3_darwin.tar.gz\n`
const targets = ['linux-x64', 'linux-arm64', 'macos-arm64']
const matrixBuilds = Object.fromEntries(
  targets.map((target, at) => [target, { [`app-${target}.zip`]: contents[at] ?? '' }]),
)

describe.each([
  { name: 'release.yml', builds: build, paid: contents },
  { name: 'key-alone.yml', builds: build, paid: contents },
  { name: 'attest.yml', builds: build, paid: contents },
  { name: 'matrix.yml', builds: matrixBuilds, paid: contents },
  { name: 'goreleaser.yml', builds: {}, paid: ['tarball', 'zip', goreleaserSums] },
])('$name', ({ name, builds, paid }) => {
  const jobs = name === 'matrix.yml' ? ['build', 'release'] : ['draft', 'publish']
  const last = jobs[1] ?? ''

  it('publishes only what is notarized, and pays once in all attempts', async () => {
    const { github, service, run, set } = await setStage({ builds, makesImmutable: true })
    set({ zip: refusal })

    const first = await run(name)
    expect(resultsOf(first)).toEqual({ [jobs[0] ?? '']: 'success', [last]: 'failure' })
    expect(github.release(TAG).draft).toBe(true)

    set({})
    const second = await run(name, { attempt: 2, failedOf: first })
    expect(resultsOf(second)).toEqual({ [jobs[0] ?? '']: 'success', [last]: 'success' })
    expect(github.release(TAG)).toMatchObject({ draft: false, immutable: true })
    expect(attachedHashes(github)).toEqual(paid.map(sha256).toSorted())

    const third = await run(name, { attempt: 3, failedOf: againFrom(second, last) })
    expect(verdicts(third)).toEqual(['registered'])
    expectOnce(service, paid)
  })
})

describe('release.yml', () => {
  it('pays nothing twice when the records could not be attached', async () => {
    const { github, service, run } = await setStage({ builds: build })
    github.setFaults([{ route: 'upload-asset', from: 2, fault: { kind: 'status', status: 403 } }])

    const first = await run('release.yml')
    expect(resultsOf(first)).toEqual({ draft: 'success', publish: 'failure' })
    expect(verdicts(first)).toEqual(['registered'])
    expect(github.release(TAG).draft).toBe(true)

    github.setFaults([])
    const second = await run('release.yml', { attempt: 2, failedOf: first })
    expect(resultsOf(second)).toEqual({ draft: 'success', publish: 'success' })
    expect(attachedHashes(github)).toEqual(contents.map(sha256).toSorted())
    expectOnce(service, contents)
  })

  it('builds again in a whole re-run, and keeps the draft that is there', async () => {
    const { service, run, world } = await setStage({ builds: build })
    await run('release.yml')
    const again: World = { ...world, builds: { '': { 'app.zip': 'other bytes' } } }
    const workflow = parseWorkflow(readFileSync(join(folder, 'release.yml'), 'utf8'))

    const facts = { runId: '100', attempt: 2, event: 'push', ref: job.ref }
    const second = await replay(workflow, again, facts)

    expect(resultsOf(second)).toEqual({ draft: 'success', publish: 'success' })
    expectOnce(service, contents)
  })
})

describe('finish-deferred.yml', () => {
  const schedule = { event: 'schedule', ref: 'refs/heads/main' }
  const edit = (text: string): string =>
    text.replace(/( +)attach-to-release: true\n/, '$&$1if-service-unavailable: warn\n')

  it('finishes what a release left in an outage, when the outage is over', async () => {
    const { github, service, run, set } = await setStage({ builds: build })
    set({ tarball: outage, zip: outage })

    const first = await run('release.yml', { edit })
    expect(verdicts(first)).toEqual(['deferred'])
    expect(resultsOf(first)).toEqual({ draft: 'success', publish: 'success' })
    expect(github.release(TAG).draft).toBe(false)

    // The outage is not over.
    set({ zip: outage })
    const early = await run('finish-deferred.yml', { ...schedule, runId: '200' })
    expect(verdicts(early)).toEqual(['deferred'])

    set({})
    const later = await run('finish-deferred.yml', { ...schedule, runId: '201' })
    expect(verdicts(later)).toEqual(['registered'])
    expectOnce(service, contents)
    expect(attachedHashes(github)).toEqual(contents.map(sha256).toSorted())

    const requests = service.requests.length
    const idle = await run('finish-deferred.yml', { ...schedule, runId: '202' })
    expect(verdicts(idle)).toEqual(['registered'])
    expect(service.requests).toHaveLength(requests)
  })

  it('looks at several releases, and at none', async () => {
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

describe('goreleaser.yml', () => {
  it('stops when an asset is not the one of the checksums file', async () => {
    const { github, service, run } = await setStage()
    const first = await run('goreleaser.yml')
    expect(verdicts(first)).toEqual(['registered'])
    github.removeAsset(TAG, 'app_1.2.3_linux.tar.gz')
    github.addAsset(TAG, { name: 'app_1.2.3_linux.tar.gz', content: 'evil' })

    const second = await run('goreleaser.yml', {
      attempt: 2,
      failedOf: againFrom(first, 'publish'),
    })

    expect(verdicts(second)).toEqual(['stopped'])
    expectOnce(service, ['tarball', 'zip', goreleaserSums])
  })
})

describe.each(['no-release-cache.yml', 'no-release-artifact.yml'])('%s', name => {
  it('pays once in all attempts, and has all records in the end', async () => {
    const stage = await setStage({ builds: build })
    const { service, run, set, world } = stage
    set({ zip: refusal })
    const first = await run(name)
    expect(verdicts(first)).toEqual(['partial'])

    set({})
    const second = await run(name, { attempt: 2, failedOf: first })
    const third = await run(name, { attempt: 3, failedOf: againFrom(second, 'notarize') })
    expect([...verdicts(second), ...verdicts(third)]).toEqual(['registered', 'registered'])
    expectOnce(service, contents)
    const cached = world.caches.at(-1)?.files.get(RECORDS)
    const kept =
      name === 'no-release-cache.yml'
        ? Buffer.from(cached ?? '').toString()
        : artifactText(world, 'notarization-records-3')
    await expectRecords(kept, contents, stage)
  })

  it(
    name === 'no-release-cache.yml'
      ? 'finds the records when the tag is pushed again'
      : 'finds nothing when the tag is pushed again, as that is another run',
    async () => {
      const { service, run, world } = await setStage({ builds: build })
      await run(name)
      world.artifacts.clear()
      await run(name, { runId: '101' })

      const times = name === 'no-release-cache.yml' ? 1 : 2
      expect(Object.values(completions(service))).toEqual([times, times, times])
    },
  )
})

describe('attest.yml and deploy.yml', () => {
  /** A release that attest.yml made, and what was attested. */
  async function release() {
    const attested: { subjects: readonly string[]; predicate: string }[] = []
    const stage = await setStage({
      builds: build,
      foreign: {
        'actions/attest': ({ inputs, workspace }: ForeignStep): void => {
          const sums = inputs['subject-checksums']
          attested.push({
            subjects: [workspace.read(sums ?? inputs['subject-path'] ?? '')],
            predicate: sums === undefined ? '' : workspace.read(inputs['predicate-path'] ?? ''),
          })
        },
      },
    })
    await stage.run('attest.yml')
    return { ...stage, attested }
  }

  it('attest the artifacts with their records, and the records as they are attached', async () => {
    const { github, attested } = await release()
    const [artifacts, records] = attested

    const names = ['app.tar.gz', 'app.zip', 'notes.txt']
    expect(artifacts?.subjects[0]).toBe(
      names.map((one, at) => `${sha256(contents[at] ?? '')}  ${one}\n`).join(''),
    )
    const predicate: unknown = JSON.parse(artifacts?.predicate ?? '')
    expect(predicate).toEqual({
      records: readRecordsText(github.texts(TAG)[RECORDS] ?? '').records.map(
        ({ artifact, hash, service, record, source }) => {
          return { artifact, hash, service, record, source }
        },
      ),
    })
    expect(records?.subjects).toEqual([github.texts(TAG)[RECORDS]])
  })

  const facts = {
    ...{ event: 'workflow_dispatch', ref: 'refs/heads/main' },
    inputs: { tag: TAG, immutable: true },
  }

  it.each([
    ['all files of the release', 'matched', () => undefined],
    [
      'a file more',
      'unknown',
      (github: FakeGitHub) => github.addAsset(TAG, { name: 'more', content: 'x' }),
    ],
    [
      'a file that looks like one of ours',
      'unknown',
      (github: FakeGitHub) => github.addAsset(TAG, { name: 'notarization-x', content: 'x' }),
    ],
    [
      'a file less',
      'missing',
      (github: FakeGitHub) => {
        github.removeAsset(TAG, 'app.zip')
      },
    ],
    [
      'a file with other bytes',
      'altered',
      (github: FakeGitHub) => {
        github.removeAsset(TAG, 'app.zip')
        github.addAsset(TAG, { name: 'app.zip', content: 'evil' })
      },
    ],
  ] as const)('deploy %s: %s', async (_, verdict, change) => {
    const { github, run } = await release()
    change(github)

    expect(verdicts(await run('deploy.yml', facts))).toEqual([verdict])
  })
})

describe('container.yml', () => {
  it('registers the digest of the image, once in all attempts', async () => {
    const docker = [
      'case "$1" in',
      '  login) test "$(cat)" = "$TOKEN" ;;',
      '  buildx) while test "$1" != --metadata-file; do shift; done',
      `    echo '{"containerimage.digest":"sha256:${sha256('image')}"}' > "$2" ;;`,
      'esac',
    ].join('\n')
    const stage = await setStage({ commands: { docker } })
    const { service, run, world } = stage

    const first = await run('container.yml')
    const second = await run('container.yml', {
      attempt: 2,
      failedOf: againFrom(first, 'notarize'),
    })

    expect([...verdicts(first), ...verdicts(second)]).toEqual(['registered', 'registered'])
    expectOnce(service, ['image'])
    const { records } = readRecordsText(artifactText(world, 'notarization-records-2'))
    expect(records.map(({ artifact }) => artifact)).toEqual(['ghcr.io/octo/app:v1.2.3'])
  })
})

describe('one-registration.yml', () => {
  const sums = [...Object.entries(build[''])].map(([name, text]) => `${sha256(text)}  ${name}\n`)

  it('registers the checksums file alone, once in all attempts, and keeps its record', async () => {
    const { github, service, run, set } = await setStage({ builds: build })
    set({ [sums.join('')]: refusal })
    const first = await run('one-registration.yml')
    expect(resultsOf(first)).toEqual({ draft: 'success', publish: 'failure' })

    set({})
    const second = await run('one-registration.yml', { attempt: 2, failedOf: first })
    const third = await run('one-registration.yml', {
      ...{ attempt: 3, failedOf: againFrom(second, 'publish') },
    })

    expect([...verdicts(second), ...verdicts(third)]).toEqual(['registered', 'registered'])
    expectOnce(service, [sums.join('')])
    expect(attachedHashes(github)).toEqual([sha256(sums.join(''))])
    expect(github.release(TAG).draft).toBe(false)
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
    expect(readRecordsText(github.texts(tag)[RECORDS] ?? '').records).toHaveLength(2)
    expect(github.routes('storage')).not.toEqual([])
  })

  it('puts the evidence of an immutable release into its notes, behind those that are there', async () => {
    const { github, service, run, world } = await setStage({
      releases: [{ tag, assets, immutable: true }],
    })

    expect(verdicts(await run('backfill.yml', facts(true)))).toEqual(['stopped'])
    expect(service.requests).toEqual([])
    world.notes.set(tag, 'What is new')

    const without = await run('backfill.yml', { ...facts(false), runId: '101' })
    const again = await run('backfill.yml', { ...facts(false), runId: '101', attempt: 2 })
    expect([...verdicts(without), ...verdicts(again)]).toEqual(['registered', 'registered'])
    expectOnce(service, ['app', 'old'])
    expect(readRecordsText(artifactText(world, 'notarization-records')).records).toHaveLength(2)
    const notes = world.notes.get(tag) ?? ''
    expect(notes).toMatch(/^What is new\n# Notarization evidence\n/)
    expect(notes.split('# Notarization evidence')).toHaveLength(2)
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
