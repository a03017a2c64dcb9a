import { makeFailure, type Failure, type FailureCode } from '../failure.ts'
import type { Secrets } from '../secrets.ts'
import { quote } from '../text/escape.ts'
import type { Reply } from './exchange.ts'
import { isRetryableStatus } from './retry.ts'

/** A kind of call: its name in a sentence, what its refusals mean, and whether it can change anything. */
export interface Operation {
  readonly name: string
  readonly codeOf4xx: (status: number) => FailureCode
  /** What to do about a refusal. */
  readonly refusalRemedy: string
  /** Whether a call that was sent may have registered something, or caused a charge. */
  readonly mayAct: boolean
}

/** The login (`service-api.md` 4.1): what is no refusal of the key is no login of this service. */
export const loginOperation: Operation = {
  name: 'the login',
  codeOf4xx: status =>
    [400, 401, 403, 422].includes(status) ? 'login-refused' : 'invalid-response',
  refusalRemedy: 'check the secret behind "api-key" and that the key is for this service',
  mayAct: false,
}

/** The completion (`service-api.md` 4.2). */
export const completionOperation: Operation = {
  name: 'the registration',
  codeOf4xx: () => 'refused',
  refusalRemedy:
    'it may have been registered by an earlier run whose records file is not here; else check that the registration was requested for this hash and that the subscription is valid',
  mayAct: true,
}

/** A call that failed. */
export interface FailedCall {
  readonly operation: Operation
  /** Where it went. */
  readonly url: URL
  /** The last reply. */
  readonly reply: Reply
  readonly tries: number
  readonly secrets: Pick<Secrets, 'saying'>
}

/** Whether a reply may be followed by another try: no complete answer, or 408, 425, 429, 500, 502, 503, 504. */
export function isRetryable(reply: Reply): boolean {
  return reply.kind === 'lost' || (reply.kind === 'answer' && isRetryableStatus(reply.status))
}

/** Whether a reply leaves open that the request was carried out: not one that was never sent, and not a 4xx. */
export function mayHaveActed(reply: Reply): boolean {
  switch (reply.kind) {
    case 'lost':
      return reply.wasSent
    case 'untrusted':
      return false
    case 'answer':
    case 'too-large':
      return reply.status < 400 || reply.status > 499
  }
}

/** A 2xx. */
export function isSuccess(reply: Reply): reply is Extract<Reply, { kind: 'answer' }> {
  return reply.kind === 'answer' && reply.status >= 200 && reply.status <= 299
}

/** The failure of a call, by its last reply; what the tries before may have done is not in it. */
export function failureOf(call: FailedCall): Failure {
  const { operation, tries } = call
  const status = call.reply.kind === 'answer' ? call.reply.status : null
  const judged = judge(call)
  const after = tries > 1 ? ` after ${tries} tries` : ''
  return makeFailure({
    ...judged,
    what: `${operation.name} failed${after}: ${judged.what}`,
    isOutage: judged.code === 'unavailable' || status === 402 || status === 403,
    ...(status === null ? {} : { status }),
  })
}

/** Why the last try failed, without the call. */
export function reasonOf(call: FailedCall): string {
  return judge(call).what
}

type Judgement = Pick<Failure, 'code' | 'what' | 'remedy'> & { readonly isDeferrable?: boolean }

const checkUrl = 'check the input "base-url"'
const tryLater = 'run the job again later, with the same records file'

function judge(call: FailedCall): Judgement {
  const { reply, url } = call
  switch (reply.kind) {
    case 'lost':
      return {
        code: 'unavailable',
        what: reply.reason,
        remedy: reply.isUnknownHost ? checkUrl : `${tryLater}, and ${checkUrl} if it stays so`,
        // A host name with a typing error must not defer for ever.
        isDeferrable: !reply.isUnknownHost,
      }
    case 'untrusted':
      return {
        code: 'unavailable',
        what: `the certificate of the service is not trusted (${reply.reason})`,
        remedy: `${checkUrl}; for a private certificate authority set NODE_EXTRA_CA_CERTS`,
      }
    case 'too-large':
      return {
        code: 'invalid-response',
        what: `the answer of ${quote(url.href)} (HTTP ${reply.status}) is larger than 1 MiB`,
        remedy: checkUrl,
      }
    case 'answer':
      return judgeAnswer(call, reply)
  }
}

const maxSayingLength = 200

function judgeAnswer(
  { operation, url, secrets }: FailedCall,
  reply: Extract<Reply, { kind: 'answer' }>,
): Judgement {
  const { status, body } = reply
  const said = operation === loginOperation ? '' : secrets.saying(body)
  const quoted = said === '' ? '' : `: "${quote(said, maxSayingLength)}"`
  const what = `the service answered HTTP ${status}${quoted}`
  if (isRetryable(reply) || (status >= 500 && status <= 599)) {
    const waits = reply.retryAfter === null ? '' : ' (see the Retry-After of the service)'
    return { code: 'unavailable', what, remedy: `${tryLater}${waits}`, isDeferrable: true }
  }
  const code = status >= 400 && status <= 499 ? operation.codeOf4xx(status) : 'invalid-response'
  if (code !== 'invalid-response') return { code, what, remedy: operation.refusalRemedy }
  return {
    code,
    what: `${describeForm(reply)} (from ${quote(url.href)})`,
    remedy:
      status >= 300 && status <= 399
        ? `${checkUrl}: give the final address, as redirects are never followed`
        : `${checkUrl}: the documentation or the account page of the service has its address`,
  }
}

/** What came instead of an answer of the service. */
function describeForm({ status, body }: Extract<Reply, { kind: 'answer' }>): string {
  if (status === 0) return 'the service answered with something that is not HTTP'
  if (status >= 300 && status <= 399)
    return `the service answered with a redirect (HTTP ${status}), which is never followed`
  const isPage = /^\s*(?:<!--[^]*?-->\s*)*<(?:!doctype|html)/i.test(body)
  if (isPage) return `the service answered HTTP ${status} with an HTML page`
  return status >= 200 && status <= 299
    ? `the service answered HTTP ${status} with a body that cannot be understood`
    : `the service answered HTTP ${status}`
}
