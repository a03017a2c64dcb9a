/** What to do, as steps; pure. */
import { type Failure, type Problem, type Reason } from '../failure.ts'
import { isFailed, type Artifact, type FailedArtifact } from '../outcome.ts'
import type { Host } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import { formatTime, joinFirst, pluralize, toSentence, toSentences } from '../text/phrases.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import { maxNames, type Answer, type Job, type NamedFile, type Step } from './report.ts'
import {
  findWords,
  hasOwnRemedy,
  isLasting,
  words,
  type FindingReason,
  type Words,
} from './words.ts'

/** Something that went wrong, with the words for it. */
export interface Finding extends Words {
  /** What was observed, and in quotation marks what the service said: a clause; empty if there is nothing to add. */
  readonly observed: string
  /** Such as `HTTP 402`; empty if there is no status. */
  readonly status: string
  /** The artifact; null if it concerns the whole run. */
  readonly artifact: Artifact | null
}

/** Creates a step; what is left out is empty. */
export function makeStep(next: string, parts: Partial<Step> = {}): Step {
  const none = { happened: [], files: [], answers: [], docs: null, link: null }
  return { ...none, ...parts, next: toSentence(next) }
}

/** Explains the failure of an artifact. */
export function explainFailure(
  artifact: FailedArtifact,
  { host, inputs, recordsPath }: Job,
): Finding {
  const { failure } = artifact.outcome
  const { observed, said, status } = failure
  const text = status === null ? '' : `HTTP ${status}`
  const found = fillIn(findWords(failure, inputs), host, recordsPath)
  return { ...found, observed: observed + said, status: text, artifact }
}

/** Explains what went wrong apart from artifacts. */
export function explainRun(
  outputsError: string | null,
  host: Host,
  recordsPath = '',
): readonly Finding[] {
  const { halt, secrets } = host
  const findings: Finding[] = []
  const add = (reason: FindingReason, observed = ''): void => {
    const found = fillIn(words[reason], host, recordsPath)
    findings.push({ ...found, observed: secrets.redactLine(observed), status: '', artifact: null })
  }
  if (halt.isCanceled) add('canceled')
  if (halt.bug !== null) add('bug', halt.bug.observed)
  if (halt.reason?.reason === 'not-saved') add('not-saved', halt.reason.observed)
  // A full disk is told once.
  else if (outputsError !== null) add('outputs-not-written', outputsError)
  return findings
}

/** Explains why a run stopped before it sent anything. */
export function explainProblem(problem: Problem, { secrets }: Host): Finding {
  const cause = secrets.redactLine(problem.message)
  const next = secrets.redactLine(problem.next)
  const hint = secrets.redactLine(problem.hint ?? '')
  return { ...problem, cause, row: '', next, hint, observed: '', status: '', artifact: null }
}

/** The path of the records file is without secrets. */
function fillIn(found: Words, { environment: { reportTo } }: Host, recordsPath: string): Words {
  const next = found.next
    .replace('{reportTo}', () => reportTo)
    .replace('{recordsPath}', () => `"${quote(recordsPath)}"`)
  return { ...found, next }
}

/** Says in one clause what went wrong: the likely cause, and what was observed. */
export function summarize({ cause, observed }: Pick<Finding, 'cause' | 'observed'>): string {
  if (observed === '') return cause
  return cause.endsWith(')') ? `${cause}: ${observed}` : `${cause} (${observed})`
}

