/** Where the records of a run are, and what its post step is told. */
import { describe, expect, it } from '@jest/globals'
import { problemAt } from '../../src/failure.ts'
import { readInputs } from '../../src/inputs/notarize-inputs.ts'
import {
  findKept,
  keepRecords,
  locateRecords,
  type KeepQuery,
  type Place,
} from '../../src/keep/keep.ts'
import { readState } from '../../src/keep/state.ts'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { Halt } from '../../src/runtime/halt.ts'
import type { Host, KeptFiles, WorkflowArtifacts } from '../../src/runtime/outside.ts'
import { hostIn } from '../artifacts/host.ts'
import { makeLine, makeStateLine, source, toJsonLines } from '../support/samples.ts'

const service = 'https://notary.example'
const kept = { name: 'kept now', url: 'https://github.com/1' }
const earlier = { name: 'kept before', url: 'https://github.com/2' }

const ofOtherRun = toJsonLines([makeLine(service, 'x', { source: { ...source, runId: '9' } })])
const sent = toJsonLines([makeStateLine(service, 's')])
const first = toJsonLines([makeLine(service, 'a')])
const second = toJsonLines([makeLine(service, 'b', { source: { ...source, runAttempt: '2' } })])

interface Case {
  readonly inputs?: Readonly<Record<string, string>>
  readonly attempt?: string
  readonly env?: Readonly<Record<string, string>>
  readonly artifacts?: Partial<WorkflowArtifacts>
  /** What happens while the records are kept. */
  readonly isCanceled?: boolean
}

/** Makes a host, and what it does. */
function makeHost({ attempt = '1', env = {}, artifacts = {}, isCanceled = false }: Case) {
  const host = hostIn('/')
  const log: string[] = []
  const state: Record<string, string> = {}
  const uploads: KeptFiles[] = []
  const variables = {
    GITHUB_RUN_ID: source.runId,
    GITHUB_RUN_ATTEMPT: attempt,
    ACTIONS_RUNTIME_TOKEN: 'runtime-token',
    ACTIONS_RESULTS_URL: 'https://results.example',
    ...env,
  }
  // The timer of a real one would outlive the test.
  const halt = new Halt({ ...host.clock, sleep: () => new Promise(() => undefined) })
  const keep: WorkflowArtifacts['keep'] = files => {
    uploads.push(files)
    if (!isCanceled) return Promise.resolve(kept)
    halt.cancel()
    return Promise.reject(new Error('canceled'))
  }
  const runner = {
    ...host.runner,
    info: (text: string) => void log.push(text),
    passingWarning: (text: string) => void log.push(`warning: ${text}`),
    saveState: (name: string, value: string) => void (state[name] = value),
  }
  const workflowArtifacts = { keep, find: () => Promise.resolve([]), ...artifacts }
  const environment = readEnvironment(variables, '/')
  const made: Host = { ...host, environment, runner, halt, workflowArtifacts }
  return { host: made, log, state, uploads }
}

function inputsOf(changes: Case['inputs'] = {}) {
  return readInputs({ path: '*', 'api-key': 'key', 'github-token': 'token', ...changes }, 0).inputs
}

type Query = Partial<Omit<KeepQuery, 'records' | 'earlier' | 'released'>> & {
  readonly records?: string
  readonly found?: string
  readonly released?: string
}

async function keep(query: Query, options: Case = {}) {
  const { records = '', found, released, ...rest } = query
  const outside = makeHost(options)
  const inputs = inputsOf(options.inputs)
  const ofArtifact = { name: 'found', input: 'keep-records', workflowArtifact: earlier } as const
  const ofRelease = { name: 'asset', input: 'release-tag' } as const
  const whole: KeepQuery = {
    inputs,
    isStopped: false,
    evidencePath: '/page.md',
    records: Buffer.from(records),
    problems: [],
    earlier: found === undefined ? [] : [{ ...ofArtifact, bytes: Buffer.from(found) }],
    released: released === undefined ? [] : [{ ...ofRelease, bytes: Buffer.from(released) }],
    ...rest,
  }
  const before = locateRecords(whole, outside.host)
  const place = await keepRecords(whole, before, outside.host)
  return { ...outside, place }
}

