/** The release as the place of the evidence: it is attached, and its records are known to the next machine. */
import { describe, expect, it } from '@jest/globals'
import { statusFault } from '../../simulator/index.ts'
import { makeWorkspace } from '../support/workspace.ts'
import {
  attach,
  attached,
  CHECKSUMS,
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
  writes,
} from './release-support.ts'
import { makeLine, makeRecord, sha256, startService, toJsonLines } from './support.ts'

describe('records and checksums', () => {
  it('become assets of the release, the checksums under the names of the assets, with links', async () => {
    const github = await startRelease([
      { name: 'b.zip', content: 'b' },
      { name: 'a b.zip', content: 'a' },
      { name: 'refused.zip', content: 'refused' },
    ])
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
    const github = await startRelease([
      { name: 'new.zip', content: 'new' },
      { name: RECORDS, content: `${held}\n` },
      { name: CHECKSUMS, content: `${sha256('gone')}  gone.zip\n${sha256('old')}  new.zip\n` },
    ])
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

  it('take the place of no asset of others, whose names only look like theirs', async () => {
    const service = await startService()
    const others = [`${RECORDS}.of.v1.tmp`, `${CHECKSUMS}.of.v1.tmp`, `old-${RECORDS}`]
    const github = await startRelease(others.map(name => ({ name, content: `text of ${name}` })))

    const run = await notarizeRelease({ github, service, inputs: attach })

    expect(run.exitCode).toBe(0)
    expect(run.results['newly-registered-count']).toBe(3)
    expect(namesOf(github)).toEqual([...others, RECORDS, CHECKSUMS, EVIDENCE])
  })

  it('are written only if there is something new', async () => {
    const github = await startRelease([{ name: 'a.zip', content: 'a' }])
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
    expect(github.routes(...writes)).toEqual([])
    expect(github.texts(TAG)).toEqual(before)
  })

  it('are attached under their fixed names, wherever the records file lies', async () => {
    const github = await startRelease([{ name: 'a.zip', content: 'a' }])
    const service = await startService()

    const run = await notarizeRelease({
      ...{ github, service },
      inputs: { ...attach, 'records-path': 'evidence/my records.jsonl' },
    })

    expect(run.exitCode).toBe(0)
    expect(namesOf(github)).toEqual(['a.zip', RECORDS, CHECKSUMS, EVIDENCE])
    expect(github.texts(TAG)[RECORDS]).toBe(run.workspace.read('evidence/my records.jsonl'))
  })

  it('are attached also when the service answered with a record that contradicts its request', async () => {
    const github = await startRelease([{ name: 'a.zip', content: 'a' }])
    const service = await startService({ record: () => ({ custody: true }) })

    const run = await notarizeRelease({ github, service, inputs: attach })

    expect(run.results.failures).toMatchObject([{ artifact: 'a.zip', code: 'record-mismatch' }])
    expect(hashesOf(heldLines(github))).toEqual(hashesFor('a'))
    expect(namesOf(github)).toEqual(['a.zip', RECORDS])
  })
})

describe('a workspace without a records file', () => {
  it('takes that of the release, so that a new machine sends nothing', async () => {
    const github = await startRelease([
      { name: 'a.zip', content: 'a' },
      { name: 'b.zip', content: 'b', digest: null },
    ])
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

  it('knows them in a dry run, and stays without a file', async () => {
    const service = await startService()
    const github = await startRelease([{ name: 'a.zip', content: 'a' }, attached(service, 'a')])

    const run = await notarizeRelease({ github, service, inputs: { 'dry-run': 'true' } })

    expect(run.exitCode).toBe(0)
    expect(run.summary).toMatch(/0 of 1 artifact would be registered, 1 known before/)
    expect(run.workspace.exists(RECORDS)).toBe(false)
  })

  it('takes none that are there for another service', async () => {
    const service = await startService()
    const other = toJsonLines([makeLine('https://other.example', 'a')])
    const github = await startRelease([
      { name: 'a.zip', content: 'a' },
      { name: RECORDS, content: other },
    ])

    const run = await notarizeRelease({ github, service, inputs: attach })

    expect(run.results['newly-registered-count']).toBe(1)
    expect(hashesOf(heldLines(github))).toHaveLength(2)
  })

  it.each<[string, string]>([
    ['does not parse', '{"artifact":'],
    ['breaks the rules', JSON.stringify(makeLine('https://x.example', 'a', { hash: sha256('b') }))],
  ])('sends nothing when a line of the release %s, and names it', async (_what, line) => {
    const service = await startService()
    const good = attached(service, 'old')
    const text = `${typeof good.content === 'string' ? good.content : ''}${line}\n`
    const github = await startRelease([
      { name: 'a.zip', content: 'a' },
      { name: RECORDS, content: text },
    ])

    const run = await notarizeRelease({ github, service, inputs: attach })

    expect(run.exitCode).toBe(1)
    expect(run.results.verdict).toBe('stopped')
    expect(run.annotations.error).toEqual([expect.stringMatching(/release.*line 2/)])
    expect(service.requests).toEqual([])
    expect(github.texts(TAG)).toEqual({ 'a.zip': 'a', [RECORDS]: text })
  })

  it('cuts an incomplete last line of the release off with a warning', async () => {
    const service = await startService()
    const whole = toJsonLines([makeLine(service.url, 'a')])
    const github = await startRelease([
      { name: 'a.zip', content: 'a' },
      { name: 'b.zip', content: 'b' },
      { name: RECORDS, content: `${whole}{"artifact":"b.zip","si` },
    ])

    const run = await notarizeRelease({ github, service, inputs: attach })

    expect(run.exitCode).toBe(0)
    expect(hashesOf(heldLines(github))).toEqual(hashesFor('a', 'b'))
    expect(run.annotations.warning).toEqual([expect.stringMatching(/incomplete/)])
  })
})

describe('a workspace with a records file', () => {
  it('goes by its own and by that of the release, as it may be older', async () => {
    const service = await startService()
    const github = await startRelease([
      { name: 'a.zip', content: 'a' },
      { name: 'b.zip', content: 'b' },
      attached(service, 'b'),
    ])
    const own = toJsonLines([makeLine(service.url, 'a')])
    const workspace = makeWorkspace({ [RECORDS]: own })

    const run = await notarizeRelease({ github, service, workspace })

    expect(run.exitCode).toBe(0)
    expect(service.requests).toEqual([])
    expect(run.results.verdict).toBe('registered')
    expect(workspace.read(RECORDS)).toBe(own + toJsonLines([makeLine(service.url, 'b')]))
  })
})

describe('a release that takes no files', () => {
  const isImmutable = { release: { immutable: true } }

  it.each<[string, Parameters<typeof startRelease>[1], readonly string[], RegExp]>([
    ['it is immutable', isImmutable, [], /immutable/],
    ['the token cannot write', { canWrite: false }, [], /contents: write/],
    ['nothing is left to register', isImmutable, ['a'], /immutable/],
  ])('is found out before anything is sent: %s', async (_what, options, known, message) => {
    const service = await startService()
    const held = known.length === 0 ? [] : [attached(service, ...known)]
    const assets = [{ name: 'a.zip', content: 'a' }, ...held]
    const github = await startRelease(assets, options)
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
    const github = await startRelease([{ name: 'a.zip', content: 'a' }], {
      ...{ ...isImmutable, canWrite: false },
    })
    const service = await startService()

    const run = await notarizeRelease({ github, service })

    expect(run.results.verdict).toBe('registered')
    expect(github.routes(...writes)).toEqual([])
  })
})
