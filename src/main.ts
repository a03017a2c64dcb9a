import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { collectArtifacts } from './artifacts/collect.ts'
import { hashFiles } from './artifacts/hash.ts'
import { redactSource } from './environment.ts'
import { bugFailure } from './failure.ts'
import type { Host } from './host.ts'
import { maskAndRead } from './input-texts.ts'
import {
  readInputs,
  type InputName,
  type InputReading,
  type NotarizeInputs,
  type RawInputs,
} from './inputs.ts'
import { collectEarly } from './memory.ts'
import { isRegistered, type Result } from './outcome.ts'
import { dryRunResults, makePlan, resultsOf } from './plan.ts'
import { createProgress } from './progress.ts'
import { readRecords } from './records/store.ts'
import type { Evidence } from './release/attach.ts'
import { openRelease } from './release/open.ts'
import { writeChecksumsFile } from './report/deliver.ts'
import { describePlan } from './report/log.ts'
import { report, type Ending } from './report/report.ts'
import { Stop } from './stop.ts'

/** One run: collect, hash, plan, register, report. Gives the exit code; never rejects. */
export async function run(given: Host<InputName>): Promise<0 | 1> {
  const { raw, secrets, clock } = given
  const { secrets: others, workspace } = given.environment
  const read = (texts: RawInputs): InputReading => readInputs(texts, clock.now())
  const reading = maskAndRead(raw, read, { secrets, others })
  const { usable: inputs, periodEndedMs } = reading
  const source = redactSource(given.environment.source, text => secrets.redactText(text))
  const environment = { ...given.environment, source }
  const host = { ...given, environment }
  const recordsPath = path.resolve(workspace, inputs.recordsPath)
  const ending = await notarize(host, { ...reading, recordsPath })
  return report(ending, { ...environment, ...host, inputs, recordsPath, periodEndedMs })
}

/** What is to be done; the path of the records file is absolute. */
type Task = InputReading & { readonly recordsPath: string }

async function notarize(host: Host<InputName>, task: Task): Promise<Ending> {
  const { environment, runner, halt } = host
  let checksumsPath = ''
  try {
    const prepared = await prepare(host, task)
    const { inputs, plan, warnings } = prepared
    checksumsPath = await writeChecksumsFile(plan.checksums, environment.tempFolder)
    Stop.ifAny(plan.problems)
    const planned = describePlan(plan)
    runner.info(planned.line)
    // For the summary alone: the log has it from the plan.
    const open = inputs.isDryRun ? [] : planned.warnings
    const done = inputs.isDryRun
      ? { results: dryRunResults(plan), attachment: null, isRecordsFileGone: false }
      : await registerAndAttach(host, { ...task, ...prepared, inputs })
    return { kind: 'ended', ...done, checksumsPath, warnings: [...open, ...warnings] }
  } catch (error) {
    const isStop = error instanceof Stop
    if (!isStop) halt.noteBug(error, environment.reportTo)
    return { kind: 'stopped', problems: isStop ? error.problems : [], checksumsPath }
  }
}

/** All that is free and can be repeated. Throws a `Stop` for what keeps the plan from being made. */
async function prepare(host: Host<InputName>, task: Task) {
  const { environment, runner, secrets, halt, clock, workerFile } = host
  const { usable, inputs, problems, recordsPath } = task
  const redact = (text: string): string => secrets.redactText(text)
  const warnings: string[] = []
  const warn = (texts: readonly string[]): void => {
    warnings.push(...texts.map(redact))
    texts.forEach(runner.warning)
  }
  warn(task.warnings)
  task.notices.forEach(runner.notice)

  const place = { ...environment, path }
  const found = await collectArtifacts(usable, { place, halt: halt.signal, skip: [recordsPath] })
  found.warnings.forEach(runner.warning)
  if (inputs === null) throw new Stop(...problems, ...found.problems)
  Stop.ifAny(found.problems)
  const hosting = { ...host, ...environment, redact, log: runner.info, makeId: randomUUID }
  const release = await openRelease(inputs, hosting)
  release.warnings.forEach(runner.warning)

  const count = found.files.length + found.listed.length
  if (!inputs.isDryRun && count > 1000) collectEarly()
  const onProgress = createProgress('hashing', clock, runner.info)
  const hashed = await hashFiles(found.files, halt.signal, { workerFile, onProgress })

  const { baseUrl: service, recordsPath: name } = inputs
  const store = readRecords({ path: recordsPath, name, held: await release.readRecords(), service })
  const plan = makePlan({
    ...{ ...inputs, ...store, source: environment.source, release: release.facts },
    artifacts: [...hashed, ...found.listed, ...release.artifacts],
    counts: [...found.counts, ...release.counts],
    hasSecret: text => secrets.isIn(text),
  })
  warn([...store.warnings, ...plan.warnings])
  return { inputs, release, store, plan, warnings }
}

type Prepared = Awaited<ReturnType<typeof prepare>>

/** All that costs. Throws a `Stop` only before anything is sent. */
async function registerAndAttach(
  host: Host<InputName>,
  task: Task & Prepared & { readonly inputs: NotarizeInputs },
) {
  const { environment, secrets, halt } = host
  const { inputs, plan, release, store, recordsPath } = task
  const { toRegister } = plan
  const evidenceOf = (results: readonly Result[]): Evidence => {
    const hashes = new Set(results.filter(isRegistered).map(({ hash }) => hash ?? ''))
    return { recordsPath, hashes }
  }
  const isComplete = toRegister.length === 0
  await release.checkAttachable(isComplete ? evidenceOf(plan.artifacts) : null)
  // A secret that comes later, as in retrieved subscription data, must not make the platform drop these.
  secrets.spare(plan.artifacts.flatMap(({ hash, size }) => [hash ?? '', String(size ?? '')]))
  // Loaded late: a run that sends nothing starts a third faster.
  const { register } = await import('./register/register.ts')
  const registering = { ...host, inputs, recordsPath, store }
  const { outcomes, isRecordsFileGone } = await register(toRegister, registering)
  const lost = halt.bug ?? bugFailure('an artifact has no outcome', environment.reportTo)
  const results = resultsOf(plan, outcomes, lost)
  const attachment = isRecordsFileGone ? null : await release.attach(evidenceOf(results))
  return { results, attachment, isRecordsFileGone }
}
