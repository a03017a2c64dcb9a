import { getSystemErrorMap } from 'node:util'

/** System error messages by code. */
const messages = new Map(getSystemErrorMap().values())
  .set('EAI_AGAIN', 'the name lookup failed temporarily')
  .set('ENOTFOUND', 'the host name is unknown')

/** Returns the code of a system error, such as `ENOENT`, or null. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  if (typeof error.code !== 'string' || error.code === '') return null
  return error.code
}

/** Describes any thrown value. Omits a system error's own message: it repeats paths and URLs. */
export function describeError(error: unknown): string {
  const code = errorCode(error)
  if (code !== null) {
    const message = messages.get(code)
    return message === undefined ? code : `${message} (${code})`
  }
  if (error instanceof AggregateError && error.errors.length > 0)
    return describeError(error.errors[0])
  if (error instanceof Error) return error.message === '' ? error.name : error.message
  return 'an unknown error'
}
