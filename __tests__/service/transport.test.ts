import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { createTransport, maxBodyBytes, type Reply } from '../../src/service/transport.ts'
import { makeCertificate, type Certificate } from './certificate.ts'
import {
  answer,
  atEnd,
  breakOff,
  closeAll,
  listen,
  RAW_BODY,
  refusedPort,
  startRawServer,
  startServer,
  startTcpServer,
  until,
} from './support.ts'

afterEach(closeAll)

const never = new AbortController().signal

/** A transport that sends one kind of request. */
function open(options: { readonly timeoutMs?: number; readonly maxConnections?: number } = {}) {
  const transport = createTransport({ timeoutMs: 5000, maxConnections: 4, ...options })
  atEnd(() => {
    transport.close()
  })
  return (url: string | URL, signal = never): Promise<Reply> =>
    settled(
      transport.send(
        {
          method: 'POST',
          url: new URL(url),
          headers: { 'content-type': 'application/json' },
          body: RAW_BODY,
        },
        signal,
      ),
    )
}

/** Rejects for a request that never settles, which is the worst of all answers, long before jest would. */
async function settled(sending: Promise<Reply>): Promise<Reply> {
  let timer: NodeJS.Timeout | undefined
  const guard = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error('the request never settled'))
    }, 6000)
  })
  return Promise.race([sending, guard]).finally(() => {
    clearTimeout(timer)
  })
}

const lost = (wasSent: boolean) => ({
  ...{ kind: 'lost', wasSent, isUnknownHost: false },
  reason: expect.stringMatching(/./),
})

/** Milliseconds that a promise took. */
async function timed(promise: Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await promise
  return performance.now() - startedAt
}

describe('an answer', () => {
  it('comes with its status, Retry-After and body, whatever the status', async () => {
    for (const status of [200, 201, 400, 404, 418, 500, 503]) {
      const { url } = await startServer(answer(status, 'grüße', { 'retry-after': '5' }))
      expect(await open()(url)).toEqual({ kind: 'answer', status, retryAfter: '5', body: 'grüße' })
    }
  })

  it('has no Retry-After and an empty body when the service gave none', async () => {
    const { url } = await startServer(response => response.writeHead(204).end())
    expect(await open()(url)).toEqual({ kind: 'answer', status: 204, retryAfter: null, body: '' })
  })

  it('is whole when its body has no length and ends with the connection', async () => {
    const { url } = await startRawServer(socket => socket.end('HTTP/1.1 200 OK\r\n\r\n{"a":1}'))
    expect(await open()(url)).toMatchObject({ kind: 'answer', body: '{"a":1}' })
  })

  it('is whole when it comes in pieces', async () => {
    const { url } = await startServer(async response => {
      for (const part of ['{"a"', ':', '1}']) {
        response.write(part)
        await new Promise(resolve => setTimeout(resolve, 10))
      }
      response.end()
    })
    expect(await open()(url)).toMatchObject({ kind: 'answer', status: 200, body: '{"a":1}' })
  })

  it('is the last one when an informational one comes before', async () => {
    const { url } = await startRawServer(socket =>
      socket.write(
        'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',
      ),
    )
    expect(await open()(url)).toMatchObject({ kind: 'answer', status: 200, body: '{}' })
  })

  it('has its text repaired where it is not UTF-8', async () => {
    const { url } = await startServer(answer(200, Buffer.from([0x22, 0xff, 0x22])))
    expect(await open()(url)).toMatchObject({ body: '"\ufffd"' })
  })

  it('was asked for with the method, path, headers and body of the request', async () => {
    const server = await startServer(answer(200))
    await open()(`${server.url}/notary/api?x=1`)
    expect(server.seen).toMatchObject([
      {
        method: 'POST',
        path: '/notary/api?x=1',
        body: RAW_BODY,
        headers: { host: new URL(server.url).host },
      },
    ])
  })
})

