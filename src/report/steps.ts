/** What to do, as steps; pure. */
import type { Failure, Problem, Reason } from '../failure.ts'
import { logGroup } from '../keep/keep.ts'
import { isConflict, isInDoubt, onePerHash } from '../outcome.ts'
import type { Artifact, FailedArtifact } from '../outcome.ts'
import type { Host } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import { formatTime, joinFirst, toSentence, toSentences, upperFirst } from '../text/phrases.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import { maxNames } from './report.ts'
import type { Answer, Job, NamedFile, RunEnd, Step } from './report.ts'
import { findWords, words, type FindingReason, type Words } from './words.ts'

const maxErrors = 10
const maxCauses = 10

/** In UTF-16 code units: an annotation has no longer cause. */
export const maxCauseLength = 120

/** Something that went wrong, with the words for it. */
export interface Finding extends Words {
  /** What was observed, and what the service said: a clause; empty if there is nothing to add. */
  readonly observed: string
  /** In an annotation: the cause, and what decides it. */
  readonly brief: string
  /** Null if it concerns the whole run. */
  readonly artifact: Pick<Artifact, 'name' | 'hash'> | null
}

export function explainFailure(
  failure: Failure,
  { inputs, host }: Job,
  artifact: Artifact | null = null,
): Finding {
  const found = fillIn(findWords(failure, inputs), host)
  const brief = summarize(found.cause, failure.status === null ? '' : `HTTP ${failure.status}`)
  // That the run was canceled is told of the whole run, too.
  const observed = failure.reason === 'canceled' ? '' : failure.observed + failure.said
  return { ...found, observed, brief, artifact }
}

/** Explains what has to be put right for artifacts, apart from looking them up. */
export function explainFailures(failed: readonly FailedArtifact[], job: Job): readonly Finding[] {
  const toFix = failed.filter(({ outcome: { failure } }) => {
    const { code, reason, mayHaveActed } = failure
    if (code === 'not-tried' || reason === 'already-registered') return false
    return !mayHaveActed || reason === 'canceled' || reason === 'bug'
  })
  return toFix.map(artifact => explainFailure(artifact.outcome.failure, job, artifact))
}

/** Explains what went wrong apart from artifacts; a line that could not be saved only if something is lost by that. */
export function explainRun(outputsError: string | null, host: Host, isLost = true) {
  const { halt, secrets } = host
  const findings: Finding[] = []
  const add = (reason: FindingReason, text = ''): void => {
    const found = fillIn(words[reason], host)
    const observed = secrets.redactLine(text)
    const whole = summarize(found.cause, observed)
    const brief = whole.length > maxCauseLength ? found.cause : whole
    findings.push({ ...found, observed, brief, artifact: null })
  }
  if (halt.isCanceled) add('canceled')
  if (halt.bug !== null) add('bug', halt.bug.observed)
  if (halt.reason?.reason === 'not-saved' && isLost) add('not-saved', halt.reason.observed)
  // A full disk is told once.
  else if (outputsError !== null) add('outputs-not-written', outputsError)
  return findings
}

export function explainProblem(problem: Problem, { secrets }: Host): Finding {
  const cause = secrets.redactLine(problem.message)
  const next = secrets.redactLine(problem.next)
  const hint = secrets.redactLine(problem.hint ?? '')
  return { ...problem, cause, next, hint, observed: '', brief: cause, artifact: null }
}

function fillIn(found: Words, { environment }: Host): Words {
  return { ...found, next: found.next.replace('{reportTo}', () => environment.reportTo) }
}

/** Says in one clause what went wrong: the likely cause, and what was observed. */
export function summarize(cause: string, observed: string): string {
  if (observed === '') return cause
  return cause.endsWith(')') ? `${cause}: ${observed}` : `${cause} (${observed})`
}

/** Says what went wrong with the first few things that were observed, each once. */
function summarizeAll(cause: string, observed: readonly string[]): string {
  const seen = [...new Set(observed)].filter(text => text !== '')
  return toSentence(summarize(cause, joinFirst(seen, maxNames)))
}

/** Returns an annotation for each wrong input, with all that is wrong with it; at most ten. */
export function describeProblems(problems: readonly Problem[], host: Host): readonly string[] {
  const groups = [...Map.groupBy(problems, ({ input }) => input).values()]
  return groups.slice(0, maxErrors).map(group => {
    const found = group.map(problem => explainProblem(problem, host))
    return formatFindings(found, host.environment.docsUrl)
  })
}

/** Formats findings as an annotation: what is wrong, and what to do. */
export function formatFindings(findings: readonly Finding[], docsUrl: string): string {
  const clauses = findings.flatMap(({ cause, observed, next, hint = '' }) => {
    return [summarize(cause, observed), next, hint]
  })
  const [docs] = findings.flatMap(found => found.docs ?? [])
  // What several of them say, such as the next step, stands behind the last one.
  const once = [...new Set(clauses.toReversed())].toReversed()
  return toSentences(docs === undefined ? once : [...once, `more: ${docsUrl}/${docs}`])
}

