/** The GitHub of the world: one release, to which another job attaches records at the same time. */
import type { GitHubClient } from '../../src/release/octokit.ts'
import type { Host } from '../../src/runtime/host.ts'
import { GitHubMemory, textOf, type StoredAsset } from '../support/github-memory.ts'
import { carryOut, findRoute, type ApiCall, type Reply } from '../support/github-routes.ts'
import { makeLine, source } from '../support/samples.ts'
import { linesOf } from './disk.ts'
import { judgeDeletion, judgeUpload, otherJob, pageName } from './oracle.ts'
import { recordedHashes, recordsName } from './oracle.ts'
import type { Scheduler } from './scheduler.ts'
import { serviceUrl } from './service.ts'

type Parameters = Readonly<Record<string, unknown>>

interface Fault {
  readonly does: string
  readonly acts: boolean
  readonly status: number
}

/** Status of a call without an answer. */
const noAnswer = 599

/** Each can happen once per run. */
const faults: readonly Fault[] = [
  { does: 'is busy', acts: false, status: 502 },
  { does: 'acts, then fails', acts: true, status: 502 },
  { does: 'loses the request', acts: false, status: noAnswer },
  { does: 'loses the answer', acts: true, status: noAnswer },
  { does: 'asks to wait', acts: false, status: 429 },
  { does: 'refuses', acts: false, status: 403 },
]
const stopsHalfway: Fault = { does: 'stops halfway', acts: true, status: noAnswer }
const uploadFaults = [...faults, stopsHalfway]

/** After this many failures, a run may give up. */
const patience = 3
const maxRetries = 3

const tag = 'v1'
/** Another job has registered an artifact, too. */
const otherLine = makeLine(serviceUrl, 'b', { source: { ...source, runId: '9' } })

interface Listing {
  readonly artifacts: readonly StoredAsset[]
  /** Of all records assets. */
  readonly lines: readonly string[]
}

const nothing: Listing = { artifacts: [], lines: [] }

export class WorldGitHub {
  readonly #scheduler: Scheduler
  readonly #memory: GitHubMemory
  readonly #otherSteps = this.#otherJob()
  /** The names of uploads whose outcome the run does not know. */
  readonly #lost = new Set<string>()
  /** The content of the last page that the run deleted. */
  deletedPage = ''
  /** What the run was told when it first and last listed the assets. */
  first = nothing
  last = nothing
  /** How often GitHub has failed the run. */
  failures = 0

  /** `artifacts` are the names of assets; each contains its name. */
  constructor(scheduler: Scheduler, artifacts: readonly string[]) {
    this.#scheduler = scheduler
    const assets = artifacts.map(name => ({ name, content: name }))
    const tags = { [tag]: { commit: 'c0ffee' } }
    this.#memory = new GitHubMemory({ releases: [{ tag, assets }], tags })
  }

  /** Whether a call was refused for good, or so many failed that the run may give up. */
  get isRefusing(): boolean {
    return this.failures >= patience
  }

  get page(): StoredAsset | undefined {
    return this.find(pageName)
  }

  /** What the run has uploaded. */
  get own(): readonly StoredAsset[] {
    return this.#assets.filter(({ uploader }) => uploader === this.#memory.user)
  }

  /** The lines of all records assets. */
  get lines(): readonly string[] {
    const records = this.#assets.filter(({ name, state }) => {
      return state === 'uploaded' && name.startsWith('notarization-records')
    })
    return records.flatMap(asset => linesOf(textOf(asset)))
  }

  find(name: string): StoredAsset | undefined {
    return this.#assets.find(asset => asset.name === name)
  }

  /** Lets other jobs act at any time of a run. */
  interleave(): void {
    this.#scheduler.interrupt('another job publishes artifacts', () => {
      for (const name of ['b', 'late']) this.#replace(name, 'of another job')
    })
    this.#interleaveRecords()
  }

  #interleaveRecords(): void {
    this.#scheduler.interrupt('another job takes a step', () => {
      if (this.#otherSteps.next().done !== true) this.#interleaveRecords()
    })
  }

  /** Attaches records, whose last line is incomplete, and their page. */
  *#otherJob(): Generator<undefined> {
    const content = `${JSON.stringify(otherLine)}\n{"artifact":"`
    if (this.find(recordsName) === undefined) this.#replace(recordsName, content, 'starter')
    yield
    const isTaken = (this.find(recordsName)?.uploader ?? otherJob) !== otherJob
    this.#replace(isTaken ? 'notarization-records-other.jsonl' : recordsName, content)
    yield
    this.#replace(pageName, [...recordedHashes(this.lines)].map(hash => `\`${hash}\``).join())
  }

  #replace(name: string, content: string, state: StoredAsset['state'] = 'uploaded'): void {
    this.#memory.replaceAsset(tag, { name, content, state, uploader: otherJob })
  }

  /** Starts a run with what octokit and its plug-ins make of this GitHub. */
  connect = ({ halt, environment: { source } }: Host): Promise<GitHubClient> => {
    this.#memory.user = `run ${source.runId} ${source.runAttempt}`
    this.#lost.clear()
    this.deletedPage = ''
    this.first = nothing
    this.last = nothing
    this.failures = 0
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
    const name = call.query.get('name')
    const fault = this.#scheduler.chooseFault(name === null ? faults : uploadFaults)
    this.#scheduler.log(`  GitHub, ${route} ${name ?? id}: ${fault?.does ?? 'does it'}`)
    if (fault === null) {
      const reply = this.#act(call)
      // The name of an upload is taken.
      if (name !== null && reply.status >= 400) this.failures += 1
      if (route === 'list-assets') {
        const artifacts = this.#assets.filter(asset => !asset.name.startsWith('notarization-'))
        this.last = { artifacts, lines: this.lines }
        if (this.first === nothing) this.first = this.last
      }
      return reply
    }
    this.failures += fault.status === 403 ? patience : 1
    if (name !== null) this.#lost.add(name)
    const reply = fault.acts ? this.#act(call) : null
    const added = reply?.status === 201 ? this.#assets.at(-1) : undefined
    if (fault === stopsHalfway && added !== undefined) added.state = 'starter'
    return { status: fault.status }
  }

  #act(call: ApiCall): Reply {
    const { route, id } = findRoute(call)
    const name = call.query.get('name')
    const asset = this.#assets.find(stored => String(stored.id) === id)
    if (route === 'other') throw new Error(`the world does not know ${call.method} ${call.path}`)
    if (route === 'delete-asset' && asset !== undefined) {
      // Nobody can know who started an unfinished upload of that name.
      const mayBeOwn = asset.uploader.startsWith('run') || this.#lost.has(asset.name)
      this.#scheduler.addViolations(`deletion of ${asset.name}`, judgeDeletion(asset, mayBeOwn))
      if (asset.state === 'uploaded') this.deletedPage = textOf(asset)
    }
    if (name !== null && this.find(name) === undefined) {
      this.#scheduler.addViolations(`upload of ${name}`, judgeUpload(name, String(call.body), this))
    }
    return carryOut(this.#memory, call)
  }

  get #assets(): readonly StoredAsset[] {
    return this.#memory.release(tag).assets
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

/** Creates the error that octokit throws. */
function errorOf({ method, path }: ApiCall, { status }: Reply): Error {
  const request = { method, url: `https://api.github.example${path}` }
  const response = status === noAnswer ? undefined : { status, data: {} }
  return Object.assign(new Error(`HTTP ${status}`), { status, request, response })
}

async function* chunksOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(content)
}