describe('the deadline of one try', () => {
  const timeoutMs = 300
  const expectDeadline = async (url: string | URL, wasSent: boolean): Promise<void> => {
    const sending = open({ timeoutMs })(url)
    expect(await timed(sending)).toBeLessThan(5000)
    expect(await sending).toEqual({
      ...{ kind: 'lost', wasSent, isUnknownHost: false },
      reason: 'no complete answer within 0.3 s',
    })
  }

  it('covers connecting: a TLS handshake that is never answered', async () => {
    const port = await startTcpServer(() => undefined)
    await expectDeadline(`https://127.0.0.1:${port}/`, false)
  })

  it('covers the wait for the head', async () => {
    await expectDeadline((await startServer(() => undefined)).url, true)
  })

  it('covers a head that trickles', async () => {
    const { url } = await startRawServer(socket => {
      socket.write('HTTP/1.1 200 OK\r\nX-Long: ')
      trickle(socket, 'y')
    })
    await expectDeadline(url, true)
  })

  it('covers interim answers that never end', async () => {
    const { url } = await startRawServer(socket => {
      const pour = (): void => {
        if (socket.destroyed) return
        if (!socket.writableNeedDrain) socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(50))
        setImmediate(pour)
      }
      pour()
    })
    await expectDeadline(url, true)
  })

  it('covers the wait for the body', async () => {
    const { url } = await startServer(response => {
      response.writeHead(200, { 'content-length': 100 }).flushHeaders()
    })
    await expectDeadline(url, true)
  })

  it.each(['Content-Length: 100000', 'Transfer-Encoding: chunked'])(
    'covers a body that trickles without a pause (%s)',
    async framing => {
      const { url } = await startRawServer(socket => {
        socket.write(`HTTP/1.1 200 OK\r\n${framing}\r\n\r\n`)
        trickle(socket, framing.startsWith('C') ? 'y' : '1\r\ny\r\n')
      })
      await expectDeadline(url, true)
    },
  )

  it('covers the wait for a free connection', async () => {
    const server = await startServer(() => undefined)
    const send = open({ timeoutMs, maxConnections: 1 })
    const sending = Promise.all([1, 2, 3].map(() => send(server.url)))
    expect(await timed(sending)).toBeLessThan(5000)
    expect((await sending).map(({ kind }) => kind)).toEqual(['lost', 'lost', 'lost'])
  })

  it('is counted anew for each try', async () => {
    const server = await startServer(async (response, seen, nth) => {
      await new Promise(resolve => setTimeout(resolve, 200))
      answer(200, {})(response, seen, nth)
    })
    const send = open({ timeoutMs: 1000 })
    for (let tries = 0; tries < 6; tries++)
      expect(await send(server.url)).toMatchObject({ kind: 'answer' })
  })
})

/** Writes a piece every few milliseconds until the connection is gone. */
function trickle(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 10)
  socket.once('close', () => {
    clearInterval(timer)
  })
}

describe('a connection that dies', () => {
  it.each([
    ['before any byte of the answer', ''],
    ['within the status line', 'HTTP/1.1 20'],
    ['within the head', 'HTTP/1.1 200 OK\r\nContent-Le'],
    ['between head and body', 'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n'],
    ['within a body of known length', 'HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n{"a":1}'],
    ['within a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{"a":1}'],
    ['between two chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{"a":1}\r\n'],
    [
      'before the end of the last chunk',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{"a":1}\r\n0\r\n',
    ],
  ])('is a failed try: %s', async (_, bytes) => {
    const ended = await startRawServer(socket => socket.end(bytes))
    expect(await open()(ended.url)).toEqual(lost(true))
    const cut = await startRawServer(socket => {
      socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), 20))
    })
    expect(await open()(cut.url)).toEqual(lost(true))
  })

  it('is what a chunk length that is none comes to', async () => {
    const { url } = await startRawServer(socket =>
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'),
    )
    expect(await open({ timeoutMs: 1000 })(url)).toEqual(lost(true))
  })
})

describe('an answer that is none', () => {
  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', 0],
    [
      'a switch to another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
      101,
    ],
  ])('ends the try at once, without a good status: %s', async (_, bytes, status) => {
    const { url } = await startRawServer(socket => socket.write(bytes))
    expect(await open()(url)).toEqual({ kind: 'answer', status, retryAfter: null, body: '' })
  })
})

