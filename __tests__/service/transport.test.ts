import { spawn } from 'node:child_process'
import { createServer as createHttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { Reply } from '../../src/service/exchange.ts'
import { createTransport } from '../../src/service/transport.ts'
import { makeCertificate, type Certificate } from '../support/certificate.ts'
import { cleanUp } from '../support/clean-up.ts'
import { startProxy } from '../support/proxy.ts'
import {
  answer,
  atEnd,
  breakOff,
  closeAll,
  inTurn,
  listen,
  raw,
  refusedPort,
  startServer,
  startTcpServer,
  until,
  type Answerer,
} from './support.ts'

afterEach(closeAll)
afterAll(cleanUp)

const never = new AbortController().signal

/** A transport that sends one kind of request. */
function open(options: { readonly timeoutMs?: number; readonly maxConnections?: number } = {}) {
  const transport = createTransport({ timeoutMs: 5000, maxConnections: 4, ...options })
  atEnd(transport.close)
  const request = { method: 'POST', body: '{"a":"body"}', token: 'the-token' } as const
  return (url: string, signal = never): Promise<Reply> =>
    transport.send({ ...request, url: new URL(url) }, signal)
}

const answered = (status: number, body = '', retryAfter: string | null = null): Reply => ({
  ...{ kind: 'answer', status, body, retryAfter },
})
const lost = (wasSent: boolean, isAborted = false) => ({
  ...{ kind: 'lost', wasSent, isAborted, isUnknownHost: false },
  reason: expect.stringMatching(/./),
})
const wait = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))
const silent: Answerer = () => undefined
const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'

it('a request has the method, path, headers and body that were asked for', async () => {
  const server = await startServer()
  await open()(`${server.url}/notary/api?x=1`)
  const headers = {
    ...{ host: new URL(server.url).host, 'content-type': 'application/json' },
    ...{ accept: 'application/json', authorization: 'Bearer the-token' },
  }
  expect(server.seen).toMatchObject([
    { method: 'POST', path: '/notary/api?x=1', body: '{"a":"body"}', headers },
  ])
})

describe('an answer', () => {
  const full = 'x'.repeat(1_048_576)
  const tooLarge = (status: number): Reply => ({ kind: 'too-large', status })
  it.each<[string, Answerer, Reply]>([
    ['200', answer(200, 'grüße', { 'retry-after': '5' }), answered(200, 'grüße', '5')],
    ['404', answer(404, 'grüße', { 'retry-after': '5' }), answered(404, 'grüße', '5')],
    ['503', answer(503, '', { 'retry-after': 'x, y' }), answered(503, '', 'x, y')],
    ['a redirect', answer(307, '', { location: '/elsewhere' }), answered(307)],
    ['nothing more', response => response.writeHead(204).end(), answered(204)],
    ['no length', ({ socket }) => socket?.end('HTTP/1.1 200 OK\r\n\r\n{}'), answered(200, '{}')],
    ['no UTF-8', answer(200, Buffer.from([0x22, 0xff])), answered(200, '"\ufffd')],
    [
      'pieces',
      async response => {
        for (const part of ['{"a"', ':', '1}']) {
          response.write(part)
          await wait(10)
        }
        response.end()
      },
      answered(200, '{"a":1}'),
    ],
    [
      'an informational one before',
      raw('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'),
      answered(200, '{}'),
    ],
    ['another protocol', raw('SSH-2.0-OpenSSH_9.6\r\n'), answered(0)],
    ['a head of 100 kB', answer(200, '{}', { x: 'x'.repeat(100_000) }), answered(0)],
    [
      'more than its length',
      raw('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{"a":1}'),
      answered(200, '{"'),
    ],
    [
      'a reset right after it',
      ({ socket }) =>
        socket?.write('HTTP/1.1 413 No\r\nContent-Length: 2\r\n\r\n{}', () => socket.destroy()),
      answered(413, '{}'),
    ],
    ['1 MiB', answer(200, full), answered(200, full)],
    ['1 MiB and a byte', answer(404, `${full}x`), tooLarge(404)],
    [
      '1 MiB and a byte in chunks',
      response => {
        response.write(full)
        response.end('x')
      },
      tooLarge(200),
    ],
    ['1 MiB in characters, more in bytes', answer(200, '漢'.repeat(400_000)), tooLarge(200)],
  ])('is read as it is: %s', async (_, answerer, reply) => {
    const { url } = await startServer(answerer)
    expect(await open()(url)).toEqual(reply)
  })

  it('that switches the protocol leaves no connection', async () => {
    const bytes = 'HTTP/1.1 101 No\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'
    const server = await startServer(raw(bytes))
    expect(await open()(server.url)).toEqual(answered(101))
    await until(() => server.connections().now === 0)
  })

  it('that never ends is not read on', async () => {
    const server = await startServer(response => {
      const block = Buffer.alloc(65_536)
      const pour = (): void => {
        while (!response.destroyed && response.write(block));
        response.once('drain', pour)
      }
      pour()
    })
    expect(await open()(server.url)).toEqual(tooLarge(200))
    await until(() => server.connections().now === 0)
  })
})

