import { createServer } from 'node:http'
import { createServer as createHttpsServer, type ServerOptions } from 'node:https'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { HttpClient } from '@actions/http-client'
import { afterEach, describe, expect, it, jest } from '@jest/globals'
import type { Reply } from '../../src/runtime/outside.ts'
import { makeCertificate } from '../support/certificate.ts'
import { cleanUp } from '../support/clean-up.ts'
import { startProxy } from '../support/proxy.ts'
import { until } from '../support/until.ts'
import { chunked, never, ok, open, raw, respond, send, setVariable } from './wire.ts'
import { start, startHttp, trust, type Responder } from './wire.ts'

afterEach(cleanUp)

const replied = (status: number, body: string | null = '', retryAfterMs: number | null = null) => {
  return { kind: 'response', status, body, retryAfterMs }
}
const lost = (kind = 'lost', detail = /./) => ({ kind, detail: expect.stringMatching(detail) })

it('a request with a body is a POST, and one without is a GET', async () => {
  const { url, seen } = await startHttp(respond(200))
  const path = '/notary/api?x=1'
  await send(url + path)
  await open()({ url: new URL(url + path), body: null, token: null }, never)
  const accepted = { accept: 'application/json', 'accept-encoding': 'identity' }
  const content = { 'content-type': 'application/json', 'content-length': '12' }
  const headers = { ...accepted, ...content, authorization: 'Bearer the-token' }
  const common = { connection: 'close', host: url.slice(7), 'user-agent': 'notarize-release' }
  expect(seen).toEqual([
    { method: 'POST', path, body: '{"a":"body"}', headers: { ...common, ...headers } },
    { method: 'GET', path, body: '', headers: { ...common, ...accepted } },
  ])
})

const early = 'HTTP/1.1 103 Early Hints\r\n\r\n'
const short = 'HTTP/1.1 413 No\r\nContent-Length: 2\r\n\r\n{}'
const broken: Responder = ({ socket }) => socket?.write(short, () => socket.destroy())
const full = 'x'.repeat(1_048_576)
const date = 'Sun, 06 Nov 1994 08:49:37 GMT'
const inTwoMinutes = { date, 'retry-after': 'Sun, 06 Nov 1994 08:51:37 GMT' }

it.each<[string, Responder, object]>([
  ['200', respond(200, '\ufeffgrüße', { 'retry-after': '5' }), replied(200, 'grüße', 5000)],
  ['a date in Retry-After', respond(429, '', inTwoMinutes), replied(429, '', 120_000)],
  ['a redirect', respond(307, '', { location: '/elsewhere' }), replied(307)],
  ['no body', response => response.writeHead(204).end(), replied(204)],
  ['no length', ({ socket }) => socket?.end('HTTP/1.1 200 OK\r\n\r\n{}'), replied(200, '{}')],
  ['after an informational response', raw(early + short), replied(413, '{}')],
  ['before a reset', broken, replied(413, '{}')],
  ['1 MiB', respond(200, full), replied(200, full)],
  ['more than 1 MiB', raw(`${chunked}100001\r\n${full}x\r\n`), replied(200, null)],
  ['1 MiB of characters, but more bytes', respond(200, '漢'.repeat(400_000)), replied(200, null)],
])('a response is read unchanged: %s', async (_, responder, reply) => {
  const { url } = await startHttp(responder)
  expect(await send(url)).toMatchObject(reply)
})

const reset = 'no response: connection reset by peer (ECONNRESET)'
const cutOff = 'a response that was cut off or damaged'
it.each([
  ['before the response', '', reset],
  ['in a head', `${ok}Content`, reset],
  ['in a body of known length', `${ok}Content-Length: 8\r\n\r\n{"a":1}`, cutOff],
  ['before the end of the last chunk', `${chunked}7\r\n{"a":1}\r\n0\r\n`, cutOff],
  ['after an invalid chunk length', `${chunked}zz\r\n`, cutOff],
])('a request may have been sent if its connection breaks %s', async (_, bytes, detail) => {
  const { url } = await startHttp(({ socket }, nth) => {
    const stop = () => (nth === 1 ? socket?.end() : socket?.resetAndDestroy())
    socket?.write(bytes, () => setTimeout(stop, 20))
  })
  const broken = { kind: 'lost', detail }
  expect([await send(url), await send(url)]).toEqual([broken, broken])
})

