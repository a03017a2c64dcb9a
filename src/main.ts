import { resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { collectArtifacts } from './artifacts/collect.ts'
import { hashFile } from './artifacts/hash.ts'
import { describeError, Stop, type Problem } from './failure.ts'
import { readInputs } from './inputs/notarize-inputs.ts'
import { findKept, keepRecords, locateRecords, nameKept } from './keep/keep.ts'
import { workflowArtifacts } from './keep/workflow-artifacts.ts'
import { decideVerdict, isHashed, type Artifact } from './outcome.ts'
import { describePlan, makePlan } from './plan.ts'
import { systemDisk } from './records/disk.ts'
import { Ledger } from './records/ledger.ts'
import { noPaths, writeProofs } from './records/proofs.ts'
import { register } from './register/register.ts'
import { readEarlierRecords } from './release/earlier-releases.ts'
import { connectToGitHub } from './release/octokit.ts'
import { checkServer, readRelease } from './release/release.ts'
import { judge } from './report/judge.ts'
import { writeOutputs } from './report/outputs.ts'
import type { Job, RunEnd } from './report/report.ts'
import { writeReport } from './report/write.ts'
import { systemClock } from './runtime/clock.ts'
import { runInHost, type Action } from './runtime/host.ts'
import type { Host } from './runtime/outside.ts'
import type { RawInputs } from './runtime/runner.ts'
import type { Secrets } from './runtime/secrets.ts'
import { createTransport } from './service/transport.ts'

/** Runs one of the two actions in this process; `canceled` aborts at the first signal. */
export async function start(name: 'notarize' | 'verify', canceled: AbortSignal): Promise<void> {
  // Node would let new objects take 64 MiB before it looks for those that are not used any more.
  setFlagsFromString('--semi-space-growth-factor=1')
  let action: Action = runNotarize
  if (name === 'verify') action = (await import('./verify/verify.ts')).runVerify
  const outside = {
    clock: systemClock,
    random: Math.random,
    disk: systemDisk,
    createTransport,
    connectToGitHub,
    workflowArtifacts,
  }
  await runInHost(action, outside, canceled)
}

export async function runNotarize(host: Host, rawInputs: RawInputs): Promise<0 | 1> {
  const { environment, secrets, runner } = host
  const { inputs, problems, warnings, ...reading } = readInputs(rawInputs)
  secrets.add([...reading.keys, environment.runtimeToken])
  const { repository, ref } = environment.source
  const { baseUrl, releaseTag, verificationUrl } = inputs
  const named = [repository, ref, releaseTag, baseUrl, verificationUrl]
  secrets.exempt([...reading.exempt, ...named.filter(text => text !== null)])
  secrets.addDetails([...reading.details, ...environment.passwords])
  for (const text of warnings) runner.warning(text, 'reference.md#the-subscription')
  // What it is filled with has no secrets.
  const template = verificationUrl && secrets.redactText(verificationUrl)
  const job = {
    host,
    inputs: { ...inputs, verificationUrl: template },
    recordsPath: resolve(environment.workspace, inputs.recordsPath),
  }
  const end = await notarize(job, async () => {
    const found = await collectArtifacts(inputs, host, [job.recordsPath])
    // Names of artifacts stay readable, even if a detail, such as a password, stands in one.
    secrets.exempt([...found.files, ...found.listed].map(({ name }) => name))
    Stop.ifAny([...problems, ...checkServer(inputs, environment), ...found.problems])
    const hashed = await Array.fromAsync(found.files, file => hashFile(file, host.halt.ended))
    return { artifacts: [...hashed, ...found.listed], counts: found.counts }
  })
  return writeReport(judge(end, job), host, inputs.showSummary)
}

interface Found {
  readonly artifacts: readonly Artifact[]
  readonly counts: readonly string[]
}

/** Everything between reading the inputs and the report; `find` throws a `Stop` for wrong inputs. Never rejects. */
export async function notarize(job: Job, find: () => Promise<Found>): Promise<RunEnd> {
  const { host, inputs, recordsPath: path } = job
  const { environment, halt, runner, secrets } = host
  const problems: Problem[] = []
  const isGoingOn = (): boolean => problems.length === 0 && halt.reason === null
  /** Takes a step. If that stops the run, or meets a bug, this is noted, and `otherwise` returned. */
  const takeStep = async <T>(step: () => T | Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await step()
    } catch (error) {
      if (error instanceof Stop) problems.push(...error.problems)
      else halt.noteBug(error)
      return otherwise
    }
  }
  /** Takes a step unless the run has stopped. */
  const proceed = async <T>(step: () => T | Promise<T>, otherwise: T): Promise<T> =>
    isGoingOn() ? takeStep(step, otherwise) : otherwise

  // 1. Find and hash the artifacts, and read what is known of them. Nothing is spent. The report of a run that stopped tells
  // what earlier attempts kept, too.
  const found = await takeStep<Found>(find, { artifacts: [], counts: [] })
  const folder = await takeStep(() => makeFolder(host), null)
  const kept = await takeStep(() => findKept(inputs, folder, host), null)
  const release = await proceed(() => readRelease(inputs, host), null)
  const unredacted = found.artifacts.concat(release?.artifacts ?? [])
  secrets.maskDetails(unredacted.map(({ name }) => name))
  const artifacts = unredacted.map(file => ({ ...file, name: secrets.redactText(file.name) }))
  const hashes = new Set(artifacts.flatMap(({ hash }) => hash ?? []))
  const earlier = await proceed(() => readEarlierRecords(hashes, inputs, host), [])
  const others = (kept ?? []).map(nameKept).concat(release?.records ?? [], earlier)
  const source = release?.source ?? environment.source
  const { recordsPath: name, baseUrl: service } = inputs
  const ledger = new Ledger({ path, name, others, service, source }, host)
  ledger.warnings.forEach(text => {
    runner.warning(text)
  })

  // 2. Plan: every guard. What stopped the run before leaves nothing to plan.
  ledger.confirm(artifacts.filter(isHashed), inputs.confirmedHashes ?? new Set())
  const counts = found.counts.concat(release?.counts ?? [])
  const plan = isGoingOn() ? makePlan({ inputs, artifacts, counts, ledger, release }) : null
  problems.push(...(plan ?? ledger).problems)

  // 3. Register what is left. A dry run does not.
  let ended: readonly Artifact[] | null = null
  if (plan !== null && isGoingOn()) {
    plan.warnings.forEach(text => {
      runner.warning(text)
    })
    runner.info(describePlan(plan.artifacts))
    ended = inputs.dryRun
      ? plan.artifacts
      : await takeStep(() => register(plan.artifacts, { inputs, ledger }, host), null)
  }
  const known = ended ?? plan?.artifacts ?? []
  const clean = known.map(artifact => redactArtifact(artifact, secrets))

  // 4. Write the outputs, which a run that is killed has then, and keep the records.
  const verdict = ended === null ? 'stopped' : decideVerdict(clean, inputs.dryRun)
  const end = { artifacts: clean, verdict, charges: ledger.charges } as const
  let paths = noPaths
  if (ended !== null && folder !== null) {
    paths = await takeStep(
      () => writeProofs({ artifacts: clean, ledger, inputs, folder }, host),
      noPaths,
    )
  }
  const outputsError = await takeStep(() => writeOutputs(end, paths, job), null)
  const evidencePath = paths['evidence-path']
  const { workflowArtifact, error } = await keepRecords({ inputs, ledger }, evidencePath, host)
  // By the places that keeping has noted.
  const records = locateRecords({ ledger, inputs }, kept === null, host)
  return {
    ...end,
    problems,
    runCharges: ledger.runCharges,
    records,
    workflowArtifacts: workflowArtifact === null ? (kept ?? []) : [workflowArtifact],
    hasPage: evidencePath !== '' && workflowArtifact !== null,
    keepError: error,
    outputsError,
    release,
  }
}

/** Replaces secrets in what was observed, and in records: a line may be from a run that had other secrets. */
function redactArtifact(artifact: Artifact, secrets: Secrets): Artifact {
  const { outcome } = artifact
  if (outcome.state === 'planned') return artifact
  if (outcome.state === 'registered') {
    return { ...artifact, outcome: { ...outcome, record: secrets.redactJson(outcome.record) } }
  }
  const { failure } = outcome
  const observed = secrets.redactLine(failure.observed)
  const said = secrets.redactLine(failure.said)
  return { ...artifact, outcome: { ...outcome, failure: failure.with({ observed, said }) } }
}

/** Makes the folder for what later steps use. Throws a `Stop`: better now than after paying. */
function makeFolder({ disk, environment: { tempFolder } }: Host): string {
  try {
    return disk.makeFolder(tempFolder)
  } catch (error) {
    const message = `nothing can be written below "${tempFolder}": ${describeError(error)}`
    const next = 'make sure that the user of the runner can write to RUNNER_TEMP'
    throw new Stop({ input: null, message, next, needs: 'nothing' })
  }
}