/** Writes a piece every few milliseconds, behind a beginning, until the connection is gone. */
const trickle =
  (beginning: string, piece: string): Answerer =>
  ({ socket }) => {
    socket?.write(beginning)
    const timer = setInterval(() => socket?.write(piece), 10)
    socket?.once('close', () => {
      clearInterval(timer)
    })
  }

describe('the deadline of one try', () => {
  const late = (wasSent: boolean) => ({ ...lost(wasSent), reason: expect.stringMatching('0.3 s') })
  const pourInterim: Answerer = ({ socket }) => {
    const pour = (): void => {
      if (socket === null || socket.destroyed) return
      if (!socket.writableNeedDrain) socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(50))
      setImmediate(pour)
    }
    pour()
  }
  it.each<[string, Answerer]>([
    ['the wait for the head', silent],
    ['a head that trickles', trickle('HTTP/1.1 200 OK\r\nX-Long: ', 'y')],
    ['interim answers that never end', pourInterim],
    ['the wait for the body', raw('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n')],
    ['a body that trickles', trickle('HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n', 'y')],
    ['chunks that trickle', trickle(chunked, '1\r\ny\r\n')],
  ])('covers %s', async (_, answerer) => {
    const { url } = await startServer(answerer)
    expect(await open({ timeoutMs: 300 })(url)).toEqual(late(true))
  })

  it('covers connecting: a TLS handshake that is never answered', async () => {
    const port = await startTcpServer(() => undefined)
    expect(await open({ timeoutMs: 300 })(`https://127.0.0.1:${port}/`)).toEqual(late(false))
  })

  it('covers the wait for a free connection', async () => {
    const { url } = await startServer(silent)
    const send = open({ timeoutMs: 300, maxConnections: 1 })
    const replies = await Promise.all([send(url), send(url)])
    expect(replies).toEqual([late(true), { ...late(false), wasSent: expect.any(Boolean) }])
  })

  it('is counted anew for each try', async () => {
    const { url } = await startServer(async (...given) => {
      await wait(200)
      answer(200)(...given)
    })
    const send = open({ timeoutMs: 1000 })
    for (let tries = 0; tries < 6; tries++) expect(await send(url)).toMatchObject({ status: 200 })
  })
})

describe('a connection that dies', () => {
  it.each([
    ['before any byte of the answer', ''],
    ['within the status line', 'HTTP/1.1 20'],
    ['within the head', 'HTTP/1.1 200 OK\r\nContent-Le'],
    ['between head and body', 'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n'],
    ['within a body of known length', 'HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n{"a":1}'],
    ['within a chunk', `${chunked}8\r\n{"a":1}`],
    ['between two chunks', `${chunked}7\r\n{"a":1}\r\n`],
    ['before the end of the last chunk', `${chunked}7\r\n{"a":1}\r\n0\r\n`],
    ['for a chunk length that is none', `${chunked}zz\r\n`],
  ])('is a failed try: %s', async (_, bytes) => {
    const ended = await startServer(({ socket }) => socket?.end(bytes))
    expect(await open()(ended.url)).toEqual(lost(true))
    const cut = await startServer(({ socket }) => {
      socket?.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), 20))
    })
    expect(await open()(cut.url)).toEqual(lost(true))
  })
})

