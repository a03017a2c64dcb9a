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
import type { ForeignStep, Replay, RunFacts, World } from '../support/workflow.ts'
import type { ActionRun } from '../support/runner.ts'
import { readRecordsText } from '../support/record-lines.ts'
import { completions, RECORDS, TAG } from './release-support.ts'
import { API_KEY, secretsOf, sha256, startService, subscriptionText } from './support.ts'

const folder = resolve(import.meta.dirname, '../../examples')
const replayed = new Set<string>()

/** It asks a server on the internet for a time stamp: it is checked by the linters only. */
const NOT_REPLAYED = ['witness.yml']

afterAll(() => {
  expect([...replayed, ...NOT_REPLAYED].toSorted()).toEqual(readdirSync(folder).toSorted())
})

const refusal = statusFault(404)
const outage = statusFault(501)

interface Stage {
  readonly service: Simulator
  readonly github: FakeGitHub
  readonly world: World
  /** What happens to the completion of these contents from now on. */
  readonly set: (faults: Readonly<Record<string, Fault>>) => void
  /** Replays one attempt of the example, and checks what holds for every one. */
  readonly run: (name: string, facts?: Partial<Facts>) => Promise<Replay>
}

interface Facts extends RunFacts {
  /** What a user changes in the example. */
  readonly edit: (text: string) => string
  /** What is built from now on. */
  readonly builds: World['builds']
}

async function setStage({
  builds = { '': build },
  foreign = {},
  commands = {},
  secrets = { NOTARIZATION_API_KEY: API_KEY, NOTARIZATION_SUBSCRIPTION: subscriptionText },
  ...options
}: Partial<Pick<World, 'builds' | 'foreign' | 'secrets' | 'commands'>> &
  GitHubOptions = {}): Promise<Stage> {
  const github = await startGitHub({ tags: { [TAG]: { commit: job.sha } }, ...options })
  let faults: Readonly<Record<string, Fault>> = {}
  const service = await startService({
    repeat: 'accept',
    faults: ({ hash = '' }) =>
      Object.entries(faults).find(([content]) => sha256(content) === hash)?.[1],
  })
  const world: World = {
    ...{ github, serviceUrl: service.url, secrets, builds, commands },
    foreign: { 'actions/attest': () => undefined, ...goreleaser(github), ...foreign },
    ...{ caches: [], artifacts: new Map(), notes: new Map() },
  }
  const run: Stage['run'] = async (name, { edit, builds: rebuilt = builds, ...facts } = {}) => {
    replayed.add(name)
    const text = readFileSync(join(folder, name), 'utf8')
    const workflow = parseWorkflow(edit?.(text) ?? text)
    const first = { runId: '100', attempt: 1, event: 'push', ref: job.ref }
    const done = await replay(workflow, { ...world, builds: rebuilt }, { ...first, ...facts })
    for (const one of done.runs) checkStep(one, service, world)
    expect(github.mistakes).toEqual([])
    return done
  }
  const set: Stage['set'] = given => {
    faults = given
  }
  return { service, github, world, set, run }
}

