/** The GitHub of the world: one release, to which another job attaches records at the same time. */
import { hash } from 'node:crypto'
import { GitHubApi, type Answer, type ConnectOptions } from '../../src/release/api.ts'
import { linesOf } from './disk.ts'
import { findBroken, ofDeletion, ofUpload, recordedHashes } from './oracle.ts'
import { connectionReset, type Scheduler } from './scheduler.ts'

interface WorldAsset {
  readonly id: number
  readonly name: string
  readonly text: string
  /** Who has uploaded it: a run by its number, or somebody else. */
  readonly owner: number | 'author' | 'other job'
  readonly isUploaded: boolean
}

/** What becomes of a call. */
interface Course {
  readonly does: string
  readonly acts: boolean
  readonly error: Error
  /** Whether trying again is of no use. */
  readonly isFinal?: boolean
}

function status(code: number, headers: Readonly<Record<string, string>> = {}): Error {
  return Object.assign(new Error(`HTTP ${code}`), { status: code, response: { headers, data: {} } })
}

const hour = status(403, { 'retry-after': '3600' })

/** Each may happen once in a run. */
const faults: readonly Course[] = [
  { does: 'is busy', acts: false, error: status(502) },
  { does: 'acts, then fails', acts: true, error: status(502) },
  { does: 'loses the request', acts: false, error: connectionReset },
  { does: 'loses the answer', acts: true, error: connectionReset },
  { does: 'asks to wait', acts: false, error: status(429, { 'retry-after': '7' }) },
  { does: 'asks to wait for an hour', acts: false, error: hour, isFinal: true },
  { does: 'refuses', acts: false, error: status(403), isFinal: true },
]
const stopsHalfway: Course = { does: 'stops halfway', acts: true, error: connectionReset }
const ofUploads = [...faults, stopsHalfway]

/** What is tried in vain so often ends a run before anything is spent. */
const patience = 5

const recordsName = 'notarization-records.jsonl'
const pageName = 'notarization-evidence.md'

type Parameters = Readonly<Record<string, unknown>>

/** The release with its assets. */
export class WorldGitHub {
  readonly #scheduler: Scheduler
  #assets: readonly WorldAsset[] = []
  #nextId = 1
  /** The page that the other job is about to upload; null when it is not about to. */
  #otherPage: string | null = null
  #hasOtherEnded = false
  #run = 0
  #onCall = (): void => undefined
  #faults = 0
  #isRefused = false
  #hasPage = false
  /** The names of uploads whose fate the run does not know. */
  readonly #lost = new Set<string>()
  /** Whether the run has found that the release takes files. */
  isWritable = false
  /** The hashes that the page lacked when the run listed the assets last. */
  lackingOnPage: readonly string[] = []

  /** `artifacts` are the names of assets; each is its own content. */
  constructor(scheduler: Scheduler, artifacts: readonly string[]) {
    this.#scheduler = scheduler
    for (const name of artifacts) this.#add({ name, text: name, owner: 'author' })
  }

  /** A run begins; `onCall` is called before each of its calls. */
  begin(run: number, onCall: () => void): void {
    this.#run = run
    this.#onCall = onCall
    this.#faults = 0
    this.#isRefused = false
    this.#hasPage = false
    this.#lost.clear()
    this.isWritable = false
    this.lackingOnPage = []
  }

  /** Whether something was refused for good, or so much went wrong that the run may give up. */
  get isRefusing(): boolean {
    return this.#isRefused || this.#faults >= patience
  }

  /** Assets of the run that nobody needs. */
  get leftovers(): readonly string[] {
    const own = this.#assets.filter(({ owner }) => owner === this.#run)
    const useless = own.filter(one => !one.isUploaded || one.name.includes('write-test'))
    return useless.map(({ name }) => name)
  }

  /** The records assets of the run. */
  get uploads(): readonly string[] {
    return this.#records.filter(({ owner }) => owner === this.#run).map(({ text }) => text)
  }

  /** The lines of all records assets. */
  get lines(): readonly string[] {
    return this.#records.flatMap(({ text }) => linesOf(text))
  }

  /** What another job does, one after the other; its file ends with an incomplete line. */
  otherJob(line: string): readonly (() => void)[] {
    const owner = 'other job'
    const own = { name: recordsName, text: `${line}\n{"artifact":"`, owner } as const
    const steps = [
      () => {
        if (this.#find(recordsName) === undefined) this.#add({ ...own, isUploaded: false })
      },
      () => {
        this.#assets = this.#assets.filter(one => one.owner !== owner)
        const isFree = this.#find(recordsName) === undefined
        this.#add(isFree ? own : { ...own, name: 'notarization-records-other.jsonl' })
      },
      () => {
        this.#otherPage = [...recordedHashes(this.lines)].map(one => `\`${one}\``).join()
        this.#remove(this.#find(pageName))
      },
      () => {
        const text = this.#otherPage ?? ''
        if (this.#find(pageName) === undefined) this.#add({ name: pageName, text, owner })
        this.#otherPage = null
        this.#hasOtherEnded = true
      },
    ]
    return steps.map((step, at) => () => {
      this.#scheduler.tell(`  the other job makes step ${at + 1}`)
      step()
    })
  }

  /** How the process of a run reaches GitHub. */
  connect = (options: ConnectOptions): Promise<GitHubApi> => {
    const { signal } = options
    const send = (route: string, parameters: Parameters): Promise<Answer> => {
      if (signal.aborted) return Promise.reject(connectionReset)
      this.#onCall()
      return this.#scheduler.call(signal, isHeard =>
        isHeard ? this.#answer(route, parameters) : this.#tryTo(route, parameters),
      )
    }
    return Promise.resolve(new GitHubApi(send, options))
  }

  #answer(route: string, parameters: Parameters): Answer {
    const [method = ''] = route.split(' ')
    const isUpload = method === 'POST'
    const fault = this.#scheduler.chooseFault(isUpload ? ofUploads : faults)
    const what = `  GitHub, ${method} ${JSON.stringify(parameters['name'] ?? parameters['id'] ?? '')}`
    this.#scheduler.tell(`${what}: ${fault?.does ?? 'does it'}`)
    if (fault === undefined) return { data: this.#act(route, parameters) }
    this.#faults += 1
    if (fault.isFinal === true) this.#isRefused = true
    if (isUpload) this.#lost.add(String(parameters['name']))
    if (fault.acts) this.#tryTo(route, { ...parameters, isUploaded: fault !== stopsHalfway })
    throw fault.error
  }

  /** Does what was asked although nobody hears of it. */
  #tryTo(route: string, parameters: Parameters): Answer {
    try {
      this.#act(route, parameters)
    } catch {
      // Nobody hears of that either.
    }
    return { data: null }
  }

