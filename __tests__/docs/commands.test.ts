/** Every command that a page shows is run here, also where a tool is missing or a disk is full. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, rmSync, symlinkSync } from 'node:fs'
import { delimiter } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { afterAll, expect, it } from '@jest/globals'
import { KnownRecords, type Known } from '../../src/records/known.ts'
import { parseRecords } from '../../src/records/reading.ts'
import { cleanUp } from '../support/clean-up.ts'
import {
  describeScripts,
  identityOf,
  makeBundle,
  shim,
  startGh,
  type GhWorld,
} from '../support/gh.ts'
import { startGitHub } from '../support/github.ts'
import { makeLine, makeRecord, makeStateLine, sha256, toJsonLines } from '../support/samples.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'
import { blocksOf, pages } from './page.ts'

const service = 'https://app.dedit.io'
const RECORDS = 'notarization-records.jsonl'
const SETTLED = 'notarization-records-settled.jsonl'
const TAG = 'v1.2.3'
/** A file that takes no byte. */
const fullDisk = '/dev/full'

afterAll(cleanUp)

// CONTRIBUTING shows what a job of ci.yml does.
const shown = pages.filter(page => page !== 'CONTRIBUTING.md')
const blocks = shown.flatMap(blocksOf).filter(({ language }) => language === 'sh')
const untried = new Set(blocks.map(({ text }) => text))

/** The block of a page that has this text; from now on it counts as tried. */
function command(page: string, part: string): string {
  const found = blocks.filter(block => block.page === page && block.text.includes(part))
  const [block] = found
  if (block === undefined || found.length > 1) throw new Error(`${page}: ${found.length} blocks`)
  untried.delete(block.text)
  return block.text
}

type Texts = Readonly<Record<string, string>>

/** Pastes a command into a shell; commands in `bin` of the workspace come first. */
async function paste(script: string, workspace: Workspace, env: Texts = {}) {
  for (const name of ['gh', 'curl', 'jq']) {
    const file = workspace.path('bin', name)
    if (existsSync(file)) chmodSync(file, 0o755)
  }
  const path = [workspace.path('bin'), process.env['PATH'] ?? ''].join(delimiter)
  const child = spawn('/bin/bash', ['-c', script], {
    cwd: workspace.root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: path, GITHUB_REPOSITORY: '', GH_REPO: 'octo/app', ...env },
  })
  const ended = once(child, 'close')
  const [stdout, stderr] = await Promise.all([readText(child.stdout), readText(child.stderr)])
  await ended
  return { status: child.exitCode, stdout, stderr }
}

/** Lines of all kinds: records, one with problems, and one that was sent only, for two services. */
const other = 'https://other.example'
const lines = [
  makeStateLine(service, 'good'),
  makeLine(service, 'good'),
  makeStateLine(service, 'bad'),
  makeLine(service, 'bad', { problems: ['signed is true'] }),
  makeStateLine(service, 'open'),
  makeStateLine(service, 'open', { at: '2026-01-01T00:00:01.000Z' }),
  makeStateLine(other, 'open'),
  // A text search finds the hash of "open" here.
  makeLine(service, 'other', { record: makeRecord(sha256('other'), { payload: sha256('open') }) }),
]
const recordsText = toJsonLines(lines)

function find(workspace: Workspace, content: string, url = service): Known['state'] | undefined {
  const texts = [RECORDS, SETTLED]
    .filter(file => workspace.exists(file))
    .map(file => workspace.read(file))
  const { entries, damage } = parseRecords(Buffer.from(texts.join('')), RECORDS)
  expect(damage).toEqual([])
  return new KnownRecords(entries, new Set([url])).find(sha256(content))?.state
}

