import { getProxyUrl } from '@actions/http-client/lib/proxy'
import type { Agent } from 'node:http'
import type { Socket } from 'node:net'
import { describeError, errorCode } from '../text/system-error.ts'
import { Exchange, moduleOf, type HttpRequest, type Reply } from './exchange.ts'

/** How requests are made. */
export interface TransportOptions {
  /** For one request, from connecting to the last byte. */
  readonly timeoutMs: number
  readonly maxConnections: number
}

/** Makes requests over kept-alive connections; honours `https_proxy` and `no_proxy`; follows no redirect. */
export interface Transport {
  /** Never rejects. The request is lost when `signal` aborts. */
  readonly send: (request: HttpRequest, signal: AbortSignal) => Promise<Reply>
  /** Ends all connections. */
  readonly close: () => void
}

/** See {@link Transport}; for the calls to one host. */
export function createTransport({ timeoutMs, maxConnections }: TransportOptions): Transport {
  let agent: Promise<Agent> | null = null
  const sockets = new Set<Socket>()

  const send = async (request: HttpRequest, signal: AbortSignal): Promise<Reply> => {
    agent ??= makeAgent(request.url, maxConnections)
    const exchange = new Exchange(request, await agent, sockets)
    const stop = (): void => {
      exchange.end()
    }
    const timer = setTimeout(() => {
      exchange.expire()
    }, timeoutMs)
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    try {
      return await exchange.reply
    } catch (error) {
      const { wasSent } = exchange
      const { aborted: isAborted } = signal
      const lost = { kind: 'lost', wasSent, isAborted, isUnknownHost: false } as const
      if (exchange.isLate) {
        return { ...lost, reason: `no complete answer within ${timeoutMs / 1000} s` }
      }
      const code = errorCode(error)
      if (!wasSent && code !== null && certificateErrors.test(code))
        return { kind: 'untrusted', reason: code }
      if (code?.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE') return garbled
      return { ...lost, isUnknownHost: code === 'ENOTFOUND', reason: describeError(error) }
    } finally {
      exchange.isOver = true
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  }

  const close = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return { send, close }
}

/** The toolkit knows how to go through a proxy. It is loaded only for one: that takes longer than all else at the start. */
async function makeAgent(url: URL, maxSockets: number): Promise<Agent> {
  const options = { keepAlive: true, maxSockets }
  if (getProxyUrl(url) === undefined) return new (moduleOf(url).Agent)(options)
  const { HttpClient } = await import('@actions/http-client')
  return new HttpClient('notarize-release', [], options).getAgent(url.href)
}

/** An answer that is no HTTP. */
const garbled: Reply = { kind: 'answer', status: 0, retryAfter: null, body: '' }

// The codes of Node for certificates (X509_V_ERR_*) and for a name that is not in the certificate.
const certificateErrors =
  /^(CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_IN_CHAIN$|ERROR_IN_CERT_|ERROR_IN_CRL_|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$|HOSTNAME_MISMATCH$|ERR_TLS_CERT_)/
