/** The words of a report: for each state of an artifact, and for each reason the likely cause, the next step, and what that needs. */
import type { Failure, Reason, Remedy } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import { defaultBaseUrl } from '../inputs/shared-inputs.ts'
import type { Outcome } from '../outcome.ts'
import { releaseRemedies } from '../release/octokit.ts'

/** What is known about an artifact. */
export interface State {
  readonly sign: string
  /** For log and summary; they also follow a number. */
  readonly label: string
  /** What it cost: a clause, also before a list of names; empty if there is nothing to say. */
  readonly cost: string
}

/** All states; the order is the rank: the most serious first. */
export const states = {
  inDoubt: { sign: '❓', label: 'may be registered', cost: 'may be registered and charged' },
  heldByService: { sign: '❌', label: 'without a record (409)', cost: 'not charged by this call' },
  failed: { sign: '❌', label: 'not registered', cost: 'neither registered nor charged' },
  plannedAgain: {
    sign: '⚠️',
    label: 'would be sent again',
    cost: 'sent earlier, without a record',
  },
  chargedAgain: { sign: '⚠️', label: 'maybe charged more than once', cost: '' },
  planned: { sign: '🔎', label: 'would be registered', cost: '' },
  registered: { sign: '✅', label: 'new', cost: '' },
  registeredBefore: { sign: '✅', label: 'registered before', cost: '' },
} as const satisfies Readonly<Record<string, State>>

export function stateOf(outcome: Outcome): State {
  switch (outcome.state) {
    case 'planned':
      return outcome.lastDoubtAt === null ? states.planned : states.plannedAgain
    case 'failed':
      if (outcome.failure.reason === 'already-registered') return states.heldByService
      return outcome.failure.registered === 'unknown' ? states.inDoubt : states.failed
    case 'registered':
      if (outcome.maybeChargedAgain) return states.chargedAgain
      return outcome.from === 'this-run' ? states.registered : states.registeredBefore
  }
}

/** Words for a reason: clauses without a period, which fit one file and several. A remedy `needs` the workflow or nothing. */
export interface Words extends Remedy {
  /** The likely cause. */
  readonly cause: string
}

/** A reason of a failure, or what only concerns a whole run. */
export type FindingReason = Reason | 'outputs-not-written'

export const confirmHash = 'records.md#confirm-a-hash'
const subscriptionDocs = 'reference.md#the-subscription'

/** For what only a look-up can settle. */
const lookUp = {
  next: 'look up each file at the service, and confirm those that it has',
  hint: 'to confirm a file, add its SHA-256 to the variable that your workflow passes as "confirmed-hashes"; if it passes none, follow the linked section',
  docs: confirmHash,
} as const

const askService = 'ask the service about this response'
const rejected: Words = { cause: 'the service rejected the registration', next: askService }

const notAllowed: Words = {
  cause: 'your account is probably not allowed to register files',
  next: 'ask the service what your API key is allowed to do',
}

const notThere: Words = {
  cause: 'something other than the service responded, such as a maintenance page or a firewall',
  next: 'wait until the service responds again, or find out what responds at its address',
}

const noSubscription: Words = {
  cause: 'your account probably has no active subscription with registrations left',
  next: 'activate or renew a subscription at the service',
  docs: subscriptionDocs,
}

const untrusted: Words = {
  cause: 'the runner does not trust the certificate of the service',
  next: 'set NODE_EXTRA_CA_CERTS in the workflow for a private certificate authority',
  hint: 'for a public one, report the certificate to its owner',
  needs: 'workflow',
}

const notDownloaded = 'the asset could not be downloaded as GitHub lists it'