describe('a large body', () => {
  const body = (bytes: number) => 'x'.repeat(bytes)

  it('is read up to 1 MiB', async () => {
    expect(maxBodyBytes).toBe(1_048_576)
    const { url } = await startServer(answer(200, body(maxBodyBytes)))
    const reply = await open()(url)
    expect(reply.kind === 'answer' && reply.body.length).toBe(maxBodyBytes)
  })

  it.each([200, 404, 503])('is refused from one byte more on (%d)', async status => {
    const known = await startServer(answer(status, body(maxBodyBytes + 1)))
    expect(await open()(known.url)).toEqual({ kind: 'too-large', status })
    const chunked = await startServer(response => {
      response.writeHead(status).write(body(maxBodyBytes))
      response.end('y')
    })
    expect(await open()(chunked.url)).toEqual({ kind: 'too-large', status })
  })

  it('is counted in bytes, not in characters', async () => {
    const { url } = await startServer(answer(200, '漢'.repeat(400_000)))
    expect(await open()(url)).toEqual({ kind: 'too-large', status: 200 })
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
    expect(await open()(server.url)).toEqual({ kind: 'too-large', status: 200 })
    await until(() => server.connections().now === 0)
  })
})

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('is not followed: %d', async status => {
    const target = await startServer(answer(200))
    const { url } = await startServer(answer(status, {}, { location: `${target.url}/elsewhere` }))
    expect(await open()(url)).toMatchObject({ kind: 'answer', status })
    expect(target.connections().all).toBe(0)
  })
})

describe('a connection that cannot be made', () => {
  it('is a try whose body was not sent when it is refused', async () => {
    const port = await refusedPort()
    for (const scheme of ['http', 'https'])
      expect(await open()(`${scheme}://127.0.0.1:${port}/`)).toEqual({
        ...{ kind: 'lost', wasSent: false, isUnknownHost: false },
        reason: 'the connection was refused (ECONNREFUSED)',
      })
  })

  it('shows no address and no path in its reason', async () => {
    const port = await refusedPort()
    const reply = await open()(`http://127.0.0.1:${port}/secret-path`)
    expect(JSON.stringify(reply)).not.toMatch(/127\.0|secret-path/)
    expect(JSON.stringify(reply)).not.toContain(String(port))
  })

  it('was not sent when TLS meets plain HTTP, or an end within the handshake', async () => {
    const plain = await startServer(answer(200))
    expect(await open()(plain.url.replace('http:', 'https:'))).toEqual(lost(false))
    expect(plain.seen).toEqual([])
    const port = await startTcpServer(socket => socket.once('data', () => socket.destroy()))
    expect(await open()(`https://127.0.0.1:${port}/`)).toEqual(lost(false))
  })
})

describe('over TLS', () => {
  let right: Certificate
  let wrongName: Certificate
  const systemAuthorities = getCACertificates('default')
  beforeAll(() => {
    right = makeCertificate('IP:127.0.0.1')
    wrongName = makeCertificate('DNS:elsewhere.example')
  })
  const trust = (...certificates: readonly Certificate[]): void => {
    setDefaultCACertificates([...systemAuthorities, ...certificates.map(({ cert }) => cert)])
    atEnd(() => {
      setDefaultCACertificates(systemAuthorities)
    })
  }
  const startSecure = async (
    tls: Certificate,
    handle: (socket: Socket, nth: number) => string | null = () => '{}',
  ) => {
    let seen = 0
    const server = createHttpsServer(tls, (request, response) => {
      request.resume().once('end', () => {
        const body = handle(request.socket, ++seen)
        if (body === null) request.socket.destroy()
        else response.end(body)
      })
    })
    const { port, connections } = await listen(server)
    return { url: `https://127.0.0.1:${port}/`, seen: () => seen, connections }
  }

  it('a certificate that nobody vouches for is known as such, and nothing is sent', async () => {
    const server = await startSecure(right)
    expect(await open()(server.url)).toEqual({
      kind: 'untrusted',
      reason: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    })
    expect(server.seen()).toBe(0)
  })

  it('a certificate for another name is known as such, and nothing is sent', async () => {
    trust(wrongName)
    const server = await startSecure(wrongName)
    expect(await open()(server.url)).toEqual({
      kind: 'untrusted',
      reason: 'ERR_TLS_CERT_ALTNAME_INVALID',
    })
    expect(server.seen()).toBe(0)
  })

  it('a trusted service is spoken to on one connection', async () => {
    trust(right)
    const server = await startSecure(right)
    const send = open()
    for (let count = 0; count < 5; count++)
      expect(await send(server.url)).toMatchObject({ kind: 'answer', body: '{}' })
    expect(server.connections().all).toBe(1)
  })

  it('a request was sent when the connection dies after it, also on a connection used before', async () => {
    trust(right)
    const fresh = await startSecure(right, () => null)
    expect(await open()(fresh.url)).toEqual(lost(true))
    const server = await startSecure(right, (_, nth) => (nth < 3 ? '{}' : null))
    const send = open({ maxConnections: 1 })
    await send(server.url)
    await send(server.url)
    expect(await send(server.url)).toEqual(lost(true))
    expect(server.connections().all).toBe(1)
  })

  it('a request was sent also on a connection that was made for one that was given up', async () => {
    trust(right)
    const server = await startSecure(right, () => null)
    const send = open({ maxConnections: 1 })
    expect(await send(server.url, AbortSignal.abort())).toMatchObject({ kind: 'aborted' })
    await new Promise(resolve => setTimeout(resolve, 200))
    expect(await send(server.url)).toEqual(lost(true))
  })
})

