/** Where the records of a run are, and what is printed of them. */
import { describe, expect, it } from '@jest/globals'
import { problemAt, type Problem } from '../../src/failure.ts'
import { readInputs } from '../../src/inputs/notarize-inputs.ts'
import { findKept, keepRecords, type Place } from '../../src/keep/keep.ts'
import { Halt } from '../../src/runtime/halt.ts'
import type { ArtifactCall, KeptFiles, WorkflowArtifacts } from '../../src/runtime/outside.ts'
import { recordingHost } from '../artifacts/host.ts'
import { makeDoubtLine, makeLine, source, toJsonLines } from '../support/samples.ts'

const service = 'https://notary.example'
const kept = { name: 'kept now', url: 'https://github.com/1', isUploaded: true }
const earlier = { name: 'kept before', url: 'https://github.com/2' }

const ofOtherRun = toJsonLines([makeLine(service, 'x', { source: { ...source, runId: '9' } })])
// A response that wraps a record is none.
const doubt = toJsonLines([makeDoubtLine(service, 's', { response: { record: {} } })])
const first = toJsonLines([makeLine(service, 'a')])
const second = toJsonLines([makeLine(service, 'b', { source: { ...source, runAttempt: '2' } })])

interface Case {
  readonly inputs?: Readonly<Record<string, string>>
  readonly attempt?: string
  readonly env?: Readonly<Record<string, string>>
  readonly artifacts?: Partial<WorkflowArtifacts>
  readonly isStopped?: boolean
  readonly problems?: readonly Problem[]
  /** The records of the file, null if it cannot be read; of an earlier attempt; and of the release. */
  readonly records?: string | null
  readonly found?: string
  /** Whether two workflow artifacts have what was found. */
  readonly isTwice?: boolean
  readonly evidencePath?: string
  readonly released?: string
}

/** Makes a host, and what it does. */
function makeHost({ attempt = '1', env = {}, artifacts = {} }: Case) {
  const uploads: KeptFiles[] = []
  const host = recordingHost({
    GITHUB_RUN_ID: source.runId,
    GITHUB_RUN_ATTEMPT: attempt,
    ACTIONS_RUNTIME_TOKEN: 'runtime-token',
    ACTIONS_RESULTS_URL: 'https://results.example',
    ...env,
  })
  const keep = (files: KeptFiles) => Promise.resolve((uploads.push(files), kept))
  const workflowArtifacts = { keep, find: () => Promise.resolve([]), ...artifacts }
  return { ...host, workflowArtifacts, uploads }
}

function inputsOf(changes: Case['inputs'] = {}) {
  return readInputs({ path: '*', 'api-key': 'key', 'github-token': 'token', ...changes }).inputs
}

async function keep(options: Case, host = makeHost(options)) {
  const { records = '', found, released, isStopped = false, problems = [] } = options
  const ofArtifact = { name: 'found', input: 'keep-records', workflowArtifact: earlier } as const
  const ofRelease = { name: 'asset', input: 'release-tag' } as const
  const { isTwice = false, evidencePath = '/page.md' } = options
  const earlierRecords = found === undefined ? [] : [{ ...ofArtifact, bytes: Buffer.from(found) }]
  const place = await keepRecords(
    {
      inputs: inputsOf(options.inputs),
      ledger: records === null ? null : { content: Buffer.from(records), problems },
      earlier: isTwice ? [...earlierRecords, ...earlierRecords] : earlierRecords,
      release:
        released === undefined
          ? null
          : { records: [{ ...ofRelease, bytes: Buffer.from(released) }] },
      evidencePath,
      isStopped,
    },
    host,
  )
  return { ...host, place }
}

const refused = { artifacts: { keep: () => Promise.reject(new Error('HTTP 403')) } }
const noService = { env: { GITHUB_SERVER_URL: 'https://ghe.example' } }
const off = { inputs: { 'keep-records': 'false' } }
const forRelease = { inputs: { 'release-tag': 'v1' } }
const onRelease = { ...forRelease, records: first, released: first }
const both = { records: first + second, found: first, attempt: '2' }