/** Joins findings with the same next step to one step each, which names its files if there are several steps. */
export function toSteps(findings: readonly Finding[]): readonly Step[] {
  const groups = Map.groupBy(findings, ({ next }) => next)
  return Array.from(groups, ([next, group]) => {
    const byCause = Map.groupBy(group, ({ cause }) => cause)
    const happened = Array.from(byCause, ([cause, same]) => {
      const seen = new Set(same.map(({ observed }) => observed).filter(text => text !== ''))
      return toSentence(summarize({ cause, observed: joinFirst([...seen], maxNames) }))
    })
    const hints = toSentences([...new Set(group.map(({ hint = '' }) => hint))])
    if (hints !== '') happened.push(hints)
    const named = groups.size === 1 ? [] : group.flatMap(({ artifact }) => artifact ?? [])
    const files = named.map(({ name }) => ({ name, hash: null, url: null }))
    const { docs = null, link: url = null } = group[0] ?? {}
    const link = url === null ? null : { name: 'Open it', url }
    return makeStep(next, { happened, files, docs, link })
  })
}

/** Formats a step as one text; `shownNames` is how many files it names. */
export function formatStep(step: Step, docsUrl: string): string {
  const { next, happened, files, answers, docs, link } = step
  const names = files.map(({ name, hash, url }) => {
    return [`"${quote(name)}"`, hash, url].filter(part => part !== null).join(' ')
  })
  const texts = [next, ...happened]
  if (names.length > 0) texts.push(`Files: ${joinFirst(names, maxNames)}.`)
  texts.push(...answers.map(({ label, text }) => `${label}: ${text}`))
  if (link !== null) texts.push(link.url)
  if (docs !== null) texts.push(`More: ${docsUrl}/${docs}`)
  return texts.join(' ')
}

/** What is known of the files that may be registered. */
export interface LookUp {
  readonly job: Job
  /** How the next run is called in a sentence. */
  readonly run: string
  /** Opens the first step if a re-run would lose money; else empty. */
  readonly warning: string
  /** Whether the service has to respond again first: it has not returned a record in this run. */
  readonly isDown: boolean
  /** How many artifacts were then not sent. */
  readonly untried: number
}

/** The step for everything in doubt; none without any. */
export function lookUpDoubts(inDoubt: readonly Artifact[], about: LookUp): readonly Step[] {
  if (inDoubt.length === 0) return []
  const { job, run, isDown, untried } = about
  const count = new Set(inDoubt.map(({ hash }) => hash)).size
  const failures = inDoubt.map(of => (isFailed(of) ? of.outcome.failure : null))
  const isPending = (failure: Failure | null): boolean => failure?.reason === 'not-yet-registered'
  const wait = isDown ? 'wait until the service responds again' : 'wait 10 minutes'
  const happened = Array.from(
    Map.groupBy(inDoubt, of => describeDoubt(of, inDoubt.length))
      .keys()
      .take(maxNames),
    toSentence,
  )
  if (failures.some(failure => failure?.reason === 'timeout') && job.inputs.timeoutSeconds < 600) {
    happened.push('If this happens often, raise "timeout-seconds".')
  }
  if (untried > 0)
    happened.push(`${pluralize(untried, 'other file was', 'other files were')} then not sent.`)
  const each = count === 1 ? '1 charge' : '1 charge each'
  const answers = [confirmAnswer(job)]
  if (failures.some(isPending)) {
    const text = `look it up again later. The ${run} now may be charged a second time.`
    answers.push({ label: 'Still pending', text, docs: null })
  }
  const isHopeless = (failure: Failure | null): boolean =>
    failure !== null && isLasting.has(failure.reason)
  let text = `nothing to do here: the ${run} registers it. ${each}.`
  if (failures.every(isHopeless))
    text = 'ask the service about its response, because a re-run would get it again.'
  else if (failures.some(isHopeless))
    text += ' If the service sent a response that is not a record, ask about it first.'
  answers.push({ label: 'Not registered, or not found', text, docs: null })
  if (!failures.every(isPending)) {
    const skipped = `the ${run} sends it again. ${each}, the second one if the service has registered it.`
    answers.push({ label: 'Skipped', text: skipped, docs: null })
  }
  return [lookUp(inDoubt, { ...about, wait: `${wait}, then ` }, { happened, answers })]
}

