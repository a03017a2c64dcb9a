/** Artifacts for reports, and a runner that keeps everything reported. */
import { Failure, type Problem } from '../../src/failure.ts'
import { readInputs, type NotarizeInputs } from '../../src/inputs/notarize-inputs.ts'
import type { Whereabouts } from '../../src/keep/keep.ts'
import { decideVerdict, failed, isNew, isRegistered } from '../../src/outcome.ts'
import type { Artifact, Outcome, Registered } from '../../src/outcome.ts'
import { judge } from '../../src/report/judge.ts'
import { writeOutputs } from '../../src/report/outputs.ts'
import type { Report, RunEnd } from '../../src/report/report.ts'
import { writeReport } from '../../src/report/write.ts'
import { Halt } from '../../src/runtime/halt.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import type { Host } from '../../src/runtime/outside.ts'
import type { Note, Runner } from '../../src/runtime/runner.ts'
import type { JsonObject } from '../../src/text/json.ts'
import { hostIn } from '../artifacts/host.ts'
import { sha256, source } from '../support/samples.ts'

/** An artifact; each name has its own hash. */
export function artifactAs(name: string, outcome: Outcome): Artifact {
  return { input: 'path', name, size: 7, hash: sha256(name), outcome }
}

type Changes = Partial<Registered>
export function registeredAs(name: string, record: JsonObject = {}, changes: Changes = {}) {
  const flags = { otherCharge: null, isConfirmed: false }
  return artifactAs(name, { state: 'registered', from: 'this-run', record, ...flags, ...changes })
}

/** An artifact that failed; by default, the service was down and nothing is registered. */
export function failedAs(name: string, changes: Partial<Failure> = {}): Artifact {
  const { code = 'unavailable', reason = 'unavailable', ...parts } = changes
  return artifactAs(name, failed(new Failure(code, reason, parts)))
}

/** The workflow artifact of a run. */
const url = `${source.runUrl}/artifacts/7`
export const kept = { name: 'notarization-records-1-0123456789ab', url }

/** A run whose records and doubts, if there are any, are in a workflow artifact. */
export function endedWith(...artifacts: readonly Artifact[]): RunEnd {
  const registered = artifacts.filter(isRegistered)
  const doubts = artifacts.filter(({ outcome }) => {
    return outcome.state === 'failed' && outcome.failure.mayHaveActed
  }).length
  const least = registered.filter(isNew).length
  const charges = { least, most: least + doubts }
  const hasLines = registered.length + doubts > 0
  return {
    verdict: decideVerdict(artifacts, false),
    problems: [],
    artifacts,
    charges,
    runCharges: charges,
    records: {
      kind: hasLines ? 'workflow-artifact' : 'none',
      onlyInLog: 0,
      isEarlierInLogs: false,
      isReleased: false,
      isDamaged: false,
      recorded: new Set(registered.map(({ hash }) => hash)),
    },
    workflowArtifacts: hasLines ? [kept] : [],
    hasPage: registered.length > 0,
    keepError: null,
    outputsError: null,
    release: null,
  }
}

/** The same run with its records in another place. */
export function recordsAt(kind: Whereabouts['kind'], end: RunEnd): RunEnd {
  if (kind === 'workflow-artifact') return end
  const recorded = kind === 'file' || kind === 'log' ? end.records.recorded : new Set<string>()
  const onlyInLog = kind === 'log' ? recorded.size : 0
  const keepError = kind === 'log' ? 'the artifact service returned HTTP 500' : null
  const records = { ...end.records, kind, onlyInLog, recorded }
  return { ...end, records, keepError, workflowArtifacts: [], hasPage: false }
}

/** A run that stopped before it sent anything. */
export function stoppedBy(...problems: readonly Problem[]): RunEnd {
  return { ...endedWith(), verdict: 'stopped', problems }
}

type Ending = 'bug' | 'cancelled' | 'not-saved' | 'unpaid' | 'unavailable'

/** What ended a run. */
export function haltOf(...why: readonly Ending[]): Halt {
  const halt = new Halt({ ...systemClock, sleep: () => Promise.resolve() })
  if (why.includes('bug')) halt.noteBug(new Error('x is not iterable'))
  const observed = 'no space left on device (ENOSPC)'
  for (const reason of ['unpaid', 'unavailable'] as const)
    if (why.includes(reason)) halt.end(new Failure('not-tried', reason))
  if (why.includes('not-saved')) halt.end(new Failure('not-tried', 'not-saved', { observed }))
  if (why.includes('cancelled')) halt.cancel()
  return halt
}

