/** The GitHub of the world: one release, to which another job attaches records at the same time. */
import { createHash } from 'node:crypto'
import { GitHubApi, type Answer, type ConnectOptions } from '../../src/release/api.ts'
import { recordedHashes } from './oracle.ts'
import { Faults, linesOf, type Scheduler } from './world.ts'

/** Who has uploaded an asset: a run by its number, or somebody else. */
type Owner = number | 'author' | 'other job'

interface WorldAsset extends NewAsset {
  readonly id: number
  readonly sha256: string
  readonly isUploaded: boolean
}

interface NewAsset {
  readonly name: string
  readonly text: string
  readonly owner: Owner
  readonly isUploaded?: boolean
}

interface Fault {
  readonly name: string
  readonly isCarriedOut: boolean
  readonly error: Error
  /** Whether trying again is of no use. */
  readonly isFinal: boolean
}

function answerError(status: number, headers: Readonly<Record<string, string>> = {}): Error {
  return Object.assign(new Error(`HTTP ${status}`), { status, response: { headers, data: {} } })
}

const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' })
const usual = { isCarriedOut: false, isFinal: false }
const limited = answerError(403, { 'retry-after': '3600' })

const faults: readonly Fault[] = [
  { ...usual, name: 'is busy', error: answerError(502) },
  { ...usual, name: 'acts, then fails', error: answerError(502), isCarriedOut: true },
  { ...usual, name: 'loses the request', error: reset },
  { ...usual, name: 'loses the answer', error: reset, isCarriedOut: true },
  { ...usual, name: 'asks to wait', error: answerError(429, { 'retry-after': '7' }) },
  { ...usual, name: 'asks to wait for an hour', error: limited, isFinal: true },
  { ...usual, name: 'refuses', error: answerError(403), isFinal: true },
]

const leavesUnfinished: Fault = { ...usual, name: 'leaves it unfinished', error: reset }

const recordsName = 'notarization-records.jsonl'
const pageName = 'notarization-evidence.md'

/** What is tried in vain so often ends a run before anything is spent. */
const patience = 5

/** What GitHub sees of a run. */
export interface AttachingRun {
  readonly number: number
  /** Called before each call. */
  readonly onCall: () => void
}

/** The release with its assets. */
export class WorldGitHub {
  readonly #scheduler: Scheduler
  readonly #faults = new Faults([...faults, leavesUnfinished])
  #assets: readonly WorldAsset[] = []
  #nextId = 1
  #run: AttachingRun = { number: 0, onCall: () => undefined }
  #faultCount = 0
  #isRefused = false
  /** The names of uploads whose fate this run does not know. */
  readonly #doubtful = new Set<string>()
  #hasPage = false
  /** The page that the other job is about to upload. */
  #otherPage: string | null = null
  #hasOtherEnded = false
  /** What is wrong with the page as it was listed last; null for nothing. */
  pageProblem: string | null = null

  /** `artifacts` are the names of assets; each is its own content. */
  constructor(scheduler: Scheduler, artifacts: readonly string[]) {
    this.#scheduler = scheduler
    for (const name of artifacts) this.#add({ name, text: name, owner: 'author' })
  }

  /** A run begins. */
  begin(run: AttachingRun): void {
    this.#run = run
    this.#faults.renew()
    this.#faultCount = 0
    this.#isRefused = false
    this.#doubtful.clear()
    this.#hasPage = false
    this.isWritable = false
  }

  /** The lines of all records assets. */
  get lines(): readonly string[] {
    return this.#records().flatMap(({ text }) => linesOf(text))
  }

  /** Whether this run was refused something for good. */
  get isRefused(): boolean {
    return this.#isRefused || this.#faultCount >= patience
  }

  /** Whether this run has found that the release takes files. */
  isWritable = false

  /** The records assets of this run. */
  get uploads(): readonly string[] {
    const own = this.#records().filter(({ owner }) => owner === this.#run.number)
    return own.map(({ text }) => text)
  }