const at = (kind: Place['kind'], ...workflowArtifacts: Place['workflowArtifacts']): Place => {
  return {
    kind,
    workflowArtifacts,
    page: (kind === 'log' ? null : workflowArtifacts.at(-1)) ?? null,
  }
}

it.each<[string, Case, Place]>([
  ['nowhere', { records: ofOtherRun + doubt }, at('none', kept)],
  ['kept', { records: ofOtherRun + doubt + first }, at('workflow-artifact', kept)],
  ['on the release', onRelease, at('release', kept)],
  ['on the release, though not kept', { ...onRelease, ...refused }, at('release')],
  [
    'kept, if the release lacks one',
    { ...forRelease, ...both, released: first },
    at('workflow-artifact', kept),
  ],
  ['printed, without an artifact service', { records: first, ...noService }, at('log')],
  ['in the file', { records: first, ...off }, at('file')],
  [
    'kept, though of another step of a job that stopped',
    { records: first, isStopped: true },
    at('workflow-artifact', kept),
  ],
  ['kept before', { ...both, records: first }, at('workflow-artifact', earlier)],
  [
    'kept before, though the file cannot be read',
    { ...both, records: null },
    at('workflow-artifact', earlier),
  ],
  ['kept again with new ones', both, at('workflow-artifact', kept)],
  ['printed, though others were kept', { ...both, ...refused }, at('log', earlier)],
])('the records are %s', async (_where, options, place) => {
  expect((await keep(options)).place).toEqual(place)
})

it('an evidence page that was kept before is of all if it is the only one, and all records were kept', async () => {
  const pageOf = async (options: Case) =>
    (await keep({ attempt: '3', records: first, found: first, ...options })).place.page
  expect(await pageOf({})).toBe(earlier)
  expect(await pageOf({ evidencePath: '' })).toBeNull()
  expect(await pageOf({ records: first + ofOtherRun })).toBeNull()
  expect(await pageOf({ isTwice: true })).toBeNull()
})

describe('keeping', () => {
  const damage = [problemAt('records-path', 'damaged', { next: 'restore it' })]
  it.each<[string, Case]>([
    ['without a line of this attempt', { records: first, attempt: '2' }],
    ['without a record, for a release', { records: doubt, ...forRelease, attempt: '2' }],
    ['with keep-records: false', { records: first, ...off }],
    ['after a run that stopped', { records: ofOtherRun, isStopped: true, ...forRelease }],
    ['of a damaged file', { records: first, isStopped: true, problems: damage }],
    ['in a dry run', { records: first, inputs: { 'dry-run': 'true' } }],
    ['of a run without a record, without a service', { records: ofOtherRun + doubt, ...noService }],
    ['of records that the release has, if it fails', { ...onRelease, ...refused }],
  ])('uploads and prints nothing %s', async (_when, options) => {
    const { uploads, log } = await keep(options)
    expect([uploads, log]).toEqual([[], []])
  })

  it('uploads any record for a release', async () => {
    const { uploads, log } = await keep({ records: ofOtherRun, ...forRelease, attempt: '2' })
    expect(uploads).toEqual([{ records: Buffer.from(ofOtherRun), evidencePath: '/page.md' }])
    expect(log).toEqual([`The records are kept in the workflow artifact ${kept.name}: ${kept.url}`])
  })

  it.each<[string, Case, why: RegExp]>([
    ['without a service', noService, /this server has no artifact service/],
    ['if that fails', refused, /HTTP 403/],
  ])('prints every line that the release lacks, under one warning, %s', async (_, options, why) => {
    const records = ofOtherRun + doubt + first + second
    const { log, uploads } = await keep({ records, released: first, attempt: '2', ...options })
    const [warning, ...lines] = log
    expect(warning).toMatch(/^warning: .* could not be kept as a workflow artifact: .* in the log/)
    expect(warning).toMatch(why)
    expect(lines).toEqual([ofOtherRun, doubt, second].map(line => line.trim()))
    expect(uploads).toEqual([])
  })

  it.each([
    ['2 minutes', null, [120_000], 'it took more than 2 minutes'],
    ['3 seconds after a signal before it', 'before', [120_000, 3000], 'the run was canceled'],
    ['3 seconds after a signal meanwhile', 'meanwhile', [120_000, 3000], 'the run was canceled'],
  ] as const)('ends after %s', async (_, signal, waits, why) => {
    const slept: number[] = []
    const sleep = (ms: number, { aborted }: AbortSignal): Promise<void> => {
      slept.push(ms)
      if (signal === 'meanwhile' && !aborted) host.halt.cancel()
      return Promise.resolve()
    }
    const hang = (_files: KeptFiles, call: ArtifactCall): Promise<never> =>
      new Promise((_resolve, reject) => {
        call.signal.addEventListener('abort', () => {
          reject(new Error(String(call.signal.reason)))
        })
      })
    const recording = makeHost({ artifacts: { keep: hang } })
    const clock = { ...recording.clock, sleep }
    const halt = new Halt({ ...clock, sleep: () => new Promise(() => undefined) })
    const host = { ...recording, clock, halt }
    if (signal === 'before') halt.cancel()
    const { log, place } = await keep({ records: first }, host)
    expect(place).toEqual(at('log'))
    expect(slept).toEqual(waits)
    expect(log[0]).toContain(why)
  })
})