  #act(route: string, parameters: Parameters): unknown {
    const asset = this.#assets.find(({ id }) => id === parameters['id'])
    switch (route.replace('/repos/{owner}/{repo}/', '')) {
      case 'GET releases/tags/{tag}':
        return { id: 1, tag_name: 'v1', draft: false, upload_url: 'https://uploads.example' }
      case 'GET git/ref/tags/{tag}':
        return { object: { sha: 'c0ffee', type: 'commit' } }
      case 'GET releases/{id}/assets':
        this.lackingOnPage = this.#lackingOnPage
        return this.#assets.map(describe)
      case 'GET releases/assets/{id}':
        if (asset?.isUploaded !== true) throw status(404)
        return chunksOf(asset.text)
      case 'DELETE releases/assets/{id}':
        if (asset === undefined) throw status(404)
        this.#delete(asset)
        return null
      case 'POST https://uploads.example{?name}':
        return describe(this.#upload(parameters))
      default:
        throw new Error(`the world does not know ${route}`)
    }
  }

  #upload({ name: given, data, isUploaded = true }: Parameters): WorldAsset {
    const name = String(given)
    const text = String(data)
    if (this.#find(name) !== undefined) throw status(422)
    const { lines } = this
    const ownName = `notarization-records-${sha256(text).slice(0, 12)}.jsonl`
    const facts = {
      name,
      ownName,
      isUsualTaken: this.#find(recordsName) !== undefined,
      isNew: linesOf(text).some(line => !lines.includes(line)),
      entries: entriesOf(text),
      recorded: recordedHashes(lines),
    }
    this.#scheduler.accuse(`upload of ${name}`, findBroken(ofUpload, facts))
    if (name === pageName) this.#hasPage = true
    if (name.includes('write-test')) this.isWritable = true
    return this.#add({ name, text, owner: this.#run, isUploaded: isUploaded === true })
  }

  #delete(asset: WorldAsset): void {
    const { name, owner, isUploaded } = asset
    // Whose an unfinished one is nobody can know.
    const mayBeOwn = typeof owner === 'number' || this.#lost.has(name)
    const isOwn = owner === this.#run || (!isUploaded && mayBeOwn)
    const facts = { name, isOwn, isUploaded }
    this.#scheduler.accuse(`deletion of ${name}`, findBroken(ofDeletion, facts))
    this.#remove(asset)
  }

  #add({
    isUploaded = true,
    ...asset
  }: Omit<WorldAsset, 'id' | 'isUploaded'> & { isUploaded?: boolean }): WorldAsset {
    const added = { ...asset, isUploaded, id: this.#nextId }
    this.#nextId += 1
    this.#assets = [...this.#assets, added]
    return added
  }

  #remove(asset: WorldAsset | undefined): void {
    this.#assets = this.#assets.filter(other => other !== asset)
  }

  #find(name: string): WorldAsset | undefined {
    return this.#assets.find(asset => asset.name === name)
  }

  get #records(): readonly WorldAsset[] {
    const isRecords = (name: string): boolean => name.startsWith('notarization-records')
    return this.#assets.filter(({ name, isUploaded }) => isUploaded && isRecords(name))
  }

  /** The hashes that the page lacks, unless another job is about to replace it, or has replaced that of this run. */
  get #lackingOnPage(): readonly string[] {
    const page = this.#find(pageName)
    if (this.#otherPage !== null || (this.#hasPage && page?.owner === 'other job')) return []
    // A job makes a page after its records.
    const isComing = page === undefined && !this.#hasOtherEnded
    const assets = this.#records.filter(({ owner }) => !isComing || owner !== 'other job')
    const recorded = recordedHashes(assets.flatMap(({ text }) => linesOf(text)))
    return [...recorded.difference(entriesOf(page?.text ?? ''))]
  }
}

/** The hashes that a page has an entry for. */
function entriesOf(page: string): ReadonlySet<string> {
  return new Set(page.matchAll(/`([0-9a-f]{64})`/g).map(([, one = '']) => one))
}

/** In hex. */
export function sha256(text: string): string {
  return hash('sha256', text)
}

function describe({ id, name, text, isUploaded }: WorldAsset): object {
  if (!isUploaded) return { id, name, size: 0, digest: null, state: 'starter' }
  const digest = `sha256:${sha256(text)}`
  return { id, name, size: Buffer.byteLength(text), digest, state: 'uploaded' }
}

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text))
}