  /** Assets of this run that nobody needs. */
  get leftovers(): readonly string[] {
    const own = this.#assets.filter(({ owner }) => owner === this.#run.number)
    const useless = own.filter(one => !one.isUploaded || one.name.includes('write-test'))
    return useless.map(({ name }) => name)
  }

  /** What another job does, one after the other. */
  otherJob(line: string): (() => void)[] {
    const owner = 'other job'
    const file = `${line}\n{"artifact":"`
    const own = { name: recordsName, text: file, owner } as const
    return [
      () => {
        if (this.#find(recordsName) === undefined) this.#add({ ...own, isUploaded: false })
      },
      () => {
        const begun = this.#assets.find(one => one.owner === owner)
        if (begun !== undefined) this.#remove(begun)
        const isFree = this.#find(recordsName) === undefined
        this.#add(isFree ? own : { ...own, name: 'notarization-records-other.jsonl' })
      },
      () => {
        this.#otherPage = [...recordedHashes(this.lines)].map(hash => `\`${hash}\``).join()
        const page = this.#find(pageName)
        if (page !== undefined) this.#remove(page)
      },
      () => {
        const text = this.#otherPage ?? ''
        if (this.#find(pageName) === undefined) this.#add({ name: pageName, text, owner })
        this.#otherPage = null
        this.#hasOtherEnded = true
      },
    ].map((step, at) => () => {
      this.#scheduler.tell(`  the other job makes step ${at + 1}`)
      step()
    })
  }

  /** How the process of a run reaches GitHub. */
  connect = (options: ConnectOptions): Promise<GitHubApi> => {
    const send = (
      route: string,
      parameters: Readonly<Record<string, unknown>>,
    ): Promise<Answer> => {
      const { signal } = options
      if (signal.aborted) return Promise.reject(reset)
      this.#run.onCall()
      const act = (): unknown => this.#act(route, parameters)
      return this.#scheduler.call(signal, {
        arrive: () => {
          this.#try(act)
        },
        answer: () => this.#answer(route, parameters),
        end: () => {
          throw reset
        },
      })
    }
    return Promise.resolve(new GitHubApi(send, options))
  }

  #answer(route: string, parameters: Readonly<Record<string, unknown>>): Answer {
    const [method = ''] = route.split(' ')
    const isPossible = (one: Fault): boolean => one !== leavesUnfinished || method === 'POST'
    const fault = this.#faults.draw(this.#scheduler, isPossible)
    const what = `  GitHub, ${method} ${JSON.stringify(parameters['name'] ?? parameters['id'] ?? '')}`
    this.#scheduler.tell(`${what}: ${fault?.name ?? 'does it'}`)
    if (fault === undefined) return { data: this.#act(route, parameters) }
    this.#faultCount += 1
    if (fault.isFinal) this.#isRefused = true
    if (method === 'POST') this.#doubtful.add(String(parameters['name']))
    if (fault.isCarriedOut) this.#try(() => this.#act(route, parameters))
    if (fault === leavesUnfinished) this.#try(() => this.#upload(parameters, false))
    throw fault.error
  }

