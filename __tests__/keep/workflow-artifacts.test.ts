/** The workflow artifacts of a run: the real child process and library, with a stand-in for the artifact service. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { createWorkflowArtifacts } from '../../src/keep/workflow-artifacts.ts'
import { readZipEntry } from '../../src/keep/zip-entry.ts'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { systemClock, type ArtifactCall } from '../../src/runtime/outside.ts'
import { startArtifactService, type ArtifactService } from '../support/artifact-service.ts'
import { boom, moduleUrl } from '../support/script.ts'
import { until } from '../support/until.ts'
import { makeTemporaryFolder } from '../support/workspace.ts'
import { FILE, makeZip, nameFor } from './support.ts'

const MiB = 1024 * 1024
const records = '{"artifact":"a"}\n{"artifact":"b'
const own = nameFor(records)
const page = (id: number): string => `https://github.com/octo/app/actions/runs/1/artifacts/${id}`

let service: ArtifactService
let folder: string
/** What this process logs. */
let output: string

beforeEach(async () => {
  service = await startArtifactService()
  folder = makeTemporaryFolder()
  output = ''
  jest.spyOn(process.stdout, 'write').mockImplementation(text => {
    output += String(text)
    return true
  })
})

/** What the child process logs. */
const readLog = (): string =>
  existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8') : ''

afterEach(() => {
  const shown = readLog().replaceAll(/^::add-mask::.*\n/gm, '')
  for (const secret of [service.token, service.githubToken]) expect(shown).not.toContain(secret)
})

/** Creates the port and what a call needs. The child process logs to a file, and runs `code` first. */
function connect({ code = '', ...changes }: Partial<ArtifactCall> & { readonly code?: string }) {
  const script = join(folder, 'child.mjs')
  writeFileSync(
    script,
    `import { appendFileSync } from 'node:fs'
    process.stdout.write = (text, then) => {
      appendFileSync(${JSON.stringify(join(folder, 'log'))}, text)
      then?.()
    }
    Object.assign(process.env, ${JSON.stringify(service.env)})
    ${code}
    await import(${JSON.stringify(moduleUrl('src/keep/child.ts'))})`,
  )
  const ofRun = { GITHUB_REPOSITORY: 'octo/app', GITHUB_RUN_ID: '1', RUNNER_TEMP: folder }
  const environment = readEnvironment({ ...service.env, ...ofRun }, folder)
  const { signal } = new AbortController()
  const call = { environment, clock: systemClock, signal, ...changes }
  return { call, port: createWorkflowArtifacts(pathToFileURL(script)) }
}

function keep(options: Parameters<typeof connect>[0] = {}, evidencePath = '/gone.md') {
  const { port, call } = connect(options)
  return port.keep({ records: Buffer.from(records), evidencePath }, call)
}

/** Runs code as soon as the child process listens for an event. */
const onListening = (event: string, code: string): string =>
  `process.on('newListener', event => { if (event === '${event}') ${code} })`

const isAsked = (): boolean => service.calls.length > 0

const refused = 'Received non-retryable error: Failed request: (403) Forbidden: no, ***'
const ended = 'its process ended early'

describe('keeping', () => {
  it('uploads the file and the page, though signals come and nobody reads the log, and masks the token', async () => {
    const evidencePath = join(folder, 'page')
    writeFileSync(evidencePath, 'the page')
    const disturb = `process.stdout.emit('error', new Error('EPIPE'))
      for (const name of ['SIGINT', 'SIGTERM']) process.kill(process.pid, name)`
    const code = onListening('SIGTERM', `setImmediate(() => { ${disturb} })`)
    expect(await keep({ code }, evidencePath)).toEqual({ name: own, url: page(1) })
    const { [own]: zip = Buffer.of() } = service.artifacts
    const kept = [FILE, 'notarization-evidence.md'].map(name => readZipEntry(zip, name, MiB))
    expect(kept.map(String)).toEqual([records, 'the page'])
    expect(output).toBe('::group::Keep the records as a workflow artifact\n::endgroup::\n')
    expect(readLog()).toMatch(`::add-mask::${service.token}\n`)
  })

  it.each<[string, () => unknown, name: string]>([
    ['without the page if that cannot be read', () => null, own],
    ['if the same bytes have its name', () => service.add(own, makeZip({})), own],
    ['if a broken upload blocks its name', () => service.block(own), `${own}-1`],
    ['if its own upload breaks off', () => service.fail('FinalizeArtifact', 403), `${own}-1`],
  ])('succeeds %s', async (_when, arrange, name) => {
    arrange()
    expect(await keep()).toEqual({ name, url: page(1) })
  })

  const atError = (code: string): string => onListening('uncaughtException', code)
  it.each([
    ['throws later', atError(boom), 'boom'],
    ['loses its parent', atError('setImmediate(() => process.disconnect())'), ended],
    ['crashes', 'process.exit(1)', ended],
    ['is refused twice', '', `Failed to CreateArtifact: ${refused}`],
  ])('fails if the child process %s', async (_what, code, message) => {
    service.fail('CreateArtifact', code === '' ? 403 : 'silence', 2)
    await expect(keep({ code })).rejects.toThrow(new Error(message))
    if (code === '') expect(readLog()).toMatch('no, ***')
  })

  it('does not bypass a proxy that cannot be used', async () => {
    const env = { ACTIONS_RESULTS_URL: 'https://results.example', https_proxy: 'socks5://proxy' }
    const environment = readEnvironment({ ...service.env, ...env }, folder)
    await expect(keep({ environment })).rejects.toThrow('https_proxy')
    expect(output).toBe('')
  })

  it('gives up after 2 minutes, or with the reason of a signal', async () => {
    service.fail('CreateArtifact', 'silence', 2)
    const sleep = (ms: number): Promise<void> => {
      expect(ms).toBe(120_000)
      return until(isAsked)
    }
    const why = new Error('it took more than 2 minutes')
    await expect(keep({ clock: { ...systemClock, sleep } })).rejects.toThrow(why)
    const signaled = new AbortController()
    const { signal } = signaled
    const keeping = keep({ signal })
    void until(() => service.calls.length === 2).then(() => {
      signaled.abort(new Error('canceled'))
    })
    await expect(keeping).rejects.toThrow(new Error('canceled'))
    await expect(keep({ signal })).rejects.toThrow(new Error('canceled'))
    expect(service.calls).toEqual(['CreateArtifact', 'CreateArtifact'])
  })
})

