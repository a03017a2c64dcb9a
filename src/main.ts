import path from 'node:path'
import { collectArtifacts } from './artifacts/collect.ts'
import { hashFiles } from './artifacts/hash.ts'
import { bugFailure, Stop } from './failure.ts'
import { notarizeInputNames, readInputs, type InputReading } from './inputs/notarize-inputs.ts'
import { isRegistered, type Result } from './outcome.ts'
import { makePlan, resultsOf } from './plan.ts'
import { readRecords } from './records/store.ts'
import { register } from './register/register.ts'
import type { EvidenceInput } from './release/attach.ts'
import { openRelease } from './release/open.ts'
import { writeChecksumsFile } from './report/deliver.ts'
import { describePlan, openWarning } from './report/log.ts'
import { report, type RunEnd } from './report/report.ts'
import { runInHost, type Action, type Host } from './runtime/host.ts'
import type { RawInputs } from './runtime/runner.ts'

// In the bundle the worker has a folder of its own; named by a variable, so that the bundler leaves it alone.
const workerPath = './hash-worker/index.js'

/** Runs one of the two actions in this process; `cancelled` aborts at the first signal. */
export async function start(name: 'notarize' | 'verify', cancelled: AbortSignal): Promise<void> {
  const workerFile = new URL(workerPath, import.meta.url)
  if (name === 'notarize') {
    await runInHost(notarizeAction, workerFile, cancelled)
    return
  }
  const { verifyAction } = await import('./verify/verify.ts')
  await runInHost(verifyAction, workerFile, cancelled)
}

/** The action that notarizes. */
export const notarizeAction: Action = { inputNames: notarizeInputNames, run }

/** One run: collect, hash, plan, register, report. Gives the exit code; never rejects. */
async function run(host: Host, given: RawInputs): Promise<0 | 1> {
  const { environment, secrets, clock } = host
  const reading = readInputs(given, clock.now())
  secrets.exempt(reading.exempt)
  secrets.add([...reading.secrets, ...environment.secrets])
  const recordsPath = path.resolve(environment.workspace, reading.usable.recordsPath)
  const end = await notarize(host, reading, recordsPath)
  return report(end, { host, inputs: reading.usable, recordsPath })
}

/** `recordsPath` is absolute. All that is free and repeatable comes first; what keeps the run from more is a `Stop`. */
async function notarize(host: Host, reading: InputReading, recordsPath: string): Promise<RunEnd> {
  const { environment, runner, halt } = host
  const warnings: string[] = []
  const warn = (texts: readonly string[]): void => {
    texts.forEach(runner.warning)
    warnings.push(...texts)
  }
  let checksumsPath = ''
  try {
    warn(reading.warnings)
    const found = await collectArtifacts(reading.usable, host, { skip: [recordsPath] })
    warn(found.warnings)
    const { inputs } = reading
    if (inputs === null) throw new Stop(...reading.problems, ...found.problems)
    Stop.ifAny(found.problems)
    const release = await openRelease(inputs, host)
    warn(release.warnings)

    const hashed = await hashFiles(found.files, host)
    const records = readRecords({
      path: recordsPath,
      name: inputs.recordsPath,
      others: release.records,
      service: inputs.baseUrl,
    })
    warn(records.warnings)
    const plan = makePlan({
      inputs,
      artifacts: [...hashed, ...found.listed, ...release.artifacts],
      counts: [...found.counts, ...release.counts],
      records,
      release: release.facts,
      source: environment.source,
    })
    warn(plan.warnings)
    checksumsPath = await writeChecksumsFile(plan.checksums, environment.tempFolder)
    Stop.ifAny(plan.problems)
    runner.info(describePlan(plan))
    warnings.push(...openWarning(plan))

    const { source, evidenceChecksums } = release
    const completed = { kind: 'completed', checksumsPath, warnings, evidenceChecksums } as const
    if (inputs.kind === 'dry-run') return { ...completed, results: plan.results, attachment: null }

    const evidenceOf = (results: readonly Result[]): EvidenceInput => {
      const hashes = new Set(results.filter(isRegistered).map(({ hash }) => hash))
      return { recordsPath, service: inputs.baseUrl, hashes }
    }
    const { toRegister } = plan
    await release.checkWritable(toRegister.length === 0 ? evidenceOf(plan.results) : null)
    const outcomes = await register(toRegister, { host, inputs, recordsPath, records, source })
    const lost = halt.bug ?? bugFailure('an artifact has no outcome', environment.reportTo)
    const results = resultsOf(plan, outcomes, lost)
    const attachment = await release.attach(evidenceOf(results))
    return { ...completed, results, attachment }
  } catch (error) {
    const problems = error instanceof Stop ? error.problems : []
    if (!(error instanceof Stop)) halt.noteBug(error, environment.reportTo)
    return { kind: 'stopped', problems, checksumsPath }
  }
}
