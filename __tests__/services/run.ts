/** Runs of the real action in this process, against a real server on the loopback. */
import '../support/realms.ts'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { notarizeAction } from '../../src/main.ts'
import { Halt } from '../../src/runtime/halt.ts'
import { hostFor, keepReport } from '../report/results.ts'
import { closeAll, listen } from '../service/server.ts'
import { TestClock } from '../service/support.ts'
import { makeWorkspace } from '../support/workspace.ts'
import {
  answerDate,
  answerTo,
  apiKey,
  content,
  maxAttempts,
  type Answer,
  type Kind,
  type Service,
} from './generate.ts'
import type { Played } from './judge.ts'

/** A server for all services, one after the other, and a workspace with one artifact. */
export interface Stage {
  /** Runs the action against a service without a records file, and again with the file that it left. */
  readonly play: (service: Service) => Promise<readonly [Played, Played]>
  readonly close: () => Promise<void>
}

/** See {@link Stage}. */
export async function openStage(): Promise<Stage> {
  const workspace = makeWorkspace({ 'app.zip': content })
  const recordsPath = workspace.path('notarization-records.jsonl')
  let answer: (kind: Kind, body: string) => Answer
  const server = createServer((request, response) => {
    const serve = async (): Promise<void> => {
      const { status, headers, body } = answer(kindOf(request.url), await text(request))
      response.sendDate = false
      response.writeHead(status, headers)
      response.end(body)
    }
    serve().catch(() => response.destroy())
  })
  const { port } = await listen(server)

  const run = async (service: Service): Promise<Played> => {
    const requests: { readonly kind: Kind; readonly body: string }[] = []
    answer = (kind, body) => {
      const nth = requests.filter(request => request.kind === kind).length
      requests.push({ kind, body })
      return answerTo(service, kind, nth)
    }
    const inputs = {
      'api-key': apiKey,
      'base-url': `http://127.0.0.1:${port}`,
      path: 'app.zip',
      'max-attempts': String(maxAttempts),
      ...service.inputs,
    }
    const clock = new TestClock(Date.parse(answerDate))
    const halt = new Halt(clock)
    let redact = (message: string): string => message
    const reported = await keepReport(runner => {
      const host = hostFor(runner, { halt, tempFolder: workspace.temp })
      redact = message => host.secrets.redactText(message)
      const environment = { ...host.environment, workspace: workspace.root }
      return notarizeAction.run({ ...host, environment, clock }, inputs)
    })
    const { exitCode, outputs, log, warnings, summary } = reported
    const evidence = read(String(outputs['evidence-path']))
    rmSync(workspace.temp, { recursive: true })
    mkdirSync(workspace.temp)
    const texts = [...[...log, ...warnings, summary].map(redact), evidence]
    const errors = reported.errors.map(redact)
    return { exitCode, errors, texts, outputs, records: read(recordsPath), requests }
  }
  return {
    play: async service => {
      rmSync(recordsPath, { force: true })
      const first = await run(service)
      return [first, first.records.includes('"record":') ? await run(service) : first]
    },
    close: closeAll,
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
