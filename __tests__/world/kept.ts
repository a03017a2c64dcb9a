/** The artifact service of the world, where the post step keeps the records of each attempt. */
import type { RecordsSource } from '../../src/records/store.ts'
import { linesOf } from './disk.ts'
import type { Run } from './run.ts'
import { connectionReset, type Scheduler } from './scheduler.ts'

const isUnavailable = { does: 'is unavailable' }

export class WorldArtifacts {
  readonly #scheduler: Scheduler
  #texts: string[] = []
  /** Whether the run could not read what earlier attempts kept. */
  hasFailed = false

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
  }

  /** The lines that a run finds. */
  get lines(): readonly string[] {
    return this.#texts.flatMap(linesOf)
  }

  /** Starts a run, which may not see what was kept before. */
  begin(seesKept: boolean): void {
    this.hasFailed = false
    if (!seesKept) this.#texts = []
  }

  /** The post step, as the contract describes it: it needs nothing but the file. Without a runner, there is none. */
  keep({ source, world: { disk } }: Run): void {
    const { text } = disk
    const { runId, runAttempt } = source
    const hasLine = text.includes(JSON.stringify({ runId, runAttempt }).slice(1, -1))
    if (!hasLine) return
    const does = this.#scheduler.pick(['keeps the records', 'does not run', 'fails'])
    this.#scheduler.log(`  the post step ${does}`)
    if (does === 'keeps the records') this.#texts.push(text)
  }

  /** Downloads the records of earlier attempts. */
  find = (task: { readonly signal: AbortSignal }): Promise<readonly RecordsSource[]> =>
    this.#scheduler.call(task.signal, isAwaited => {
      if (!isAwaited) return []
      this.hasFailed = this.#scheduler.chooseFault([isUnavailable]) !== null
      this.#scheduler.log(`  the artifact service ${this.hasFailed ? 'is unavailable' : 'answers'}`)
      if (this.hasFailed) throw connectionReset
      return this.#texts.map((text, index) => {
        return { name: `records ${index}`, bytes: Buffer.from(text), remedy: 'delete it' }
      })
    })
}
