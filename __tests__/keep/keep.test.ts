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
import type { KeptFiles, WorkflowArtifacts } from '../../src/runtime/outside.ts'
import { recordingHost } from '../artifacts/host.ts'
import { makeLine, makeStateLine, source, toJsonLines } from '../support/samples.ts'

const service = 'https://notary.example'
const kept = { name: 'kept now', url: 'https://github.com/1' }
const earlier = { name: 'kept before', url: 'https://github.com/2' }

const ofOtherRun = toJsonLines([makeLine(service, 'x', { source: { ...source, runId: '9' } })])
const sent = toJsonLines([makeStateLine(service, 's')])
const first = toJsonLines([makeLine(service, 'a')])
const second = toJsonLines([makeLine(service, 'b', { source: { ...source, runAttempt: '2' } })])

interface Case extends Partial<Pick<KeepQuery, 'isStopped' | 'problems'>> {
  readonly inputs?: Readonly<Record<string, string>>
  readonly attempt?: string
  readonly env?: Readonly<Record<string, string>>
  readonly artifacts?: Partial<WorkflowArtifacts>
  /** Whether a signal comes while the records are kept. */
  readonly isCanceled?: boolean
  /** The records of the file, of an earlier attempt, and of the release. */
  readonly records?: string
  readonly found?: string
  readonly released?: string
}

/** Makes a host, and what it does. */
function makeHost({ attempt = '1', env = {}, artifacts = {}, isCanceled = false }: Case) {
  const uploads: KeptFiles[] = []
  const host = recordingHost({
    GITHUB_RUN_ID: source.runId,
    GITHUB_RUN_ATTEMPT: attempt,
    ACTIONS_RUNTIME_TOKEN: 'runtime-token',
    ACTIONS_RESULTS_URL: 'https://results.example',
    ...env,
  })
  const keep: WorkflowArtifacts['keep'] = files => {
    uploads.push(files)
    if (!isCanceled) return Promise.resolve(kept)
    host.halt.cancel()
    return Promise.reject(new Error('canceled'))
  }
  const workflowArtifacts = { keep, find: () => Promise.resolve([]), ...artifacts }
  return { ...host, workflowArtifacts, uploads }
}

function inputsOf(changes: Case['inputs'] = {}) {
  return readInputs({ path: '*', 'api-key': 'key', 'github-token': 'token', ...changes }, 0).inputs
}

async function keep(options: Case) {
  const { records = '', found, released, isStopped = false, problems = [] } = options
  const host = makeHost(options)
  const ofArtifact = { name: 'found', input: 'keep-records', workflowArtifact: earlier } as const
  const ofRelease = { name: 'asset', input: 'release-tag' } as const
  const query: KeepQuery = {
    inputs: inputsOf(options.inputs),
    isStopped,
    evidencePath: '/page.md',
    records: Buffer.from(records),
    problems,
    earlier: found === undefined ? [] : [{ ...ofArtifact, bytes: Buffer.from(found) }],
    released: released === undefined ? [] : [{ ...ofRelease, bytes: Buffer.from(released) }],
  }
  const before = locateRecords(query, host)
  const place = await keepRecords(query, before, host)
  return { ...host, place }
}

const refused = { artifacts: { keep: () => Promise.reject(new Error('HTTP 403')) } }
const noService = { env: { GITHUB_SERVER_URL: 'https://ghe.example' } }
const off = { inputs: { 'keep-records': 'false' } }
const forRelease = { inputs: { 'release-tag': 'v1' } }
const onRelease = { ...forRelease, records: first, released: first }
const both = { records: first + second, found: first, attempt: '2' }
const unreadable = [problemAt('keep-records', 'damaged', 'nothing')]

const at = (kind: Place['kind'], ...workflowArtifacts: Place['workflowArtifacts']): Place => {
  const isWhole = kind !== 'unreadable' && kind !== 'log' && workflowArtifacts.length > 0
  return { kind, workflowArtifacts, isWhole, isEarlierMissing: false }
}
const nowKept = at('workflow-artifact', kept)

/** The world explores all places; these are the artifacts that each names, and what has two places. */
it.each<[string, Case, Place]>([
  ['nowhere', { records: ofOtherRun + sent }, at('none', kept)],
  ['kept', { records: ofOtherRun + sent + first }, nowKept],
  ['on the release', onRelease, at('release', kept)],
  ['on the release, though not kept', { ...onRelease, ...refused }, at('release')],
  ['kept, if the release lacks one', { ...forRelease, ...both, released: first }, nowKept],
  ['printed, without an artifact service', { records: first, ...noService }, at('log')],
  ['in the file', { records: first, ...off }, at('file')],
  [
    'kept, though of another step of a job that stopped',
    { records: first, isStopped: true },
    nowKept,
  ],
  ['kept before', { ...both, records: first }, at('workflow-artifact', earlier)],
  ['kept again with new ones', both, nowKept],
  ['printed, though others were kept', { ...both, ...refused }, at('log', earlier)],
  ['unreadable', { ...both, isStopped: true, problems: unreadable }, at('unreadable')],
  ['kept in part', { records: second, attempt: '2' }, { ...nowKept, isEarlierMissing: true }],
])('the records are %s', async (_where, options, place) => {
  expect((await keep(options)).place).toEqual(place)
})

