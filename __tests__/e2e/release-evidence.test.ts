/** The release as the place of the evidence: it is attached, and its records are known to the next machine. */
import { describe, expect, it } from '@jest/globals'
import { statusFault } from '../../simulator/index.ts'
import type { GitHubOptions, ReleaseSeed } from '../support/github.ts'
import { makeWorkspace } from '../support/workspace.ts'
import {
  assetsOf,
  attach,
  attached,
  CHECKSUMS,
  completions,
  EVIDENCE,
  hashesFor,
  hashesOf,
  heldLines,
  linesOf,
  namesOf,
  notarizeRelease,
  RECORDS,
  startPatientService,
  startRelease,
  TAG,
} from './release-support.ts'
import { makeLine, makeRecord, sha256, startService, toJsonLines } from './support.ts'

const oneAsset = assetsOf({ 'a.zip': 'a' })

describe('records and checksums', () => {
  it('become assets of the release, the checksums under the names of the assets, with links', async () => {
    const github = await startRelease(
      assetsOf({ 'b.zip': 'b', 'a b.zip': 'a', 'refused.zip': 'refused' }),
    )
    const service = await startService({
      faults: [{ hash: sha256('refused'), fault: statusFault(404) }],
    })
    const workspace = makeWorkspace({ 'dist/local.txt': 'local' })

    const run = await notarizeRelease({
      ...{ github, service, workspace },
      inputs: { ...attach, path: 'dist' },
    })

    expect(run.results.verdict).toBe('partial')
    const texts = github.texts(TAG)
    expect(Object.keys(texts)).toEqual([
      ...['b.zip', 'a.b.zip', 'refused.zip', RECORDS, CHECKSUMS, EVIDENCE],
    ])
    expect(texts[RECORDS]).toBe(workspace.read(RECORDS))
    expect(texts[EVIDENCE]).toBe(workspace.read(run.outputs['evidence-path'] ?? ''))
    expect(texts[EVIDENCE]).toContain(sha256('local'))
    expect(run.summary).toContain(`/${EVIDENCE}`)
    expect(run.lines.join('\n')).toContain(`/${EVIDENCE}`)
    expect(hashesOf(linesOf(texts[RECORDS]))).toEqual(hashesFor('a', 'b', 'local'))
    expect(texts[CHECKSUMS]).toBe(`${sha256('a')}  a.b.zip\n${sha256('b')}  b.zip\n`)
  })

  it('are merged with what the release holds, which stays byte for byte', async () => {
    const service = await startPatientService()
    const line = makeLine('https://other.example', 'elsewhere', {
      record: { ...makeRecord(sha256('elsewhere')), more: 'ünïcode \u2028' },
    })
    const held = ` ${JSON.stringify(line)}`
    const checksums = `${sha256('gone')}  gone.zip\n${sha256('old')}  new.zip\n`
    const github = await startRelease(
      assetsOf({ 'new.zip': 'new', [RECORDS]: `${held}\n`, [CHECKSUMS]: checksums }),
    )
    const workspace = makeWorkspace({ [RECORDS]: toJsonLines([makeLine(service.url, 'mine')]) })

    const run = await notarizeRelease({ github, service, workspace, inputs: attach })

    expect(run.exitCode).toBe(0)
    const lines = linesOf(github.texts(TAG)[RECORDS])
    expect(lines[0]).toBe(held)
    expect(hashesOf(lines.slice(1))).toEqual(hashesFor('mine', 'new'))
    expect(github.texts(TAG)[CHECKSUMS]).toBe(`${sha256('new')}  new.zip\n`)
    expect(github.texts(TAG)[EVIDENCE]).toContain(sha256('elsewhere'))
    // The file of the workspace takes what only the release knew, so that it has every record.
    expect(hashesOf(linesOf(workspace.read(RECORDS)))).toEqual(
      hashesFor('mine', 'elsewhere', 'new'),
    )
  })

  it('are written only if there is something new', async () => {
    const github = await startRelease(oneAsset)
    const service = await startPatientService()
    const first = await notarizeRelease({ github, service, inputs: attach })
    const before = github.texts(TAG)
    github.forgetCalls()

    const again = await notarizeRelease({
      ...{ github, service, workspace: first.workspace },
      inputs: attach,
    })
    github.release(TAG).immutable = true
    const afterwards = await notarizeRelease({ github, service, inputs: attach })

    expect([again.exitCode, afterwards.exitCode]).toEqual([0, 0])
    expect(github.writes()).toEqual([])
    expect(github.texts(TAG)).toEqual(before)
  })

  it('are attached also when the service answered with a record that contradicts its request', async () => {
    const github = await startRelease(oneAsset)
    const service = await startService({ record: () => ({ custody: true }) })

    const run = await notarizeRelease({ github, service, inputs: attach })

    expect(run.results.failures).toMatchObject([{ artifact: 'a.zip', code: 'record-mismatch' }])
    expect(hashesOf(heldLines(github))).toEqual(hashesFor('a'))
    expect(namesOf(github)).toEqual(['a.zip', RECORDS])
  })
})

