/**
 * Replays the unchanged examples and steps of the README, on a new machine for each job, with faults of GitHub, the
 * runner and the service. Each attempt is followed by checks of what was paid for, kept and published. The service knows no
 * hash before the action requests it, and accepts repetitions, so a second payment is counted.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { parse, stringify } from 'yaml'
import { z } from 'zod'
import { startSimulator, statusFault, type Fault, type Simulator } from '../../simulator/index.ts'
import { blocksOf, readPage } from '../docs/page.ts'
import { cleanUp, onCleanUp } from '../support/clean-up.ts'
import { describeScripts, identityOf, makeBundle, type GhFault } from '../support/gh.ts'
import { startGitHub, type FakeGitHub, type GitHubOptions } from '../support/github.ts'
import { job } from '../support/runner-environment.ts'
import { API_KEY, sha256 } from '../support/samples.ts'
import { parseWorkflow, replay, World } from '../support/workflow.ts'
import type { Disturbance, Replay, RunFacts } from '../support/workflow.ts'
import { makeTemporaryFolder } from '../support/workspace.ts'

afterAll(cleanUp)

const TAG: string = job.refName
const RECORDS = 'notarization-records.jsonl'
const isRecords = (name: string): boolean => /^notarization-records.*\.jsonl$/.test(name)
const isOwn = (name: string): boolean =>
  /^notarization-(?:records.*\.jsonl|evidence\.md)/.test(name)
const isRecord = (line: string): boolean => line.includes('"record":{')

/** How an attempt starts, and what goes wrong. */
interface Attempt {
  /** Default: "Re-run failed jobs". The first attempt is always a new run. */
  readonly start?: 'all' | 'new run'
  readonly sha?: string
  readonly event?: string
  readonly inputs?: RunFacts['inputs']
  /** Faults of `gh` and GoReleaser, by call. */
  readonly faults?: Readonly<Record<string, GhFault>>
  /** The action cannot attach. */
  readonly isReadOnly?: boolean
  readonly disturbance?: Disturbance
  /** How the service answers for files whose names contain a text. */
  readonly refused?: readonly [text: string, fault: Fault]
  /** A published file may lack a record, because a user or an attacker caused it. */
  readonly mayLackRecords?: boolean
  /** The job that must fail. By default, all must succeed. */
  readonly failsIn?: string
  /** What the log must match. */
  readonly says?: RegExp
}

/** A repository with one of the examples, and everything that outlives its jobs. */
class Repository extends World {
  readonly service: Simulator
  readonly github: FakeGitHub
  serviceUrl: string
  /** The package on npm. */
  readonly published = join(makeTemporaryFolder(), 'app.tgz')
  /** The target of GoReleaser's draft. Default: the commit, which the example configures. */
  target: string | undefined
  #file = ''
  #text = ''
  #last: Replay | undefined
  #attempt: Attempt = {}
  #facts: RunFacts = { ...job, file: '', attempt: 0, event: 'push', inputs: {}, before: {} }
  #builds = 0
  /** Number of faults that occurred in this attempt. */
  #hits = 0
  /** What all runs printed. */
  #log = ''

  constructor(service: Simulator, github: FakeGitHub) {
    super()
    this.service = service
    this.github = github
    this.serviceUrl = service.url
  }

  /** Uses this example from now on. */
  use(file: string, text = readPage(`examples/${file}`)): this {
    this.#file = file
    this.#text = text
    this.#last = undefined
    return this
  }

