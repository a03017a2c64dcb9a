/** Runs the action in this process, against a real server on the loopback. */
import '../support/realms.ts'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { notarizeAction } from '../../src/main.ts'
import { Halt } from '../../src/runtime/halt.ts'
import { hostFor, keepReport } from '../report/results.ts'
import { TestClock } from '../service/support.ts'
import { onCleanUp } from '../support/clean-up.ts'
import { listen } from '../support/listen.ts'
import { makeWorkspace } from '../support/workspace.ts'
import {
  answerDate,
  answerTo,
  apiKey,
  content,
  maxAttempts,
  type Kind,
  type Service,
} from './generate.ts'
import type { Played } from './judge.ts'

/** Plays services one after the other, with one server and one workspace, until `cleanUp`. */
export class Player {
  readonly #workspace = makeWorkspace({ 'app.zip': content })
  readonly #recordsPath = this.#workspace.path('notarization-records.jsonl')
  #answer: (request: IncomingMessage, response: ServerResponse) => Promise<void> = () =>
    Promise.resolve()
  #url = ''

  /** Starts the server. */
  async start(): Promise<this> {
    const server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy())
    })
    this.#url = `http://127.0.0.1:${await listen(server)}`
    onCleanUp(() => {
      server.close()
      server.closeAllConnections()
    })
    return this
  }

  /** Runs the action without a records file, and again with the file of the first run if that has a record. */
  async play(service: Service): Promise<readonly [Played, Played]> {
    rmSync(this.#recordsPath, { force: true })
    const first = await this.#run(service)
    return [first, first.records.includes('"record":') ? await this.#run(service) : first]
  }

  async #run(service: Service): Promise<Played> {
    const requests: { readonly kind: Kind; readonly body: string }[] = []
    this.#answer = async (request, response) => {
      const kind = kindOf(request.url)
      const nth = requests.filter(other => other.kind === kind).length
      requests.push({ kind, body: await text(request) })
      const { status, headers, body } = answerTo(service, kind, nth)
      response.sendDate = false
      response.writeHead(status, headers)
      response.end(body)
    }
    const inputs = {
      'api-key': apiKey,
      'base-url': this.#url,
      path: 'app.zip',
      'max-attempts': String(maxAttempts),
      ...service.inputs,
    }
    const { temp, root } = this.#workspace
    const clock = new TestClock(Date.parse(answerDate))
    let redact = (message: string): string => message
    const reported = await keepReport(runner => {
      const host = hostFor(runner, { halt: new Halt(clock), tempFolder: temp })
      redact = message => host.secrets.redactText(message)
      const environment = { ...host.environment, workspace: root }
      return notarizeAction.run({ ...host, environment, clock }, inputs)
    })
    const { exitCode, outputs, log, warnings, summary } = reported
    const evidence = read(String(outputs['evidence-path']))
    rmSync(temp, { recursive: true })
    mkdirSync(temp)
    const texts = [...[...log, ...warnings, summary].map(redact), evidence]
    const errors = reported.errors.map(redact)
    return { exitCode, errors, texts, outputs, records: read(this.#recordsPath), requests }
  }
}

function kindOf(url = ''): Kind {
  if (url.endsWith('/api/v2/auth/login')) return 'login'
  if (url.endsWith('/active')) return 'active'
  return url.endsWith('/?subscription=true') ? 'request' : 'completion'
}

function read(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
