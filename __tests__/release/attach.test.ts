/** The release as the place of the evidence: what is attached, in which order, and what may go wrong meanwhile. */
import { describe, expect, it } from '@jest/globals'
import type { Evidence } from '../../src/release/attach.ts'
import { findDeviations, operationsOf } from '../support/github-description.ts'
import type {
  AssetSeed,
  FakeGitHub,
  GitHubFault,
  GitHubOptions,
  ReleaseSeed,
  Route,
  SeenCall,
} from '../support/github.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { open, problemOf, sha256, startRelease, TAG } from './support.ts'

const RECORDS = 'notarization-records.jsonl'
const CHECKSUMS = 'notarization-checksums.txt'
const EVIDENCE = 'notarization-evidence.md'
const ALL = [RECORDS, CHECKSUMS, EVIDENCE]
const writes: readonly Route[] = ['upload-asset', 'rename-asset', 'delete-asset']
const leftover = (name: string, number: number) =>
  `${name}.0f9d3c1e-5a3e-4c57-9d59-00000000000${number}.tmp`

const line = (name: string): string => `${JSON.stringify({ artifact: name })}\n`
const linesOf = (names: string): string => names.split(' ').map(line).join('')
const checksum = (name: string, content = name): string => `${sha256(content)}  ${name}\n`
const asset = (name: string): AssetSeed => ({ name, content: name })
const page = (records: string): string => `# ${records.split('\n').length - 1} records\n`

/** What a release holds with these records and these artifacts in its checksums. */
const heldWith = (records: string, checksums: string): Readonly<Record<string, string>> => ({
  [RECORDS]: linesOf(records),
  [CHECKSUMS]: checksums
    .split(' ')
    .map(name => checksum(name))
    .join(''),
  [EVIDENCE]: page(linesOf(records)),
})

/** The evidence of a run that registered these contents; its records file, missing without a name, has these lines. */
function evidenceOf(
  registered: string,
  lines = registered,
  changes: Partial<Evidence> = {},
): Evidence {
  const workspace = makeWorkspace(lines === '' ? {} : { mine: linesOf(lines) })
  return {
    recordsPath: workspace.path('mine'),
    hashes: new Set(registered.split(' ').map(sha256)),
    renderEvidence: records => page(records.toString()),
    ...changes,
  }
}

/** For a records file in which nothing is registered. */
const noPage: Partial<Evidence> = { renderEvidence: () => null }

/** What the release holds beside its artifacts. */
function held(github: FakeGitHub): Readonly<Record<string, string>> {
  const texts = Object.entries(github.texts(TAG))
  return Object.fromEntries(texts.filter(([name]) => name.startsWith('notarization-')))
}

/** A release with an artifact of an earlier run, whose evidence is attached, and a new one. */
const halfDone: readonly AssetSeed[] = [
  ...['old', 'new'].map(asset),
  ...Object.entries(heldWith('old', 'old')).map(([name, content]) => ({ name, content })),
]
const done = heldWith('old new', 'new old')