describe('finding', () => {
  const [a, ab] = ['a\n', 'a\nb\n']
  const add = (content: string | Buffer, name = nameFor(content)) =>
    service.add(name, makeZip({ [FILE]: content }))

  /** Returns what is found, or why not, after who was asked. */
  async function find(token = service.githubToken): Promise<unknown> {
    const { port, call } = connect({})
    output = ''
    const found = await port.find(token, call).catch(String)
    const title = '::group::Find the records of earlier attempts'
    const asked = output
      .replace(`${title}\n::endgroup::\n`, 'service')
      .replace(`${title} through the GitHub API\n::endgroup::\n`, ', API')
    return [asked, found]
  }

  it.each<[string, () => unknown, asked: string]>([
    ['by the service', () => null, 'service'],
    ['if the service fails', () => service.fail('ListArtifacts', 403), 'service, API'],
    ['if the service misses one', () => service.fail('GetSignedArtifactURL', 404), 'service, API'],
    ['if a download is damaged', () => service.fail('GET', 200), 'service, API'],
    ['if the service lists nothing', () => service.fail('ListArtifacts', 200), 'service, API'],
  ])('reads every artifact of ours: %s', async (_how, arrange, asked) => {
    const second = `${nameFor(ab)}-1`
    add(ab, second)
    add(a)
    add(a, 'notarization-records-linux')
    add(a, `x-${nameFor(a)}`)
    service.block(nameFor('b'))
    arrange()
    const found = [
      { name: nameFor(a), url: page(2), bytes: Buffer.from(a) },
      { name: second, url: page(1), bytes: Buffer.from(ab) },
    ]
    expect(await find()).toEqual([asked, found])
  })

  it('returns the newest last: of one attempt, the longest', async () => {
    const all = [10, 9, 1].flatMap(attempt => {
      return [ab, a].map(bytes => [bytes, nameFor(bytes, attempt)] as const)
    })
    for (const [bytes, name] of all) add(bytes, name)
    const newestLast = all.toReversed().map(([, name]) => expect.objectContaining({ name }))
    expect(await find()).toEqual(['service', newestLast])
  })

  it.each([400, 403])('finds nothing if nothing is kept, and the API returns %d', async status => {
    service.fail('list by API', status, 6)
    expect(await find()).toEqual(['service, API', []])
    expect(await find('')).toEqual(['service', []])
  })

  const isDamaged = `the download of ${own} is damaged`
  it.each<[string, () => unknown, service: string | null, api: string]>([
    [
      'both fail',
      () => service.fail('ListArtifacts', 403).fail('list by API', 403, 6),
      `Failed to ListArtifacts: ${refused}`,
      'no, ***',
    ],
    ['both downloads are damaged', () => service.fail('GET', 200, 2), isDamaged, isDamaged],
    [
      'nothing is listed, and the API fails',
      () => service.fail('ListArtifacts', 200).fail('list by API', 200),
      null,
      'listArtifactResponse.artifacts is not iterable',
    ],
  ])('fails if %s', async (_when, arrange, ofService, ofApi) => {
    add(records)
    arrange()
    const first = ofService === null ? '' : `${ofService}; `
    expect(await find()).toEqual([
      'service, API',
      `Error: ${first}through the GitHub API: ${ofApi}`,
    ])
  })

  const [one, other] = [1, 2].map(byte => Buffer.alloc(33 * MiB, byte))
  const outside = makeZip({ [`../${FILE}`]: records })
  it.each<[string, () => unknown, message: string]>([
    ['are others', () => add(a, own), 'its records do not have the SHA-256 of its name'],
    ['are in no zip', () => service.add(own, Buffer.from(a)), 'it is not a zip'],
    ['are outside', () => service.add(own, outside), `it has no file ${FILE}`],
    ['exceed 64 MiB', () => [one, other].map(bytes => add(bytes ?? '')), ''],
    ['exceed 64 MiB as zips', () => add(a).add(own, outside, 64 * MiB), ''],
  ])('fails if records %s', async (_what, arrange, damage) => {
    arrange()
    const message = damage === '' ? 'they exceed 64 MiB together' : `${own} is damaged: ${damage}`
    expect(await find()).toEqual(['service', `Error: ${message}`])
  })
})