describeScripts('docs/records.md', () => {
  const page = 'docs/records.md'
  const read = command(page, 'creationDate')
  const settleFound = command(page, '--slurpfile')
  const settleMissing = command(page, 'not-registered')
  const append = command(page, 'awk')
  const upload = command(page, 'gh release upload')
  const record = JSON.stringify(makeRecord(sha256('open').toUpperCase()))
  const files = { [RECORDS]: recordsText, 'record.json': record }
  const env = { HASH: sha256('open'), SERVICE: service }

  it('reads records only', async () => {
    const { stdout } = await paste(read, makeWorkspace(files))
    const hashes = ['good', 'other'].map(content => `${sha256(content)} 1767225600000\n`)
    expect(stdout).toBe(hashes.join(''))
  })

  it('settles an open hash by the record of the service', async () => {
    const workspace = makeWorkspace(files)
    expect(find(workspace, 'open')).toBe('open')
    await paste(settleFound, workspace, env)
    expect(workspace.read(SETTLED).split('\n')).toHaveLength(2)
    expect(find(workspace, 'open')).toBe('registered')
  })

  it.each(['open', 'bad'])('settles "%s" as not registered, at this service alone', async hash => {
    const workspace = makeWorkspace(files)
    await paste(settleMissing, workspace, { HASH: sha256(hash), SERVICE: service })
    expect(find(workspace, hash)).toBeUndefined()
    expect(find(workspace, 'open', other)).toBe('open')
    expect(find(workspace, 'good')).toBe('registered')
  })

  it('appends what is settled, also to a line without its newline', async () => {
    const workspace = makeWorkspace({ [RECORDS]: recordsText.trimEnd(), [SETTLED]: '{}\n' })
    await paste(append, workspace)
    expect(workspace.read(RECORDS)).toBe(`${recordsText}{}\n`)
  })

  it('uploads what is settled beside the records of a release', async () => {
    const { world, port } = await startRelease()
    const workspace = makeWorkspace({ [SETTLED]: '{}\n', 'bin/gh': shim })
    const env = { TAG, GH_TOKEN: 'x', GH_STAND_IN: port }
    expect(await paste(upload, workspace, env)).toMatchObject({ status: 0 })
    expect(Object.keys(world.github.texts(TAG))).toEqual([RECORDS, SETTLED])
  })

  const failing = '#!/bin/bash\nhead -c 20 notarization-records.jsonl\nexit 1\n'
  const pending = record.replace('"registered"', '"pending"')
  const stranger = record.replaceAll(/[0-9A-F]{64}/g, sha256('x'))
  const settled = toJsonLines(lines.slice(0, 2))
  it.each<readonly [string, string, Texts]>([
    ['jq fails half-way', settleFound, { 'bin/jq': failing }],
    ['jq fails half-way', settleMissing, { 'bin/jq': failing }],
    ['the disk is full', settleFound, { 'settled.tmp': fullDisk }],
    ['the disk is full', settleMissing, { 'settled.tmp': fullDisk }],
    ['the disk is full', append, { 'all.tmp': fullDisk }],
    ['there is nothing to append', append, {}],
    ['a line is damaged', settleFound, { [RECORDS]: `{"artifact":\n${recordsText}` }],
    ['a line is damaged', settleMissing, { [RECORDS]: `${recordsText}{"artifact":` }],
    ['the record is not registered', settleFound, { 'record.json': pending }],
    ['the record is of another hash', settleFound, { 'record.json': stranger }],
    ['the record is missing', settleFound, { 'record.json': '' }],
    ['the hash was not sent', settleMissing, { [RECORDS]: settled }],
  ])('changes nothing if %s', async (_, script, changes) => {
    const workspace = makeWorkspace({ ...files, ...changes })
    for (const [name, text] of Object.entries(changes)) {
      if (text !== fullDisk) continue
      rmSync(workspace.path(name))
      symlinkSync(fullDisk, workspace.path(name))
    }
    const before = workspace.read(RECORDS)
    const { status } = await paste(script, workspace, env)
    expect(status).not.toBe(0)
    expect(workspace.read(RECORDS)).toBe(before)
    expect(workspace.exists(SETTLED)).toBe(false)
  })
})

/** A draft with records, and a `gh` that sees it. */
async function startRelease() {
  const content = toJsonLines([makeLine(service, 'good')])
  const assets = [{ name: RECORDS, content }]
  const github = await startGitHub({ releases: [{ tag: TAG, draft: true, assets }] })
  const world: GhWorld = {
    github,
    artifacts: [],
    notes: new Map(),
    faultOf: () => undefined,
  }
  return { world, port: String(await startGh(world)) }
}