/** The step for everything that was answered with 409; none without any. */
export function lookUpConflicts(
  conflicts: readonly FailedArtifact[],
  about: LookUp,
): readonly Step[] {
  if (conflicts.length === 0) return []
  const { cause } = words['already-registered']
  const observed = new Set(
    conflicts.map(({ outcome: { failure } }) => failure.observed + failure.said),
  )
  const happened = [toSentence(summarize({ cause, observed: joinFirst([...observed], maxNames) }))]
  const skipped = `the ${about.run} fails here again, unless it finds the record of another job or release by then. No charge.`
  const answers = [
    confirmAnswer(about.job),
    {
      label: 'Not registered, or not found',
      text: 'ask the service why it returns HTTP 409. No charge.',
      docs: null,
    },
    { label: 'Skipped', text: skipped, docs: 'records.md#the-next-release' },
  ]
  return [lookUp(conflicts, { ...about, wait: '' }, { happened, answers })]
}

function lookUp(
  artifacts: readonly Artifact[],
  { job, warning, wait }: LookUp & { readonly wait: string },
  parts: Partial<Step>,
): Step {
  const onePerHash = new Map(artifacts.map(artifact => [artifact.hash, artifact]))
  const files = [...onePerHash.values()].map(artifact => nameFile(artifact, job))
  const these = files.length === 1 ? 'this file' : `these ${files.length} files`
  let what = `${wait}look up ${these}`
  if (files.some(({ url }) => url === null)) what = `${wait}ask the service about ${these}`
  return makeStep(warning === '' ? what : `${warning}. ${toSentence(what)}`, { ...parts, files })
}

/** Names a file with its whole hash, and where people look it up. */
export function nameFile(artifact: Artifact, { inputs }: Job): NamedFile {
  const { name, hash, outcome } = artifact
  const record = outcome.state === 'registered' ? outcome.record : {}
  return { name, hash, url: fillVerificationUrl(inputs.verificationUrl, { hash, record }) }
}

function confirmAnswer({ inputs }: Job): Answer {
  const variable = 'add the SHA-256 to the repository variable NOTARIZATION_CONFIRMED'
  const input = 'add the SHA-256 to the workflow, as the input "confirmed-hashes"'
  const text = inputs.confirmedHashes === null ? input : variable
  return { label: 'Registered', text: `${text}. No charge.`, docs: 'records.md#confirm-a-hash' }
}

/** Says why files may be registered: a clause. */
function describeDoubt({ outcome }: Artifact, count: number): string {
  const [it, response] = count === 1 ? ['it', 'response'] : ['them', 'responses']
  if (outcome.state === 'registered') return ''
  if (outcome.state === 'planned' || !outcome.failure.mayHaveActed) {
    const time = formatTime(Date.parse(outcome.lastDoubtAt ?? ''))
    return `an earlier run sent ${it} on ${time} UTC, and got no record`
  }
  const { reason, observed, said } = outcome.failure
  const seen = observed + said
  const told: Partial<Record<Reason, string>> = {
    canceled: `the run was canceled before the ${response} came, so the service may have registered ${it}`,
    'not-yet-registered': `the service accepted ${it}, but has not registered ${it} yet (${seen})`,
    'record-mismatch': `${words['record-mismatch'].cause} (${seen}), so ${it} may be registered and charged`,
    bug: `${words.bug.cause}: ${seen}`,
  }
  return told[reason] ?? `${seen}, so the service may have registered ${it}`
}

/** Explains what has to be put right for artifacts, apart from looking them up. */
export function explainFailures(failed: readonly FailedArtifact[], job: Job): readonly Finding[] {
  const toFix = failed.filter(({ outcome: { failure } }) => {
    const { code, reason, mayHaveActed } = failure
    if (code === 'not-tried' || reason === 'already-registered') return false
    return !mayHaveActed || hasOwnRemedy.has(reason)
  })
  return toFix.map(artifact => explainFailure(artifact, job))
}