  /** Edits the example as its user would. */
  edit(from: string, to: string): void {
    if (!this.#text.includes(from)) throw new Error(`${this.#file} has no "${from}"`)
    this.#text = this.#text.replace(from, to)
  }

  /** Returns the files of a release that the action did not attach. */
  files(tag = TAG) {
    const files = this.github.release(tag).assets.filter(({ name }) => !isOwn(name))
    return files.map(({ name, content }) => {
      const bytes = Buffer.from(content)
      return { name, text: bytes.toString('latin1'), hash: sha256(bytes) }
    })
  }

  /** Returns whether the release is a draft, and how often each of its files was paid for. */
  ending() {
    const { draft } = this.github.release(TAG)
    const counts = this.files().map(({ hash }) => this.service.completionCounts.get(hash))
    return { draft, counts }
  }

  /** How often each hash was paid for. */
  get payments(): readonly number[] {
    return [...this.service.completionCounts.values()]
  }

  faultOf(call: string): GhFault | undefined {
    const fault = this.#attempt.faults?.[call]
    if (fault !== undefined) this.#hits += 1
    return fault
  }

  answer(endpoint: string, hash: string | undefined): Fault | undefined {
    if (endpoint !== 'completion') return undefined
    this.onServiceCall()
    const { refused: [text, fault] = ['', undefined] } = this.#attempt
    const files = this.github.releases.flatMap(({ tag }) => this.files(tag))
    return files.some(file => file.hash === hash && file.name.includes(text)) ? fault : undefined
  }

  /** Replays an attempt, and checks what must hold after each. */
  async run(attempt: Attempt = {}): Promise<Replay> {
    const { sha, inputs, event } = { ...this.#facts, ...attempt }
    const isNew = attempt.start === 'new run' || this.#last === undefined
    this.#attempt = attempt
    this.#facts = {
      file: this.#file,
      runId: String(Number(this.#facts.runId) + Number(isNew)),
      attempt: isNew ? 1 : this.#facts.attempt + 1,
      event,
      ref: event === 'push' ? job.ref : 'refs/heads/main',
      sha,
      inputs,
      before: isNew || attempt.start === 'all' ? {} : (this.#last?.results ?? {}),
    }
    this.#builds += 1
    this.#hits = 0
    Object.assign(this.commands, this.#commands())
    this.disturbance = attempt.disturbance
    this.github.setTag(TAG, { commit: sha })
    // The first upload only tests whether files can be uploaded.
    const fault = { kind: 'status', status: 403 } as const
    const from = this.github.routes('upload-asset').length + 2
    this.github.faults = attempt.isReadOnly === true ? [{ route: 'upload-asset', from, fault }] : []
    const known = this.#evidence()
    const paid = new Map(this.service.completionCounts)
    this.#last = await replay(parseWorkflow(this.#text), this, this.#facts)
    this.#log += this.#last.runs.map(run => run.stdout).join('')
    this.#checkEnd(this.#last)
    for (const [hash, count] of this.service.completionCounts) {
      const before = paid.get(hash) ?? 0
      if (count > before) this.#checkPayment(hash, before === 0 ? null : known)
    }
    if (attempt.mayLackRecords !== true) this.#checkPublished()
    return this.#last
  }

  /** Returns all lines that were kept: on releases, in artifacts and in the log. */
  #evidence(): readonly string[] {
    const assets = this.github.releases.flatMap(release => release.assets)
    const attached = assets.map(({ name, content }) => [name, content] as const)
    const files = attached.concat(this.artifacts.flatMap(artifact => [...artifact.files]))
    const records = files.filter(([name]) => isRecords(name))
    const texts = records.map(([, content]) => Buffer.from(content).toString())
    return [...texts, this.#log].join('\n').split('\n')
  }

  #checkEnd({ results, scriptErrors, runs }: Replay): void {
    const { failsIn = '', says = /^/, faults = {} } = this.#attempt
    const names = Object.keys(results)
    const failed = names.filter(name => /failure|cancelled/.test(results[name]?.result ?? ''))
    const log = [...scriptErrors, ...runs.map(run => run.visibleLog)].join('\n')
    expect({ failed: failed.join(), log }).toEqual({ failed: failsIn, log })
    expect(log).toMatch(says)
    expect(this.#hits).toBe(Object.keys(faults).length)
    expect(this.disturbance).toBeUndefined()
    expect(this.github.mistakes).toEqual([])
  }

  /** What was paid for is kept. A second payment follows a line that was open before, or a warning. */
  #checkPayment(hash: string, before: readonly string[] | null): void {
    const { disturbance } = this.#attempt
    const isSentIn = (lines: readonly string[]): boolean =>
      lines.some(line => line.includes(hash) && line.includes('"state":"sent"'))
    const lines = this.#evidence()
    const hasRecord = lines.some(line => line.includes(hash) && isRecord(line))
    const mayBeOpen = disturbance === 'machine' || (disturbance === 'kill' && isSentIn(lines))
    const warnings = this.#last?.runs.flatMap(({ annotations }) => annotations.warning) ?? []
    const isWarned = warnings.some(text => text.includes('will pay again'))
    const isAllowed = before === null || isSentIn(before) || isWarned
    expect([hash, hasRecord || mayBeOpen, isAllowed]).toEqual([hash, true, true])
  }

  /** Each published file has a record, and all come from one build of the tagged commit. */
  #checkPublished(): void {
    for (const { tag, assets } of this.github.releases.filter(({ draft }) => !draft)) {
      const records = assets.filter(({ name }) => isRecords(name))
      const texts = records.map(({ content }) => Buffer.from(content).toString()).join('')
      const lines = texts.split('\n').filter(isRecord)
      const files = this.files(tag)
      const unknown = files.filter(({ hash }) => !lines.some(line => line.includes(hash)))
      expect(unknown.map(({ name }) => name)).toEqual([])
      const builds = files.flatMap(({ text }) => / of (\w+ in build \d+)$/.exec(text)?.[1] ?? [])
      expect(new Set(builds).size).toBeLessThanOrEqual(1)
      for (const build of builds) expect(build.startsWith(this.#facts.sha)).toBe(true)
    }
  }

  get #build(): string {
    return `${this.#facts.sha} in build ${this.#builds}`
  }

  /** Returns the commands of the user's build, and npm. */
  #commands(): Record<string, string> {
    const make = `
      names="app.tar.gz app.zip notes.txt"
      for word; do case $word in OS=*) names="app-\${word#OS=}.zip" ;; esac; done
      mkdir -p dist
      for name in $names; do printf '%s of ${this.#build}' "$name" > "dist/$name"; done`
    const npm = `
      case "$1" in
        pack)
          mkdir package
          printf '{"name":"app","version":"1.2.3","build":"${this.#build}"}' > package/package.json
          tar -czf dist/app-1.2.3.tgz package ;;
        view)
          test -e ${this.published} || { echo 'npm error code E404' >&2; exit 1; }
          echo "sha512-$(openssl dgst -sha512 -binary ${this.published} | base64 -w 0)" ;;
        publish) test ! -e ${this.published}; cp "$2" ${this.published} ;;
      esac`
    return { make, npm }
  }

  /** GoReleaser with its default names and `replace_existing_draft`. It does not retry: a retry changes nothing. */
  runGoreleaser(): boolean {
    const { github } = this
    const names = ['app_1.2.3_linux.tar.gz', 'app_1.2.3_darwin.tar.gz']
    const files = names.map(name => ({ name, content: `${name} of ${this.#build}` }))
    const sums = files.map(({ name, content }) => `${sha256(content)}  ${name}\n`).join('')
    if (github.releases.some(({ tag, draft }) => tag === TAG && draft)) github.removeRelease(TAG)
    github.addRelease({ tag: TAG, draft: true, target: this.target ?? this.#facts.sha })
    for (const file of [{ name: 'app_1.2.3_checksums.txt', content: sums }, ...files]) {
      const fault = this.faultOf(`upload ${file.name}`)
      github.addAsset(TAG, { ...file, state: fault === 'cut' ? 'starter' : 'uploaded' })
      if (fault !== undefined) return false
    }
    return true
  }
}

/** Returns a repository with an example and the tag. */
async function setUp(file: string, options: GitHubOptions = {}): Promise<Repository> {
  const github = await startGitHub({ tags: { [TAG]: { commit: job.sha } }, ...options })
  const service = await startSimulator({
    apiKeys: [API_KEY],
    repeat: 'accept',
    repeatRequest: 'accept',
    faults: ({ endpoint, hash }) => repository.answer(endpoint, hash),
  })
  onCleanUp(() => void service.close())
  const repository: Repository = new Repository(service, github)
  return repository.use(file)
}

const verdicts = ({ runs }: Replay): unknown => runs.map(({ outputs }) => outputs['verdict'])

const refusal = statusFault(404)
const outage = statusFault(501)
const paidOnce = (count: number) => ({ draft: false, counts: Array<number>(count).fill(1) })

/** Examples that release a tag: the job that creates the draft, the last uploaded file, and the number of files. */
const releasing = [
  { file: 'release.yml', drafts: 'release', last: 'notes.txt', count: 3 },
  { file: 'goreleaser.yml', drafts: 'draft', last: 'app_1.2.3_darwin.tar.gz', count: 3 },
  { file: 'matrix.yml', drafts: 'release', last: 'app-windows-latest.zip', count: 3 },
  { file: 'npm.yml', drafts: 'release', last: 'app-1.2.3.tgz', count: 1 },
] as const

describeScripts.each(releasing)('$file', ({ file, drafts, last, count }) => {
  it('publishes the complete notarized release after broken uploads and lost answers', async () => {
    const repository = await setUp(file, { makesImmutable: true })
    const { service, github } = repository
    // Records uploaded by a fork are not read.
    const files = new Map([[RECORDS, Buffer.from('forged\n')]])
    const name = `notarization-records-${TAG}`
    repository.artifacts.push({ runId: '7', name, files, isForeign: true })
    await repository.run({ faults: { [`upload ${last}`]: 'cut' }, failsIn: drafts })
    const lost = { [`upload ${last}`]: 'happened' } as const
    await repository.run({ start: 'all', faults: lost, failsIn: drafts })
    await repository.run({ faults: { edit: 'happened' }, failsIn: 'release' })
    await repository.run()
    expect(repository.ending()).toEqual(paidOnce(count))
    expect(Object.keys(github.texts(TAG))).toContain(`${RECORDS}.sigstore.json`)

    const { length } = service.requests
    await repository.run({ start: 'all' })
    expect(service.requests).toHaveLength(length)
  })
})

// The others share the steps of release.yml, as scripts/examples.test.ts checks.
describeScripts.each(releasing.slice(0, 2))('$file', ({ file, drafts, last, count }) => {
  it('pays for nothing twice after refusals, a cancellation, other commits and files, and failed uploads', async () => {
    const repository = await setUp(file)
    const { github } = repository
    await repository.run({ refused: [last, refusal], isReadOnly: true, failsIn: 'release' })
    await repository.run({ refused: [last, refusal], failsIn: 'release' })
    const before = repository.files()

    const [sha, says] = ['f00d'.repeat(10), new RegExp(`was made from ${job.sha}`)]
    await repository.run({ start: 'new run', sha, failsIn: drafts, says })
    github.removeAsset(TAG, last)
    const lacks = { start: 'new run', sha: job.sha, says: /lacks the files above/ } as const
    await repository.run({ ...lacks, failsIn: 'release' })
    const content = before.find(({ name }) => name === last)?.text ?? ''
    github.addAsset(TAG, { name: last, content })

    await repository.run({ isReadOnly: true, disturbance: 'cancel', failsIn: 'release' })
    await repository.run({ start: 'new run' })
    expect(repository.files()).toEqual(before)
    expect(repository.ending()).toEqual(paidOnce(count))
    expect(repository.payments).toEqual(paidOnce(count).counts)
  })

  it('warns before it pays again if a machine died, and keeps open lines after a kill', async () => {
    const repository = await setUp(file)
    await repository.run({ disturbance: 'machine', failsIn: 'release' })
    await repository.run({ disturbance: 'kill', failsIn: 'release', says: /will pay again/ })
    await repository.run()
    expect(repository.ending().draft).toBe(false)
  })
})

describeScripts('release.yml', () => {
  it('continues with a draft whose creation seemed to fail, and stops if there are two drafts', async () => {
    const repository = await setUp('release.yml')
    await repository.run({ faults: { create: 'happened' }, failsIn: 'release' })
    repository.github.addRelease({ tag: TAG, draft: true })
    await repository.run({ failsIn: 'release', says: /was made from main/ })
    expect(repository.service.requests).toEqual([])
    repository.github.removeRelease(TAG)
    await repository.run()
  })

  it('stops if GitHub would change a file name', async () => {
    const repository = await setUp('release.yml')
    repository.edit('make dist # your build', 'mkdir dist; echo notes > "dist/the notes.txt"')
    await repository.run({ failsIn: 'release', says: /under other names/ })
    expect(repository.service.requests).toEqual([])
  })
})

describeScripts('goreleaser.yml', () => {
  it('stops if the draft does not name its commit', async () => {
    const repository = await setUp('goreleaser.yml')
    repository.target = 'main'
    await repository.run({ failsIn: 'release', says: /is not one draft/ })
    expect(repository.service.requests).toEqual([])
  })
})

describeScripts('npm.yml', () => {
  it('publishes the notarized file, and stops if npm has another file for this version', async () => {
    const repository = await setUp('npm.yml')
    await repository.run()
    expect(sha256(readFileSync(repository.published))).toBe(repository.files()[0]?.hash)

    repository.github.removeRelease(TAG)
    await repository.run({ start: 'new run', failsIn: 'release', says: /npm has other bytes/ })
    expect(repository.ending().draft).toBe(true)
  })
})

describeScripts('backfill.yml', () => {
  const daily = { event: 'schedule', start: 'new run' } as const

  it('registers day by day what a release deferred during an outage', async () => {
    const repository = await setUp('release.yml')
    const { service } = repository
    const input = 'attach-to-release: true'
    repository.edit(input, `${input}\n          if-service-unavailable: warn`)
    await repository.run({ refused: ['app', outage], mayLackRecords: true })
    expect(repository.ending().draft).toBe(false)

    repository.use('backfill.yml')
    await repository.run({ ...daily, refused: ['app.zip', outage], mayLackRecords: true })
    await repository.run(daily)
    expect(repository.ending().counts).toEqual([1, 1, 1])
    const { length } = service.requests
    await repository.run(daily)
    expect(service.requests).toHaveLength(length)
  })

  it('notarizes a release on request, and pays for nothing twice in a second run', async () => {
    const tag = 'release/1.0"$(id)`id`'
    const commit = job.sha
    const assets = [
      { name: 'a.zip', content: 'a', digest: null },
      { name: 'b.zip', content: 'b' },
    ]
    const repository = await setUp('backfill.yml', {
      releases: [{ tag, draft: true, assets }],
      tags: { [tag]: { commit } },
    })
    const byHand = { event: 'workflow_dispatch', inputs: { tag }, start: 'new run' } as const
    const cancel = { isReadOnly: true, disturbance: 'cancel', failsIn: 'notarize' } as const
    await repository.run({ ...byHand, ...cancel })
    await repository.run(byHand)
    expect(repository.payments).toEqual([1, 1])
  })

  it('skips immutable releases, and does nothing without a release', async () => {
    const repository = await setUp('backfill.yml')
    await repository.run(daily)
    const assets = [{ name: 'a', content: 'a' }]
    repository.github.addRelease({ tag: 'v1', immutable: true, assets })
    await repository.run({ ...daily, mayLackRecords: true })
    expect(repository.service.requests).toEqual([])
  })
})

describeScripts('deploy.yml', () => {
  const bundle = `${RECORDS}.sigstore.json`

  /** Assets of a release by name, which a case changes. */
  type Assets = Map<string, string>

  let released: readonly (readonly [string, string])[] = []
  let serviceUrl = ''
  beforeAll(async () => {
    const repository = await setUp('release.yml')
    await repository.run()
    released = Object.entries(repository.github.texts(TAG))
    serviceUrl = repository.service.url
  })

  const recordsOf = (assets: Assets): string => assets.get(RECORDS) ?? ''
  const sign = (assets: Assets, identity: string, records = recordsOf(assets)): Assets =>
    assets.set(RECORDS, records).set(bundle, makeBundle(records, identity))
  /** Adds a file and a records file with its record. */
  const plant = (assets: Assets): Assets => {
    const line = /^.*"hash":"(\w{64})".*"record":\{.*$/m.exec(recordsOf(assets))
    const evil = line?.[0].replaceAll(line[1] ?? '', sha256('evil')) ?? ''
    return assets.set('evil.zip', 'evil').set('notarization-records-evil.jsonl', `${evil}\n`)
  }
  const own = identityOf('release.yml', job.ref)
  const backfill = identityOf('backfill.yml', 'refs/heads/main')
  const ofOther = (assets: Assets): string => recordsOf(assets).replaceAll(job.ref, 'refs/tags/v1')

  it.each<readonly [string, string, (assets: Assets) => unknown]>([
    ['all files of the release', 'matched', () => undefined],
    ['records that backfill.yml attested', 'matched', all => sign(all, backfill)],
    ['records that changed by a byte', 'stopped', all => all.set(RECORDS, `${recordsOf(all)} `)],
    ['records without an attestation', 'stopped', all => all.delete(bundle)],
    ['records of another workflow', 'stopped', all => sign(all, own.replace('release', 'evil'))],
    ['records of another branch', 'stopped', all => sign(all, backfill.replace('main', 'x'))],
    ['backfilled records of another tag', 'stopped', all => sign(all, backfill, ofOther(all))],
    ['a planted file and its planted record', 'unknown', plant],
    ['a file with a name like ours', 'unknown', all => all.set('notarization-x', 'evil')],
    ['a file with other bytes', 'altered', all => all.set('app.zip', 'evil')],
    ['a missing file', 'missing', all => all.delete('app.zip')],
  ])('verifies %s with the verdict %s', async (_, verdict, tamper) => {
    const texts: Assets = new Map(released)
    tamper(texts)
    const assets = [...texts].map(([name, content]) => ({ name, content }))
    const repository = await setUp('deploy.yml', { releases: [{ tag: TAG, assets }] })
    repository.serviceUrl = serviceUrl
    const byHand = { event: 'workflow_dispatch', inputs: { tag: TAG }, mayLackRecords: true }
    const attempt = verdict === 'matched' ? byHand : { ...byHand, failsIn: 'deploy' }
    expect(verdicts(await repository.run(attempt))).toEqual([verdict])
  })
})

describeScripts('pull-request.yml', () => {
  it('shows what would be registered, without a secret or a call, and fails if nothing matches', async () => {
    const repository = await setUp('pull-request.yml')
    expect(verdicts(await repository.run({ event: 'pull_request' }))).toEqual(['dry-run'])
    repository.edit('path: dist/*', 'path: dist/*.exe')
    await repository.run({ start: 'all', failsIn: 'dry-run' })
    expect([...repository.service.requests, ...repository.github.calls]).toEqual([])
  })
})

describeScripts('the steps of README and recipes', () => {
  /** Returns the steps of a page by block. */
  const stepsOf = (page: string): readonly (readonly unknown[])[] => {
    const shown = blocksOf(page).filter(({ language }) => language === 'yaml')
    return shown.map(({ text }) => z.array(z.unknown()).parse(parse(text)))
  }
  const [[notarize, keep] = []] = stepsOf('README.md')
  const [container = [], many = [], artifact = [], cache = []] = stepsOf('docs/recipes.md')

  async function setUpSteps(...steps: readonly unknown[]): Promise<Repository> {
    const permissions = { contents: 'read', actions: 'read' }
    const job = { 'runs-on': 'ubuntu-latest', permissions, steps }
    const workflow = { name: 'Steps', on: { push: {} }, permissions: {}, jobs: { job } }
    return (await setUp('release.yml')).use('release.yml', stringify(workflow))
  }

  it('register the output of a build, keep the records, and warn before they pay again', async () => {
    const repository = await setUpSteps({ run: 'make dist' }, notarize, keep)
    expect(verdicts(await repository.run())).toEqual(['registered'])
    await repository.run({ start: 'all', says: /will pay again/ })
    expect(repository.artifacts).toHaveLength(2)
  })

  it('register a container image by its digest', async () => {
    const repository = await setUpSteps(...container, keep)
    const digest = sha256('image')
    repository.commands['docker'] = `echo '{"digest":"sha256:${digest}"}'`
    const { runs } = await repository.run()
    expect([...repository.service.completionCounts.keys()]).toEqual([digest])
    expect(runs[0]?.outputs['records']).toContain('"artifact":"ghcr.io/octo/app:v1.2.3"')
    repository.commands['docker'] = 'exit 1'
    await repository.run({ start: 'new run', failsIn: 'job' })
    expect(repository.payments).toEqual([1])
  })

  const [restore, save] = cache
  it.each([
    ['register many files at once', 'all', 1, [...artifact, ...many, keep]],
    ['find earlier records in artifacts', 'all', 2, [...artifact, notarize, keep]],
    ['find earlier records in the cache', 'new run', 2, [restore, notarize, save, keep]],
  ] as const)('%s', async (_, start, count, steps) => {
    const build = { run: 'mkdir dist; echo a > dist/a; echo b > dist/b' }
    const repository = await setUpSteps(build, ...steps)
    await repository.run()
    await repository.run({ start: 'all' })
    await repository.run({ start })
    expect(repository.payments).toEqual(paidOnce(count).counts)
  })
})