describe('keeping', () => {
  const damage = [problemAt('records-path', 'damaged')]
  it.each<[string, Case]>([
    ['without a line of this attempt', { records: first, attempt: '2' }],
    ['without a record, for a release', { records: sent, ...forRelease, attempt: '2' }],
    ['with keep-records: false', { records: first, ...off }],
    ['after a run that stopped', { records: ofOtherRun, isStopped: true, ...forRelease }],
    ['of a damaged file', { records: first, isStopped: true, problems: damage }],
    ['in a dry run', { records: first, inputs: { 'dry-run': 'true' } }],
  ])('uploads and prints nothing %s', async (_when, options) => {
    const { uploads, log } = await keep(options)
    expect([uploads, log]).toEqual([[], []])
  })

  it('uploads any record for a release', async () => {
    const { uploads, log } = await keep({ records: ofOtherRun, ...forRelease, attempt: '2' })
    expect(uploads).toEqual([{ records: Buffer.from(ofOtherRun), evidencePath: '/page.md' }])
    expect(log).toEqual([`The records are kept in the workflow artifact ${kept.name}: ${kept.url}`])
  })

  it('prints every line that the release lacks below one warning', async () => {
    const records = ofOtherRun + first + second
    const why = 'The records could not be kept as a workflow artifact: HTTP 403'
    const only = 'The lines below are their only copy outside this machine.'
    const { log } = await keep({ records, released: first, ...refused })
    expect(log).toEqual([`warning: ${why}. ${only}`, ofOtherRun.trim(), second.trim()])
  })
})

/** What the post step learns from the state that main saved, and from the file. */
describe('the post step', () => {
  const read = (state: string, file: string): string => {
    const run = { source, isForRelease: false }
    const { isDue, isLost } = readState(state, Buffer.from(file), run)
    if (isLost) return 'lost'
    return isDue ? 'due' : 'done'
  }

  it.each<[string, Case, readonly [string, string][]]>([
    [
      'is kept',
      { records: first },
      [
        [first, 'done'],
        [first + sent, 'due'],
        ['', 'done'],
      ],
    ],
    [
      'is printed',
      { records: first, ...refused },
      [
        [first, 'done'],
        [first + sent, 'due'],
      ],
    ],
    ['is of a run that stopped', { records: ofOtherRun, isStopped: true }, [[first, 'done']]],
    ['is of a dry run', { records: first, inputs: { 'dry-run': 'true' } }, [[first, 'done']]],
    [
      'is left at a signal',
      { records: first, isCanceled: true },
      [
        [first, 'due'],
        [first + second, 'due'],
        [second, 'lost'],
        ['', 'lost'],
      ],
    ],
  ])('knows whether a file that %s has changed', async (_what, options, files) => {
    const { state, log, uploads } = await keep(options)
    expect(files.map(([file]) => [file, read(state['records'] ?? '', file)])).toEqual(files)
    if (uploads.length > 0) expect(state['evidence-path']).toBe('/page.md')
    const left = ['The post step of this action, at the end of the job, keeps the records']
    if (options.isCanceled === true) expect(log).toEqual(left)
  })

  it('notices after a kill if a file with lines is gone', () => {
    const states = [read('written', sent), read('written', ofOtherRun), read('', ofOtherRun)]
    expect(states).toEqual(['due', 'lost', 'done'])
  })
})

describe('finding', () => {
  const find = ({ attempt = '2', ...options }: Case) => {
    const asked: string[] = []
    const all = [{ ...earlier, bytes: Buffer.from(first) }]
    const findAll: WorkflowArtifacts['find'] = token => Promise.resolve((asked.push(token), all))
    const host = makeHost({ artifacts: { find: findAll }, ...options, attempt })
    if (options.isCanceled === true) host.halt.cancel()
    return { asked, log: host.log, finding: findKept(inputsOf(options.inputs), host) }
  }
  const failing = { find: () => Promise.reject(new Error('HTTP 404')) }

  it('reads what earlier attempts kept', async () => {
    const { asked, log, finding } = find({})
    const name = `notarization-records.jsonl of the workflow artifact ${earlier.name}`
    const bytes = Buffer.from(first)
    const expected = { name, bytes, input: 'keep-records', workflowArtifact: earlier }
    expect([await finding, asked]).toEqual([[expected], ['token']])
    expect(log).toEqual(['Found 1 records file of earlier attempts'])
  })

  it.each<[string, Case]>([
    ['on the first attempt', { attempt: '1' }],
    ['without an artifact service', noService],
    ['with keep-records: false', off],
  ])('asks for nothing %s', async (_when, options) => {
    const { asked, finding } = find(options)
    expect([await finding, asked]).toEqual([[], []])
  })

  const text =
    'input "keep-records": the records that earlier attempts kept cannot be read: HTTP 404'
  const failed = { input: 'keep-records', message: text, needs: 'nothing' }
  const unusable = { input: null, message: expect.stringContaining('https_proxy') }
  it.each<[string, Case, readonly object[]]>([
    ['they cannot be read', { artifacts: failing }, [failed]],
    ['a proxy cannot be used', { env: { https_proxy: 'socks5://proxy.example' } }, [unusable]],
    ['a signal came, which is no problem', { artifacts: failing, isCanceled: true }, []],
  ])('stops the run if %s', async (_when, options, problems) => {
    const { asked, finding } = find(options)
    await expect(finding).rejects.toMatchObject({ problems })
    expect(asked).toEqual([])
  })
})