/** Joins findings with the same next step to one step each, which names its files if there are several steps, or `others` beside them. */
export function toSteps(findings: readonly Finding[], others = 0): readonly Step[] {
  const groups = Map.groupBy(findings, ({ next }) => next)
  return Array.from(groups, ([next, group]) => {
    const byCause = Map.groupBy(group, ({ cause }) => cause)
    const causes = Array.from(byCause, ([cause, same]) => {
      const observed = same.map(finding => finding.observed)
      return summarizeAll(cause, observed)
    })
    const hints = new Set(group.map(({ hint = '' }) => toSentences([hint])))
    const happened = [...showFirst(causes, maxCauses), ...hints]
    const all = group.flatMap(({ artifact }) => artifact ?? [])
    // What was not read is always named.
    const named = all.filter(({ hash }) => groups.size + others > 1 || hash === null)
    const files = named.map(({ name }) => ({ name, hash: null, url: null }))
    const [{ brief, docs } = { brief: '', docs: undefined }] = group
    return { next: toSentence(next), happened, files, docs, brief }
  })
}

/** Returns the first `max` sentences about causes, and one that counts the others. */
function showFirst(causes: readonly string[], max: number): readonly string[] {
  const others = causes.length - max
  return others > 0 ? [...causes.slice(0, max), `Other causes: ${others}.`] : causes
}

export function formatStep(step: Step, docsUrl: string): string {
  const { warning = '', next, happened, files = [], answers = [], docs } = step
  const names = files.map(({ name, hash, url }) => {
    return [`"${quote(name)}"`, hash, url].filter(part => part !== null).join(' ')
  })
  const texts = [warning, next, ...happened]
  if (names.length > 0) texts.push(`Files: ${joinFirst(names, maxNames)}.`)
  texts.push(...answers.map(({ label, text }) => `${label}: ${text}`))
  if (docs !== undefined) texts.push(`More: ${docsUrl}/${docs}`)
  return texts.filter(text => text !== '').join(' ')
}

/** The step that saves records which are only in the log; none without any. */
export function saveLines({ records, keepError }: RunEnd): readonly Step[] {
  const { onlyInLog, isEarlierInLogs } = records
  if (onlyInLog === 0 && !isEarlierInLogs) return []
  const lines = onlyInLog === 1 ? 'the record line' : `the ${onlyInLog} record lines`
  const earlier = 'the record lines, if there are any, from the logs of earlier attempts'
  const next = `Save ${onlyInLog > 0 ? `${lines} from the log of this step` : earlier}.`
  const happened: string[] = []
  if (keepError !== null)
    happened.push(toSentence(`the workflow artifact could not be uploaded: ${keepError}`))
  if (onlyInLog > 0 && keepError !== null) happened.push(`See the group "${logGroup}".`)
  else if (onlyInLog > 0) happened.push('See the text "A line could not be saved".')
  if (keepError === null && onlyInLog === 0)
    happened.push('This server has no artifact service to keep records.')
  else if (onlyInLog > 0 && isEarlierInLogs) happened.push(`Save ${earlier}, too.`)
  return [{ next, happened, docs: 'records.md#save-lines-from-the-log' }]
}

interface LookUp {
  readonly job: Job
  /** How the next run is called in a sentence. */
  readonly run: string
  /** Whether the service returned no record in this step, which was then ended. */
  readonly isDown: boolean
}

/** The steps that look up files: one for all in doubt, one for all that were answered with 409. */
export function lookUp(artifacts: readonly Artifact[], about: LookUp): readonly Step[] {
  const doubts = lookUpDoubts(artifacts.filter(isInDoubt), about)
  return [...doubts, ...lookUpConflicts(artifacts.filter(isConflict), about)]
}

function lookUpDoubts(inDoubt: readonly Artifact[], { job, run, isDown }: LookUp): readonly Step[] {
  const failureOf = ({ outcome }: Artifact) => (outcome.state === 'failed' ? outcome.failure : null)
  const isOwn = (artifact: Artifact): boolean => failureOf(artifact)?.mayHaveActed === true
  // What this run has seen decides.
  const ordered = [...inDoubt.filter(isOwn), ...inDoubt.filter(artifact => !isOwn(artifact))]
  const failures = ordered.map(failureOf)
  const [first] = failures
  if (first === undefined) return []
  const files = nameFiles(ordered, job)
  const byCause = Map.groupBy(ordered, describeDoubt)
  const causes = Array.from(byCause, ([cause, same]) => {
    return byCause.size === 1 ? cause : `${cause}: ${nameFirst(same)}`
  })
  const happened = [showFirst(causes.map(toSentence), maxNames).join(' ')]
  const reasons = failures.map(failure => failure?.reason)
  if (reasons.includes('timeout') && job.inputs.timeoutSeconds < 600) {
    happened.push('If this happens often, raise "timeout-seconds".')
  }
  const each = files.length === 1 ? '1 charge' : '1 charge each'
  const lasting = ordered.filter(artifact => {
    const failure = failureOf(artifact)
    return failure !== null && findWords(failure, job.inputs).isLasting
  })
  const pending = reasons.filter(reason => reason === 'not-yet-registered').length
  let missing = `nothing to do here, the ${run} registers it. ${each}.`
  const ask = 'ask the service about its response'
  if (lasting.length > 0) missing += ` For ${nameFirst(lasting)}, ${ask} first.`
  if (lasting.length === ordered.length) missing = `${ask}. 0 or ${each}, in a later run.`
  const answers = [confirmAnswer(job), { label: 'Not registered, or not found', text: missing }]
  if (pending > 0) {
    const text = `look it up again later. If the ${run} sends it now, that may be a second charge.`
    answers.push({ label: 'Still pending', text })
  }
  if (pending < reasons.length) {
    const text = `the ${run} sends it again. ${each}, a second one if the service has registered it.`
    answers.push({ label: 'Skipped', text })
  }
  const wait = isDown ? 'Wait until the service responds again' : 'Wait 10 minutes'
  const next = `${wait}, then ${askFor(files)}.`
  const step = { next, happened, files, answers }
  // A doubt of an earlier run is not what went wrong in this one.
  if (first?.mayHaveActed !== true) return [step]
  const hasWords = hasOwnWords.has(first.reason)
  return [{ ...step, brief: hasWords ? words[first.reason].cause : first.observed }]
}