describe('a connection that cannot be made', () => {
  it('is a try whose body was not sent when it is refused, and shows no address', async () => {
    const port = await refusedPort()
    for (const scheme of ['http', 'https']) {
      expect(await open()(`${scheme}://127.0.0.1:${port}/path`)).toEqual({
        ...lost(false),
        reason: 'the connection was refused (ECONNREFUSED)',
      })
    }
  })

  it('was not sent when TLS meets plain HTTP, or an end within the handshake', async () => {
    const plain = await startServer()
    expect(await open()(plain.url.replace('http:', 'https:'))).toEqual(lost(false))
    expect(plain.seen).toEqual([])
    const port = await startTcpServer(socket => socket.once('data', () => socket.destroy()))
    expect(await open()(`https://127.0.0.1:${port}/`)).toEqual(lost(false))
  })

  it('was not sent when the process has no file descriptor left', async () => {
    const server = await startServer()
    const { stdout, stderr } = runTransport(
      `const { openSync } = await import('node:fs')
      const takeAll = () => { try { for (;;) openSync('/dev/null') } catch {} }
      takeAll()
      // Node may give one back in the first moments.
      await new Promise(resolve => setTimeout(resolve, 200))
      takeAll()
      console.log(JSON.stringify(await transport.send(request('${server.url}'), signal)))
      process.exit()`,
      { timeoutMs: 20_000, limit: 'ulimit -n 64 && ' },
    )
    const reason = expect.stringContaining('EMFILE')
    expect(JSON.parse(await stdout)).toEqual({ ...lost(false), reason })
    expect(await stderr).toBe('')
    expect(server.seen).toEqual([])
  })

  it.each([
    ['ENOTFOUND', true],
    ['EAI_AGAIN', false],
  ])('was not sent when the look-up of the name ends with %s', async (code, isUnknownHost) => {
    const { stdout } = runTransport(`
      const { default: dns } = await import('node:dns')
      dns.lookup = (host, options, done) => done(Object.assign(new Error('of ' + host), { code: '${code}' }))
      console.log(JSON.stringify(await transport.send(request('http://service.test/'), signal)))`)
    const reason = expect.stringMatching(`name.*${code}`)
    expect(JSON.parse(await stdout)).toEqual({ ...lost(false), isUnknownHost, reason })
  })
})

describe.each(['directly', 'through a proxy'])('over TLS %s', way => {
  const systemAuthorities = getCACertificates('default')
  let certificate: Certificate | undefined
  beforeAll(() => {
    certificate = makeCertificate('IP:127.0.0.1,DNS:service.test')
  })

  /** Starts a service that breaks the connection at the request with this number. */
  const startSecure = async (breaksAt = 0) => {
    if (certificate === undefined) throw new Error('no certificate')
    let seen = 0
    const server = createHttpsServer(
      { ...certificate, keepAliveTimeout: 60_000 },
      (request, response) => {
        request.resume().once('end', () => {
          if (++seen === breaksAt) request.socket.destroy()
          else response.end('{}')
        })
      },
    )
    const { port, connections } = await listen(server)
    setDefaultCACertificates([...systemAuthorities, certificate.cert])
    atEnd(() => {
      setDefaultCACertificates(systemAuthorities)
    })
    if (way === 'directly')
      return { url: `https://127.0.0.1:${port}/`, seen: () => seen, connections }
    const proxy = await startProxy({ targets: { 'service.test:443': port } })
    process.env['https_proxy'] = `http://${proxy.host}`
    atEnd(() => {
      delete process.env['https_proxy']
    })
    return { url: 'https://service.test/', seen: () => seen, connections }
  }

  it.each([1, 2, 3])('request %d was sent when the connection dies after it', async nth => {
    const server = await startSecure(nth)
    const send = open({ maxConnections: 1 })
    for (let count = 1; count < nth; count++)
      expect(await send(server.url)).toMatchObject({ kind: 'answer', body: '{}' })
    expect(await send(server.url)).toEqual(lost(true))
    expect(server.seen()).toBe(nth)
    if (way === 'directly') expect(server.connections().all).toBe(1)
  })

  it('a request was sent also on a connection that was made for one that was given up', async () => {
    const server = await startSecure(1)
    const send = open({ maxConnections: 1 })
    expect(await send(server.url, AbortSignal.abort())).toMatchObject({ isAborted: true })
    await wait(200)
    expect(await send(server.url)).toEqual(lost(true))
  })

  it('connections end with the transport', async () => {
    const server = await startSecure()
    const transport = createTransport({ timeoutMs: 5000, maxConnections: 2 })
    const request = { method: 'POST', url: new URL(server.url), token: null, body: '' } as const
    const both = [transport.send(request, never), transport.send(request, never)]
    expect(await Promise.all(both)).toEqual([answered(200, '{}'), answered(200, '{}')])
    expect(server.connections().now).toBe(2)
    transport.close()
    await until(() => server.connections().now === 0)
  })
})

