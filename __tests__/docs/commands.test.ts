/** Runs every command that a page shows. */
import { afterAll, expect, it } from '@jest/globals'
import { KnownRecords, type Known } from '../../src/records/known-records.ts'
import { parseRecords } from '../../src/records/parse-records.ts'
import { runBash } from '../support/bash.ts'
import { cleanUp } from '../support/clean-up.ts'
import { describeScripts, identityOf, makeBundle, startGh, type GhWorld } from '../support/gh.ts'
import { startGitHub } from '../support/github.ts'
import { makeLine, makeRecord, makeStateLine, sha256, toJsonLines } from '../support/samples.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'
import { blocksOf, pages } from './page.ts'

const service = 'https://app.dedit.io'
const RECORDS = 'notarization-records.jsonl'
const SETTLED = 'notarization-records-settled.jsonl'
const TAG = 'v1.2.3'

afterAll(cleanUp)

// ci.yml runs the commands of CONTRIBUTING.
const shown = pages.filter(page => page !== 'CONTRIBUTING.md')
const blocks = shown.flatMap(blocksOf).filter(({ language }) => language === 'sh')
const untried = new Set(blocks.map(({ text }) => text))

/** Returns the only block of a page with this text, and marks it as tried. */
function command(page: string, part: string): string {
  const matches = blocks.filter(block => block.page === page && block.text.includes(part))
  const [block] = matches
  if (block === undefined || matches.length > 1) throw new Error(`${page} must have one "${part}"`)
  untried.delete(block.text)
  return block.text
}

type Texts = Readonly<Record<string, string>>

/** Runs a command as if it were pasted into a shell. */
function paste(script: string, workspace: Workspace, env: Texts = {}, commands: Texts = {}) {
  const own = { ...process.env, GITHUB_REPOSITORY: '', GH_REPO: 'octo/app', ...env }
  return runBash(script, workspace, own, commands)
}

/** Lines of all kinds for two services: records, one with problems, and open hashes. */
const other = 'https://other.example'
const lines = [
  makeStateLine(service, 'good'),
  makeLine(service, 'good'),
  makeStateLine(service, 'bad'),
  makeLine(service, 'bad', { problems: ['signed is true'] }),
  makeStateLine(service, 'open'),
  makeStateLine(service, 'open', { at: '2026-01-01T00:00:01.000Z' }),
  makeStateLine(other, 'open'),
  // A plain text search would find the hash of "open" here.
  makeLine(service, 'other', { record: makeRecord(sha256('other'), { payload: sha256('open') }) }),
]
const recordsText = toJsonLines(lines)

function find(workspace: Workspace, content: string, url = service): Known['state'] | undefined {
  const files = [RECORDS, SETTLED].filter(file => workspace.exists(file))
  const text = files.map(file => workspace.read(file)).join('')
  const { entries, damage } = parseRecords(Buffer.from(text), RECORDS)
  expect(damage).toEqual([])
  return new KnownRecords(entries, new Set([url])).find(sha256(content))?.state
}

describeScripts('docs/records.md', () => {
  const page = 'docs/records.md'
  const read = command(page, 'creationDate')
  const settleFound = command(page, '--slurpfile')
  const settleMissing = command(page, 'not-registered')
  const append = command(page, 'awk')
  const record = JSON.stringify(makeRecord(sha256('open').toUpperCase()))
  const files = { [RECORDS]: recordsText, 'record.json': record }
  const env = { HASH: sha256('open'), SERVICE: service }

  it('prints only records', async () => {
    const { stdout } = await paste(read, makeWorkspace(files))
    const hashes = ['good', 'other'].map(content => `${sha256(content)} 1767225600000\n`)
    expect(stdout).toBe(hashes.join(''))
  })

  it('settles an open hash with the record of the service, even if the command is repeated', async () => {
    const workspace = makeWorkspace(files)
    expect(find(workspace, 'open')).toBe('open')
    for (let times = 0; times < 2; times += 1) await paste(settleFound, workspace, env)
    expect(workspace.read(SETTLED).split('\n')).toHaveLength(2)
    expect(find(workspace, 'open')).toBe('registered')
  })

  it.each(['open', 'bad'])('settles "%s" as not registered, for this service only', async hash => {
    const workspace = makeWorkspace(files)
    await paste(settleMissing, workspace, { HASH: sha256(hash), SERVICE: service })
    expect(find(workspace, hash)).toBeUndefined()
    expect(find(workspace, 'open', other)).toBe('open')
    expect(find(workspace, 'good')).toBe('registered')
  })

  it('appends settled lines, even after a line without its newline', async () => {
    const workspace = makeWorkspace({ [RECORDS]: recordsText.trimEnd(), [SETTLED]: '{}\n' })
    await paste(append, workspace)
    expect(workspace.read(RECORDS)).toBe(`${recordsText}{}\n`)
  })

  const pending = record.replace('"registered"', '"pending"')
  const stranger = record.replaceAll(/[0-9A-F]{64}/g, sha256('x'))
  const settled = toJsonLines(lines.slice(0, 2))
  it.each<readonly [string, string, Texts]>([
    ['there is nothing to append', append, {}],
    ['a line is damaged', settleFound, { [RECORDS]: `${recordsText}{"artifact":` }],
    ['a line is damaged', settleMissing, { [RECORDS]: `${recordsText}{"artifact":` }],
    ['the record is not registered', settleFound, { 'record.json': pending }],
    ['the record has another hash', settleFound, { 'record.json': stranger }],
    ['the record is missing', settleFound, { 'record.json': '' }],
    ['the hash was not sent', settleMissing, { [RECORDS]: settled }],
  ])('changes nothing if %s', async (_, script, changes) => {
    const workspace = makeWorkspace({ ...files, ...changes })
    const before = workspace.read(RECORDS)
    const { status } = await paste(script, workspace, env)
    expect(status).not.toBe(0)
    expect(workspace.read(RECORDS)).toBe(before)
    expect(workspace.exists(SETTLED)).toBe(false)
  })
})