function lookUpConflicts(
  conflicts: readonly FailedArtifact[],
  { job, run }: LookUp,
): readonly Step[] {
  const files = nameFiles(conflicts, job)
  if (files.length === 0) return []
  const { cause } = words['already-registered']
  const observed = conflicts.map(({ outcome: { failure } }) => failure.observed + failure.said)
  const each = files.length === 1 ? '1 charge' : '1 charge each'
  const from = run === 're-run' ? 'from another job or release' : 'on a release'
  const again = `the ${run} fails here again, unless it finds a record ${from}. No charge.`
  const answers: readonly Answer[] = [
    confirmAnswer(job),
    {
      label: 'Not registered, or not found',
      text: `ask the service why it returns HTTP 409. 0 or ${each}, in a later run.`,
    },
    { label: 'Skipped', text: again, docs: 'records.md#the-next-release' },
  ]
  const happened = [summarizeAll(cause, observed)]
  const next = `${upperFirst(askFor(files))}.`
  return [{ next, happened, files, answers, brief: 'HTTP 409' }]
}

function askFor(files: readonly NamedFile[]): string {
  const these = files.length === 1 ? nameFirst(files) : `these ${files.length} files`
  return files.some(({ url }) => url === null)
    ? `ask the service about ${these}`
    : `look up ${these}`
}

export function nameFirst(files: readonly { readonly name: string }[]): string {
  const names = files.map(({ name }) => `"${quote(name, 100)}"`)
  return joinFirst(names, maxNames, { separator: ', ' })
}

function nameFiles(artifacts: readonly Artifact[], job: Job): readonly NamedFile[] {
  return onePerHash(artifacts).map(artifact => nameFile(artifact, job))
}

/** Names a file with its whole hash, and where people look it up. */
export function nameFile({ name, hash, outcome }: Artifact, { inputs }: Job): NamedFile {
  const record = outcome.state === 'registered' ? outcome.record : {}
  return { name, hash, url: fillVerificationUrl(inputs.verificationUrl, { hash, record }) }
}

function confirmAnswer({ inputs: { confirmedHashes } }: Job): Answer {
  let how = 'add the SHA-256 to the repository variable NOTARIZATION_CONFIRMED'
  if (confirmedHashes === null) how = 'add the input "confirmed-hashes" with the SHA-256'
  return { label: 'Registered', text: `${how}. No charge.`, docs: 'records.md#confirm-a-hash' }
}

/** Reasons that what was observed alone does not tell. */
const hasOwnWords = new Set<Reason>(['not-yet-registered', 'record-mismatch', 'bug'])

/** Says why an artifact may be registered: a clause that fits one file and several. */
function describeDoubt({ outcome }: Artifact): string {
  if (outcome.state === 'registered') return ''
  if (outcome.state === 'planned' || !outcome.failure.mayHaveActed) {
    const time = formatTime(Date.parse(outcome.lastDoubtAt ?? ''))
    return `an earlier call at ${time} UTC got no usable record`
  }
  const { reason, observed, said } = outcome.failure
  const seen = observed + said
  if (hasOwnWords.has(reason)) return summarize(words[reason].cause, seen)
  return `${seen}, but may have gone through`
}

/** Says in a few words why an artifact is not known to be registered. */
export function describeInRow(
  { outcome: { failure, lastDoubtAt } }: FailedArtifact,
  { inputs }: Job,
): string {
  const { code, mayHaveActed, reason, status } = failure
  if (reason === 'already-registered') return 'HTTP 409'
  if (!mayHaveActed && lastDoubtAt !== null) return 'sent by an earlier run'
  if (code === 'not-tried') return 'not sent after an earlier failure'
  if (reason === 'timeout') return `no response within ${inputs.timeoutSeconds} s`
  if (status !== null && status >= 300) return `HTTP ${status}`
  return words[reason].row ?? reason.replaceAll('-', ' ')
}