const refusal = { keep: () => Promise.reject(new Error('HTTP 403')) }
const withoutService = { env: { GITHUB_SERVER_URL: 'https://ghe.example' } }
const at = (kind: Place['kind'], ...workflowArtifacts: Place['workflowArtifacts']): Place => {
  const isWhole = kind !== 'unreadable' && kind !== 'log' && workflowArtifacts.length > 0
  return { kind, workflowArtifacts, isWhole, isEarlierMissing: false }
}
const off = { inputs: { 'keep-records': 'false' } }
const released = { inputs: { 'release-tag': 'v1' } }
const onRelease = { records: first, released: first }
const both = { records: first + second, found: first }

/** The world explores all places; these are the artifacts that each names, and what has two places. */
it.each<[string, Query, Case, Place]>([
  ['nowhere', { records: ofOtherRun + sent }, {}, at('none', kept)],
  ['kept', { records: ofOtherRun + sent + first }, {}, at('workflow-artifact', kept)],
  ['on the release', onRelease, released, at('release', kept)],
  [
    'on the release, though not kept',
    onRelease,
    { ...released, artifacts: refusal },
    at('release'),
  ],
  [
    'kept, if the release lacks one',
    { ...both, released: first },
    released,
    at('workflow-artifact', kept),
  ],
  ['printed, without an artifact service', { records: first }, withoutService, at('log')],
  ['in the file', { records: first }, off, at('file')],
  [
    'kept, though written by another step of a job that stopped',
    { records: first, isStopped: true },
    {},
    at('workflow-artifact', kept),
  ],
  [
    'kept before',
    { records: first, found: first },
    { attempt: '2' },
    at('workflow-artifact', earlier),
  ],
  ['kept again with new ones', both, { attempt: '2' }, at('workflow-artifact', kept)],
  [
    'printed, though others were kept before',
    both,
    { attempt: '2', artifacts: refusal },
    at('log', earlier),
  ],
  [
    'unreadable, if what was kept is damaged',
    { found: first, isStopped: true, problems: [problemAt('keep-records', 'damaged', 'nothing')] },
    { attempt: '2' },
    at('unreadable'),
  ],
  [
    'kept in part',
    { records: second },
    { attempt: '2' },
    { ...at('workflow-artifact', kept), isEarlierMissing: true },
  ],
])('the records are %s', async (_where, query, options, expected) => {
  const { place } = await keep(query, options)
  expect(place).toEqual(expected)
})

const damage = problemAt('records-path', 'damaged')

describe('keeping', () => {
  it.each<[string, Query, Case]>([
    ['without a line of this attempt', { records: first }, { attempt: '2' }],
    ['without a record, for a release', { records: sent }, { ...released, attempt: '2' }],
    ['with keep-records: false', { records: first }, off],
    ['after a run that stopped', { records: ofOtherRun, isStopped: true }, released],
    ['of a damaged file', { records: first, isStopped: true, problems: [damage] }, {}],
    ['in a dry run', { records: first }, { inputs: { 'dry-run': 'true' } }],
  ])('uploads and prints nothing %s', async (_when, query, options) => {
    const { uploads, log } = await keep(query, options)
    expect([uploads, log]).toEqual([[], []])
  })

  it('uploads any record for a release', async () => {
    const { uploads } = await keep({ records: ofOtherRun }, { ...released, attempt: '2' })
    expect(uploads).toEqual([{ records: Buffer.from(ofOtherRun), evidencePath: '/page.md' }])
  })

  it('prints every line that the release lacks below one warning', async () => {
    const records = ofOtherRun + first + second
    const { log } = await keep({ records, released: first }, { artifacts: refusal })
    const [warning, ...lines] = log
    expect(warning).toMatch(/^warning: .*HTTP 403/)
    expect(lines).toEqual([ofOtherRun.trim(), second.trim()])
  })
})

