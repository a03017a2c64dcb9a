import { createRequire } from 'node:module'
import { problemAt, Stop } from '../failure.ts'
import type { RecordsPlace, RecordsSource } from '../records/store.ts'
import type { Host } from '../runtime/host.ts'
import { proxyProblem } from '../service/transport.ts'
import { describeError } from '../text/system-error.ts'
import { pluralize } from '../text/phrases.ts'
import type * as library from './library.ts'

// The bundler would replace a call of `import`.
const load: (path: string) => typeof library = createRequire(import.meta.url)

/** The host, with the part that tests replace. */
export interface KeepHost extends Host {
  readonly findRecords?: typeof library.findRecords
}

/** The workflow artifacts of this run, where the post step keeps the records of each attempt. */
export class RunArtifacts implements RecordsPlace {
  readonly records: readonly RecordsSource[]
  readonly warnings: readonly string[] = []
  /** Why records of an earlier attempt may be absent, if they are: a clause without a period. */
  readonly whyMissing: string

  private constructor(whyMissing: string, records: readonly RecordsSource[] = []) {
    this.whyMissing = whyMissing
    this.records = records
  }

  /** Reads what earlier attempts kept, on attempt 2 or later. Throws a `Stop` if that fails. */
  static async open(
    { keepRecords }: { readonly keepRecords: boolean },
    host: KeepHost,
  ): Promise<RunArtifacts> {
    const { environment, clock, halt, runner } = host
    const { artifactService, proxies, source } = environment
    if (!keepRecords) return new RunArtifacts('"keep-records" is false')
    if (artifactService === null) return new RunArtifacts('this server has no artifact service')
    const whyMissing = '"Re-run all jobs" hides what earlier attempts kept'
    if (!(Number(source.runAttempt) > 1)) return new RunArtifacts(whyMissing)
    const problem = proxyProblem(artifactService.url, proxies)
    if (problem !== null) throw new Stop(problem)
    try {
      const { findRecords = load('./keep/index.js').findRecords } = host
      const records = await findRecords({ environment, clock, signal: halt.signal })
      runner.info(`Found ${pluralize(records.length, 'records file')} of earlier attempts`)
      return new RunArtifacts(whyMissing, records)
    } catch (error) {
      // The report says that the run was canceled.
      if (halt.isCancelled) throw new Stop()
      const text = `what earlier attempts kept cannot be read (${describeError(error)}); re-run the failed jobs; if that fails too, start a new run with keep-records: false, which pays again for what only those records know`
      throw new Stop(problemAt('keep-records', text))
    }
  }
}
