/** The one table of what can go wrong: for each reason the likely cause, the next step, and what that needs. */
import type { Failure, Needs, Reason } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import { defaultBaseUrl } from '../inputs/shared-inputs.ts'

/** Words for a reason: clauses without a period, which fit one file and several. */
export interface Words {
  /** The likely cause. */
  readonly cause: string
  /** What to do. How to run again is told for all findings together. */
  readonly next: string
  /** What has to change before another run can do better. */
  readonly needs: Needs
  /** The section of the docs that has more. */
  readonly docs?: string
}

type ReasonTable = Readonly<Record<string, Words>>

const refusals = {
  'wrong-key': {
    cause: 'the service rejected the API key',
    next: 'update the secret that you pass as "api-key" with a valid key',
    needs: 'secret',
  },
  'rejected-token': {
    cause: 'the service rejected a token that it had just issued',
    next: 'ask the service what your API key is allowed to do',
    needs: 'person',
  },
  unpaid: {
    cause: 'the subscription has probably ended or is used up',
    next: 'renew the subscription at the service',
    needs: 'person',
  },
  'unpaid-data': {
    cause: 'the subscription in the input "subscription" has probably ended or is used up',
    next: 'renew the subscription, and update the secret that you pass as "subscription"',
    needs: 'secret',
    docs: 'reference.md#the-subscription',
  },
  forbidden: {
    cause: 'your account is probably not allowed to register files',
    next: 'check the permissions of your account at the service',
    needs: 'person',
  },
  'no-subscription': {
    cause: 'your account probably has no active subscription',
    next: 'activate a subscription at the service',
    needs: 'person',
  },
  'already-registered': {
    cause: 'the service already has the hash, from an earlier run or an earlier call',
    next: 'look up each file at the service',
    needs: 'person',
  },
  rejected: {
    cause: 'the service rejected the registration',
    next: 'ask the service why it rejected the registration',
    needs: 'person',
  },
  'rejected-data': {
    cause: 'the service rejected the registration, probably because of the subscription data',
    next: 'update the secret that you pass as "subscription"',
    needs: 'secret',
    docs: 'reference.md#the-subscription',
  },
  'no-request': {
    cause: 'the service probably expects a request before it registers a file',
    next: 'set the input "request-registration" to true',
    needs: 'workflow',
  },
  'request-rejected': {
    cause: 'the service rejected the request for a registration',
    next: 'ask the service why it rejected the request',
    needs: 'person',
  },
  'record-mismatch': {
    cause: 'the record from the service does not match the file',
    next: 'ask the service whether each file is registered',
    needs: 'person',
  },
} as const satisfies ReasonTable

const responses = {
  blocked: {
    cause: 'something in front of the service blocks this runner',
    next: 'ask the service to allow it',
    needs: 'person',
  },
  'not-yet-registered': {
    cause: 'the service accepted the file, but has not registered it yet',
    next: 'wait until it is registered',
    needs: 'nothing',
  },
  'certificate-early': {
    cause: 'the certificate of the service is not valid yet',
    next: 'check the clock of the runner',
    needs: 'person',
  },
  'certificate-name': {
    cause: 'the certificate is for another host name',
    next: 'check the address, and what answers there',
    needs: 'workflow',
  },
  'proxy-certificate': {
    cause: 'the runner does not trust the certificate of the proxy',
    next: 'set NODE_EXTRA_CA_CERTS for the authority of the proxy',
    needs: 'person',
  },
  unavailable: {
    cause: 'the service failed or did not respond in time',
    next: 'wait until the service responds',
    needs: 'nothing',
  },
  'rate-limit': {
    cause: 'the rate limit of the service was reached',
    next: 'wait a few minutes',
    needs: 'nothing',
  },
  unreachable: {
    cause: 'the service cannot be reached from the runner',
    next: 'check that the service is up and that the runner has network access',
    needs: 'nothing',
  },
  'wrong-host': {
    cause: 'the runner cannot resolve the host name in the input "base-url"',
    next: 'correct the input "base-url"',
    needs: 'workflow',
  },
  proxy: {
    cause: 'the proxy did not connect to the service',
    next: 'check the proxy of the runner (https_proxy)',
    needs: 'person',
  },
  'certificate-untrusted': {
    cause: 'the runner does not trust the certificate of the service',
    next: 'set NODE_EXTRA_CA_CERTS in the workflow for a private certificate authority, or report the certificate to the service',
    needs: 'workflow',
  },
  'certificate-expired': {
    cause: 'the certificate of the service has expired',
    next: 'wait until the service has renewed its certificate',
    needs: 'nothing',
  },
  'not-the-service': {
    cause: 'the service is probably under maintenance, because something else responded',
    next: 'wait until the maintenance ends',
    needs: 'nothing',
  },
  'wrong-address': {
    cause: 'the input "base-url" is probably not the address of the service',
    next: 'correct the input "base-url"',
    needs: 'workflow',
  },
  'unexpected-response': {
    cause: 'the service sent an unexpected response',
    next: 'ask the service about this response',
    needs: 'nothing',
  },
  redirect: {
    cause: 'the service is probably under maintenance, because it redirected the call',
    next: 'wait until the service responds without a redirect',
    needs: 'nothing',
  },
  'wrong-redirect': {
    cause: 'the address in the input "base-url" redirects, and redirects are never followed',
    next: 'set the input "base-url" to the final address',
    needs: 'workflow',
  },
} as const satisfies ReasonTable

