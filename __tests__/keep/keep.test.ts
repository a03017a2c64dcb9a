/** Where the records of a run are, and what is printed of them. */
import { describe, expect, it } from '@jest/globals'
import { readInputs } from '../../src/inputs/notarize-inputs.ts'
import { findKept, keepRecords, locateRecords, nameKept } from '../../src/keep/keep.ts'
import type { Whereabouts } from '../../src/keep/keep.ts'
import type { FoundRecords } from '../../src/records/lines.ts'
import { Ledger } from '../../src/records/ledger.ts'
import type { ArtifactCall, Disk, KeptFiles } from '../../src/runtime/outside.ts'
import type { WorkflowArtifacts } from '../../src/runtime/outside.ts'
import { recordingHost } from '../artifacts/host.ts'
import { doubtLineOf, lineOf, SERVICE } from '../records/entries.ts'
import { source } from '../support/samples.ts'

const kept = { name: 'kept now', url: 'https://github.com/1' }
const earlier = { name: 'kept before', url: 'https://github.com/2' }

const ofOtherRun = lineOf('x', { source: { ...source, runId: '9' } })
// A response that wraps a record is none.
const doubt = doubtLineOf('s', { response: { record: {} } })
const first = lineOf('a')
const second = lineOf('b', { source: { ...source, runAttempt: '2' } })

interface Case {
  readonly inputs?: Readonly<Record<string, string>>
  readonly attempt?: string
  readonly env?: Readonly<Record<string, string>>
  readonly artifacts?: Partial<WorkflowArtifacts>
  /** The lines of the file, of an earlier attempt, and of the release; and those that a write failed for. */
  readonly records?: string
  readonly found?: string
  readonly released?: string
  readonly unsaved?: string
  readonly evidencePath?: string
  readonly isUnread?: boolean
}

/** Makes a host, and what it does. */
function makeHost({ attempt = '1', env = {}, artifacts = {} }: Case) {
  const uploads: KeptFiles[] = []
  const ofRun = { GITHUB_RUN_ID: source.runId, GITHUB_RUN_ATTEMPT: attempt }
  const results = { ACTIONS_RUNTIME_TOKEN: 't', ACTIONS_RESULTS_URL: 'https://results.example' }
  const host = recordingHost({ ...ofRun, ...results, ...env })
  const keep = (files: KeptFiles) => Promise.resolve((uploads.push(files), kept))
  const workflowArtifacts = { keep, find: () => Promise.resolve([]), ...artifacts }
  const group = <T>(title: string, call: () => Promise<T>) => {
    host.log.push(`group: ${title}`)
    return call()
  }
  return { ...host, runner: { ...host.runner, group }, workflowArtifacts, uploads }
}

function inputsOf(changes: Case['inputs'] = {}) {
  return readInputs({ path: '*', 'api-key': 'key', 'github-token': 'token', ...changes }).inputs
}

/** Reads the ledger of a case, and completes its file as a run does. */
function ledgerOf(options: Case, host: ReturnType<typeof makeHost>): Ledger {
  const { records = '', found = '', released = '', unsaved = '', attempt = '1' } = options
  const read = (): Buffer => Buffer.from(records + unsaved)
  const disk: Disk = { ...host.disk, read, append: () => undefined }
  const others: readonly FoundRecords[] = [
    { name: 'found', bytes: Buffer.from(found), input: 'keep-records' },
    { name: 'asset', bytes: Buffer.from(released), input: 'release-tag' },
  ]
  const ofRun = { ...source, runAttempt: attempt }
  const query = { path: '/records', name: 'records', others, service: SERVICE, source: ofRun }
  const ledger = new Ledger(query, { ...host, disk })
  if (ledger.problems.length === 0) ledger.open(false)
  for (const { text, places } of ledger.lines) {
    if (!unsaved.includes(text)) continue
    places.delete('file')
    places.add('log')
  }
  return ledger
}