describe('finding', () => {
  const find = ({ attempt = '2', ...options }: Case, isCanceled = false) => {
    let calls = 0
    const all = [{ ...earlier, bytes: Buffer.from(first) }]
    const findAll: WorkflowArtifacts['find'] = () => Promise.resolve((calls++, all))
    const host = makeHost({ artifacts: { find: findAll }, ...options, attempt })
    if (isCanceled) host.halt.cancel()
    const finding = findKept(inputsOf(options.inputs), host)
    return { log: host.log, finding, calls: () => calls }
  }
  const failing = { artifacts: { find: () => Promise.reject(new Error('HTTP 404')) } }

  it('reads what earlier attempts kept', async () => {
    const { log, finding } = find({})
    const name = `notarization-records.jsonl of the workflow artifact ${earlier.name}`
    const bytes = Buffer.from(first)
    const expected = { name, bytes, input: 'keep-records', workflowArtifact: earlier }
    expect(await finding).toEqual([expected])
    expect(log).toEqual(['Found 1 records file of earlier attempts'])
  })

  it.each<[string, Case]>([
    ['on the first attempt', { attempt: '1' }],
    ['without an artifact service', noService],
    ['with keep-records: false', off],
  ])('asks for nothing %s', async (_when, options) => {
    const { calls, finding } = find(options)
    expect([await finding, calls()]).toEqual([[], 0])
  })

  const text =
    'input "keep-records": the records that earlier attempts kept cannot be read: HTTP 404'
  const docs = 'records.md#records-that-cannot-be-read'
  const failed = { input: 'keep-records', message: text, needs: 'nothing', docs }
  const unusable = { input: null, message: expect.stringContaining('https_proxy') }
  const proxy = { env: { https_proxy: 'socks5://proxy.example' } }
  it.each<[string, Case, isCanceled: boolean, readonly object[]]>([
    ['they cannot be read', failing, false, [failed]],
    ['a proxy cannot be used', proxy, false, [unusable]],
    ['a signal came, which is no problem', failing, true, []],
  ])('stops the run if %s', async (_when, options, isCanceled, problems) => {
    const { calls, finding } = find(options, isCanceled)
    await expect(finding).rejects.toMatchObject({ problems })
    expect(calls()).toBe(0)
  })
})