/** Starts a GitHub with a draft that has records, and a `gh` for it. */
async function startRelease() {
  const content = toJsonLines([makeLine(service, 'good')])
  const assets = [{ name: RECORDS, content }]
  const github = await startGitHub({ releases: [{ tag: TAG, draft: true, assets }] })
  const world: GhWorld = { github, artifacts: [], notes: new Map(), faultOf: () => undefined }
  return { world, env: { TAG, GH_TOKEN: 'x', GH_STAND_IN: String(await startGh(world)) } }
}

describeScripts('a release', () => {
  const notes = command('docs/releases.md', '--notes-file')

  it('gets the evidence page after its notes, and only once', async () => {
    const { world, env } = await startRelease()
    const { id } = world.github.release(TAG)
    world.notes.set(id, 'What is new')
    const evidence = '# Notarization evidence\n\nrows\n'
    const workspace = makeWorkspace({ 'page.md': evidence })
    for (let times = 0; times < 2; times += 1) {
      await paste(notes, workspace, { ...env, EVIDENCE: 'page.md' })
      expect(world.notes.get(id)).toBe(`What is new\n${evidence}`)
    }
  })

  it.each([
    ['docs/releases.md', 'from-log'],
    ['docs/records.md', 'gh release upload'],
  ])('gets the lines that %s uploads in addition to its records', async (page, part) => {
    const { world, env } = await startRelease()
    const upload = command(page, part)
    const name = /notarization-\S+/.exec(upload)?.[0] ?? ''
    await paste(upload, makeWorkspace({ [name]: '{}\n' }), env)
    expect(Object.keys(world.github.texts(TAG))).toEqual([RECORDS, name])
  })
})

describeScripts('docs/verify.md', () => {
  const page = 'docs/verify.md'
  const save = command(page, 'trusted-root >')
  const check = command(page, 'gh attestation verify')
  const findRecord = command(page, 'creationDate')

  it.each([
    ['release.yml', `refs/tags/${TAG}`, 0],
    ['release.yml', 'refs/heads/main', 1],
    ['evil.yml', `refs/tags/${TAG}`, 1],
  ])('checks who wrote the records: %s at %s', async (workflow, ref, status) => {
    const { env } = await startRelease()
    const bundle = makeBundle(recordsText, identityOf(workflow, ref))
    const files = { [RECORDS]: recordsText, [`${RECORDS}.sigstore.json`]: bundle }
    const workspace = makeWorkspace(files)
    await paste(save, workspace, env)
    const offline = { ...env, REPO: 'octo/app', GH_TOKEN: '' }
    expect(await paste(check, workspace, offline)).toMatchObject({ status })
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
  const curl = `
    while test "$1" != --data-binary; do shift; done
    test "$5" = http://tsa.example && openssl ts -reply -queryfile "\${2#@}" -config "$TSA/tsa.cnf" -out "$4"`

  it('gets a time stamp that does not match a changed file, and fails without an answer', async () => {
    expect(await paste(makeKey, authority)).toMatchObject({ status: 0 })
    const workspace = makeWorkspace({ [RECORDS]: recordsText })
    expect(await paste(stamp, workspace, env, { curl })).toMatchObject({ status: 0 })
    expect(await paste(check, workspace, env)).toMatchObject({ status: 0 })
    expect((await paste(stamp, workspace, env, { curl: 'exit 22' })).status).not.toBe(0)
    workspace.write(RECORDS, `${recordsText} `)
    expect((await paste(check, workspace, env)).status).not.toBe(0)
  })
})

describeScripts('the pages', () => {
  it('show no command that these tests do not run', () => {
    expect([...untried].filter(text => !/\bnpm /.test(text))).toEqual([])
  })
})