export const words: Readonly<Record<FindingReason, Words>> = {
  'wrong-key': {
    cause: 'the service did not accept the API key',
    next: 'replace the key in the secret that you pass as "api-key"',
  },
  'rejected-token': notAllowed,
  'not-the-service': notThere,
  blocked: {
    cause: 'something in front of the service, such as bot protection, blocks this runner',
    next: 'ask the service to allow your runners',
    hint: 'the API key and your account are not the cause',
  },
  unpaid: noSubscription,
  forbidden: notAllowed,
  'already-registered': {
    cause:
      'the service already has the hash, from an earlier run or call; a re-run ends the same way unless it is confirmed',
    ...lookUp,
  },
  'no-request': {
    cause: 'the service has probably not processed the request yet',
    next: 'give the service a few minutes to process requests',
  },
  rejected,
  'request-rejected': rejected,
  'no-subscription': noSubscription,
  'unexpected-response': { cause: 'the service sent an unexpected response', next: askService },
  redirect: notThere,
  'not-yet-registered': {
    cause: 'the service accepted the hash, but has not registered it yet',
    next: 'give the service a few minutes to finish registering',
  },
  'record-mismatch': {
    cause: 'the record from the service does not match the request',
    next: askService,
  },
  'rate-limit': {
    cause: 'the service asked to wait',
    next: 'wait as long as the service asks, or a few minutes',
  },
  unavailable: {
    cause: 'the service failed or did not respond in time',
    next: 'wait until the service responds',
  },
  unreachable: {
    cause: 'the runner cannot reach the service',
    next: 'check that the service is up, and that the runner has network access',
  },
  proxy: {
    cause: 'the proxy of the runner did not connect to the service',
    next: 'check the proxy in the variable https_proxy of the runner',
  },
  'certificate-untrusted': untrusted,
  'certificate-expired': {
    cause: 'the certificate of the service has expired',
    next: 'wait until the service has renewed its certificate',
  },
  'certificate-early': {
    cause:
      'the clock of the runner is probably wrong, because the certificate of the service is not valid yet',
    next: 'set the clock of the runner',
  },
  'certificate-name': notThere,
  'proxy-certificate': {
    ...untrusted,
    cause: 'the runner does not trust the certificate of the proxy',
  },
  'file-unreadable': {
    cause: 'reading failed',
    next: 'make each file readable, or exclude it from the patterns',
    needs: 'workflow',
  },
  'file-changed': {
    cause: 'the content changed while it was being read',
    next: 'finish writing the files before this step starts',
    needs: 'workflow',
  },
  'asset-changed': { cause: notDownloaded, ...releaseRemedies['asset-changed'] },
  'github-token': { cause: notDownloaded, ...releaseRemedies['github-token'] },
  'github-permission': { cause: notDownloaded, ...releaseRemedies['github-permission'] },
  'github-unavailable': { cause: notDownloaded, ...releaseRemedies['github-unavailable'] },
  'not-saved': {
    cause: 'the records file could not be written',
    next: 'free disk space on the runner, or make {recordsPath} writable',
  },
  canceled: {
    cause: 'the run was canceled',
    next: 'find out who or what canceled the run, such as a timeout or a newer run',
  },
  bug: {
    cause: 'this action has a bug (internal-error)',
    next: 'report the bug at {reportTo}',
  },
  'outputs-not-written': {
    cause: 'the outputs of the step could not be written',
    next: 'make sure that the action can write to the file in GITHUB_OUTPUT',
  },
}

const wrongAddress: Words = {
  cause: 'the input "base-url" is probably not the final address of the service',
  next: 'correct the input "base-url"',
  needs: 'workflow',
}

const checkAddress = { hint: 'check the address in the input "base-url", too' } as const

/** For the login, where the workflow sets "base-url". */
const withAddress: Readonly<Partial<Record<FindingReason, Words>>> = {
  'not-the-service': wrongAddress,
  redirect: wrongAddress,
  'certificate-name': wrongAddress,
  blocked: { ...words.blocked, ...checkAddress },
  unreachable: { ...words.unreachable, ...checkAddress },
}

/** Where the workflow passes subscription data. */
const wrongData: Words = {
  cause: 'the service probably does not accept the subscription in the input "subscription"',
  next: 'check that the subscription is active, and replace the secret that you pass as "subscription"',
  docs: subscriptionDocs,
}

/** Where the workflow does not request registrations. */
const withoutRequest: Words = {
  cause: 'the service probably expects a request before it registers a file',
  next: 'set the input "request-registration" to true',
  needs: 'workflow',
}

/** Reasons that a re-run would probably meet again. */
const lasting = new Set<Reason>(['record-mismatch', 'rejected', 'request-rejected'])

/** Whether only a look-up can settle what became of a hash, although a re-run sends it again. */
export function isForLookUp({ reason, registered }: Failure): boolean {
  return registered === 'unknown' && lasting.has(reason)
}

/** Finds the words that fit the inputs: no text tells a reader to correct an input that has its default. */
export function findWords(failure: Failure, inputs: NotarizeInputs): Words {
  const { reason, endsRun } = failure
  const { baseUrl, payment, requestRegistration } = inputs
  const usual = words[reason]
  if (isForLookUp(failure)) return { ...usual, ...lookUp }
  // After a login at an address, it is the right one.
  if (baseUrl !== defaultBaseUrl && endsRun) return withAddress[reason] ?? usual
  const hasData = payment !== null && payment !== 'active'
  if (hasData && (reason === 'unpaid' || reason === 'rejected')) return wrongData
  if (!requestRegistration && reason === 'no-request') return withoutRequest
  return usual
}
