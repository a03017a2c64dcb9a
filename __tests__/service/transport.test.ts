import { spawn } from 'node:child_process'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals'
import '../support/realms.ts'
import { createTransport, type Reply } from '../../src/service/transport.ts'
import { makeCertificate } from '../support/certificate.ts'
import { cleanUp } from '../support/clean-up.ts'
import { startProxy } from '../support/proxy.ts'
import { moduleUrl } from '../support/script.ts'
import { until } from '../support/until.ts'
import { answer, atEnd, closeAll, listen, raw, startServer, type Answerer } from './server.ts'

afterEach(closeAll)
afterAll(cleanUp)

const never = new AbortController().signal

/** A function that sends one kind of request. */
function open(timeoutMs = 5000) {
  const transport = createTransport(timeoutMs)
  atEnd(transport.close)
  const request = { body: '{"a":"body"}', token: 'the-token' }
  return (url: string, signal = never): Promise<Reply> =>
    transport.send({ ...request, url: new URL(url) }, signal)
}

const answered = (status: number, body: string | null = '', retryAfterMs: number | null = null) => {
  return { kind: 'answer', status, body, retryAfterMs }
}
const lost = (wasSent: boolean, cause = 'connection') => {
  return { kind: 'no-answer', wasSent, cause, reason: expect.stringMatching(/./) }
}
const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'

it('a request has the method, path, headers and body that were asked for', async () => {
  const server = await startServer(answer(200))
  await open()(`${server.url}/notary/api?x=1`)
  const headers = {
    host: new URL(server.url).host,
    'content-type': 'application/json',
    accept: 'application/json',
    'accept-encoding': 'identity',
    authorization: 'Bearer the-token',
  }
  const sent = { method: 'POST', path: '/notary/api?x=1', body: '{"a":"body"}' }
  expect(server.seen).toMatchObject([{ ...sent, headers }])
})

const pack: Readonly<Record<string, (text: string) => Buffer>> = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
}

describe('an answer', () => {
  const full = 'x'.repeat(1_048_576)
  const inTwoMinutes = {
    date: 'Sun, 06 Nov 1994 08:49:37 GMT',
    'retry-after': 'Sun, 06 Nov 1994 08:51:37 GMT',
  }
  it.each<[string, Answerer, object]>([
    ['200', answer(200, 'grüße', { 'retry-after': '5' }), answered(200, 'grüße', 5000)],
    [
      '429 until a time by its own clock',
      answer(429, '', inTwoMinutes),
      answered(429, '', 120_000),
    ],
    ['404', answer(404, 'grüße'), answered(404, 'grüße')],
    ['a redirect', answer(307, '', { location: '/elsewhere' }), answered(307)],
    ['nothing more', response => response.writeHead(204).end(), answered(204)],
    ['no length', ({ socket }) => socket?.end('HTTP/1.1 200 OK\r\n\r\n{}'), answered(200, '{}')],
    [
      'an informational one before',
      raw('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'),
      answered(200, '{}'),
    ],
    ['another protocol', raw('SSH-2.0-OpenSSH_9.6\r\n'), answered(0)],
    ['a head of 100 kB', answer(200, '{}', { x: 'x'.repeat(100_000) }), answered(0)],
    [
      'an end right after it',
      ({ socket }) =>
        socket?.write('HTTP/1.1 413 No\r\nContent-Length: 2\r\n\r\n{}', () => socket.destroy()),
      answered(413, '{}'),
    ],
    ...['gzip', 'deflate', 'br', 'other'].map((encoding): [string, Answerer, object] => {
      const body = pack[encoding]?.('grüße') ?? 'grüße'
      const packed = answer(200, body, { 'content-encoding': encoding })
      return [`packed as ${encoding}`, packed, answered(200, 'grüße')]
    }),
    ['1 MiB', answer(200, full), answered(200, full)],
    ['1 MiB and a byte', answer(404, `${full}x`), answered(404, null)],
    ['1 MiB, a byte, and no end', raw(`${chunked}100001\r\n${full}x\r\n`), answered(200, null)],
    ['1 MiB in characters, more in bytes', answer(200, '漢'.repeat(400_000)), answered(200, null)],
  ])('is read as it is: %s', async (_, answerer, reply) => {
    const { url } = await startServer(answerer)
    expect(await open()(url)).toMatchObject(reply)
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

describe('the deadline of one attempt', () => {
  const late = { ...lost(true), reason: 'no complete answer within 0.3 s' }
  it.each<[string, Answerer]>([
    ['the wait for the head', () => undefined],
    ['a head that trickles', trickle('HTTP/1.1 200 OK\r\nX-Long: ', 'y')],
    ['another protocol', raw('HTTP/1.1 101 No\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')],
    ['a body that trickles', trickle(chunked, '1\r\ny\r\n')],
  ])('covers %s', async (_, answerer) => {
    const { url, connections } = await startServer(answerer)
    expect(await open(300)(url)).toEqual(late)
    await until(() => connections().now === 0)
  })

  it('covers connecting: a TLS handshake that is never answered', async () => {
    const { port } = await listen(createTcpServer())
    expect(await open(300)(`https://127.0.0.1:${port}/`)).toEqual(late)
  })

  it('covers a proxy that never answers, and the next request does not wait for it', async () => {
    const { port } = await startServer(answer(200))
    const proxy = await startProxy({
      targets: { 'service.test:80': port },
      manner: nth => (nth === 1 ? 'silence' : 'relay'),
    })
    setVariable('http_proxy', `http://${proxy.host}`)
    const send = open(300)
    expect(await send('http://service.test/')).toEqual(late)
    expect(await send('http://service.test/')).toMatchObject({ status: 200 })
  })
})

function setVariable(variable: string, value: string): void {
  process.env[variable] = value
  atEnd(() => Reflect.deleteProperty(process.env, variable))
}

it('an answer that has come before its deadline, while this process was busy, is used', async () => {
  const script = `
    import { createTransport } from ${JSON.stringify(moduleUrl('src/service/transport.ts'))}
    const transport = createTransport(600)
    const request = { url: new URL(process.argv[1]), token: null, body: '{}' }
    const reply = await transport.send(request, new AbortController().signal)
    console.log(reply.body?.length)
    transport.close()`
  const server = await startServer(response => {
    child.kill('SIGSTOP')
    response.end('x'.repeat(1_000_000))
    // Longer than the deadline of the process that stands still.
    setTimeout(() => child.kill('SIGCONT'), 1200)
  })
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, server.url], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  atEnd(() => child.kill('SIGKILL'))
  expect(await text(child.stdout)).toBe('1000000\n')
})

describe('a connection that dies', () => {
  it.each([
    ['before any byte of the answer', ''],
    ['within a body of known length', 'HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n{"a":1}'],
    ['before the end of the last chunk', `${chunked}7\r\n{"a":1}\r\n0\r\n`],
    ['for a chunk length that is none', `${chunked}zz\r\n`],
  ])('may have carried the request: %s', async (_, bytes) => {
    const cut = await startServer(({ socket }) => {
      socket?.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), 20))
    })
    expect(await open()(cut.url)).toEqual(lost(true))
  })
})

