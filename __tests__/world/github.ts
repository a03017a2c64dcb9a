/** The GitHub of the world: one release, to which another job attaches records at the same time. */
import type { GitHubClient } from '../../src/release/octokit.ts'
import type { Host } from '../../src/runtime/host.ts'
import { GitHubMemory, textOf, type StoredAsset } from '../support/github-memory.ts'
import { carryOut, findRoute, type ApiCall, type Reply } from '../support/github-routes.ts'
import { linesOf } from './disk.ts'
import { hashesOnPage, judgeDeletion, judgeUpload, recordedHashes } from './oracle.ts'
import type { Run } from './run.ts'
import type { Scheduler } from './scheduler.ts'

type Parameters = Readonly<Record<string, unknown>>

interface Fault {
  readonly does: string
  readonly acts: boolean
  /** Null if there is no answer. */
  readonly status: number | null
  /** Whether trying again is useless. */
  readonly isFinal?: boolean
}

/** Each can happen once per run. */
const faults: readonly Fault[] = [
  { does: 'is busy', acts: false, status: 502 },
  { does: 'acts, then fails', acts: true, status: 502 },
  { does: 'loses the request', acts: false, status: null },
  { does: 'loses the answer', acts: true, status: null },
  { does: 'asks to wait', acts: false, status: 429 },
  { does: 'refuses', acts: false, status: 403, isFinal: true },
]
const stopsHalfway: Fault = { does: 'stops halfway', acts: true, status: null }
const uploadFaults = [...faults, stopsHalfway]

/** After this many failures, a run may give up. */
const patience = 3
const maxRetries = 3

const tag = 'v1'
const recordsName = 'notarization-records.jsonl'
const pageName = 'notarization-evidence.md'
const otherJob = 'other job'

export class WorldGitHub {
  readonly #scheduler: Scheduler
  readonly #memory: GitHubMemory
  hasOtherEnded = false
  /** Whether the other job is about to upload its page. */
  #isOtherPageComing = false
  #failures = 0
  /** Whether the run has uploaded its page. */
  #hasPage = false
  /** The names of uploads whose outcome the run does not know. */
  readonly #lost = new Set<string>()
  /** Whether the run is about to look for its page among the assets. */
  #isLookup = false
  /** The hashes that the run last listed, except to look for its page, and that the page still lacks. */
  missingFromPage: readonly string[] = []

  /** `artifacts` are the names of assets; each contains its name. */
  constructor(scheduler: Scheduler, artifacts: readonly string[]) {
    this.#scheduler = scheduler
    const assets = artifacts.map(name => ({ name, content: name }))
    const tags = { [tag]: { commit: 'c0ffee' } }
    this.#memory = new GitHubMemory({ releases: [{ tag, assets }], tags })
  }

  /** Starts a run. */
  begin(run: Run): void {
    this.#memory.user = `run ${JSON.stringify(run.source)}`
    this.#failures = 0
    this.#hasPage = false
    this.#lost.clear()
    this.#isLookup = false
    this.missingFromPage = []
  }

  /** Whether a call was refused for good, or so many failed that the run may give up. */
  get isRefusing(): boolean {
    return this.#failures >= patience
  }

  /** Unfinished uploads that the run left. */
  get leftovers(): readonly string[] {
    const own = this.#assets.filter(({ uploader }) => uploader === this.#memory.user)
    return own.filter(({ state }) => state === 'starter').map(({ name }) => name)
  }

  /** Whether another job was faster with its page. */
  get hasOtherPage(): boolean {
    return this.find(pageName)?.uploader === otherJob
  }

  /** The records that the run has uploaded. */
  get uploads(): readonly string[] {
    return this.#records.filter(({ uploader }) => uploader === this.#memory.user).map(textOf)
  }

  /** The lines of all records assets. */
  get lines(): readonly string[] {
    return this.#records.flatMap(asset => linesOf(textOf(asset)))
  }

  /** The steps of another job. Its records file has this line, then an incomplete one. */
  *otherJob(line: string): Generator<undefined> {
    const add = (name: string, content: string, state: StoredAsset['state'] = 'uploaded'): void => {
      this.#memory.addAsset(tag, { name, content, state, uploader: otherJob })
    }
    const content = `${line}\n{"artifact":"`
    if (this.find(recordsName) === undefined) add(recordsName, content, 'starter')
    yield
    this.#remove(this.#assets.find(({ uploader }) => uploader === otherJob))
    const isTaken = this.find(recordsName) !== undefined
    add(isTaken ? 'notarization-records-other.jsonl' : recordsName, content)
    yield
    const page = [...recordedHashes(this.lines)].map(hash => `\`${hash}\``).join()
    this.#remove(this.find(pageName))
    this.#isOtherPageComing = true
    yield
    if (this.find(pageName) === undefined) add(pageName, page)
    this.#isOtherPageComing = false
    this.hasOtherEnded = true
  }

  /** What octokit with its plug-ins makes of this GitHub. */
  connect = ({ halt }: Host): Promise<GitHubClient> => {
    const request = async (route: string, parameters: Parameters) => {
      const { json, content } = await this.#repeat(callOf(route, parameters), halt.cancelled)
      return { data: content === undefined ? json : chunksOf(content) }
    }
    return Promise.resolve({ request, paginate: request })
  }

