/** Artifacts for reports, and a runner that keeps everything reported. */
import { Failure } from '../../src/failure.ts'
import { readInputs, type NotarizeInputs } from '../../src/inputs/notarize-inputs.ts'
import { failed, type Artifact, type Outcome, type Registered } from '../../src/outcome.ts'
import { report, type CompletedRun, type RunEnd, type StoppedRun } from '../../src/report/report.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { Halt, notSavedFailure } from '../../src/runtime/halt.ts'
import type { Host } from '../../src/runtime/host.ts'
import type { Runner } from '../../src/runtime/runner.ts'
import type { JsonObject } from '../../src/text/json.ts'
import { hostIn } from '../artifacts/host.ts'
import { makeLine, sha256, source, toJsonLines } from '../support/samples.ts'
import { makeTemporaryFolder, makeWorkspace, type Workspace } from '../support/workspace.ts'

/** An artifact; each name has its own hash. */
export function artifactAs(name: string, outcome: Outcome): Artifact {
  return { source: 'path', name, size: 7, hash: sha256(name), outcome }
}

export function registeredAs(
  name: string,
  record: JsonObject = {},
  changes: Partial<Registered> = {},
): Artifact {
  const plain = { state: 'registered', from: 'this-run', maybeChargedAgain: false } as const
  return artifactAs(name, { ...plain, record, ...changes })
}

/** By default the service is down, and nothing is registered. */
export function failedAs(name: string, changes: Partial<Failure> = {}): Artifact {
  const down = { cause: 'the service is down', remedy: 'wait a little' }
  return artifactAs(name, failed(new Failure({ code: 'unavailable', ...down, ...changes })))
}

/** A completed run. */
export function endedWith(...artifacts: readonly Artifact[]): CompletedRun {
  const [checksumsPath, attachment, release] = ['/tmp/checksums.txt', null, null] as const
  return { kind: 'completed', artifacts, checksumsPath, attachment, release }
}

/** A run that stopped before it sent anything. */
export function stoppedBy(...messages: readonly string[]): StoppedRun {
  const problems = messages.map((message, index) => ({ input: `input-${index}`, message }))
  return { kind: 'stopped', problems, checksumsPath: '' }
}

/** What ended a run. */
export function haltOf(...why: readonly ('bug' | 'cancelled' | 'not-saved' | 'unsaved')[]): Halt {
  const halt = new Halt({ ...systemClock, sleep: () => Promise.resolve() })
  if (why.includes('bug')) halt.noteBug(new Error('x is not iterable'), 'https://x.example/issues')
  if (why.includes('cancelled')) halt.cancel()
  if (why.includes('not-saved')) halt.stop(notSavedFailure)
  if (why.includes('unsaved')) halt.unsaved.push('release/app-1.2.3.sbom.spdx.json')
  return halt
}

/** Everything reported. */
export interface Reported {
  readonly exitCode: 0 | 1
  readonly log: readonly string[]
  readonly warnings: readonly string[]
  readonly errors: readonly string[]
  readonly outputs: Readonly<Record<string, string | number>>
  /** What the post step is told. */
  readonly state: Readonly<Record<string, string>>
  /** Empty if not written. */
  readonly summary: string
}

/** Runs a report with a runner that keeps everything, or has no space for outputs. Throws for HTML with open tags. */
export async function keepReport(
  run: (runner: Runner) => Promise<0 | 1>,
  isFull = false,
): Promise<Reported> {
  const log: string[] = []
  const warnings: string[] = []
  const errors: string[] = []
  const outputs: Record<string, string | number> = {}
  const state: Record<string, string> = {}
  let summary = ''
  const exitCode = await run({
    mask: () => undefined,
    info: text => log.push(text),
    notice: text => log.push(text),
    warning: text => warnings.push(text),
    warnings,
    error: text => errors.push(text),
    setOutput: (name, value) => {
      if (isFull) throw new Error('ENOSPC')
      outputs[name] = value
    },
    saveState: (name, value) => {
      state[name] = value
    },
    writeSummary: markdown => {
      summary += markdown
      return Promise.resolve()
    },
  })
  checkTags(summary)
  return { exitCode, log, warnings, errors, outputs, state, summary }
}

/** Throws if a tag is not closed, or closed without being open. */
function checkTags(html: string): void {
  const open: string[] = []
  for (const [tag, slash, name = ''] of html.matchAll(/<(\/?)([a-z]+)\b[^>]*>/g)) {
    if (name === 'br' || name === 'wbr') continue
    if (slash === '') open.push(name)
    else if (open.pop() !== name) throw new Error(`${tag} closes nothing`)
  }
  if (open.length > 0) throw new Error(`never closed: ${open.join()}`)
}

/** What differs from a plain run. */
export interface ReportChanges {
  readonly inputs?: Partial<NotarizeInputs>
  readonly halt?: Halt
  /** Values that must not be shown. */
  readonly secrets?: readonly string[]
  readonly recordsPath?: string
  /** Warnings that were logged before the report. */
  readonly warned?: readonly string[]
  /** Whether there is no space for outputs. */
  readonly isFull?: boolean
}

let temporary: string | null = null
/** The records file of all reports, which only read it. */
let records: Workspace | null = null

/** A host with a runner, on a server that keeps artifacts. */
export function hostFor(runner: Runner, changes: ReportChanges = {}): Host {
  const { halt = new Halt(), secrets = [] } = changes
  const host = hostIn('/')
  host.secrets.add(secrets)
  const docsUrl = 'https://github.com/octo/notarize-release/blob/v1/docs'
  const artifactService = { url: 'https://results.example/', token: 'token' }
  const tempFolder = (temporary ??= makeTemporaryFolder())
  const more = { source, tempFolder, docsUrl, artifactService }
  return { ...host, environment: { ...host.environment, ...more }, runner, halt }
}

/** Reports how a run ended. */
export function reportAll(end: RunEnd, changes: ReportChanges = {}): Promise<Reported> {
  const { inputs: defaults } = readInputs({}, 0)
  const inputs = { ...defaults, ...changes.inputs }
  records ??= makeWorkspace({ records: toJsonLines([makeLine(inputs.baseUrl, 'a')]) })
  const recordsPath = changes.recordsPath ?? records.path('records')
  const run = (runner: Runner): Promise<0 | 1> => {
    changes.warned?.forEach(runner.warning)
    return report(end, { host: hostFor(runner, changes), inputs, recordsPath })
  }
  return keepReport(run, changes.isFull)
}