describe('a request was certainly not sent', () => {
  it('when the connection is refused at every address of the host', async () => {
    const { port } = await listen(createTcpServer())
    await closeAll()
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      expect(await open()(`https://${host}:${port}/path`)).toEqual({
        ...lost(false),
        reason: expect.stringMatching(/^[^:]*\((ECONNREFUSED|EADDRNOTAVAIL)\)$/),
      })
    }
  })

  it('when the name of the host is not known', async () => {
    setVariable('no_proxy', '*')
    const reason = expect.stringMatching(/ENOTFOUND|EAI_AGAIN/)
    expect(await open()('http://no-such-host.invalid/')).toEqual({ ...lost(false), reason })
  })

  it('but it may have been when TLS fails in another way, or a proxy refuses', async () => {
    const plain = await startServer(answer(200))
    expect(await open()(plain.url.replace('http:', 'https:'))).toEqual(lost(true))
    const proxy = await startProxy({ targets: {} })
    setVariable('https_proxy', `http://${proxy.host}`)
    expect(await open()('https://service.test/')).toEqual(lost(true))
  })
})

it('over TLS, only a certificate that is trusted is sent anything', async () => {
  const certificate = makeCertificate('IP:127.0.0.1')
  const { port } = await listen(
    createHttpsServer({ ...certificate }, (_, response) => response.end('{}')),
  )
  const url = `https://127.0.0.1:${port}/`
  const reason = 'DEPTH_ZERO_SELF_SIGNED_CERT'
  expect(await open()(url)).toEqual({ ...lost(false, 'untrusted'), reason })
  const authorities = getCACertificates('default')
  setDefaultCACertificates([...authorities, certificate.cert])
  atEnd(() => {
    setDefaultCACertificates(authorities)
  })
  expect(await open()(url)).toMatchObject({ body: '{}' })
})

describe('connections', () => {
  it.each<[string, idleMs: number, headers: Readonly<Record<string, string>>, all: number]>([
    ['serve one request after the other', 0, {}, 1],
    ['are made anew when the service closes them', 0, { connection: 'close' }, 4],
    ['are made anew after a long idle time', 10_001, {}, 4],
  ])('%s', async (_, idleMs, headers, all) => {
    const server = await startServer(answer(200, '', headers))
    const send = open()
    let nowMs = 0
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => nowMs)
    atEnd(() => {
      clock.mockRestore()
    })
    for (let count = 0; count < 4; count++) {
      expect(await send(server.url)).toMatchObject({ status: 200 })
      nowMs += idleMs
    }
    expect(server.connections().all).toBe(all)
  })

  it('are as many as the concurrent requests, also when they break, and end with the transport', async () => {
    const server = await startServer((response, nth) => {
      const isBreaking = nth % 4 === 2
      setTimeout(() => {
        if (isBreaking) response.destroy()
        else response.end()
      }, 10)
    })
    const transport = createTransport(5000)
    const request = { url: new URL(server.url), token: null, body: '' }
    const work = async (): Promise<void> => {
      for (let count = 0; count < 6; count++) await transport.send(request, never)
    }
    await Promise.all([work(), work(), work()])
    expect(server.seen).toHaveLength(18)
    expect(server.connections().most).toBe(3)
    transport.close()
    await until(() => server.connections().now === 0)
  })
})

it('a request that the run ends may have been carried out', async () => {
  const controller = new AbortController()
  const server = await startServer(() => {
    controller.abort()
  })
  expect(await open()(server.url, controller.signal)).toEqual(lost(true, 'ended'))
  await until(() => server.connections().now === 0)
})
