/** The process that keeps and finds records, with scripts in place of its child process. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { createWorkflowArtifacts } from '../../src/keep/workflow-artifacts.ts'
import { readEnvironment } from '../../src/runtime/environment.ts'
import {
  type ArtifactCall,
  type KeptRecords,
  systemClock,
  type WorkflowArtifact,
} from '../../src/runtime/outside.ts'
import { cleanUp } from '../support/clean-up.ts'
import '../support/realms.ts'
import { job, makeJobEnvironment } from '../support/runner.ts'
import { makeTemporaryFolder, makeWorkspace } from '../support/workspace.ts'
import { FILE, makeZip, nameFor } from './support.ts'

const MiB = 1024 * 1024
const records = Buffer.from('{"artifact":"a"}\n{"artifact":"b')
const page = (id: number): string =>
  `https://github.com/${job.repository}/actions/runs/${job.runId}/artifacts/${id}`

let output: string

beforeEach(() => {
  output = ''
  jest.spyOn(process.stdout, 'write').mockImplementation(text => {
    output += String(text)
    return true
  })
})

afterAll(cleanUp)

const workspace = makeWorkspace()
const variables = { ...makeJobEnvironment(workspace), ACTIONS_RUNTIME_TOKEN: 'runtime-token' }
const results = { ACTIONS_RESULTS_URL: 'https://results.example' }
const call: ArtifactCall = {
  environment: readEnvironment({ ...variables, ...results }, workspace.root),
  clock: systemClock,
  signal: new AbortController().signal,
}

/** Creates the port with a child process that answers a task with `code`. */
function portWith(code: string) {
  const file = join(makeTemporaryFolder(), 'child.mjs')
  const answer = 'const reply = message => process.send(message, () => process.exit())'
  writeFileSync(file, `${answer}\nprocess.on('message', async task => { ${code} })`)
  return createWorkflowArtifacts(pathToFileURL(file))
}

function keep(code: string, changes: Partial<ArtifactCall> = {}): Promise<WorkflowArtifact> {
  return portWith(code).keep({ records, evidencePath: '/gone.md' }, { ...call, ...changes })
}

/** What the child process replies to a task: for the artifact service, or for the GitHub API. */
type ByPlace = Readonly<Record<'service' | 'api', object>>

function find({ service, api }: ByPlace, token = 'github-token'): Promise<readonly KeptRecords[]> {
  const [first, second] = [service, api].map(reply => JSON.stringify(reply))
  return portWith(`reply(task.findBy === null ? ${first} : ${second})`).find(token, call)
}

/** Creates the reply with these zips by name. */
function downloaded(zips: Readonly<Record<string, Buffer>> = {}): object {
  const folder = makeTemporaryFolder()
  const artifacts = Object.entries(zips).map(([name, zip], index) => {
    const path = join(folder, `${index}`)
    writeFileSync(path, zip)
    return { name, id: index, path }
  })
  return { kind: 'downloaded', artifacts }
}

const failed = { kind: 'failed', why: 'no service', cause: 'other' } as const
const refused = { kind: 'failed', why: 'no permission', cause: 'refused' } as const
const found = downloaded({ [nameFor('a\n')]: makeZip({ [FILE]: 'a\n' }) })

describe('keeping', () => {
  it('uploads a copy of every byte, and returns where it is', async () => {
    const code = `
      const { readFileSync } = await import('node:fs')
      const texts = task.files.map(file => readFileSync(file, 'latin1'))
      reply({ kind: 'uploaded', name: JSON.stringify([task.name, texts]), id: 7 })`
    const { name, url } = await keep(code)
    expect(JSON.parse(name)).toEqual([nameFor(records), [records.toString()]])
    expect(url).toBe(page(7))
    expect(output).toMatch(/^::group::.*\n::endgroup::\n$/)
  })

  it('does not bypass a proxy that cannot be used', async () => {
    const environment = { ...call.environment, proxies: { https_proxy: 'socks5://proxy.example' } }
    await expect(keep('', { environment })).rejects.toThrow('https_proxy')
    expect(output).toBe('')
  })

  it('gives up after 2 minutes', async () => {
    const waits: number[] = []
    const sleep = (ms: number, signal: AbortSignal): Promise<void> => {
      waits.push(ms)
      return systemClock.sleep(200, signal)
    }
    await expect(keep('', { clock: { ...systemClock, sleep } })).rejects.toThrow('2 minutes')
    expect(waits).toEqual([120_000])
  })

  it('ends with the reason of the signal', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const keeping = keep('', { signal })
    setTimeout(() => {
      controller.abort(new Error('canceled'))
    }, 200)
    await expect(keeping).rejects.toThrow('canceled')
    await expect(keep('', { signal })).rejects.toThrow('canceled')
  })

  it.each([
    ['fails', `reply(${JSON.stringify(failed)})`, 'no service'],
    ['crashes', 'throw new Error("boom")', 'its process ended early'],
  ])('fails if the child process %s', async (_how, code, why) => {
    await expect(keep(code)).rejects.toThrow(why)
  })
})

describe('finding', () => {
  const one = { name: nameFor('a\n'), url: page(0), bytes: Buffer.from('a\n') }

  it.each<[string, ByPlace]>([
    ['the artifact service', { service: found, api: failed }],
    ['the API if the service fails', { service: failed, api: found }],
    ['the API if the service lists nothing', { service: downloaded(), api: found }],
  ])('reads what is handed out by %s', async (_place, replies) => {
    expect(await find(replies)).toEqual([one])
  })

  it('returns the newest last: of one attempt, the longest', async () => {
    const texts = ['a\nb\n', 'a\n']
    const names = [10, 9, 1].flatMap(attempt => {
      return texts.map(text => nameFor(text).replace('-1-', `-${attempt}-`))
    })
    const zips = names.map((name, index) => {
      return [name, makeZip({ [FILE]: texts[index % 2] ?? '' })] as const
    })
    const all = await find({ service: downloaded(Object.fromEntries(zips)), api: failed })
    expect(all.map(({ name }) => name)).toEqual(names.toReversed())
  })

  it('finds nothing if the service lists nothing and the API refuses, or there is no token', async () => {
    expect(await find({ service: downloaded(), api: refused })).toEqual([])
    expect(await find({ service: downloaded(), api: failed }, '')).toEqual([])
  })

  const large = [1, 2].map(byte => Buffer.alloc(33 * MiB, byte))
  const tooLarge = large.map(bytes => [nameFor(bytes), makeZip({ [FILE]: bytes })] as const)
  const holding = (zip: Buffer): ByPlace => {
    return { service: downloaded({ [nameFor('a\n')]: zip }), api: found }
  }
  it.each<[string, ByPlace, RegExp]>([
    ['both fail', { service: failed, api: refused }, /^no service; through the .* no permission$/],
    ['nothing is listed, and the API fails', { service: downloaded(), api: failed }, /no service/],
    ['other records are in a zip', holding(makeZip({ [FILE]: 'b\n' })), /damaged: .*SHA-256/],
    ['an artifact is no zip', holding(Buffer.from('a\n')), /damaged: .*not a zip/],
    ['records are outside', holding(makeZip({ [`../${FILE}`]: 'a\n' })), /damaged: .*no file/],
    [
      'unzipped records exceed 64 MiB together',
      { service: downloaded(Object.fromEntries(tooLarge)), api: found },
      /64 MiB/,
    ],
  ])('fails if %s', async (_when, replies, why) => {
    await expect(find(replies)).rejects.toThrow(why)
  })
})