const wrongLength = "Transfer-Encoding can't be present with Content-Length"
const protocolError = (detail: string) => {
  return { kind: 'lost', reason: 'protocol', detail: `an HTTP or TLS error: ${detail}` }
}
it.each([
  ['Expected HTTP/, RTSP/ or ICE/', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['Duplicate Content-Length', `${ok}Content-Length: 2\r\nContent-Length: 3\r\n\r\n`],
  [wrongLength, `${ok}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n`],
  ['Header overflow', `${ok}X-Long: ${'y'.repeat(16_384)}\r\n\r\n`],
])('a request may have been sent if the response is not HTTP: %s', async (detail, bytes) => {
  const { url } = await startHttp(raw(bytes))
  expect(await send(url)).toEqual(protocolError(detail))
})

const weak = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
it.each<[string, ServerOptions | null, detail: string]>([
  ['has none', null, 'wrong version number'],
  ['has only TLS 1.1', weak, 'tlsv1 alert protocol version'],
  ['asks for a certificate', { requestCert: true }, 'tlsv13 alert certificate required'],
])('a request may have been sent if TLS fails: the service %s', async (_, options, detail) => {
  const certificate = makeCertificate('IP:127.0.0.1')
  trust(certificate.cert)
  const server = options ? createHttpsServer({ ...certificate, ...options }) : createServer()
  const { port } = await start(server)
  expect(await send(`https://127.0.0.1:${port}/`)).toEqual(protocolError(detail))
})

it('a request was certainly not sent if every address of the host refuses the connection', async () => {
  const { port } = await start(createTcpServer())
  cleanUp()
  const unconnected = lost('unreachable', /^[^:]*\((ECONNREFUSED|EADDRNOTAVAIL)\)$/)
  for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
    expect(await send(`https://${host}:${port}/path`)).toEqual(unconnected)
  }
})

it('a request was certainly not sent if the name of the host is unknown', async () => {
  setVariable('no_proxy', '*')
  const unknown = lost('unreachable', /ENOTFOUND|EAI_AGAIN/)
  expect(await send('http://no-such-host.invalid/')).toEqual(unknown)
})

describe('a proxy that does not connect, after which nothing was sent,', () => {
  const established = 'HTTP/1.1 200 Connection established\r\n\r\n'
  const page = '<html>Blocked by the policy</html>'
  const inPlace = /^the proxy responded in place of the service$/
  it.each<[string, string, RegExp]>([
    ['is closed', 'HTTP/1.1 503 No\r\n\r\n', /^the proxy refused the connection \(HTTP 503\)$/],
    ['hangs up', '', /^the proxy did not connect: connection reset by peer \(/],
    ['shows a page', `${established}${page}`, inPlace],
  ])('%s', async (_, answer, reason) => {
    const { host } = await startProxy({ targets: {}, answer: () => answer })
    setVariable('https_proxy', `http://${host}`)
    expect(await send('https://service.test/')).toEqual(lost('proxy', reason))
  })

  it('is not there', async () => {
    const { host } = await startProxy({ targets: {} })
    cleanUp()
    setVariable('https_proxy', `http://${host}`)
    const reason = /^the proxy did not connect: connection refused \(ECONNREFUSED\)$/
    expect(await send('https://service.test/')).toEqual(lost('proxy', reason))
  })

  it('has another protocol than its address', async () => {
    const { host } = await startProxy({ targets: {} })
    setVariable('https_proxy', `https://${host}`)
    const detail = 'the proxy caused an HTTP or TLS error: wrong version number'
    const reply = { kind: 'proxy', reason: 'protocol', detail }
    expect(await send('https://service.test/')).toEqual(reply)
  })
})

it.each<[string, (tunnel: Socket) => unknown]>([
  ['closes', tunnel => tunnel.destroy()],
  ['has a page', tunnel => tunnel.write('HTTP/1.1 504 No\r\n\r\n')],
])('a request may have been sent if its tunnel then %s', async (_, end) => {
  const certificate = makeCertificate('DNS:service.test')
  trust(certificate.cert)
  const tunnels: Socket[] = []
  const server = createHttpsServer(certificate, () => {
    tunnels.forEach(end)
  })
  server.on('connection', (tunnel: Socket) => tunnels.push(tunnel))
  const { port } = await start(server)
  const { host } = await startProxy({ targets: { 'service.test:443': port } })
  setVariable('https_proxy', `http://${host}`)
  expect(await send('https://service.test/')).toMatchObject({ kind: 'lost' })
})

const now = [2020, 2049] as const
it.each<[code: string, kind: string, names: string, years: readonly [number, number]]>([
  ['CERT_NOT_YET_VALID', 'certificate-early', 'IP:127.0.0.1', [2040, 2041]],
  ['CERT_HAS_EXPIRED', 'certificate-expired', 'IP:127.0.0.1', [2020, 2021]],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'not-the-service', 'DNS:service.test', now],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate', 'IP:127.0.0.1', now],
])('nothing is sent to a service or a proxy whose certificate has %s', async (...row) => {
  const [code, kind, names, years] = row
  const certificate = makeCertificate(names, years)
  const { port } = await start(createHttpsServer(certificate, (_, answer) => answer.end('{}')))
  const proxy = await startProxy({ targets: {}, certificate })
  setVariable('https_proxy', `https://${proxy.host}`)
  const sendToBoth = async (): Promise<readonly Reply[]> => {
    return [await send(`https://127.0.0.1:${port}/`), await send('https://service.test/')]
  }
  const isTrusted = !code.includes('SELF_SIGNED')
  if (isTrusted) trust(certificate.cert)
  const detailOf = (owner: string) => `the certificate of the ${owner} was rejected (${code})`
  const ofProxy = kind === 'not-the-service' ? { kind: 'proxy', reason: 'protocol' } : { kind }
  const ofService = { kind, detail: detailOf('service') }
  expect(await sendToBoth()).toEqual([ofService, { ...ofProxy, detail: detailOf('proxy') }])
  expect(proxy.connects).toEqual([])
  if (isTrusted) return
  trust(certificate.cert)
  expect(await sendToBoth()).toMatchObject([{ body: '{}' }, { kind: 'proxy' }])
  expect(proxy.connects).toEqual(['service.test:443'])
})