describe('through a proxy', () => {
  const through = (port: number): void => {
    const before = process.env['https_proxy']
    process.env['https_proxy'] = `http://user:proxy-password@127.0.0.1:${port}`
    atEnd(() => {
      if (before === undefined) delete process.env['https_proxy']
      else process.env['https_proxy'] = before
    })
  }
  const target = 'https://service.test/'

  it('nothing was sent when the proxy refuses the connection', async () => {
    through(await refusedPort())
    expect(await open()(target)).toEqual(lost(false))
  })

  it.each([403, 407, 502])('nothing was sent when the proxy answers %d', async status => {
    const asked: string[] = []
    const proxy = createHttpServer().on('connect', (request, socket) => {
      asked.push(request.url ?? '')
      socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`)
    })
    through((await listen(proxy)).port)
    const reply = await open()(target)
    expect(reply).toEqual(lost(false))
    expect(JSON.stringify(reply)).not.toContain('proxy-password')
    expect(asked).toEqual(['service.test:443'])
  })

  it('nothing was sent when the proxy never answers, and the deadline holds', async () => {
    through((await listen(createHttpServer().on('connect', () => undefined))).port)
    expect(await open({ timeoutMs: 300 })(target)).toEqual(lost(false))
  })

  /** A service behind a proxy; it breaks each connection at the request with this number. */
  const startBehindProxy = async (breaksAt: number) => {
    const tls = makeCertificate('DNS:service.test')
    let seen = 0
    const secure = createHttpsServer(tls, (request, response) => {
      request.resume().once('end', () => {
        if (++seen === breaksAt) request.socket.destroy()
        else response.end('{}')
      })
    })
    const { port } = await listen(secure)
    const proxy = createHttpServer().on('connect', (_, socket) => {
      const onward = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        socket.pipe(onward).pipe(socket)
      })
      onward.on('error', () => undefined)
      socket.on('error', () => undefined)
    })
    const { port: proxyPort, connections } = await listen(proxy)
    through(proxyPort)
    const before = getCACertificates('default')
    return {
      seen: () => seen,
      connections,
      trust: () => {
        setDefaultCACertificates([...before, tls.cert])
        atEnd(() => {
          setDefaultCACertificates(before)
        })
      },
    }
  }

  it('the certificate of the service is verified, and nothing was sent if it is not trusted', async () => {
    const service = await startBehindProxy(0)
    expect(await open()(target)).toEqual({
      kind: 'untrusted',
      reason: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    })
    expect(service.seen()).toBe(0)
  })

  it.each([1, 2, 3])('request %d was sent when the connection dies after it', async nth => {
    const service = await startBehindProxy(nth)
    service.trust()
    const send = open({ maxConnections: 1 })
    for (let count = 1; count < nth; count++)
      expect(await send(target)).toMatchObject({ kind: 'answer', body: '{}' })
    expect(await send(target)).toEqual(lost(true))
    expect(service.seen()).toBe(nth)
  })

  it('connections end with the transport', async () => {
    const service = await startBehindProxy(0)
    service.trust()
    const transport = createTransport({ timeoutMs: 5000, maxConnections: 2 })
    const request = { method: 'POST', url: new URL(target), headers: {}, body: '' } as const
    expect(await transport.send(request, never)).toMatchObject({ kind: 'answer' })
    expect(service.connections().now).toBeGreaterThan(0)
    transport.close()
    await until(() => service.connections().now === 0)
  })
})

describe('kept connections', () => {
  it('serve one request after the other', async () => {
    const server = await startServer(answer(200))
    const send = open()
    for (let count = 0; count < 8; count++) await send(server.url)
    expect(server.connections().all).toBe(1)
  })

  it('are never more than the limit, and all requests are served', async () => {
    const server = await startServer(async (response, seen, nth) => {
      await new Promise(resolve => setTimeout(resolve, 10))
      answer(200)(response, seen, nth)
    })
    const send = open({ maxConnections: 3 })
    const replies = await Promise.all(Array.from({ length: 21 }, () => send(server.url)))
    expect(replies.every(({ kind }) => kind === 'answer')).toBe(true)
    expect(server.seen).toHaveLength(21)
    expect(server.connections().most).toBe(3)
  })

  it('never exceed the limit either when they break', async () => {
    const server = await startServer((response, seen, nth) =>
      nth % 3 === 0 ? breakOff(response, seen, nth) : answer(200)(response, seen, nth),
    )
    const send = open({ maxConnections: 2 })
    const replies = await Promise.all(Array.from({ length: 18 }, () => send(server.url)))
    expect(replies.filter(({ kind }) => kind === 'lost')).toHaveLength(6)
    expect(server.connections().most).toBeLessThanOrEqual(2)
  })

  it('make Node warn of nothing in a long run', async () => {
    const server = await startServer(answer(200))
    const { stderr, done } = runTransport(`
      for (let count = 0; count < 40; count++) await transport.send(request('${server.url}'), signal)`)
    await done
    expect(server.seen).toHaveLength(40)
    expect(await stderr).toBe('')
  })

  it('that the service closes after an answer are made anew', async () => {
    const server = await startServer(answer(200, {}, { connection: 'close' }))
    const send = open({ maxConnections: 1 })
    for (let count = 0; count < 3; count++)
      expect(await send(server.url)).toMatchObject({ kind: 'answer' })
    expect(server.connections().all).toBe(3)
  })

  it('that die under a second request leave open whether it was carried out', async () => {
    const { url, requests } = await startRawServer((socket, nth) => {
      if (nth === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')
      else socket.destroy()
    })
    const send = open({ maxConnections: 1 })
    expect(await send(url)).toMatchObject({ kind: 'answer' })
    expect(await send(url)).toEqual(lost(true))
    expect(requests()).toBe(2)
  })

  it('end with the transport', async () => {
    const server = await startServer(answer(200))
    const transport = createTransport({ timeoutMs: 1000, maxConnections: 2 })
    const request = { method: 'POST', url: new URL(server.url), headers: {}, body: '' } as const
    await Promise.all([transport.send(request, never), transport.send(request, never)])
    expect(server.connections().now).toBe(2)
    transport.close()
    await until(() => server.connections().now === 0)
  })
})

/** Runs statements with a transport in a process of its own, whose file descriptors may be limited. */
function runTransport(statements: string, timeoutMs = 5000, limit = '') {
  const module = new URL('../../src/service/transport.ts', import.meta.url).href
  const script = `
    import { createTransport } from ${JSON.stringify(module)}
    const transport = createTransport({ timeoutMs: ${timeoutMs}, maxConnections: 1 })
    const request = url => ({ method: 'POST', url: new URL(url), headers: {}, body: '{}' })
    const { signal } = new AbortController()
    ${statements}
    transport.close()`
  const child = spawn(
    'bash',
    ['-c', `${limit}exec "$0" --input-type=module --eval "$1"`, process.execPath, script],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  atEnd(() => child.kill('SIGKILL'))
  const [stdout, stderr, done] = [text(child.stdout), text(child.stderr), once(child, 'close')]
  return { child, stdout, stderr, done }
}

describe('an answer that arrives while this process stands still, beyond its deadline', () => {
  const body = (bytes: number): string => JSON.stringify({ filler: 'x'.repeat(bytes) })
  it.each<[string, (response: ServerResponse) => void, unknown]>([
    ['is used', answerWith(body(10)), { kind: 'answer', bytes: body(10).length }],
    ['is used whole', answerWith(body(900_000)), { kind: 'answer', bytes: body(900_000).length }],
    [
      'is used, a refusal',
      response => response.writeHead(409).end('{}'),
      { kind: 'answer', bytes: 2 },
    ],
    [
      'is not used if a part of it is missing',
      response => response.writeHead(200, { 'content-length': 9 }).write('{'),
      { kind: 'lost' },
    ],
    ['is missed if there is none', () => undefined, { kind: 'lost' }],
  ])('%s', async (_, reply, expected) => {
    const server = await startServer(response => {
      child.kill('SIGSTOP')
      reply(response)
      // Longer than the deadline of the process that stands still.
      setTimeout(() => child.kill('SIGCONT'), 1200)
    })
    const { child, stdout } = runTransport(
      `
      const reply = await transport.send(request('${server.url}'), signal)
      console.log(JSON.stringify({ kind: reply.kind, bytes: reply.body?.length }))`,
      600,
    )
    expect(JSON.parse(await stdout)).toEqual(expected)
    expect(server.seen).toHaveLength(1)
  })
})

function answerWith(body: string): (response: ServerResponse) => void {
  return response => response.end(body)
}

it('was not sent when the process has no file descriptor left for a connection', async () => {
  const server = await startServer(answer(200))
  const { stdout, stderr } = runTransport(
    `
    const { openSync } = await import('node:fs')
    try { for (;;) openSync('/dev/null') } catch {}
    console.log(JSON.stringify(await transport.send(request('${server.url}'), signal)))
    process.exit()`,
    20_000,
    'ulimit -n 64 && ',
  )
  expect(JSON.parse(await stdout)).toEqual({
    ...lost(false),
    reason: expect.stringContaining('EMFILE'),
  })
  expect(await stderr).toBe('')
  expect(server.seen).toEqual([])
})

it.each([
  ['ENOTFOUND', true],
  ['EAI_AGAIN', false],
])(
  'was not sent when the name look-up ends with %s, which means no such host: %s',
  async (code, is) => {
    const { stdout } = runTransport(`
    const { default: dns } = await import('node:dns')
    dns.lookup = (host, options, done) => done(Object.assign(new Error('of ' + host), { code: '${code}' }))
    console.log(JSON.stringify(await transport.send(request('http://service.test/'), signal)))`)
    expect(JSON.parse(await stdout)).toEqual({
      ...{ kind: 'lost', wasSent: false, isUnknownHost: is },
      reason: expect.stringMatching(new RegExp(`name.*${code}`)),
    })
  },
)

describe('a request that is given up', () => {
  it('was not sent when it was given up before', async () => {
    const server = await startServer(answer(200))
    expect(await open()(server.url, AbortSignal.abort())).toEqual({
      kind: 'aborted',
      wasSent: false,
    })
    expect(server.seen).toEqual([])
  })

  it('was not sent when it was given up while it connected', async () => {
    const controller = new AbortController()
    const port = await startTcpServer(socket =>
      socket.once('data', () => {
        controller.abort()
      }),
    )
    const reply = await open()(`https://127.0.0.1:${port}/`, controller.signal)
    expect(reply).toEqual({ kind: 'aborted', wasSent: false })
  })

  it.each(['head', 'body'])('may have been carried out when it waited for the %s', async stage => {
    const controller = new AbortController()
    const server = await startServer(response => {
      if (stage === 'body') response.writeHead(200, { 'content-length': 9 }).write('{')
      setTimeout(() => {
        controller.abort()
      }, 50)
    })
    const reply = await open()(server.url, controller.signal)
    expect(reply).toEqual({ kind: 'aborted', wasSent: true })
    await until(() => server.connections().now === 0)
  })

  it('is given up for its own reason, not the deadline', async () => {
    const server = await startServer(() => undefined)
    const reply = await open({ timeoutMs: 400 })(server.url, AbortSignal.timeout(100))
    expect(reply).toEqual({ kind: 'aborted', wasSent: true })
  })
})
