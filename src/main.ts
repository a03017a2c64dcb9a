import path from 'node:path'
import { collectArtifacts } from './artifacts/collect.ts'
import { hashFiles } from './artifacts/hash.ts'
import { bugFailure, Stop } from './failure.ts'
import { notarizeInputNames, readInputs, type InputReading } from './inputs/notarize-inputs.ts'
import { isRegistered, type Result } from './outcome.ts'
import { makePlan, resultsOf } from './plan.ts'
import { readRecords } from './records/store.ts'
import { register } from './register/register.ts'
import type { Attachment, EvidenceInput } from './release/attach.ts'
import { openRelease } from './release/open.ts'
import { writeChecksumsFile } from './report/deliver.ts'
import { describePlan, openWarning } from './report/log.ts'
import { report, type RunEnd } from './report/report.ts'
import { runInHost, type Action, type Host } from './runtime/host.ts'
import type { RawInputs } from './runtime/runner.ts'

// A separate bundle. The bundler would copy a literal path raw, without its imports.
const workerPath = './hash-worker/index.js'

/** Runs one of the two actions in this process; `cancelled` aborts at the first signal. */
export async function start(name: 'notarize' | 'verify', cancelled: AbortSignal): Promise<void> {
  let action = notarizeAction
  if (name === 'verify') action = (await import('./verify/verify.ts')).verifyAction
  await runInHost(action, new URL(workerPath, import.meta.url), cancelled)
}

export const notarizeAction: Action = { inputNames: notarizeInputNames, run }

/** Reads the inputs, notarizes, and reports. Returns the exit code. */
async function run(host: Host, rawInputs: RawInputs): Promise<0 | 1> {
  const { environment, secrets, clock } = host
  const reading = readInputs(rawInputs, clock.now())
  secrets.exempt(reading.exempt)
  secrets.add([...reading.secrets, ...environment.secrets])
  const { inputs } = reading
  const recordsPath = path.resolve(environment.workspace, inputs.recordsPath)
  const end = await notarize(host, reading, recordsPath)
  return report(end, { host, inputs, recordsPath })
}

/** Collects, hashes and plans, which is free; then registers and attaches. Never rejects. */
async function notarize(host: Host, reading: InputReading, recordsPath: string): Promise<RunEnd> {
  const { environment, runner, halt } = host
  const { inputs } = reading
  /** For the summary, which repeats the warnings of the log. */
  const warnings: string[] = []
  const warn = (texts: readonly string[]): void => {
    texts.forEach(runner.warning)
    warnings.push(...texts)
  }
  let checksumsPath = ''
  try {
    warn(reading.warnings)
    const collected = await collectArtifacts(inputs, host, { skip: [recordsPath] })
    warn(collected.warnings)
    Stop.ifAny([...reading.problems, ...collected.problems])
    const release = await openRelease(inputs, host)
    warn(release.warnings)
    const hashed = await hashFiles(collected.files, host)

    const records = readRecords({
      path: recordsPath,
      name: inputs.recordsPath,
      others: release.records,
      service: inputs.baseUrl,
    })
    warn(records.warnings)
    const plan = makePlan({
      inputs,
      artifacts: [...hashed, ...collected.listed, ...release.artifacts],
      counts: [...collected.counts, ...release.counts],
      records,
      release: release.facts,
      source: environment.source,
    })
    warn(plan.warnings)
    checksumsPath = await writeChecksumsFile(plan.checksums, environment.tempFolder)
    Stop.ifAny(plan.problems)
    runner.info(describePlan(plan))
    warnings.push(...openWarning(plan))

    let { results } = plan
    let attachment: Attachment | null = null
    if (!inputs.dryRun) {
      const evidenceOf = (from: readonly Result[]): EvidenceInput => {
        const hashes = new Set(from.filter(isRegistered).map(({ hash }) => hash))
        return { recordsPath, service: inputs.baseUrl, hashes }
      }
      const { toRegister } = plan
      const { source } = release
      await release.checkWritable(toRegister.length === 0 ? evidenceOf(results) : null)
      const outcomes = await register(toRegister, { host, inputs, recordsPath, records, source })
      const lost = halt.bug ?? bugFailure('an artifact has no outcome', environment.reportTo)
      results = resultsOf(plan, outcomes, lost)
      attachment = await release.attach(evidenceOf(results))
    }
    const { evidenceChecksums } = release
    return { kind: 'completed', results, checksumsPath, attachment, warnings, evidenceChecksums }
  } catch (error) {
    if (error instanceof Stop) return { kind: 'stopped', problems: error.problems, checksumsPath }
    halt.noteBug(error, environment.reportTo)
    return { kind: 'stopped', problems: [], checksumsPath }
  }
}