describe('the records that the release holds', () => {
  it('are enough for a new machine to send nothing', async () => {
    const github = await startRelease([...oneAsset, { name: 'b.zip', content: 'b', digest: null }])
    const service = await startPatientService()
    await notarizeRelease({ github, service, inputs: attach })
    const [requests, text] = [service.requests.length, github.texts(TAG)[RECORDS]]

    // With or without attaching.
    const again = await notarizeRelease({ github, service })

    expect(again.exitCode).toBe(0)
    expect(again.results.verdict).toBe('registered')
    expect(again.results.records?.map(({ from }) => from)).toEqual(['records-file', 'records-file'])
    expect(service.requests).toHaveLength(requests)
    expect(again.workspace.read(RECORDS)).toBe(text)
  })

  const ours = 'https://ours.example'
  const other = 'https://other.example'
  const line = (service: string, content: string) => toJsonLines([makeLine(service, content)])
  const both = assetsOf({ 'a.zip': 'a', 'b.zip': 'b' })

  /** What the release and the workspace hold, what is registered then, and what they hold at the end. */
  it.each<
    [
      what: string,
      held: string,
      own: string | null,
      newly: readonly string[],
      ends: { readonly held: readonly string[]; readonly own: readonly string[] },
    ]
  >([
    [
      'go together with those of the workspace, which may be older',
      ...([line(ours, 'b'), line(ours, 'a'), []] as const),
      { held: ['b', 'a'], own: ['a', 'b'] },
    ],
    [
      'do not count for another service',
      ...([line(other, 'a') + line(ours, 'b'), null, ['a']] as const),
      { held: ['a', 'b', 'a'], own: ['a', 'b', 'a'] },
    ],
    [
      'lose an incomplete last line',
      ...([`${line(ours, 'a')}{"artifact":"b.zip","si`, null, ['b']] as const),
      { held: ['a', 'b'], own: ['a', 'b'] },
    ],
  ])('%s', async (_what, held, own, newly, ends) => {
    const service = await startPatientService()
    const here = (text: string): string => text.replaceAll(ours, service.url)
    const github = await startRelease([...both, { name: RECORDS, content: here(held) }])
    const workspace = makeWorkspace(own === null ? {} : { [RECORDS]: here(own) })

    const run = await notarizeRelease({ github, service, workspace, inputs: attach })

    expect(run.exitCode).toBe(0)
    expect(Object.keys(completions(service))).toEqual(newly.map(sha256))
    expect(hashesOf(heldLines(github))).toEqual(hashesFor(...ends.held))
    expect(hashesOf(linesOf(workspace.read(RECORDS)))).toEqual(hashesFor(...ends.own))
    const warnings = held.endsWith('\n') ? [] : [expect.stringMatching(/incomplete/)]
    expect(run.annotations.warning).toEqual(warnings)
  })

  it('are known to a dry run, which makes no file of them', async () => {
    const service = await startService()
    const github = await startRelease([...oneAsset, attached(service, 'a')])

    const run = await notarizeRelease({ github, service, inputs: { 'dry-run': 'true' } })

    expect(run.exitCode).toBe(0)
    expect(run.summary).toMatch(/0 of 1 artifact would be registered, 1 known before/)
    expect(run.workspace.exists(RECORDS)).toBe(false)
  })

  it.each<[string, string]>([
    ['does not parse', '{"artifact":'],
    ['breaks the rules', JSON.stringify(makeLine(other, 'a', { hash: sha256('b') }))],
  ])('stop the run when a line %s, and it is named', async (_what, wrong) => {
    const service = await startService()
    const assets = { 'a.zip': 'a', [RECORDS]: `${line(service.url, 'old')}${wrong}\n` }
    const github = await startRelease(assetsOf(assets))

    const run = await notarizeRelease({ github, service, inputs: attach })

    expect(run.exitCode).toBe(1)
    expect(run.results.verdict).toBe('stopped')
    expect(run.annotations.error).toEqual([expect.stringMatching(/release.*line 2/)])
    expect(service.requests).toEqual([])
    expect(github.texts(TAG)).toEqual(assets)
  })
})

describe('a release that takes no files', () => {
  const isImmutable = { release: { immutable: true } }

  it.each<
    [string, GitHubOptions & { readonly release?: Partial<ReleaseSeed> }, readonly string[], RegExp]
  >([
    ['it is immutable', isImmutable, [], /immutable/],
    ['the token cannot write', { canWrite: false }, [], /contents: write/],
    ['nothing is left to register', isImmutable, ['a'], /immutable/],
  ])('is found out before anything is sent: %s', async (_what, options, known, message) => {
    const service = await startService()
    const held = known.map(content => attached(service, content))
    const github = await startRelease([...oneAsset, ...held], options)
    const names = namesOf(github)

    const run = await notarizeRelease({ github, service, inputs: attach })

    expect(run.results.verdict).toBe('stopped')
    expect(run.annotations.error).toEqual([expect.stringMatching(/^input "attach-to-release"/)])
    expect(run.annotations.error[0]).toMatch(message)
    expect(service.requests).toEqual([])
    expect(run.workspace.exists(RECORDS)).toBe(false)
    expect(namesOf(github)).toEqual(names)
  })

  it('is no obstacle to a run that attaches nothing', async () => {
    const github = await startRelease(oneAsset, { ...isImmutable, canWrite: false })
    const service = await startService()

    const run = await notarizeRelease({ github, service })

    expect(run.results.verdict).toBe('registered')
    expect(github.writes()).toEqual([])
  })
})
