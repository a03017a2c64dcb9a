/** Results for reports, and a runner that keeps all that a report gives. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFailure, type Failure } from '../../src/failure.ts'
import { Halt } from '../../src/halt.ts'
import type { Registered, Result } from '../../src/outcome.ts'
import type { Reporter } from '../../src/report/deliver.ts'
import {
  report,
  type Ended,
  type Ending,
  type ReportOptions,
  type Stopped,
} from '../../src/report/report.ts'
import { Secrets } from '../../src/secrets.ts'
import type { JsonObject } from '../../src/text/json.ts'
import { hashOf, makeLine, openTries, toJsonLines } from '../support/samples.ts'
import { makeTemporaryFolder } from '../support/workspace.ts'

/** A registered artifact. */
export function registeredAs(
  name: string,
  record: JsonObject = {},
  changes: Partial<Registered> = {},
): Result {
  return {
    ...{ name, size: 7, hash: hashOf(1) },
    outcome: {
      ...{ state: 'registered', from: 'this-run', record, redacted: [], unansweredTries: 0 },
      ...changes,
    },
  }
}

/** The artifact was registered by an earlier run. */
export const before = { from: 'records-file' } as const

/** A failed artifact; by default the service is away, and it is certainly not registered. */
export function failedAs(name: string, changes: Partial<Failure> = {}): Result {
  const failure = makeFailure({
    ...{ code: 'unavailable', what: 'the service is away', remedy: 'try later' },
    ...changes,
  })
  return { name, size: 7, hash: hashOf(2), outcome: { state: 'failed', failure } }
}

/** What a dry run says of an artifact. */
export function plannedAs(name: string, state: 'planned' | 'open' | 'held' = 'planned'): Result {
  const outcome =
    state === 'held'
      ? ({ state } as const)
      : ({ state: 'planned', open: state === 'open' ? openTries : null } as const)
  return { name, size: 7, hash: hashOf(3), outcome }
}

/** All that a report gave. */
export interface Reported {
  readonly exitCode: 0 | 1
  readonly log: readonly string[]
  readonly warnings: readonly string[]
  readonly errors: readonly string[]
  readonly outputs: Readonly<Record<string, string | number>>
  /** Empty if none was written. */
  readonly summary: string
}

/** Gives a report a runner that keeps all, or one with no room for outputs. */
export async function keepReport(
  give: (runner: Reporter) => Promise<0 | 1>,
  isFull = false,
): Promise<Reported> {
  const log: string[] = []
  const warnings: string[] = []
  const errors: string[] = []
  let summary = ''
  const outputs: Record<string, string | number> = {}
  const exitCode = await give({
    info: text => log.push(text),
    warning: text => warnings.push(text),
    error: text => errors.push(text),
    setOutput: (name, value) => {
      if (isFull) throw new Error('ENOSPC')
      outputs[name] = value
    },
    writeSummary: markdown => {
      summary += markdown
      return Promise.resolve()
    },
  })
  return { exitCode, log, warnings, errors, outputs, summary }
}

type Inputs = ReportOptions['inputs']
type Others = Omit<ReportOptions, 'inputs' | 'runner'>

/** What differs from a plain run. */
export type ReportChanges = Partial<Inputs> &
  Partial<Others> & {
    /** Whether there is no room for outputs. */
    readonly isFull?: boolean
  }

const noSource = {
  ...{ repository: null, sha: null, ref: null, runId: null, runAttempt: null },
  ...{ commitUrl: null, runUrl: null },
}

/** Reports how a run ended to a runner that keeps all. */
export function reportAll(ending: Ending, changes: ReportChanges = {}): Promise<Reported> {
  const { isFull, ...given } = changes
  const inputs: Inputs = {
    ...{ isDryRun: false, showSummary: true, verificationUrl: null, releaseTag: null },
    ...{ ifServiceUnavailable: 'error', baseUrl: 'https://notary.example' },
    ...given,
    recordsPath: 'notarization-records.jsonl',
  }
  const tempFolder = makeTemporaryFolder()
  const recordsPath = join(tempFolder, 'records.jsonl')
  writeFileSync(recordsPath, toJsonLines([makeLine('https://notary.example', 'a')]))
  const options = {
    ...{ secrets: new Secrets(() => undefined), halt: new Halt(), source: noSource },
    ...{ recordsPath, tempFolder, periodEndedMs: null },
    ...given,
    inputs,
  }
  return keepReport(runner => report(ending, { ...options, runner }), isFull)
}

/** A run that got as far as sending. */
export function endedWith(...results: readonly Result[]): Ended {
  return {
    ...{ kind: 'ended', results, checksumsPath: '/tmp/checksums.txt', attachment: null },
    ...{ isRecordsFileGone: false, warnings: [] },
  }
}

/** A run that was stopped before it sent anything. */
export function stoppedBy(...messages: readonly string[]): Stopped {
  const problems = messages.map((message, index) => ({ input: `input-${index}`, message }))
  return { kind: 'stopped', problems, checksumsPath: '' }
}

export type { Ending }