describe('evidence', () => {
  it('becomes three assets, with links, by calls that GitHub describes', async () => {
    const github = await startRelease(['b', 'a', 'unregistered'].map(asset))
    const { attach } = await open(github)

    const { links, ...rest } = await attach(evidenceOf('a b'))

    expect(rest).toEqual({ tag: TAG, failure: null })
    expect(links.map(({ name }) => name)).toEqual(ALL)
    expect(links.map(({ url }) => new URL(url).pathname.split('/').at(-1))).toEqual(ALL)
    expect(held(github)).toEqual(heldWith('a b', 'a b'))
    expect(operationsOf(github.calls)).toEqual([
      'GET /repos/{owner}/{repo}/releases/assets/{asset_id}',
      'GET /repos/{owner}/{repo}/releases/tags/{tag}',
      'GET /repos/{owner}/{repo}/releases/{release_id}/assets',
      'PATCH /repos/{owner}/{repo}/releases/assets/{asset_id}',
      'POST /repos/{owner}/{repo}/releases/{release_id}/assets',
    ])
  })

  it('is uploaded under another name; then the old is deleted, and the new renamed', async () => {
    const github = await startRelease(halfDone)
    const [, , ...old] = github.release(TAG).assets.map(({ id }) => id)
    const { attach } = await open(github)

    await attach(evidenceOf('new'))

    const steps = github.calls
      .filter(({ route }) => writes.includes(route))
      .map(({ route, path, body }) => [
        route,
        route === 'upload-asset'
          ? (new URLSearchParams(path.split('?')[1]).get('name') ?? '').replace(/[\w-]{36}/, 'ID')
          : route === 'rename-asset'
            ? body.toString()
            : path.split('/').at(-1),
      ])
    expect(steps).toEqual(
      ALL.flatMap((name, index) => [
        ['upload-asset', `${name}.ID.tmp`],
        ['delete-asset', String(old[index])],
        ['rename-asset', JSON.stringify({ name })],
      ]),
    )
    expect(held(github)).toEqual(done)
  })

  /** What the release has, what is attached, and what it holds then; null for what it held before. */
  it.each<[string, readonly AssetSeed[], Evidence, Readonly<Record<string, string>> | null]>([
    ['nothing new', halfDone, evidenceOf('old'), null],
    [
      'no records file, and records held',
      [asset('a'), { name: RECORDS, content: line('a') }],
      evidenceOf('a', ''),
      heldWith('a', 'a'),
    ],
    [
      'lines without a record',
      [asset('a')],
      evidenceOf('', 'sent', noPage),
      { [RECORDS]: line('sent') },
    ],
    [
      'lines without a record, beside the page of an earlier run',
      [asset('a'), { name: EVIDENCE, content: '# 1 records\n' }],
      evidenceOf('', 'sent', noPage),
      { [RECORDS]: line('sent'), [EVIDENCE]: '# 1 records\n' },
    ],
    [
      'no records at all, beside files of an earlier run',
      [
        asset('a'),
        { name: CHECKSUMS, content: checksum('gone') },
        { name: EVIDENCE, content: '# 1 records\n' },
      ],
      evidenceOf('a', ''),
      null,
    ],
    [
      'checksums of what the release has no more, or has as other bytes',
      [
        ...['old', 'new'].map(asset),
        {
          name: CHECKSUMS,
          content: checksum('gone') + checksum('new', 'other bytes') + checksum('old'),
        },
      ],
      evidenceOf('new'),
      heldWith('new', 'new old'),
    ],
    [
      'checksums of which none is left',
      [asset('new'), { name: CHECKSUMS, content: checksum('gone') }],
      evidenceOf('elsewhere'),
      { [RECORDS]: line('elsewhere'), [EVIDENCE]: page(line('elsewhere')) },
    ],
    [
      'what interrupted uploads left',
      [
        asset('new'),
        { name: leftover(RECORDS, 1), content: line('one') },
        { name: leftover(RECORDS, 2), content: linesOf('one two') },
        { name: leftover(RECORDS, 3), content: '\n' },
        { name: leftover(CHECKSUMS, 4), content: checksum('new') },
        { name: leftover(EVIDENCE, 5), state: 'starter', digest: null },
      ],
      evidenceOf('new'),
      heldWith('one two new', 'new'),
    ],
    [
      'what an interrupted upload left of a file that is there',
      [...halfDone, { name: leftover(RECORDS, 1), content: line('old') }],
      evidenceOf('old'),
      heldWith('old', 'old'),
    ],
  ])('takes care of %s', async (_what, seeds, evidence, texts) => {
    const github = await startRelease(seeds)
    const before = held(github)
    const { attach } = await open(github)

    expect(await attach(evidence)).toMatchObject({ failure: null })

    expect(held(github)).toEqual(texts ?? before)
    expect(github.routes(...writes).length > 0).toBe(texts !== null)
  })

  it.each([true, false])(
    'lists assets without a digest by their bytes (digests: %s)',
    async givesDigests => {
      const github = await startRelease(['old', 'new', 'other'].map(asset), { givesDigests })
      const { attach } = await open(github)
      github.removeAsset(TAG, 'other')
      github.addAsset(TAG, { name: 'other', content: 'changed' })
      github.addAsset(TAG, { name: 'late', content: 'late' })
      const byAnotherJob = checksum('late') + checksum('other') + checksum('old')
      github.addAsset(TAG, { name: CHECKSUMS, content: byAnotherJob })

      await attach(evidenceOf('new'))

      expect(held(github)[CHECKSUMS]).toBe(checksum('late') + checksum('new') + checksum('old'))
    },
  )
})

