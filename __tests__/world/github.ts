/** The GitHub of the world: one release, to which other jobs upload. */
import type { GitHubClient } from '../../src/runtime/outside.ts'
import { lineOf } from '../records/entries.ts'
import { callOf, chunksOf, clientOf, errorOf, findRoute } from '../support/github.ts'
import { GitHubMemory, type ApiCall, type StoredAsset } from '../support/github.ts'
import { source } from '../support/samples.ts'
import { linesOf } from './disk.ts'
import type { Scheduler } from './scheduler.ts'
import { serviceUrl } from './service.ts'

type Parameters = Readonly<Record<string, unknown>>

/** Each can happen once per run. */
const faults = [
  { does: 'is unavailable', status: 502 },
  { does: 'refuses', status: 403 },
  { does: 'loses the response', status: null },
]
const cutsDownload = { does: 'cuts the download', status: 200 }

const tag = 'v1'
/** Another job has registered an artifact, too. */
const otherLine = lineOf('b', { service: serviceUrl, source: { ...source, runId: '9' } })
const otherRecords = `${otherLine}{"artifact":"`

export class WorldGitHub {
  readonly #scheduler: Scheduler
  readonly #memory: GitHubMemory
  /** What the run was told: the artifacts, and the lines of all records assets. */
  artifacts: readonly StoredAsset[] = []
  lines: readonly string[] = []
  /** Whether GitHub has failed the run. */
  hasFailed = false

  /** `artifacts` are the names of assets; each contains its name. */
  constructor(scheduler: Scheduler, artifacts: readonly string[]) {
    this.#scheduler = scheduler
    const assets = artifacts.map(name => ({ name, content: name }))
    const tags = { [tag]: { commit: 'c0ffee' } }
    this.#memory = new GitHubMemory({ releases: [{ tag, assets }], tags })
  }

  /** Lets other jobs act at any time of a run. */
  interleave(): void {
    this.#scheduler.interrupt('another job replaces an artifact', () => {
      this.upload('b', 'of another job')
    })
    this.#scheduler.interrupt('another job uploads its records', () => {
      this.upload('notarization-records-9.jsonl', otherRecords)
    })
  }

  /** Uploads an asset, in place of one that has its name. */
  upload(name: string, content: string): void {
    const assets = this.#memory.assetsOf(tag)
    const index = assets.findIndex(asset => asset.name === name)
    // Records are never replaced.
    if (index >= 0 && name.startsWith('notarization-')) return
    if (index >= 0) assets.splice(index, 1)
    this.#memory.addAsset(tag, { name, content })
  }

  /** Starts a run with what octokit makes of this GitHub. */
  connect(canceled: AbortSignal): GitHubClient {
    this.artifacts = []
    this.lines = []
    this.hasFailed = false
    const request = (route: string, parameters: Parameters): Promise<{ data: unknown }> =>
      this.#scheduler.call(canceled, isAwaited => {
        return { data: isAwaited ? this.#answer(callOf(route, parameters)) : null }
      })
    return clientOf(request)
  }

  #answer(call: ApiCall): unknown {
    const { route, id } = findRoute(call)
    const isDownload = route === 'get-asset'
    const fault = this.#scheduler.chooseFault(isDownload ? [...faults, cutsDownload] : faults)
    this.#scheduler.log(`  GitHub, ${route} ${id}: ${fault?.does ?? 'does it'}`)
    if (fault !== null) this.hasFailed = true
    const { status, json, content } = this.#memory.answer(call)
    const isCut = fault === cutsDownload
    if (fault !== null && !isCut) throw errorOf(call, fault.status)
    if (status >= 400) throw errorOf(call, status)
    if (route === 'list-assets') {
      const assets = this.#memory.assetsOf(tag)
      const isRecords = ({ name }: StoredAsset): boolean => name.startsWith('notarization-')
      this.artifacts = assets.filter(asset => !isRecords(asset))
      const texts = assets.filter(isRecords).map(asset => Buffer.from(asset.content).toString())
      this.lines = texts.flatMap(linesOf)
    }
    if (content === undefined) return json
    return chunksOf(isCut ? content.subarray(0, content.length / 2) : content)
  }
}