  /** The retry plug-in, which does not repeat uploads, and the throttling plug-in. */
  async #repeat(call: ApiCall, canceled: AbortSignal): Promise<Reply> {
    let retries = call.method === 'POST' ? maxRetries : 0
    for (;;) {
      if (canceled.aborted) throw errorOf(call, { status: noAnswer })
      const reply = await this.#scheduler.call(canceled, isAwaited => {
        return isAwaited ? this.#answer(call) : this.#act(call)
      })
      if (reply.status < 400) return reply
      const isLimit = reply.status === 429
      if (!isLimit && (reply.status < 500 || retries === maxRetries)) throw errorOf(call, reply)
      if (!isLimit) retries += 1
      await this.#scheduler.clock.sleep(isLimit ? 7000 : 1000, canceled)
    }
  }

  #answer(call: ApiCall): Reply {
    const { route, id } = findRoute(call)
    const name = call.query.get('name') ?? ''
    const isUpload = route === 'upload-asset'
    const fault = this.#scheduler.chooseFault(isUpload ? uploadFaults : faults)
    this.#scheduler.log(`  GitHub, ${route} ${name || id}: ${fault?.does ?? 'does it'}`)
    if (fault === undefined) {
      const reply = this.#act(call)
      // The name of an upload is taken.
      if (isUpload && reply.status >= 400) this.#failures += 1
      if (route === 'list-assets') this.#isLookup = false
      if (name === pageName && reply.status >= 400) this.#isLookup = true
      return reply
    }
    this.#failures += fault.isFinal === true ? patience : 1
    if (isUpload) this.#lost.add(name)
    if (name === pageName) this.#isLookup = true
    const reply = fault.acts ? this.#act(call) : null
    const added = reply?.status === 201 ? this.#assets.at(-1) : undefined
    if (fault === stopsHalfway && added !== undefined) added.state = 'starter'
    return { status: fault.status ?? noAnswer }
  }

  #act(call: ApiCall): Reply {
    const { route, id } = findRoute(call)
    const name = call.query.get('name') ?? ''
    const asset = this.#assets.find(stored => String(stored.id) === id)
    if (route === 'other') throw new Error(`the world does not know ${call.method} ${call.path}`)
    if (route === 'list-assets' && !this.#isLookup) {
      this.missingFromPage = this.#findMissingFromPage()
    }
    if (route === 'delete-asset' && asset !== undefined) {
      const { uploader, state } = asset
      // Nobody can know who started an unfinished upload.
      const mayBeOwn =
        state === 'starter' && (uploader.startsWith('run') || this.#lost.has(asset.name))
      const isOwn = mayBeOwn || uploader === this.#memory.user
      this.#scheduler.addViolations(`deletion of ${asset.name}`, judgeDeletion(asset, isOwn))
    }
    if (route === 'upload-asset' && this.find(name) === undefined) {
      this.#scheduler.addViolations(`upload of ${name}`, judgeUpload(name, String(call.body), this))
      if (name === pageName) this.#hasPage = true
    }
    const reply = carryOut(this.#memory, call)
    if (route === 'upload-asset' && name === pageName) {
      const missing = new Set(this.#findMissingFromPage())
      this.missingFromPage = this.missingFromPage.filter(hash => missing.has(hash))
    }
    return reply
  }

  get #assets(): readonly StoredAsset[] {
    return this.#memory.release(tag).assets
  }

  find(name: string): StoredAsset | undefined {
    return this.#assets.find(asset => asset.name === name)
  }

  #remove(asset: StoredAsset | undefined): void {
    if (asset !== undefined) this.#memory.removeAsset(tag, asset.name)
  }

  get #records(): readonly StoredAsset[] {
    return this.#assets.filter(({ name, state }) => {
      return state === 'uploaded' && name.startsWith('notarization-records')
    })
  }

  /** Returns nothing if another job is about to replace the page, or has replaced the page of this run. */
  #findMissingFromPage(): readonly string[] {
    const page = this.find(pageName)
    if (this.#isOtherPageComing || (this.#hasPage && page?.uploader === otherJob)) return []
    // A job uploads its page after its records.
    const isComing = page === undefined && !this.hasOtherEnded
    const assets = this.#records.filter(({ uploader }) => !isComing || uploader !== otherJob)
    const recorded = recordedHashes(assets.flatMap(asset => linesOf(textOf(asset))))
    return [...recorded.difference(hashesOnPage(page === undefined ? '' : textOf(page)))]
  }
}

/** Fills in a route of octokit, such as `GET /repos/o/r/releases/{id}`. */
function callOf(route: string, { data, name, ...inPath }: Parameters): ApiCall {
  const [method = '', template = ''] = route.split(' ')
  const path = template
    .replace(/^\/repos\/[^/]+\/[^/]+/, '')
    .replace(/\{\?.*\}/, '')
    .replace(/\{(\w+)\}/, (_, key: string) => String(inPath[key]))
  const query = new URLSearchParams(typeof name === 'string' ? { name } : {})
  const body = Buffer.isBuffer(data) ? data : Buffer.alloc(0)
  return { method, path, query, body, uploadUrl: '' }
}

/** Status of a call without an answer. */
const noAnswer = 599

/** Creates the error that octokit throws. */
function errorOf({ method, path }: ApiCall, { status }: Reply): Error {
  const request = { method, url: `https://api.github.example${path}` }
  const response = status === noAnswer ? undefined : { status, data: {} }
  return Object.assign(new Error(`HTTP ${status}`), { status, request, response })
}

async function* chunksOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(content)
}