const status = (
  code: number,
  { isDone = false, after }: { readonly isDone?: boolean; readonly after?: string } = {},
): GitHubFault => ({
  ...{ kind: 'status', status: code, after: isDone },
  headers: after === undefined ? {} : { 'retry-after': after },
})
const reset = (after: boolean): GitHubFault => ({ kind: 'reset', after })

describe('a fault while it is attached', () => {
  const clause = /^((GET|POST|PATCH|DELETE) \/|the asset "notarization-)/

  it.each<[Route, number, GitHubFault]>([
    ['list-assets', 2, status(500)],
    ['list-assets', 2, { kind: 'cut' }],
    ['storage', 1, { kind: 'cut' }],
    ['upload-asset', 1, status(503)],
    ['upload-asset', 1, status(403)],
    ['upload-asset', 1, reset(true)],
    ['delete-asset', 1, status(500)],
    ['delete-asset', 2, status(403)],
    ['rename-asset', 1, status(502, { isDone: true })],
    ['rename-asset', 1, reset(true)],
    ['rename-asset', 3, status(422)],
  ])(
    'is tried again or, if it lasts, reported; no record is lost: %s %d %j',
    async (route, from, fault) => {
      const lasting = await startRelease(halfDone, { faults: [{ route, from, fault }] })
      const attachment = await (await open(lasting)).attach(evidenceOf('new'))

      // A renaming that was done is seen, whatever its answer was.
      if (attachment.failure === null) expect(held(lasting)).toEqual(done)
      else expect(attachment).toMatchObject({ failure: expect.stringMatching(clause), links: [] })
      const lines = Object.entries(held(lasting)).filter(([name]) => name.startsWith(RECORDS))
      expect(lines.map(([, text]) => text).join('')).toContain(line('old'))

      // The next run finishes it; so does this one where the fault passes.
      lasting.setFaults([])
      const isForGood = fault.kind === 'status' && fault.status === 403
      const passing = await startRelease(halfDone, { faults: [{ route, from, to: from, fault }] })
      for (const github of isForGood ? [lasting] : [lasting, passing]) {
        const next = await open(github)
        expect(await next.attach(evidenceOf('new'))).toMatchObject({ failure: null })
        expect(held(github)).toEqual(done)
      }
    },
  )

  it.each<[Route, GitHubFault, number]>([
    ['upload-asset', status(403, { after: '61' }), 61_000],
    ['rename-asset', status(429, { after: '2' }), 2000],
    ['delete-asset', status(503, { after: '9' }), 9000],
  ])('is waited for as long as GitHub says: %s %j', async (route, fault, waitMs) => {
    const github = await startRelease(halfDone, { faults: [{ route, to: 1, fault }] })
    const { attach, waits } = await open(github)

    expect(await attach(evidenceOf('new'))).toMatchObject({ failure: null })
    expect(waits).toEqual([waitMs])
    expect(held(github)).toEqual(done)
  })

  it('is named as a rate limit that lasts, not as a lack of rights', async () => {
    const fault = status(403, { after: '3600' })
    const github = await startRelease(halfDone, { faults: [{ route: 'upload-asset', fault }] })
    const { attach, source, waits } = await open(github)

    const { failure } = await attach(evidenceOf('new'))

    const { message } = await problemOf(source.checkAttachable(null))
    for (const text of [failure, message]) {
      expect(text).toMatch(/rate limit of GitHub is reached until .* run the job again when/)
      expect(text).not.toMatch(/permission/)
    }
    expect(waits).toEqual([])
  })

  it('is a cancel before it: then it has little time, and says so', async () => {
    const github = await startRelease(halfDone, {
      faults: [{ route: 'upload-asset', fault: { kind: 'silence' } }],
    })
    const { attach, halt } = await open(github)
    Object.defineProperty(halt, 'kill', { value: AbortSignal.abort() })

    const { failure } = await attach(evidenceOf('new'))

    expect(failure).toMatch(/cancelled/)
  })
})

describe('a release that takes no files', () => {
  type Case = Omit<GitHubOptions, 'releases'> & { readonly release?: Partial<ReleaseSeed> }

  it.each<[string, Case, RegExp | null]>([
    ['it takes them', {}, null],
    [
      'the upload fails once',
      { faults: [{ route: 'upload-asset', to: 1, fault: status(503) }] },
      null,
    ],
    [
      'what was tried is deleted without an answer',
      { faults: [{ route: 'delete-asset', to: 1, fault: reset(true) }] },
      null,
    ],
    ['it is immutable', { release: { immutable: true } }, /immutable/],
    ['the token cannot write', { canWrite: false }, /HTTP 403.*contents: write/],
    [
      'the upload fails',
      { faults: [{ route: 'upload-asset', fault: status(500) }] },
      /cannot be written.*run the job again/,
    ],
    [
      'what was tried cannot be deleted',
      { faults: [{ route: 'delete-asset', fault: status(500) }] },
      /cannot be written/,
    ],
  ])('is found out before anything is sent: %s', async (_what, options, message) => {
    const github = await startRelease(halfDone, options)
    const { source } = await open(github)

    // With something left to register, and with something new to attach only.
    for (const evidence of [null, evidenceOf('new')]) {
      const check = source.checkAttachable(evidence)
      if (message === null) await check
      else {
        const problem = await problemOf(check)
        expect(problem).toEqual({
          input: 'attach-to-release',
          message: expect.stringMatching(message),
        })
      }
    }
    if (options.faults !== undefined) return
    // Whatever was tried left no trace, and with nothing new nothing is tried.
    expect(held(github)).toEqual(heldWith('old', 'old'))
    github.forgetCalls()
    await source.checkAttachable(evidenceOf('old'))
    expect(github.routes(...writes)).toEqual([])
  })
})

it("what a call or an answer has too much, too little or wrong is found by GitHub's own description", async () => {
  const github = await startRelease([asset('a')])
  await (await open(github)).attach(evidenceOf('a'))
  const seen = (route: Route, changes: (call: SeenCall) => Partial<SeenCall>): SeenCall => {
    const call = github.calls.find(one => one.route === route)
    if (call === undefined) throw new Error(`there is no ${route}`)
    return { ...call, ...changes(call) }
  }

  const wrong = [
    seen('get-release-by-tag', () => ({ path: '/repos/octo/app/release/tags/v1' })),
    seen('get-release-by-tag', () => ({ method: 'POST' })),
    seen('get-release-by-tag', () => ({ reply: { status: 200, json: { id: 1 } } })),
    seen('get-release-by-tag', () => ({ reply: { status: 201 } })),
    seen('get-release-by-tag', () => ({ reply: { status: 404, json: { message: 1 } } })),
    seen('list-assets', ({ path }) => ({ path: path.replace('per_page=100', 'per_page=all') })),
    seen('list-assets', ({ path }) => ({ path: `${path}&sort=name` })),
    seen('list-assets', () => ({ reply: { status: 200, json: [{ id: '1' }] } })),
    seen('list-assets', () => ({ reply: { status: 200, json: {} } })),
    seen('upload-asset', ({ path }) => ({ path: path.replace(/\?.*/, '') })),
    seen('upload-asset', () => ({ headers: { 'content-type': 'text/plain' } })),
    seen('rename-asset', () => ({ body: Buffer.from('{"name":1}') })),
    seen('rename-asset', () => ({ body: Buffer.from('{"title":"a"}') })),
  ]
  expect(wrong.filter(call => findDeviations(call).length === 0)).toEqual([])
})