/** Everything reported. */
export interface Reported {
  readonly exitCode: 0 | 1
  readonly log: readonly string[]
  readonly warnings: readonly string[]
  readonly errors: readonly string[]
  readonly outputs: Readonly<Record<string, string | number>>
  /** Empty if not written. */
  readonly summary: string
}

/** Creates a runner that keeps everything, or has no space for outputs. `reported` throws for HTML with open tags. */
export function createKeeper(isFull = false) {
  const log: string[] = []
  const notes: Note[] = []
  const passing: string[] = []
  const errors: string[] = []
  const outputs: Record<string, string | number> = {}
  let summary = ''
  const runner: Runner = {
    ...hostIn('/').runner,
    info: text => log.push(text),
    warning: (text, docs) => notes.push({ text, docs }),
    logWarning: text => passing.push(text),
    warnings: notes,
    error: text => errors.push(text),
    setOutput: (name, value) => {
      if (isFull) throw new Error('"/output" cannot be written: no space left on device (ENOSPC)')
      outputs[name] = value
    },
    writeSummary: markdown => {
      summary += markdown
      return Promise.resolve()
    },
  }
  const reported = (exitCode: 0 | 1): Reported => {
    checkTags(summary)
    const noted = notes.map(({ text, docs }) => (docs === undefined ? text : `${text} (${docs})`))
    return { exitCode, log, warnings: [...noted, ...passing], errors, outputs, summary }
  }
  return { runner, reported }
}

/** Throws if a tag is not closed, or closed without being open, or if a paragraph is empty. */
function checkTags(html: string): void {
  const open: string[] = []
  for (const [tag, slash, name = ''] of html.matchAll(/<(\/?)([a-z]+)\b[^>]*>/g)) {
    if (name === 'br' || name === 'wbr') continue
    if (slash === '') open.push(name)
    else if (open.pop() !== name) throw new Error(`${tag} closes nothing`)
  }
  if (open.length > 0) throw new Error(`never closed: ${open.join()}`)
  if (html.includes('<p></p>')) throw new Error('a paragraph is empty')
}

/** What differs from a plain run. */
export interface ReportChanges {
  readonly inputs?: Partial<NotarizeInputs>
  readonly halt?: Halt
  /** Values that must not be shown. */
  readonly secrets?: readonly string[]
  /** Warnings that were logged before the report. */
  readonly warned?: readonly string[]
  /** Whether there is no space for outputs. */
  readonly isFull?: boolean
  /** The number of this attempt of the run. */
  readonly attempt?: number
}

/** Makes a report, and writes it with a runner that keeps everything. */
export async function keepReport(make: (host: Host) => Report, changes: ReportChanges = {}) {
  const { halt = new Halt(systemClock), secrets = [], attempt = 1, isFull, warned } = changes
  const { runner, reported } = createKeeper(isFull)
  const host = hostIn('/')
  host.secrets.add(secrets)
  const docsUrl = 'https://github.com/octo/notarize-release/blob/v1/docs'
  const ofRun = { ...source, runAttempt: String(attempt) }
  const environment = { ...host.environment, source: ofRun, attempt, docsUrl }
  for (const text of warned ?? []) runner.warning(text)
  const redact = (text: string): string => host.secrets.redactText(text)
  const warnings = runner.warnings.map(note => ({ ...note, text: redact(note.text) }))
  const withRunner = { ...host, environment, runner: { ...runner, warnings }, halt }
  const { showSummary = true } = changes.inputs ?? {}
  return reported(await writeReport(make(withRunner), withRunner, showSummary))
}

/** Reports how a run ended, with its outputs. */
export function reportAll(end: RunEnd, changes: ReportChanges = {}): Promise<Reported> {
  return keepReport(host => {
    const inputs = { ...readInputs({ 'confirmed-hashes': '' }).inputs, ...changes.inputs }
    const job = { host, inputs, recordsPath: '/w/records.jsonl' }
    const { artifacts } = end
    const verdict = end.verdict === 'stopped' ? 'stopped' : decideVerdict(artifacts, inputs.dryRun)
    const paths = { 'checksums-path': '', 'predicate-path': '', 'evidence-path': '' } as const
    const outputsError = writeOutputs({ ...end, verdict }, paths, job)
    return judge({ ...end, verdict, outputsError }, job)
  }, changes)
}