  /** Does what was asked although nobody hears of it. */
  #try(act: () => unknown): void {
    try {
      act()
    } catch {
      // Nobody hears of that either.
    }
  }

  #act(route: string, parameters: Readonly<Record<string, unknown>>): unknown {
    const asset = this.#assets.find(({ id }) => id === parameters['id'])
    switch (route.replace('/repos/{owner}/{repo}/', '')) {
      case 'GET releases/tags/{tag}':
        return { id: 1, tag_name: 'v1', draft: false, upload_url: 'https://uploads.example' }
      case 'GET git/ref/tags/{tag}':
        return { object: { sha: 'c0ffee', type: 'commit' } }
      case 'GET releases/{id}/assets':
        this.#notePage()
        return this.#assets.map(describe)
      case 'GET releases/assets/{id}':
        if (asset?.isUploaded !== true) throw answerError(404)
        return chunksOf(asset.text)
      case 'DELETE releases/assets/{id}':
        if (asset === undefined) throw answerError(404)
        this.#delete(asset)
        return null
      case 'POST https://uploads.example{?name}':
        return describe(this.#upload(parameters, true))
      default:
        throw new Error(`the world does not know ${route}`)
    }
  }

  #upload({ name, data }: Readonly<Record<string, unknown>>, isUploaded: boolean): WorldAsset {
    const asset = { name: String(name), text: String(data), owner: this.#run.number, isUploaded }
    if (this.#find(asset.name) !== undefined) throw answerError(422)
    this.#checkUpload(asset)
    if (asset.name === pageName) this.#hasPage = true
    if (asset.name.includes('write-test')) this.isWritable = true
    return this.#add(asset)
  }

  #checkUpload({ name, text }: { readonly name: string; readonly text: string }): void {
    const { lines } = this
    if (name === pageName) {
      const recorded = recordedHashes(lines)
      const shown = entriesOf(text)
      const areRecorded = shown.size > 0 && shown.isSubsetOf(recorded)
      this.#scheduler.require(areRecorded, 'a page was attached before its records')
    }
    if (!name.startsWith('notarization-records')) return
    const ownName = `notarization-records-${sha256(text).slice(0, 12)}.jsonl`
    const isTaken = this.#find(recordsName) !== undefined
    const isRight = name === recordsName || (isTaken && name === ownName)
    this.#scheduler.require(isRight, `the records were attached as ${name}`)
    const isNeeded = linesOf(text).some(line => !lines.includes(line))
    this.#scheduler.require(isNeeded, 'records were attached that the release has')
  }

  #delete(asset: WorldAsset): void {
    const { name, owner, isUploaded } = asset
    const isPage = name === pageName
    // Whose an unfinished one is nobody can know.
    const mayBeOwn = typeof owner === 'number' || this.#doubtful.has(name)
    const isOwn = owner === this.#run.number || (!isUploaded && mayBeOwn)
    const isRecords = name.startsWith('notarization-records')
    this.#scheduler.require(isPage || isOwn, `${name} of somebody else was deleted`)
    this.#scheduler.require(!isRecords || !isUploaded, 'records were deleted')
    this.#remove(asset)
  }

  #add(asset: NewAsset): WorldAsset {
    const added = { isUploaded: true, ...asset, id: this.#nextId, sha256: sha256(asset.text) }
    this.#nextId += 1
    this.#assets = [...this.#assets, added]
    return added
  }

  #remove(asset: WorldAsset): void {
    this.#assets = this.#assets.filter(other => other !== asset)
  }

  #find(name: string): WorldAsset | undefined {
    return this.#assets.find(asset => asset.name === name)
  }

  #records(): readonly WorldAsset[] {
    return this.#assets.filter(
      ({ name, isUploaded }) => isUploaded && name.startsWith('notarization-records'),
    )
  }

  /** Whoever has listed the assets must not leave a page of theirs that lacks records which they saw. */
  #notePage(): void {
    const page = this.#find(pageName)
    // A job makes a page after its records.
    const isComing = page === undefined && !this.#hasOtherEnded
    const assets = this.#records().filter(({ owner }) => !isComing || owner !== 'other job')
    const recorded = recordedHashes(assets.flatMap(({ text }) => linesOf(text)))
    const lacking = recorded.difference(entriesOf(page?.text ?? ''))
    const isOthers = this.#otherPage !== null || (this.#hasPage && page?.owner === 'other job')
    const isRight = lacking.size === 0 || isOthers
    this.pageProblem = isRight ? null : `the page lacks ${[...lacking].join()}`
  }
}

/** The hashes that a page has an entry for. */
function entriesOf(page: string): ReadonlySet<string> {
  return new Set(page.matchAll(/`([0-9a-f]{64})`/g).map(([, hash = '']) => hash))
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function describe({ id, name, text, sha256: digest, isUploaded }: WorldAsset): object {
  return {
    id,
    name,
    size: isUploaded ? Buffer.byteLength(text) : 0,
    digest: isUploaded ? `sha256:${digest}` : null,
    state: isUploaded ? 'uploaded' : 'starter',
  }
}

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text))
}
