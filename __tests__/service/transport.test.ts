import { spawn } from 'node:child_process'
import { createServer, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, describe, expect, it, jest } from '@jest/globals'
import type { Reply, Transport } from '../../src/runtime/outside.ts'
import { createTransport } from '../../src/service/transport.ts'
import { makeCertificate } from '../support/certificate.ts'
import { cleanUp, onCleanUp } from '../support/clean-up.ts'
import { listen } from '../support/listen.ts'
import { startProxy } from '../support/proxy.ts'
import { moduleUrl } from '../support/script.ts'
import { until } from '../support/until.ts'

afterEach(cleanUp)

/** Starts a server. The returned counts of its connections are updated live. */
async function start(server: Server) {
  const connections = { now: 0, most: 0, all: 0 }
  server.on('connection', (socket: Socket) => {
    connections.all += 1
    connections.now += 1
    connections.most = Math.max(connections.most, connections.now)
    socket.on('error', () => undefined)
    socket.once('close', () => (connections.now -= 1))
    onCleanUp(() => socket.destroy())
  })
  onCleanUp(() => server.close())
  return { port: await listen(server), connections }
}

/** Responds to the nth request, from 1. */
type Responder = (response: ServerResponse, nth: number) => unknown

/** Starts an HTTP server that keeps the requests it received. */
async function startHttp(responder: Responder) {
  const seen: object[] = []
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const { method, url: path, headers } = request
    void text(request).then(body => {
      seen.push({ method, path, headers, body })
      return responder(response, seen.length)
    })
  })
  const running = await start(server)
  return { ...running, url: `http://127.0.0.1:${running.port}`, seen }
}

function respond(status: number, body = '', headers: Readonly<Record<string, string>> = {}) {
  return (response: ServerResponse) => response.writeHead(status, headers).end(body)
}

/** Writes these bytes and nothing else. */
function raw(bytes: string): Responder {
  return ({ socket }) => socket?.write(bytes)
}

const never = new AbortController().signal

function open(timeoutMs = 5000): Transport {
  const transport = createTransport(timeoutMs)
  onCleanUp(transport.close)
  return transport
}

function send(url: string, transport = open(), signal = never): Promise<Reply> {
  return transport.send({ url: new URL(url), body: '{"a":"body"}', token: 'the-token' }, signal)
}

function setVariable(variable: string, value: string): void {
  process.env[variable] = value
  onCleanUp(() => Reflect.deleteProperty(process.env, variable))
}

const replied = (status: number, body: string | null = '', retryAfterMs: number | null = null) => {
  return { kind: 'response', status, body, retryAfterMs }
}
const lost = (kind = 'lost', reason = /./) => ({ kind, reason: expect.stringMatching(reason) })
const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'

it('a request with a body is a POST, and one without is a GET', async () => {
  const { url, seen } = await startHttp(respond(200))
  const path = '/notary/api?x=1'
  await send(url + path)
  await open().send({ url: new URL(url + path), body: null, token: null }, never)
  const accepted = { accept: 'application/json', 'accept-encoding': 'identity' }
  const content = { 'content-type': 'application/json', 'content-length': '12' }
  const headers = { ...accepted, ...content, authorization: 'Bearer the-token' }
  const common = { connection: 'keep-alive', host: url.slice(7), 'user-agent': 'notarize-release' }
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
  ['another protocol', raw('SSH-2.0-OpenSSH_9.6\r\n'), replied(0)],
  ['before a reset', broken, replied(413, '{}')],
  ['1 MiB', respond(200, full), replied(200, full)],
  ['more than 1 MiB', raw(`${chunked}100001\r\n${full}x\r\n`), replied(200, null)],
  ['1 MiB of characters, but more bytes', respond(200, '漢'.repeat(400_000)), replied(200, null)],
])('a response is read unchanged: %s', async (_, responder, reply) => {
  const { url } = await startHttp(responder)
  expect(await send(url)).toMatchObject(reply)
})

/** Writes the beginning, then a piece every few milliseconds until the connection is closed. */
function trickle(beginning: string, piece: string): Responder {
  return ({ socket }) => {
    socket?.write(beginning)
    const timer = setInterval(() => socket?.write(piece), 10)
    socket?.once('close', () => {
      clearInterval(timer)
    })
  }
}

describe('the deadline of an attempt', () => {
  const late = lost('lost', /^timeout after 0.3 s$/)
  it.each<[string, Responder]>([
    ['a slow head', trickle('HTTP/1.1 200 OK\r\nX-Long: ', 'y')],
    ['another protocol', raw('HTTP/1.1 101 No\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')],
    ['a slow body', trickle(chunked, '1\r\ny\r\n')],
  ])('covers %s', async (_, responder) => {
    const { url, connections } = await startHttp(responder)
    expect(await send(url, open(300))).toEqual(late)
    await until(() => connections.now === 0)
  })

  it('covers connecting: a TLS handshake without a response', async () => {
    const { port } = await start(createTcpServer())
    expect(await send(`https://127.0.0.1:${port}/`, open(300))).toEqual(late)
  })

  it('covers a silent proxy, and the next request does not wait for it', async () => {
    const targets = { 'service.test:80': (await startHttp(respond(200))).port }
    const behavior = (nth: number) => (nth === 1 ? 'silence' : 'relay')
    const proxy = await startProxy({ targets, behavior })
    setVariable('http_proxy', `http://${proxy.host}`)
    const transport = open(300)
    expect(await send('http://service.test/', transport)).toEqual(late)
    expect(await send('http://service.test/', transport)).toMatchObject({ status: 200 })
  })

  it('does not discard a response that arrived in time while the process was busy', async () => {
    const script = `
    import { createTransport } from ${JSON.stringify(moduleUrl('src/service/transport.ts'))}
    const transport = createTransport(600)
    const request = { url: new URL(process.argv[1]), token: null, body: '{}' }
    const { body } = await transport.send(request, new AbortController().signal)
    console.log(String(body?.length))
    transport.close()`
    const server = await startHttp(response => {
      child.kill('SIGSTOP')
      response.end('x'.repeat(1_000_000))
      // After the deadline of the stopped process.
      setTimeout(() => child.kill('SIGCONT'), 1200)
    })
    const args = ['--input-type=module', '--eval', script, server.url]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    onCleanUp(() => child.kill('SIGKILL'))
    expect(await text(child.stdout)).toBe('1000000\n')
  })
})