describeScripts('docs/releases.md', () => {
  const page = 'docs/releases.md'
  const notes = command(page, '--notes-file')
  const upload = command(page, 'from-log')

  it('puts the evidence page behind the notes of a release, again and again', async () => {
    const { world, port } = await startRelease()
    const { id } = world.github.release(TAG)
    world.notes.set(id, 'What is new')
    const evidence = '# Notarization evidence\n\nrows\n'
    const workspace = makeWorkspace({ 'page.md': evidence, 'bin/gh': shim })
    const env = { TAG, EVIDENCE: 'page.md', GH_TOKEN: 'x', GH_STAND_IN: port }
    for (let times = 0; times < 2; times += 1) {
      expect(await paste(notes, workspace, env)).toMatchObject({ status: 0 })
      expect(world.notes.get(id)).toBe(`What is new\n${evidence}`)
    }
  })

  it('uploads lines from the log', async () => {
    const { world, port } = await startRelease()
    const name = 'notarization-records-from-log.jsonl'
    const workspace = makeWorkspace({ [name]: '{}\n', 'bin/gh': shim })
    await paste(upload, workspace, { TAG, GH_TOKEN: 'x', GH_STAND_IN: port })
    expect(world.github.texts(TAG)[name]).toBe('{}\n')
  })
})

describeScripts('docs/verify.md', () => {
  const page = 'docs/verify.md'
  const save = command(page, 'trusted-root >')
  const check = command(page, 'gh attestation verify')
  const findRecord = command(page, 'creationDate')

  it.each<readonly [string, number]>([
    [identityOf('release.yml', `refs/tags/${TAG}`), 0],
    [identityOf('release.yml', 'refs/heads/main'), 1],
    [identityOf('evil.yml', `refs/tags/${TAG}`), 1],
  ])('checks who wrote the records: %s', async (identity, status) => {
    const { port } = await startRelease()
    const bundle = makeBundle(recordsText, identity)
    const files = { [RECORDS]: recordsText, [`${RECORDS}.sigstore.json`]: bundle, 'bin/gh': shim }
    const workspace = makeWorkspace(files)
    const env = { TAG, REPO: 'octo/app', GH_STAND_IN: port }
    await paste(save, workspace, { ...env, GH_TOKEN: 'x' })
    expect(await paste(check, workspace, { ...env, GH_TOKEN: '' })).toMatchObject({ status })
  })

  it.each([
    ['good', recordsText, true],
    ['open', recordsText, false],
    ['bad', recordsText, false],
    ['stranger', recordsText, false],
    ['good', recordsText.slice(0, -9), false],
    ['', '', false],
  ])('finds the record of "%s", or prints nothing and fails', async (content, text, isFound) => {
    const workspace = makeWorkspace({ 'app.tar.gz': content, [RECORDS]: text })
    const { status, stdout } = await paste(findRecord, workspace)
    expect(status === 0).toBe(isFound)
    if (!isFound) expect(stdout).toBe('')
    else expect(JSON.parse(stdout)).toMatchObject({ service, registered: '2026-01-01T00:00:00Z' })
  })
})

describeScripts('docs/recipes.md', () => {
  const stamp = command('docs/recipes.md', 'openssl ts')
  const check = stamp.slice(stamp.lastIndexOf('openssl'))
  const authority = makeWorkspace({
    'tsa.cnf': `[tsa]
default_tsa = authority
[authority]
serial = $ENV::TSA/serial
signer_cert = $ENV::TSA/ca.pem
signer_key = $ENV::TSA/key.pem
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha256
`,
    serial: '01\n',
  })
  const env = { AUTHORITY: 'http://tsa.example', CA: authority.path('ca.pem'), TSA: authority.root }
  const makeKey = `openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=authority -keyout key.pem -out ca.pem \
    -addext extendedKeyUsage=critical,timeStamping`
  const curl = `#!/bin/bash
    while test "$1" != --data-binary; do shift; done
    test "$5" = http://tsa.example && openssl ts -reply -queryfile "\${2#@}" -config "$TSA/tsa.cnf" -out "$4"`

  it('has a time stamp signed, which no changed file passes', async () => {
    expect(await paste(makeKey, authority)).toMatchObject({ status: 0 })
    const workspace = makeWorkspace({ [RECORDS]: recordsText, 'bin/curl': curl })
    expect(await paste(stamp, workspace, env)).toMatchObject({ status: 0 })
    expect(await paste(check, workspace, env)).toMatchObject({ status: 0 })
    workspace.write(RECORDS, `${recordsText} `)
    expect((await paste(check, workspace, env)).status).not.toBe(0)
  })

  it('fails without an answer', async () => {
    const workspace = makeWorkspace({ [RECORDS]: recordsText, 'bin/curl': '#!/bin/bash\nexit 22' })
    expect((await paste(stamp, workspace, env)).status).not.toBe(0)
  })
})

describeScripts('a page', () => {
  it('has no command that is not tried', () => {
    expect([...untried].filter(text => !/\bnpm /.test(text))).toEqual([])
  })
})
