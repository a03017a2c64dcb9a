import { redactSource } from './environment.ts'
import { randomUUID } from 'node:crypto'
import path, { resolve } from 'node:path'
import { collectArtifacts } from './artifacts/collect.ts'
import { hashFiles } from './artifacts/hash.ts'
import type { Host } from './host.ts'
import { leaveOutSecrets, readInputs, type InputName, type InputReading } from './inputs.ts'
import { isRegistered, type Result } from './outcome.ts'
import { collectEarly } from './memory.ts'
import { dryRunResults, makePlan, resultsOf } from './plan.ts'
import { createProgress } from './progress.ts'
import { readRecords } from './records/store.ts'
import type { Evidence } from './release/attach.ts'
import { openRelease } from './release/open.ts'
import { writeChecksumsFile } from './report/deliver.ts'
import { renderEvidence } from './report/evidence.ts'
import { formatPlan, problemsOf } from './report/log.ts'
import { report, type Ending } from './report/report.ts'
import { Stop, type Problem } from './stop.ts'

/** One run: collect, hash, plan, register, report. Gives the exit code; never rejects. */
export async function run(given: Host<InputName>): Promise<0 | 1> {
  const { secrets, clock } = given
  const found = readInputs(given.raw, clock.now())
  secrets.spare(found.spared)
  secrets.add([...found.secrets, ...given.environment.secrets])
  const { raw, leaks } = leaveOutSecrets(given.raw, secrets)
  const reading = readInputs(raw, clock.now())
  const source = redactSource(given.environment.source, text => secrets.redactText(text))
  const environment = { ...given.environment, source }
  const host = { ...given, environment }
  const recordsPath = resolve(environment.workspace, reading.usable.recordsPath)
  const traces = { checksumsPath: '', mayHaveSent: false }
  const ending = await notarize(host, { reading, leaks, recordsPath, traces }).catch(
    (error: unknown): Ending => {
      const { checksumsPath, mayHaveSent } = traces
      const problems = problemsOf(error, environment.reportTo)
      const hasSent = mayHaveSent && !(error instanceof Stop)
      return { kind: 'stopped', problems, checksumsPath, mayHaveSent: hasSent }
    },
  )
  const { usable: inputs, periodEndedMs: periodEndedAt } = reading
  return report(ending, {
    ...environment,
    ...host,
    inputs,
    recordsPath,
    periodEndedAt,
  })
}

interface Task {
  readonly reading: InputReading
  /** Inputs that hold a secret. */
  readonly leaks: readonly Problem[]
  /** Absolute. */
  readonly recordsPath: string
  /** What the run has done so far, for the report of one that ends early. */
  readonly traces: { checksumsPath: string; mayHaveSent: boolean }
}

async function notarize(host: Host<InputName>, task: Task): Promise<Ending> {
  const { environment, runner, secrets, halt, clock, workerFile } = host
  const { reading, leaks, recordsPath, traces } = task
  const { workspace, home, tempFolder, source } = environment
  const redact = (text: string): string => secrets.redactText(text)
  const warnings: string[] = []
  const warn = (texts: readonly string[]): void => {
    warnings.push(...texts.map(redact))
    texts.forEach(runner.warning)
  }
  warn(reading.warnings)
  reading.notices.forEach(runner.notice)

  Stop.ifAny(leaks)
  const place = { workspace, home, path }
  const found = await collectArtifacts(reading.usable, {
    ...{ place, halt: halt.signal, skip: [recordsPath] },
  })
  found.warnings.forEach(runner.warning)
  const { inputs } = reading
  if (inputs === null) throw new Stop(...reading.problems, ...found.problems)
  Stop.ifAny(found.problems)
  if (!inputs.isDryRun) collectEarly()
  const release = await openRelease(inputs, {
    ...{ ...host, ...environment, redact },
    log: runner.info,
    makeId: randomUUID,
  })
  release.warnings.forEach(runner.warning)

  const onProgress = createProgress('hashing', clock, runner.info)
  const hashed = await hashFiles(found.files, halt.signal, { workerFile, onProgress })

  const held = await release.readRecords()
  const { baseUrl: service, recordsPath: name } = inputs
  const store = readRecords({ path: recordsPath, name, held, service })
  const plan = makePlan({
    ...{ ...inputs, ...store, source, release: release.facts },
    artifacts: [...hashed, ...found.listed, ...release.artifacts],
    counts: [...found.counts, ...release.counts],
    hasSecret: text => secrets.isIn(text),
  })
  warn([...store.warnings, ...plan.warnings])
  const checksumsPath = await writeChecksumsFile(plan.checksums, tempFolder)
  traces.checksumsPath = checksumsPath
  Stop.ifAny(plan.problems)
  runner.info(formatPlan(plan))
  const openHashes = plan.toRegister.filter(({ open }) => open !== null).length
  const ended = { kind: 'ended', checksumsPath, warnings, openHashes } as const
  if (inputs.isDryRun) {
    const results = dryRunResults(plan)
    return { ...ended, results, attachment: null, isRecordsFileGone: false }
  }

  const { toRegister } = plan
  const evidenceOf = (results: readonly Result[]): Evidence => {
    const hashes = new Set(results.filter(isRegistered).map(({ hash }) => hash ?? ''))
    return { recordsPath, hashes, renderEvidence }
  }
  const known = resultsOf(plan, new Map(), environment.reportTo)
  await release.checkAttachable(toRegister.length === 0 ? evidenceOf(known) : null)
  // A secret that comes later, as in retrieved subscription data, must not make the platform drop these.
  secrets.spare(plan.artifacts.flatMap(({ hash, size }) => [hash ?? '', String(size ?? '')]))
  traces.mayHaveSent = toRegister.length > 0
  // Loaded late: a run that sends nothing starts a third faster.
  const { register } = await import('./register/register.ts')
  const { outcomes, isRecordsFileGone } = await register(toRegister, {
    ...{ ...host, inputs, recordsPath, store },
  })
  const results = resultsOf(plan, outcomes, environment.reportTo)
  const attachment = isRecordsFileGone ? null : await release.attach(evidenceOf(results))
  return { ...ended, results, attachment, isRecordsFileGone }
}
