/** The words of a report: for each reason, the likely cause, a few words for the row, the next step, and what that needs. */
import type { Failure, Reason, Remedy } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import { defaultBaseUrl } from '../inputs/shared-inputs.ts'
import { releaseRemedies } from '../release/octokit.ts'

/** Words for a reason: clauses without a period, which fit one file and several. A remedy `needs` the workflow or nothing. */
export interface Words extends Remedy {
  readonly cause: string
  /** The cause in a row, if the name of the reason does not say it and there is no HTTP status. */
  readonly row?: string
  /** Whether a re-run would probably meet it again. */
  readonly isLasting?: true
}

/** A reason of a failure, or what only concerns a whole run. */
export type FindingReason = Reason | 'outputs-not-written'

const subscriptionDocs = 'reference.md#the-subscription'

const rejected: Words = {
  cause: 'the service rejected the registration',
  next: 'ask the service about this response',
  isLasting: true,
}

const noSubscription: Words = {
  cause: 'your account probably has no subscription with registrations left',
  next: 'renew or activate your subscription at the service',
  docs: subscriptionDocs,
}

const failing: Words = {
  cause: 'the service is unavailable',
  next: 'wait until you can log in to the service in a browser',
  row: 'no response',
}

export const words: Readonly<Record<FindingReason, Words>> = {
  'wrong-key': {
    cause: 'the service did not accept the API key',
    next: 'replace the key in the secret that your workflow passes as "api-key"',
  },
  'not-the-service': {
    cause: 'something other than the service responded, such as a maintenance page or a firewall',
    next: 'wait until the service responds again, or find out what responds at its address',
    isLasting: true,
  },
  blocked: {
    cause: 'something in front of the service, such as bot protection, blocks this runner',
    next: 'ask the service to allow requests from your runners',
    hint: 'the API key and your account are not the cause',
  },
  unpaid: noSubscription,
  forbidden: {
    cause: 'your account is probably not allowed to register files',
    next: 'ask the service to allow your account to register files',
  },
  'already-registered': {
    cause:
      'the service probably has the hash, from an earlier release, run, job or call, but sent no record',
    next: 'look up each file at the service',
  },
  'no-request': {
    cause: 'the service has probably not processed the request yet',
    next: 'wait 10 minutes, so that the service can process the requests',
  },
  rejected,
  'request-rejected': rejected,
  'no-subscription': noSubscription,
  'unexpected-response': {
    cause: 'the service sent an unexpected response',
    next: 'ask the service about this response',
    isLasting: true,
  },
  'not-yet-registered': {
    cause: 'the service accepted the hash, but has not registered it yet',
    next: 'wait until the service has registered the hash',
    row: 'pending',
  },
  'record-mismatch': {
    cause: 'the record from the service does not match the file',
    next: 'ask the service about this record',
    isLasting: true,
  },
  'rate-limit': {
    cause: 'the service asked to wait',
    next: 'wait 10 minutes, or longer if the service asks for that',
  },
  unavailable: failing,
  timeout: failing,
  unreachable: {
    cause: 'the runner cannot reach the service',
    next: 'check that the service is up, and that the runner has network access',
    row: 'no connection',
  },
  protocol: {
    cause: 'the response is not valid HTTP or TLS',
    next: 'find out what responds over HTTPS at the host and port of the service',
    row: 'not HTTP or TLS',
    isLasting: true,
  },
  proxy: {
    cause: 'the proxy of the runner did not connect to the service',
    next: 'check the proxy, and its address in the variable https_proxy of the runner (scheme, host, port and password)',
  },
  certificate: {
    cause: 'the runner does not trust a certificate',
    next: 'set NODE_EXTRA_CA_CERTS in the workflow to the path of the certificate of your private authority',
    hint: 'if the authority is public, report the certificate to its owner',
    needs: 'workflow',
  },
  'certificate-expired': {
    cause: 'a certificate has expired',
    next: 'ask the owner of the certificate to renew it',
  },
  'certificate-early': {
    cause: 'the clock of the runner is probably wrong, because a certificate is not valid yet',
    next: 'correct the clock of the runner',
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
  'asset-changed': {
    cause: 'the asset differs from what GitHub lists',
    ...releaseRemedies['asset-changed'],
  },
  'github-token': { cause: 'GitHub did not accept the token', ...releaseRemedies['github-token'] },
  'github-permission': {
    cause: 'the token may not read the asset',
    ...releaseRemedies['github-permission'],
  },
  'github-unavailable': {
    cause: 'GitHub is unavailable',
    ...releaseRemedies['github-unavailable'],
  },
  'not-saved': {
    cause: 'the records file could not be written',
    next: 'make sure that the runner can write the records file, and that its disk is not full',
  },
  canceled: {
    cause: 'the run was canceled',
    next: 'find out who or what canceled the run',
    hint: 'it may have been a person or a time limit; if a newer run took its place, do not re-run this one, because that run does the same work',
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
  next: 'correct the address in the input "base-url" (scheme, host, port and path)',
  needs: 'workflow',
}

/** For the login, where the workflow sets "base-url": after a login at an address, it is the right one. */
const withAddress: Readonly<Partial<Record<FindingReason, Words>>> = {
  'not-the-service': wrongAddress,
  protocol: wrongAddress,
  blocked: {
    ...wrongAddress,
    cause:
      'something in front of the service blocks this runner, or the input "base-url" is not its final address',
    hint: 'if the address is right, ask the service to allow requests from your runners',
  },
}

/** Where the workflow passes subscription data. */
const wrongData: Words = {
  cause: 'the service probably does not accept the subscription in the input "subscription"',
  next: 'check the subscription data in the secret that your workflow passes as "subscription"',
  docs: subscriptionDocs,
}

/** Where the workflow does not request registrations. */
const withoutRequest: Words = {
  cause: 'the service probably expects a request before it registers a file',
  next: 'set the input "request-registration" to true',
  needs: 'workflow',
}

/** Finds the words that fit the inputs: no text tells a reader to correct an input that has its default. */
export function findWords({ reason, isOfLogin }: Failure, inputs: NotarizeInputs): Words {
  const { baseUrl, payment, requestRegistration } = inputs
  const usual = words[reason]
  if (baseUrl !== defaultBaseUrl && isOfLogin) return withAddress[reason] ?? usual
  const hasData = payment !== null && payment !== 'active'
  if (hasData && reason === 'rejected') return wrongData
  if (!requestRegistration && reason === 'no-request') return withoutRequest
  return usual
}