it('nothing is sent to a service whose certificate Node rejects for another reason', async () => {
  const leaf = ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'SELF_SIGNED_CERT_IN_CHAIN', 'INVALID_CA']
  const issuer = ['UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY']
  const others = ['CERT_SIGNATURE_FAILURE', 'CERT_UNTRUSTED', 'INVALID_PURPOSE']
  for (const code of [...leaf, ...issuer, ...others, 'PATH_LENGTH_EXCEEDED']) {
    const error = Object.assign(new Error('no'), { code })
    const request = jest.spyOn(HttpClient.prototype, 'request').mockRejectedValueOnce(error)
    const detail = `the certificate of the service was rejected (${code})`
    expect(await send('https://service.test/')).toEqual({ kind: 'certificate', detail })
    request.mockRestore()
  }
})

it.each([
  ['GZIP ', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['Deflate', deflateRawSync],
  ['deflate', gzipSync],
  ['br', brotliCompressSync],
])('a body in %s is unpacked, up to 1 MiB', async (encoding, pack) => {
  const sendPacked = async (body: Buffer): Promise<Reply> => {
    const { url } = await startHttp(respond(200, body, { 'content-encoding': encoding }))
    return send(url)
  }
  expect(await sendPacked(pack(full))).toEqual(replied(200, full))
  expect(await sendPacked(pack(`${full}x`))).toEqual(replied(200, null))
  expect(await sendPacked(Buffer.of())).toEqual(replied(200))
  const damaged = { kind: 'lost', detail: cutOff }
  expect(await sendPacked(pack('{"a":"body"}').subarray(0, -1))).toEqual(damaged)
  expect(await sendPacked(Buffer.from('{"a":"plain"}'))).toEqual(damaged)
})

it('each request has a connection of its own, which ends with it, even if the service would keep it or breaks it', async () => {
  const { url, connections } = await startHttp((response, nth) => {
    setTimeout(() => (nth % 4 === 2 ? response.destroy() : response.end()), 10)
  })
  const transmit = open()
  for (let count = 0; count < 6; count++) {
    await Promise.all([1, 2, 3].map(() => send(url, transmit)))
  }
  expect([connections.most, connections.all]).toEqual([3, 18])
  await until(() => connections.now === 0)
})

it('a request that is aborted may have been carried out', async () => {
  const controller = new AbortController()
  const { url, connections } = await startHttp(() => {
    controller.abort()
  })
  expect(await send(url, open(), controller.signal)).toEqual({ kind: 'canceled', detail: '' })
  await until(() => connections.now === 0)
})
