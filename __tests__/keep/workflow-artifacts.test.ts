/** The workflow artifacts of a run: the real library, with a stand-in for the artifact service. */
import { hash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { workflowArtifacts } from '../../src/keep/workflow-artifacts.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { createRunner } from '../../src/runtime/runner.ts'
import { Secrets } from '../../src/runtime/secrets.ts'
import { hostIn } from '../artifacts/host.ts'
import { startArtifactService, type ArtifactService } from '../support/artifact-service.ts'
import { until } from '../support/until.ts'
import { makeTemporaryFolder } from '../support/workspace.ts'

const FILE = 'notarization-records.jsonl'
const records = '{"artifact":"a"}\n'
const nameFor = (text: string, attempt = 1): string =>
  `notarization-records-${attempt}-${hash('sha256', text).slice(0, 12)}`
const own = nameFor(records)
const page = (id: number): string => `https://github.com/octo/app/actions/runs/1/artifacts/${id}`

let service: ArtifactService
let folder: string
let log: string
/** In milliseconds. */
let waits: number[]

beforeEach(async () => {
  service = await startArtifactService()
  folder = makeTemporaryFolder()
  log = ''
  waits = []
  Object.assign(process.env, service.env)
  jest.spyOn(process.stdout, 'write').mockImplementation(text => {
    log += String(text)
    return true
  })
})

afterEach(() => {
  jest.restoreAllMocks()
  for (const name of Object.keys(service.env)) Reflect.deleteProperty(process.env, name)
})

function makeCall(signal = new AbortController().signal, env = {}) {
  const ofRun = { GITHUB_REPOSITORY: 'octo/app', GITHUB_RUN_ID: '1', RUNNER_TEMP: folder, ...env }
  const environment = readEnvironment({ ...service.env, ...ofRun }, folder)
  const secrets = new Secrets(() => undefined)
  secrets.add([environment.runtimeToken])
  const runner = createRunner(text => secrets.redactText(text), '')
  const sleep = (ms: number): Promise<void> => Promise.resolve(void waits.push(ms))
  const clock = { ...systemClock, sleep }
  return { host: { ...hostIn(folder), environment, secrets, runner, clock }, signal }
}

function keep(evidencePath = '', signal?: AbortSignal) {
  return workflowArtifacts.keep({ records: Buffer.from(records), evidencePath }, makeCall(signal))
}

const find = (env = {}) => workflowArtifacts.find(makeCall(undefined, env))

describe('keeping', () => {
  it('uploads the file and the page, in a group of the log, and finding reads the file again', async () => {
    const evidencePath = join(folder, 'page')
    writeFileSync(evidencePath, 'the page')
    const name = nameFor(`${records}the page`)
    expect(await keep(evidencePath)).toEqual({ name, url: page(1) })
    const kept = [FILE, 'notarization-evidence.md'].map(file => service.kept(file)[name])
    expect(kept).toEqual([records, 'the page'])
    expect(log).toMatch(
      /^::group::Keep the records as a workflow artifact\n[^]*^::debug::[^]*\n::endgroup::\n$/m,
    )
    expect(await find()).toMatchObject([{ name, url: page(1), bytes: Buffer.from(records) }])
  })

  const breakOff = () => service.fail('FinalizeArtifact', 403).fail('ListArtifacts', 403)
  it.each<[string, () => unknown, name: string]>([
    ['if the same bytes have its name', () => service.add(own, {}), own],
    ['if a broken upload blocks its name', () => service.block(own), `${own}-1`],
    ['if its own upload breaks off', () => service.fail('FinalizeArtifact', 403), `${own}-1`],
    ['though nothing can be listed then', breakOff, `${own}-1`],
    ['if both names are refused once', () => service.fail('CreateArtifact', 403, 2), own],
  ])('succeeds %s', async (_when, arrange, name) => {
    arrange()
    expect(await keep()).toEqual({ name, url: page(1) })
  })

  const refused = 'Received non-retryable error: Failed request: (403) Forbidden: no, ***'
  it.each([
    ['service', 'CreateArtifact', `Failed to CreateArtifact: ${refused}`],
    ['storage', 'PUT', expect.stringMatching(/^127\.0\.0\.1:\d+ returned HTTP 403$/)],
  ] as const)('fails if the %s refuses it for more than a minute', async (_who, call, message) => {
    service.fail(call, 403, Infinity)
    await expect(keep()).rejects.toMatchObject({ message })
    expect(waits).toEqual([5000, 10_000, 20_000, 40_000])
  })

  it('ends with the signal, though the service is silent', async () => {
    service.fail('CreateArtifact', 'silence')
    const late = new AbortController()
    const keeping = keep('', late.signal)
    await until(() => service.calls.length > 0)
    late.abort(new Error(`late: ?sig=a&x=1&sig=b ${'c'.repeat(274)}`))
    const text = `late: ?sig=***&x=1&sig=*** ${'c'.repeat(273)}… [cut, 301 characters]`
    await expect(keeping).rejects.toThrow(new Error(text))
    expect(log).toMatch(/\n::endgroup::\n$/)
  })
})

describe('finding', () => {
  const half = 32 * 1024 * 1024
  it('reads every artifact of ours, the newest last', async () => {
    const names = [1, 9, 10].flatMap(attempt =>
      ['a\nb\n', 'a\n'].map(text => [`${nameFor(text, attempt)}-1`, text] as const),
    )
    // Together, they have 64 MiB.
    const sizeOf = (name: string): number => (name === names[0]?.[0] ? 2 * half : 0)
    for (const [name, text] of names) service.add(name, { [FILE]: text, other: text }, sizeOf(name))
    service.add('notarization-records-linux', {})
    service.add(`x-${own}`, {}).add(`${own}-2`, {})
    service.block(nameFor('b'))
    expect((await find()).map(({ name, bytes }) => [name, String(bytes)])).toEqual(names)
  })

  it('repeats a call that fails at once, and knows no page on Gitea', async () => {
    service.add(own, { [FILE]: records }).fail('ListArtifacts', 403)
    service.fail('GetSignedArtifactURL', 404)
    const bytes = Buffer.from(records)
    expect(await find({ GITEA_ACTIONS: 'true' })).toMatchObject([{ name: own, url: null, bytes }])
    expect(waits).toEqual([5000, 5000])
  })

  const file = { [FILE]: records }
  const exceed = () => service.add(own, file, half + 1).add(nameFor('b'), file, half)
  it.each<[string, () => unknown]>([
    ['are damaged', () => service.fail('GET', 200)],
    ['are no zip file', () => service.add(own, Buffer.from('PK'))],
    ['are among many files', () => service.add(own, { ...file, a: '', b: '' })],
    ['are missing', () => service.add(own, { other: '' })],
    ['are a folder', () => service.add(own, { [`${FILE}/x`]: '' })],
    ['are outside', () => service.add(own, { [`../../${FILE}/x`]: '' })],
    ['exceed 64 MiB with smaller ones', exceed],
  ])('returns no bytes if records %s', async (_what, arrange) => {
    service.add(own, file)
    arrange()
    expect(await find()).toContainEqual(expect.objectContaining({ name: own, bytes: null }))
  })

  it.each([
    ['listed', 'ListArtifacts', 403, /ListArtifacts: .*\(403\)/],
    ['downloaded', 'GetSignedArtifactURL', 404, /\(404\)/],
  ] as const)('fails if records cannot be %s', async (_what, call, status, message) => {
    service.add(own, file).fail(call, status, Infinity)
    await expect(find()).rejects.toThrow(message)
  })
})
