/** The artifact service of the world, and the post step. */
import { readState, wholeLines } from '../../src/keep/state.ts'
import type { ArtifactCall, KeptFiles, KeptRecords } from '../../src/runtime/outside.ts'
import { linesOf } from './disk.ts'
import { judgeKept } from './oracle.ts'
import type { Run } from './run.ts'
import { connectionReset, type Scheduler } from './scheduler.ts'

const isUnavailable = { does: 'is unavailable' }
const losesReply = { does: 'keeps the records, but loses the response' }
const isFull = { does: 'refuses the records' }

/** What jobs of a run keep as workflow artifacts. */
export class WorldArtifacts {
  readonly #scheduler: Scheduler
  #texts: string[] = []
  /** Whether the run could not read what earlier attempts kept. */
  hasFailed = false

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
  }

  /** All lines that are kept. */
  get lines(): readonly string[] {
    return this.#texts.flatMap(linesOf)
  }

  /** Starts a run, which may not see what was kept before. */
  begin(seesKept: boolean): void {
    this.hasFailed = false
    if (!seesKept) this.#texts = []
  }

  /** What `src/post.ts` does with the file and the state that main saved. Without a runner, nothing. */
  endJob(run: Run): void {
    const { scheduler, disk } = run.world
    const records = Buffer.from(disk.text)
    const { source } = run.host.environment
    const ofRun = { source, isForRelease: run.isOfRelease }
    const { isDue, isLost } = readState(run.states.get('records') ?? '', records, ofRun)
    if (isLost) scheduler.addViolations('post step', ['nothing is lost that it has to keep'])
    if (!run.inputs.keepRecords) return
    run.hasPostStep = true
    if (!isDue) return
    const does = scheduler.pick(['keeps the records', 'prints the records', 'does not run'])
    scheduler.log(`  the post step ${does}`)
    if (does === 'keeps the records') this.#texts.push(disk.text)
    if (does === 'prints the records') run.printed.push(...wholeLines(records))
    if (does === 'does not run') run.hasPostStep = false
    else run.isKeptLate = true
  }

  /** Connects the process of a run. */
  connect = (run: Run) => ({
    keep: ({ records, evidencePath }: KeptFiles, { signal }: ArtifactCall) =>
      this.#scheduler.call(signal, isAwaited => {
        const faults = [isUnavailable, losesReply, isFull]
        const fault = isAwaited ? this.#scheduler.chooseFault(faults) : null
        this.#scheduler.log(`  the artifact service ${fault?.does ?? 'keeps the records'}`)
        if (fault === null || fault === losesReply) {
          const text = records.toString()
          this.#scheduler.addViolations('upload of the records', judgeKept(text, evidencePath, run))
          this.#texts.push(text)
        }
        if (fault !== null) throw connectionReset
        return { name: 'records', url: null }
      }),
    find: (_: string, { signal }: ArtifactCall) =>
      this.#scheduler.call(signal, (isAwaited): readonly KeptRecords[] => {
        if (!isAwaited) return []
        this.hasFailed = this.#scheduler.chooseFault([isUnavailable]) !== null
        const does = this.hasFailed ? 'is unavailable' : 'returns the records'
        this.#scheduler.log(`  the artifact service ${does}`)
        if (this.hasFailed) throw connectionReset
        return this.#texts.map((text, index) => {
          return { name: `records ${index}`, url: null, bytes: Buffer.from(text) }
        })
      }),
  })
}
