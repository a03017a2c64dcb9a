import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from '@jest/globals'
import { cleanUp, onCleanUp } from '../support/clean-up.ts'
import { startProxy } from '../support/proxy.ts'
import { moduleUrl } from '../support/script.ts'
import { until } from '../support/until.ts'
import { chunked, ok, open, raw, respond, send, setVariable } from './wire.ts'
import { start, startHttp, type Responder } from './wire.ts'

afterEach(cleanUp)

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
  const late = { kind: 'lost', reason: 'timeout', detail: 'no response within 0.3 s' }
  it.each<[string, Responder]>([
    ['a slow head', trickle(`${ok}X-Long: `, 'y')],
    ['another protocol', raw('HTTP/1.1 101 No\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')],
    ['a slow body', trickle(chunked, '1\r\ny\r\n')],
  ])('covers %s', async (_, responder) => {
    const { url, connections } = await startHttp(responder)
    expect(await send(url, open(300))).toEqual(late)
    await until(() => connections.now === 0)
  })

  it('covers connecting: a TLS handshake without a response', async () => {
    const { port } = await start(createServer())
    expect(await send(`https://127.0.0.1:${port}/`, open(300))).toEqual(late)
  })

  it('covers a silent proxy, and the next request does not wait for it', async () => {
    const targets = { 'service.test:80': (await startHttp(respond(200))).port }
    const answer = (nth: number) => (nth === 1 ? null : undefined)
    const proxy = await startProxy({ targets, answer })
    setVariable('http_proxy', `http://${proxy.host}`)
    const transmit = open(300)
    const detail = 'the proxy did not connect within 0.3 s'
    expect(await send('http://service.test/', transmit)).toEqual({ kind: 'proxy', detail })
    await until(() => proxy.countOpen() === 0)
    expect(await send('http://service.test/', transmit)).toMatchObject({ status: 200 })
  })

  const itOnLinux = process.platform === 'linux' ? it : it.skip
  itOnLinux('is not used up by a second address that does not work', async () => {
    const listen = `const server = http.createServer((_, response) => response.end('{}'))
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port))`
    const server = spawn(process.execPath, ['--eval', listen])
    onCleanUp(() => server.kill('SIGKILL'))
    const port = Number(await once(server.stdout, 'data'))
    // With its queue full, the first address takes a second to connect.
    server.kill('SIGSTOP')
    for (const socket of [1, 2].map(() => connect(port, '127.0.0.1'))) {
      socket.on('error', () => undefined)
      onCleanUp(() => socket.destroy())
    }
    const unconnected = { kind: 'unreachable', detail: 'no connection within 0.3 s' }
    expect(await send(`http://127.0.0.1:${port}/`, open(300))).toEqual(unconnected)
    const script = `
    import dns from 'node:dns'
    import { runInHost } from ${JSON.stringify(moduleUrl('src/runtime/host.ts'))}
    import { systemClock as clock } from ${JSON.stringify(moduleUrl('src/runtime/clock.ts'))}
    import { createTransport } from ${JSON.stringify(moduleUrl('src/service/transport.ts'))}
    dns.lookup = (host, options, found) => {
      console.log('looked up')
      found(null, [{ address: '127.0.0.1', family: 4 }, { address: '::1', family: 6 }])
    }
    const request = { url: new URL('http://dual.test:${port}'), token: null, body: null }
    const never = new AbortController().signal
    const run = async () => console.log((await createTransport(5000)(request, never)).kind)
    await runInHost(run, { clock }, never)`
    const client = spawn(process.execPath, ['--input-type=module', '--eval', script])
    onCleanUp(() => client.kill('SIGKILL'))
    client.stdout.once('data', () => setTimeout(() => server.kill('SIGCONT'), 300))
    expect(await text(client.stdout)).toBe('looked up\nresponse\n')
  })

  it('does not discard a response that arrived in time while the process was busy', async () => {
    const script = `
    import { createTransport } from ${JSON.stringify(moduleUrl('src/service/transport.ts'))}
    const transmit = createTransport(600)
    const request = { url: new URL(process.argv[1]), token: null, body: '{}' }
    const { body } = await transmit(request, new AbortController().signal)
    console.log(String(body?.length))`
    const { url } = await startHttp(response => {
      child.kill('SIGSTOP')
      response.end('x'.repeat(1_000_000))
      // After the deadline of the stopped process.
      setTimeout(() => child.kill('SIGCONT'), 1200)
    })
    const args = ['--input-type=module', '--eval', script, url]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    onCleanUp(() => child.kill('SIGKILL'))
    expect(await text(child.stdout)).toBe('1000000\n')
  })
})