describe('the post step', () => {
  const run = { ...source, runAttempt: '1' }
  const read = (state: string | undefined, file: string) =>
    readState(state ?? '', Buffer.from(file), run)

  it('has nothing to do with a file that was kept or printed, or after a run that stopped', async () => {
    for (const options of [{}, { artifacts: refusal }]) {
      const { state } = await keep({ records: first }, options)
      expect(read(state['records'], first)).toEqual({ isDone: true, isLost: false })
      expect(read(state['records'], first + sent)).toEqual({ isDone: false, isLost: false })
      expect(read(state['records'], '')).toEqual({ isDone: false, isLost: false })
    }
    const { state } = await keep({ records: ofOtherRun, isStopped: true })
    expect(read(state['records'], first)).toEqual({ isDone: true, isLost: false })
  })

  it('notices after a signal if the file lacks what main left, which printed nothing', async () => {
    const { state, log } = await keep({ records: first }, { isCanceled: true })
    expect(log).toEqual([expect.stringMatching(/post step/)])
    expect(state['evidence-path']).toBe('/page.md')
    expect(read(state['records'], first)).toEqual({ isDone: false, isLost: false })
    expect(read(state['records'], first + second)).toEqual({ isDone: false, isLost: false })
    expect(read(state['records'], second)).toEqual({ isDone: false, isLost: true })
    expect(read(state['records'], '')).toEqual({ isDone: false, isLost: true })
  })

  it('notices after a kill if a file with lines is gone', () => {
    expect(read('written', sent)).toEqual({ isDone: false, isLost: false })
    expect(read('written', ofOtherRun)).toEqual({ isDone: false, isLost: true })
    expect(read(undefined, ofOtherRun)).toEqual({ isDone: false, isLost: false })
  })
})

describe('finding', () => {
  const find = ({ attempt = '2', ...options }: Case) => {
    const asked: string[] = []
    const all = [{ ...earlier, bytes: Buffer.from(first) }]
    const findAll: WorkflowArtifacts['find'] = token => Promise.resolve((asked.push(token), all))
    const { host } = makeHost({ artifacts: { find: findAll }, ...options, attempt })
    if (options.isCanceled === true) host.halt.cancel()
    return { asked, finding: findKept(inputsOf(options.inputs), host) }
  }
  const failing = { find: () => Promise.reject(new Error('HTTP 404')) }

  it('reads what earlier attempts kept', async () => {
    const { asked, finding } = find({})
    const name = expect.stringContaining('kept before')
    const bytes = Buffer.from(first)
    expect(await finding).toEqual([
      { name, bytes, input: 'keep-records', workflowArtifact: earlier },
    ])
    expect(asked).toEqual(['token'])
  })

  it.each<[string, Case]>([
    ['on the first attempt', { attempt: '1' }],
    ['without an artifact service', withoutService],
    ['with keep-records: false', off],
  ])('asks for nothing %s', async (_when, options) => {
    const { asked, finding } = find(options)
    expect([await finding, asked]).toEqual([[], []])
  })

  const unreadable = { input: 'keep-records', message: expect.stringContaining('HTTP 404') }
  const unusable = { input: null, message: expect.stringContaining('https_proxy') }
  it.each<[string, Case, readonly object[]]>([
    ['they cannot be read', { artifacts: failing }, [{ ...unreadable, needs: 'nothing' }]],
    ['a proxy cannot be used', { env: { https_proxy: 'socks5://proxy.example' } }, [unusable]],
    ['a signal came, which is no problem', { artifacts: failing, isCanceled: true }, []],
  ])('stops the run if %s', async (_when, options, problems) => {
    const { asked, finding } = find(options)
    await expect(finding).rejects.toMatchObject({ problems })
    expect(asked).toEqual([])
  })
})
