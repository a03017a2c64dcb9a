/** Runs the action in this process, against a real server on the loopback. */
import '../support/realms.ts'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { notarizeAction } from '../../src/main.ts'
import { Halt } from '../../src/runtime/halt.ts'
import { hostFor, keepReport } from '../report/results.ts'
import { TestClock } from '../service/support.ts'
import { listen } from '../support/listen.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { answerTo, common, type Kind, type Service } from './generate.ts'
import type { Played } from './judge.ts'

const workspace = makeWorkspace({ 'app.zip': common.content })
const recordsPath = workspace.path('notarization-records.jsonl')

/** Runs the action without a records file, and again with the file of the first run if that has a record. */
export async function play(service: Service): Promise<readonly [Played, Played]> {
  rmSync(recordsPath, { force: true })
  const requests: { readonly kind: Kind; readonly body: string }[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const kind = kindOf(request.url)
    const nth = requests.filter(other => other.kind === kind).length
    requests.push({ kind, body: await text(request) })
    const { status, headers, body } = answerTo(service, kind, nth)
    response.sendDate = false
    response.writeHead(status, headers)
    response.end(body)
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  const { apiKey, maxAttempts } = common
  const url = `http://127.0.0.1:${await listen(server)}`
  const call = { 'api-key': apiKey, 'base-url': url, 'max-attempts': String(maxAttempts) }
  const inputs = { ...call, path: 'app.zip', ...service.inputs }
  try {
    const first = { ...(await run(inputs)), requests: requests.splice(0) }
    const hasRecord = first.records.includes('"record":')
    return [first, hasRecord ? { ...(await run(inputs)), requests } : first]
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

async function run(inputs: Readonly<Record<string, string>>) {
  const { temp, root } = workspace
  const clock = new TestClock(Date.parse(common.answerDate))
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
  return { exitCode, errors, texts, outputs, records: read(recordsPath) }
}

function kindOf(url = ''): Kind {
  if (url.endsWith('/api/v2/auth/login')) return 'login'
  if (url.endsWith('/active')) return 'active'
  return url.endsWith('/?subscription=true') ? 'request' : 'completion'
}

function read(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
