const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EAI_AGAIN: 'the name lookup failed temporarily',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EFBIG: 'the file would be too large',
  EHOSTUNREACH: 'the host cannot be reached',
  EISDIR: 'it is a folder',
  ELOOP: 'too many symbolic links',
  ENETUNREACH: 'the network cannot be reached',
  ENOENT: 'no such file or folder',
  ENOSPC: 'no space left on the device',
  ENOTDIR: 'a part of the path is not a folder',
  ENOTFOUND: 'the host name is unknown',
  EPERM: 'operation not permitted',
  EPIPE: 'the connection was closed',
  EROFS: 'the file system is read-only',
  ETIMEDOUT: 'the connection timed out',
}

/** Returns the code of a system error, such as `ENOENT`, or null. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  return typeof error.code === 'string' && error.code !== '' ? error.code : null
}

/**
 * Describes any thrown value: never empty, never a stack. The text of a system error is not shown, because it repeats
 * paths, addresses and URLs.
 */
export function describeError(error: unknown): string {
  const code = errorCode(error)
  if (code !== null) return code in reasons ? `${reasons[code] ?? ''} (${code})` : code
  if (error instanceof AggregateError && error.errors.length > 0)
    return describeError(error.errors[0])
  if (error instanceof Error) return error.message === '' ? error.name : error.message
  return 'an unknown error'
}
