/** The artifact service of the world. */
import type { ArtifactCall, KeptFiles, KeptRecords } from '../../src/runtime/outside.ts'
import { linesOf } from './disk.ts'
import { judgeKept } from './oracle.ts'
import type { Run } from './run.ts'
import { connectionReset, type Scheduler } from './scheduler.ts'

const isUnavailable = { does: 'is unavailable' }
const losesReply = { does: 'keeps the records, but loses the response' }

/** What jobs of a run keep as workflow artifacts. */
export class WorldArtifacts {
  readonly #scheduler: Scheduler
  #texts: string[] = []
  /** What jobs that run at the same time keep. */
  #meanwhile: readonly string[] = []
  /** Whether the run could not read what earlier attempts kept. */
  hasFailed = false

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
  }

  /** All lines that are kept. */
  get lines(): readonly string[] {
    return this.#texts.flatMap(linesOf)
  }

  /** Starts a run, which may not see what was kept before; `isBeside`: but later ones may. */
  begin(seesKept: boolean, isBeside: boolean): void {
    this.hasFailed = false
    const all = [...this.#meanwhile, ...this.#texts]
    this.#meanwhile = isBeside ? all : []
    this.#texts = seesKept ? all : []
  }

  /** Connects the process of a run. */
  connect = (run: Run) => ({
    keep: ({ records, evidencePath }: KeptFiles, { signal }: ArtifactCall) =>
      this.#scheduler.call(signal, isAwaited => {
        const faults = [isUnavailable, losesReply]
        const fault = isAwaited ? this.#scheduler.chooseFault(faults) : null
        this.#scheduler.log(`  the artifact service ${fault?.does ?? 'keeps the records'}`)
        if (fault !== isUnavailable) {
          const text = records.toString()
          this.#scheduler.addViolations('upload of the records', judgeKept(text, evidencePath, run))
          this.#texts.push(text)
          run.kept.push(...linesOf(text))
        }
        if (fault !== null) throw connectionReset
        run.hasKept = isAwaited
        return { name: 'records', url: null, isUploaded: true }
      }),
    find: async ({ signal }: ArtifactCall): Promise<readonly KeptRecords[]> => {
      this.hasFailed = true
      const texts = await this.#scheduler.call(signal, isAwaited => {
        const fault = isAwaited ? this.#scheduler.chooseFault([isUnavailable]) : null
        this.#scheduler.log(`  the artifact service ${fault?.does ?? 'returns the records'}`)
        if (fault !== null) throw connectionReset
        return this.#texts
      })
      this.hasFailed = false
      return texts.map((text, index) => {
        return { name: `records ${index}`, url: null, bytes: Buffer.from(text) }
      })
    },
  })
}