async function keep(options: Case, host = makeHost(options)) {
  const { evidencePath = '/page.md', isUnread = false } = options
  const task = { ledger: ledgerOf(options, host), inputs: inputsOf(options.inputs) }
  const kept = await keepRecords(task, evidencePath, host)
  return { ...host, ...kept, where: locateRecords(task, isUnread, host) }
}

const refused = { artifacts: { keep: () => Promise.reject(new Error('HTTP 403')) } }
const noService = { env: { GITHUB_SERVER_URL: 'https://ghe.example' } }
const off = { inputs: { 'keep-records': 'false' } }
const onRelease = { records: first, released: first }
const both = { records: first + second, found: first, attempt: '2' }

it.each<[Whereabouts['kind'], string, Case, isUploaded?: boolean]>([
  ['none', '', { records: ofOtherRun }],
  ['workflow-artifact', 'kept', { records: ofOtherRun + doubt + first }],
  ['workflow-artifact', 'doubts alone, kept', { records: doubt, evidencePath: '' }],
  ['release', 'kept too', onRelease],
  ['release', 'though not kept', { ...onRelease, ...refused }, false],
  ['workflow-artifact', 'the release lacks one', { ...both, released: first }],
  ['log', 'without an artifact service', { records: first, ...noService }, false],
  ['log', 'of earlier attempts', { records: ofOtherRun, attempt: '2', ...noService }, false],
  ['none', 'never printed', { attempt: '2', evidencePath: '', ...noService, ...off }, false],
  ['log', 'though others were kept', { ...both, ...refused }, false],
  ['workflow-artifact', 'a line that could not be saved, too', { records: first, unsaved: second }],
  ['log', 'with another one that could not be saved', { unsaved: first, ...off }, false],
  ['file', 'with keep-records: false', { records: first, unsaved: second, ...off }, false],
  ['workflow-artifact', 'of another step', { records: first, evidencePath: '' }],
  ['workflow-artifact', 'kept before', { ...both, records: first, evidencePath: '' }, false],
  ['workflow-artifact', 'that cannot be read', { isUnread: true, evidencePath: '' }, false],
  ['workflow-artifact', 'that is damaged', { found: 'x\n', evidencePath: '' }, false],
  ['workflow-artifact', 'kept again with new ones', both],
])('the records are in the place "%s" (%s)', async (kind, _, options, isUploaded = true) => {
  const { where, workflowArtifact } = await keep(options)
  expect(where.kind).toBe(kind)
  expect(workflowArtifact).toBe(isUploaded ? kept : null)
})

it('all records may be on the release although none is of this run', async () => {
  const onlyThere = { records: ofOtherRun, released: ofOtherRun, evidencePath: '' }
  const earlier = { ...onlyThere, inputs: { 'earlier-releases': 'true' } }
  const elsewhere = { ...onlyThere, released: '' }
  const cases = [onlyThere, earlier, elsewhere].map(each => keep(each))
  const found = (await Promise.all(cases)).map(({ where }) => where.isReleased)
  expect(found).toEqual([true, false, false])
})