describe('kept connections', () => {
  it.each<[string, Answerer, number]>([
    ['serve one request after the other', answer(200), 1],
    ['are made anew when the service closes them', answer(200, {}, { connection: 'close' }), 8],
  ])('%s', async (_, answerer, connections) => {
    const server = await startServer(answerer)
    const send = open()
    for (let count = 0; count < 8; count++)
      expect(await send(server.url)).toMatchObject({ status: 200 })
    expect(server.connections().all).toBe(connections)
  })

  it('are never more than the limit, also when they break, and all requests are served', async () => {
    const server = await startServer(async (response, seen, nth) => {
      await wait(10)
      if (nth % 3 === 0) breakOff(response, seen, nth)
      else answer(200)(response, seen, nth)
    })
    const send = open({ maxConnections: 3 })
    const replies = await Promise.all(Array.from({ length: 21 }, () => send(server.url)))
    expect(replies.filter(({ kind }) => kind === 'lost')).toHaveLength(7)
    expect(replies.filter(({ kind }) => kind === 'answer')).toHaveLength(14)
    expect(server.connections().most).toBe(3)
  })

  it('that die under a second request leave open whether it was carried out', async () => {
    const server = await startServer(inTurn(answer(200), ({ socket }) => socket?.destroy()))
    const send = open({ maxConnections: 1 })
    expect(await send(server.url)).toMatchObject({ kind: 'answer' })
    expect(await send(server.url)).toEqual(lost(true))
    expect(server.seen).toHaveLength(2)
  })

  it('make Node warn of nothing in a long run', async () => {
    const server = await startServer(answer(200))
    const { stderr } = runTransport(`
      for (let count = 0; count < 40; count++) await transport.send(request('${server.url}'), signal)`)
    expect(await stderr).toBe('')
    expect(server.seen).toHaveLength(40)
  })
})

/** Runs statements with a transport in a process of its own, whose file descriptors may be limited. */
function runTransport(statements: string, { timeoutMs = 5000, limit = '' } = {}) {
  const module = new URL('../../src/service/transport.ts', import.meta.url).href
  const script = `
    import { createTransport } from ${JSON.stringify(module)}
    const transport = createTransport({ timeoutMs: ${timeoutMs}, maxConnections: 1 })
    const request = url => ({ method: 'POST', url: new URL(url), token: null, body: '{}' })
    const { signal } = new AbortController()
    ${statements}
    transport.close()`
  const command = `${limit}exec "$0" --input-type=module --eval "$1"`
  const child = spawn('bash', ['-c', command, process.execPath, script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  atEnd(() => child.kill('SIGKILL'))
  return { child, stdout: text(child.stdout), stderr: text(child.stderr) }
}

describe('an answer that arrives while this process stands still, beyond its deadline', () => {
  const whole = (status: number, bytes: number): [Answerer, unknown] => [
    answer(status, 'x'.repeat(bytes)),
    { kind: 'answer', bytes },
  ]
  it.each<[string, Answerer, unknown]>([
    ['is used', ...whole(200, 10)],
    ['is used whole', ...whole(200, 900_000)],
    ['is used, a refusal', ...whole(409, 2)],
    [
      'is not used if a part of it is missing',
      raw('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{'),
      { kind: 'lost' },
    ],
    ['is missed if there is none', silent, { kind: 'lost' }],
  ])('%s', async (_, answerer, expected) => {
    const server = await startServer((...given) => {
      child.kill('SIGSTOP')
      answerer(...given)
      // Longer than the deadline of the process that stands still.
      setTimeout(() => child.kill('SIGCONT'), 1200)
    })
    const { child, stdout } = runTransport(
      `const reply = await transport.send(request('${server.url}'), signal)
      console.log(JSON.stringify({ kind: reply.kind, bytes: reply.body?.length }))`,
      { timeoutMs: 600 },
    )
    expect(JSON.parse(await stdout)).toEqual(expected)
    expect(server.seen).toHaveLength(1)
  })
})

describe('a request that is given up', () => {
  it('was not sent when it was given up before, or while it connected', async () => {
    const server = await startServer()
    expect(await open()(server.url, AbortSignal.abort())).toEqual(lost(false, true))
    expect(server.seen).toEqual([])
    const controller = new AbortController()
    const giveUp = (socket: Socket): void =>
      void socket.once('data', () => {
        controller.abort()
      })
    const url = `https://127.0.0.1:${await startTcpServer(giveUp)}/`
    expect(await open()(url, controller.signal)).toEqual(lost(false, true))
  })

  it.each<[string, Answerer]>([
    ['head', silent],
    ['body', raw('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{')],
  ])('may have been carried out when it waited for the %s', async (_, answerer) => {
    const controller = new AbortController()
    const server = await startServer((...given) => {
      answerer(...given)
      setTimeout(() => {
        controller.abort()
      }, 50)
    })
    expect(await open()(server.url, controller.signal)).toEqual(lost(true, true))
    await until(() => server.connections().now === 0)
  })
})
