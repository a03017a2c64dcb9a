/** Results for reports. */
import type { FailureCode, JsonObject, Result } from '../../src/outcome.ts'
import { Halt } from '../../src/register/halt.ts'
import { report, type Ending, type ReportOptions } from '../../src/report/report.ts'
import { Secrets } from '../../src/secrets.ts'

/** A hash in the shape of SHA-256 with this number. */
export function hashOf(number: number): string {
  return number.toString(16).padStart(64, '0')
}

/** A registered artifact. */
export function registeredAs(
  name: string,
  record: JsonObject = {},
  from: 'this-run' | 'records-file' = 'this-run',
): Result {
  return {
    ...{ name, size: 7, hash: hashOf(1) },
    outcome: { state: 'registered', from, record, redacted: [] },
  }
}

/** A failed artifact. */
export function failedAs(
  name: string,
  code: FailureCode = 'unavailable',
  registered: 'no' | 'unknown' = 'no',
  message = 'the service is away; try later',
): Result {
  return { name, size: 7, hash: hashOf(2), outcome: { state: 'failed', code, registered, message } }
}

/** What a dry run says of an artifact. */
export function plannedAs(name: string, state: 'planned' | 'held' = 'planned'): Result {
  return { name, size: 7, hash: hashOf(3), outcome: { state } }
}

/** All that a report gave. */
export interface Reported {
  readonly exitCode: 0 | 1
  readonly log: readonly string[]
  readonly warnings: readonly string[]
  readonly errors: readonly string[]
  readonly outputs: ReadonlyMap<string, string | number>
  readonly summaries: readonly string[]
}

/** What differs from a plain run. */
export type ReportChanges = Partial<ReportOptions['inputs']> & {
  readonly halt?: Halt
  readonly secrets?: Secrets
  /** What cannot be written. */
  readonly broken?: 'outputs' | 'summary'
}

/** Reports how a run ended to a runner that keeps all. */
export async function reportAll(ending: Ending, changes: ReportChanges = {}): Promise<Reported> {
  const { halt = new Halt(), secrets = new Secrets(() => undefined), broken, ...inputs } = changes
  const [log, warnings, errors, summaries]: readonly string[][] = [[], [], [], []]
  const outputs = new Map<string, string | number>()
  const exitCode = await report(ending, {
    runner: {
      info: text => log?.push(text),
      warning: text => warnings?.push(text),
      error: text => errors?.push(text),
      setOutput: (name, value) => {
        if (broken === 'outputs') throw new Error('ENOSPC')
        outputs.set(name, value)
      },
      writeSummary: markdown => {
        if (broken === 'summary') return Promise.reject(new Error('ENOSPC'))
        summaries?.push(markdown)
        return Promise.resolve()
      },
    },
    inputs: {
      ...{ isDryRun: false, showSummary: true, recordsPath: 'records.jsonl' },
      ...{ verificationUrl: null, ifServiceUnavailable: 'error' },
      ...inputs,
    },
    recordsPath: '/work/records.jsonl',
    source: {
      ...{ repository: null, sha: null, ref: null, runId: null, runAttempt: null },
      ...{ commitUrl: null, runUrl: null },
    },
    secrets,
    halt,
  })
  return {
    ...{ exitCode, outputs },
    ...{
      log: log ?? [],
      warnings: warnings ?? [],
      errors: errors ?? [],
      summaries: summaries ?? [],
    },
  }
}

/** A run that got as far as sending. */
export function endedWith(...results: readonly Result[]): Ending {
  return { kind: 'ended', results, checksumsPath: '/tmp/checksums.txt', evidenceError: null }
}