const files = {
  'file-unreadable': {
    cause: 'the file could not be read',
    next: 'make the file readable, or exclude it from the patterns',
    needs: 'workflow',
  },
  'file-changed': {
    cause: 'the file changed while it was being read',
    next: 'make sure that every step that writes the file finishes before this step',
    needs: 'workflow',
  },
  'name-not-utf8': {
    cause: 'the file name is not valid UTF-8',
    next: 'rename the file, or exclude it from the patterns',
    needs: 'workflow',
  },
  'asset-changed': {
    cause: 'the asset changed',
    next: 'upload it again',
    needs: 'nothing',
  },
  'asset-incomplete': {
    cause: 'the download is not the asset that GitHub lists',
    next: 'if this persists, upload the asset again',
    needs: 'nothing',
  },
  'github-token': {
    cause: 'GitHub rejected the token',
    next: 'if you set "github-token", replace that token',
    needs: 'secret',
  },
  'github-permission': {
    cause: 'the token is not allowed to read the release',
    next: 'give the job the permission "contents: read"',
    needs: 'workflow',
  },
  'github-rate-limit': {
    cause: "GitHub's rate limit was reached",
    next: 'wait until the limit is reset, at most an hour',
    needs: 'nothing',
  },
  'github-unavailable': {
    cause: 'GitHub failed or did not respond in time',
    next: 'wait until GitHub responds',
    needs: 'nothing',
  },
} as const satisfies ReasonTable

const ofRun = {
  canceled: {
    cause: 'the run was canceled',
    next: 'find out what canceled the run, such as a person, a timeout or a newer run',
    needs: 'nothing',
  },
  'not-saved': {
    cause: 'the records file could not be written',
    next: 'free disk space on the runner, or make the records file writable',
    needs: 'person',
  },
  'outputs-not-written': {
    cause: 'the outputs of the step could not be written',
    next: 'free disk space on the runner',
    needs: 'person',
  },
  bug: {
    cause: 'this action has a bug (internal-error)',
    next: 'report the bug at {reportTo}',
    needs: 'nothing',
  },
} as const satisfies ReasonTable

/** The tables of docs/failures.md by their headings. */
export const sections: Readonly<Record<string, ReasonTable>> = {
  'The service refuses': refusals,
  'The service does not respond': responses,
  'Files and assets': files,
  'The run': ofRun,
}

type AllWords = typeof refusals & typeof responses & typeof files & typeof ofRun
/** A reason of a failure, a variant of one that depends on the inputs, or what only concerns a whole run. */
export type FindingReason = keyof AllWords

export const words: Readonly<Record<FindingReason, Words>> = {
  ...refusals,
  ...responses,
  ...files,
  ...ofRun,
}

type Variants = Readonly<Partial<Record<Reason, FindingReason>>>

/** Where the workflow sets "base-url". */
const withAddress: Variants = {
  'not-the-service': 'wrong-address',
  redirect: 'wrong-redirect',
}

/** Where the workflow passes subscription data. */
const withData: Variants = { unpaid: 'unpaid-data', rejected: 'rejected-data' }

/** Finds the words that fit the inputs: no text tells a reader to correct an input that has its default. */
export function fitReason(failure: Failure, inputs: NotarizeInputs): FindingReason {
  const { reason, endsRun } = failure
  const { baseUrl, payment } = inputs
  let fitting: FindingReason | undefined
  // After a login at an address, it is the right one.
  if (baseUrl !== defaultBaseUrl && (endsRun || reason !== 'redirect'))
    fitting = withAddress[reason]
  if (payment !== null && payment !== 'active') fitting ??= withData[reason]
  return fitting ?? reason
}