function checkStep(run: ActionRun, service: Simulator, { github, artifacts }: World): void {
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

/** The verdicts of all runs of ours in these attempts. */
function verdicts(...attempts: readonly Replay[]): (string | undefined)[] {
  return attempts.flatMap(({ runs }) => runs.map(run => run.outputs['verdict']))
}

function resultsOf({ results }: Replay): Record<string, string> {
  return Object.fromEntries(Object.entries(results).map(([name, { result }]) => [name, result]))
}

function artifactText({ artifacts }: World, name: string): string {
  const [bytes] = artifacts.get(name)?.values() ?? []
  return Buffer.from(bytes ?? '').toString()
}

/** The hashes that the records of a release have. */
function attachedHashes(github: FakeGitHub): readonly string[] {
  const { records } = readRecordsText(github.texts(TAG)[RECORDS] ?? '')
  return records.map(({ hash }) => hash).toSorted()
}

const build = { 'app.tar.gz': 'tarball', 'app.zip': 'zip', 'notes.txt': 'notes' }
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

const sums = Object.entries(build).map(([name, text]) => `${sha256(text)}  ${name}\n`)
const docker = `
  case "$1" in
    login) test "$(cat)" = "$TOKEN" ;;
    buildx) while test "$1" != --metadata-file; do shift; done
      echo '{"containerimage.digest":"sha256:${sha256('image')}"}' > "$2" ;;
  esac
`

/** An example that registers something, with what it pays for, and where it has its records after three attempts. */
interface Registering {
  readonly name: string
  readonly paid: readonly string[]
  readonly builds?: World['builds']
  /** The job that registers. */
  readonly last: string
  readonly recordsOf: (stage: Stage) => string | undefined
}

const onRelease = { last: 'publish', recordsOf: ({ github }: Stage) => github.texts(TAG)[RECORDS] }
const inArtifact = {
  last: 'notarize',
  recordsOf: ({ world }: Stage) => artifactText(world, 'notarization-records-3'),
}
const inCache = {
  last: 'notarize',
  recordsOf: ({ world }: Stage) =>
    Buffer.from(world.caches.at(-1)?.files.get(RECORDS) ?? '').toString(),
}

it.each<Registering>([
  { name: 'release.yml', paid: contents, ...onRelease },
  { name: 'key-alone.yml', paid: contents, ...onRelease },
  { name: 'attest.yml', paid: contents, ...onRelease },
  { name: 'matrix.yml', paid: contents, builds: matrixBuilds, ...onRelease, last: 'release' },
  { name: 'goreleaser.yml', paid: ['tarball', 'zip', goreleaserSums], ...onRelease },
  { name: 'one-registration.yml', paid: [sums.join('')], ...onRelease },
  { name: 'no-release-cache.yml', paid: contents, ...inCache },
  { name: 'no-release-artifact.yml', paid: contents, ...inArtifact },
  { name: 'container.yml', paid: ['image'], ...inArtifact },
])('$name pays once in all attempts, and has all records in the end', async row => {
  const { name, paid, builds = { '': build }, last, recordsOf } = row
  const stage = await setStage({ builds, commands: { docker }, makesImmutable: true })
  const { github, service, run, set } = stage
  const release = () => github.releases().map(({ draft, immutable }) => ({ draft, immutable }))
  set({ [paid.at(-1) ?? '']: refusal })

  const first = await run(name)
  const unsuccessful = Object.entries(resultsOf(first)).filter(([, one]) => one !== 'success')
  expect(unsuccessful).toEqual([[last, 'failure']])
  expect(verdicts(first)).toEqual([paid.length > 1 ? 'partial' : 'failed'])
  const hasRelease = recordsOf === onRelease.recordsOf
  expect(release()).toEqual(hasRelease ? [{ draft: true, immutable: false }] : [])

  set({})
  const second = await run(name, { attempt: 2, failedOf: first })
  expect(release()).toEqual(hasRelease ? [{ draft: false, immutable: true }] : [])
  const third = await run(name, { attempt: 3, failedOf: againFrom(second, last) })

  expect(verdicts(second, third)).toEqual(['registered', 'registered'])
  expectOnce(service, paid)
  const { records } = readRecordsText(recordsOf(stage) ?? '')
  const hashes = new Set(records.map(({ hash }) => hash))
  expect([...hashes].toSorted()).toEqual(paid.map(sha256).toSorted())
  if (name === 'container.yml') expect(records[0]?.artifact).toBe('ghcr.io/octo/app:v1.2.3')
})

describe('release.yml', () => {
  it('pays nothing twice when the records could not be attached', async () => {
    const { github, service, run } = await setStage()
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
    const { service, run } = await setStage()
    await run('release.yml')

    const rebuilt = { '': { 'app.zip': 'other bytes' } }
    const second = await run('release.yml', { attempt: 2, builds: rebuilt })

    expect(resultsOf(second)).toEqual({ draft: 'success', publish: 'success' })
    expectOnce(service, contents)
  })
})

describe('finish-deferred.yml', () => {
  const schedule = { event: 'schedule', ref: 'refs/heads/main' }
  const edit = (text: string): string =>
    text.replace(/( +)attach-to-release: true\n/, '$&$1if-service-unavailable: warn\n')

  it('finishes what a release left in an outage, when the outage is over', async () => {
    const { github, service, run, set } = await setStage()
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

it.each([
  ['no-release-cache.yml', 1],
  ['no-release-artifact.yml', 2],
])('%s: when the tag is pushed again, as another run, each is paid %d times', async (...row) => {
  const [name, times] = row
  const { service, run, world } = await setStage()
  await run(name)
  world.artifacts.clear()
  await run(name, { runId: '101' })

  expect(Object.values(completions(service))).toEqual([times, times, times])
})

describe('attest.yml and deploy.yml', () => {
  /** A release that attest.yml made, and what was attested. */
  async function release() {
    const attested: { subjects: readonly string[]; predicate: string }[] = []
    const stage = await setStage({
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

  it.each<[string, string, { readonly removed?: string; readonly added?: string }]>([
    ['all files of the release', 'matched', {}],
    ['a file more', 'unknown', { added: 'more' }],
    ['a file that looks like one of ours', 'unknown', { added: 'notarization-x' }],
    ['a file less', 'missing', { removed: 'app.zip' }],
    ['a file with other bytes', 'altered', { removed: 'app.zip', added: 'app.zip' }],
  ])('deploy %s: %s', async (_, verdict, { removed, added }) => {
    const { github, run } = await release()
    if (removed !== undefined) github.removeAsset(TAG, removed)
    if (added !== undefined) github.addAsset(TAG, { name: added, content: 'evil' })

    expect(verdicts(await run('deploy.yml', facts))).toEqual([verdict])
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

    expect(verdicts(second, other)).toEqual(['registered', 'registered'])
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
    expect(verdicts(without, again)).toEqual(['registered', 'registered'])
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
    const { github, service, run } = await setStage({ secrets: {} })
    const facts = { event: 'pull_request', ref: 'refs/pull/7/merge' }

    for (const attempt of [1, 2]) {
      const done = await run('pull-request.yml', { ...facts, attempt })

      expect(verdicts(done)).toEqual(['dry-run'])
      expect(resultsOf(done)).toEqual({ 'dry-run': 'success' })
      expect(done.runs[0]?.summary).toContain('2 of 2 artifacts would be registered')
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