describe('keeping', () => {
  const noPage = { evidencePath: '' }
  it.each<[string, Case]>([
    ['without a page or a line of this attempt', { records: first, attempt: '2', ...noPage }],
    ['with keep-records: false', { records: first, ...off }],
    ['of a damaged file', { records: `${first}x\n`, ...noPage }],
    ['in a dry run', { records: first, inputs: { 'dry-run': 'true' } }],
    ['of a run without a line, without a service', { records: ofOtherRun, ...noService }],
    ['of records that the release has, if it fails', { ...onRelease, ...refused }],
  ])('uploads and prints nothing %s', async (_when, options) => {
    const { uploads, log } = await keep(options)
    expect([uploads, log]).toEqual([[], []])
  })

  it('uploads every line that is known, with the page', async () => {
    const lines = { records: ofOtherRun, unsaved: first, found: doubt }
    const host = makeHost(lines)
    let isDone = (): boolean => false
    const sleep = (_ms: number, signal: AbortSignal) => {
      isDone = () => signal.aborted
      return new Promise<void>(() => undefined)
    }
    const { uploads, log, error } = await keep(lines, { ...host, clock: { ...host.clock, sleep } })
    expect(isDone()).toBe(true)
    const records = Buffer.from(ofOtherRun + first + doubt)
    expect(uploads).toEqual([{ records, evidencePath: '/page.md' }])
    expect(log).toEqual([
      'The records file is incomplete, because it could not be written. Use the one in the workflow artifact instead (records.md#where-it-is-kept)',
      `The records are kept in the workflow artifact ${kept.name}: ${kept.url}`,
    ])
    expect(error).toBeNull()
  })

  it.each<[string, Case, why: string, lines: readonly string[], what: string]>([
    ['without a service', noService, 'this server has no artifact service', [first], 'line is'],
    ['if that fails', refused, 'HTTP 403', [first, second], 'lines are'],
  ])('prints what of the run is nowhere else, under one warning, %s', async (...row) => {
    const [, options, why, lines, what] = row
    const records = ofOtherRun + doubt + lines.join('')
    const { log, error } = await keep({ records, attempt: '2', ...options })
    expect(log).toEqual([
      `warning: The workflow artifact could not be uploaded: ${why}. Outside this runner, ${lines.length} record ${what} only in the log, in the group "Records that were not kept"`,
      'group: Records that were not kept',
      ...[doubt, ...lines].map(line => line.trim()),
    ])
    expect(error).toBe(why)
  })

  it('prints doubts alone without a warning', async () => {
    const { log } = await keep({ records: first + doubt, released: first, ...refused })
    expect(log).toEqual(['group: Records that were not kept', doubt.trim()])
  })

  it.each([
    ['2 minutes', null, [120_000], 'it took more than 2 minutes'],
    ['3 seconds after a signal before it', 'before', [120_000, 3000], 'the run was canceled'],
    ['3 seconds after a signal meanwhile', 'meanwhile', [120_000, 3000], 'the run was canceled'],
  ] as const)('ends after %s', async (_, signal, waits, why) => {
    const hang = (_files: KeptFiles, call: ArtifactCall): Promise<never> =>
      new Promise((_resolve, reject) => {
        call.signal.addEventListener('abort', () => {
          reject(new Error(String(call.signal.reason)))
        })
      })
    const host = makeHost({ artifacts: { keep: hang } })
    const slept: number[] = []
    const sleep = async (ms: number, ending: AbortSignal): Promise<void> => {
      if (signal === 'meanwhile' && !ending.aborted) host.halt.cancel()
      await Promise.resolve()
      // Only a signal ends the wait.
      slept.push(signal === null && ending.aborted ? 0 : ms)
    }
    if (signal === 'before') host.halt.cancel()
    const waiting = { ...host, clock: { ...host.clock, sleep } }
    const { where, error } = await keep({ records: first }, waiting)
    expect(where.kind).toBe('log')
    expect(slept).toEqual(waits)
    expect(error).toBe(`Error: ${why}`)
  })
})

describe('finding', () => {
  const find = ({ attempt = '2', ...options }: Case, isCanceled = false) => {
    let calls = 0
    const all = [{ ...earlier, bytes: Buffer.from(first) }]
    const artifacts = { find: () => Promise.resolve((calls++, all)) }
    const host = makeHost({ artifacts, ...options, attempt })
    if (isCanceled) host.halt.cancel()
    return {
      log: host.log,
      finding: findKept(inputsOf(options.inputs), '/temp', host),
      calls: () => calls,
    }
  }
  const failing = { artifacts: { find: () => Promise.reject(new Error('HTTP 404')) } }

  it('reads what earlier attempts kept', async () => {
    const { log, finding } = find({})
    const name = `notarization-records.jsonl of the workflow artifact ${earlier.name}`
    const expected = { name, bytes: Buffer.from(first), input: 'keep-records' }
    expect((await finding).map(nameKept)).toEqual([expected])
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