it.each([
  ['before the response', ''],
  ['in a body of known length', 'HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n{"a":1}'],
  ['before the end of the last chunk', `${chunked}7\r\n{"a":1}\r\n0\r\n`],
  ['after an invalid chunk length', `${chunked}zz\r\n`],
])('a request may have been sent if its connection breaks %s', async (_, bytes) => {
  const { url } = await startHttp(({ socket }, nth) => {
    const stop = () => (nth === 1 ? socket?.end() : socket?.resetAndDestroy())
    socket?.write(bytes, () => setTimeout(stop, 20))
  })
  const reset = { kind: 'lost', reason: 'connection reset by peer (ECONNRESET)' }
  expect([await send(url), await send(url)]).toEqual([reset, reset])
})

describe('a request was certainly not sent', () => {
  it('if every address of the host refuses the connection', async () => {
    const { port } = await start(createTcpServer())
    cleanUp()
    const unconnected = lost('not-sent', /^[^:]*\((ECONNREFUSED|EADDRNOTAVAIL)\)$/)
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      expect(await send(`https://${host}:${port}/path`)).toEqual(unconnected)
    }
  })

  it('if the name of the host is unknown', async () => {
    setVariable('no_proxy', '*')
    const unknown = lost('not-sent', /ENOTFOUND|EAI_AGAIN/)
    expect(await send('http://no-such-host.invalid/')).toEqual(unknown)
  })

  it('but may have been if TLS fails in another way', async () => {
    const plain = await startHttp(respond(200))
    expect(await send(plain.url.replace('http:', 'https:'))).toEqual(lost())
  })
})

it('a proxy that does not connect says why, which does not look like a reset', async () => {
  const reply = async (host: string): Promise<Reply> => {
    setVariable('https_proxy', `http://${host}`)
    return send('https://service.test/')
  }
  const needsLogin = await startProxy({ targets: {}, credentials: 'user:pass' })
  expect(await reply(needsLogin.host)).toEqual(lost('no-tunnel', /^the proxy returned HTTP 407$/))
  const { host } = await startProxy({ targets: {} })
  expect(await reply(host)).toEqual(lost('no-tunnel', /^the proxy returned HTTP 502$/))
  cleanUp()
  expect(await reply(host)).toEqual(lost('no-tunnel', /^the proxy .*ECONNREFUSED/))
})

it('nothing is sent over TLS without a trusted certificate', async () => {
  const certificate = makeCertificate('IP:127.0.0.1')
  const server = createHttpsServer({ ...certificate }, (_, response) => response.end('{}'))
  const { port } = await start(server)
  const url = `https://127.0.0.1:${port}/`
  expect(await send(url)).toEqual(lost('untrusted', /^DEPTH_ZERO_SELF_SIGNED_CERT$/))
  const authorities = getCACertificates('default')
  setDefaultCACertificates([...authorities, certificate.cert])
  onCleanUp(() => {
    setDefaultCACertificates(authorities)
  })
  expect(await send(url)).toMatchObject({ body: '{}' })
})

describe('connections', () => {
  it.each<[string, idleMs: number, headers: Readonly<Record<string, string>>, all: number]>([
    ['are reused', 10_000, {}, 1],
    ['are reopened after the service closes them', 0, { connection: 'close' }, 4],
    ['are reopened after a long idle time', 10_001, {}, 4],
  ])('%s', async (_, idleMs, headers, all) => {
    const { url, connections } = await startHttp(respond(200, '', headers))
    const transport = open()
    let nowMs = 0
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs)
    onCleanUp(() => void jest.restoreAllMocks())
    for (let count = 0; count < 4; count++) {
      expect(await send(url, transport)).toMatchObject({ status: 200 })
      nowMs += idleMs
    }
    expect(connections.all).toBe(all)
    await until(() => connections.now <= 1)
  })

  it('are as many as the concurrent requests, even if some break, and are closed with the transport', async () => {
    const { url, connections } = await startHttp((response, nth) => {
      setTimeout(() => (nth % 4 === 2 ? response.destroy() : response.end()), 10)
    })
    const transport = open()
    for (let count = 0; count < 6; count++) {
      await Promise.all([1, 2, 3].map(() => send(url, transport)))
    }
    expect(connections.most).toBe(3)
    transport.close()
    await until(() => connections.now === 0)
  })
})

it('a request that is aborted may have been carried out', async () => {
  const controller = new AbortController()
  const { url, connections } = await startHttp(() => {
    controller.abort()
  })
  expect(await send(url, open(), controller.signal)).toEqual(lost('ended'))
  await until(() => connections.now === 0)
})
