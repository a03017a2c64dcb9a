import { symlinkSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from '@jest/globals'
import { collectArtifacts, type CollectedArtifacts } from '../../src/artifacts/collect.ts'
import { cleanUp } from '../support/clean-up.ts'
import '../support/realms.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'
import { hostIn } from './host.ts'

const hash = '0123456789abcdef'.repeat(4)
const other = 'fedcba9876543210'.repeat(4)
const onPosix = process.platform === 'win32' ? it.skip : it
const onLinux = process.platform === 'linux' ? it : it.skip

afterAll(cleanUp)

type Inputs = Partial<Parameters<typeof collectArtifacts>[0]> & { readonly recordsPath?: string }

function collect(workspace: Workspace, options: Inputs): Promise<CollectedArtifacts> {
  const { recordsPath = 'notarization-records.jsonl', ...inputs } = options
  const all = { path: '', checksums: '', ifNoFilesFound: 'error', ...inputs } as const
  return collectArtifacts(all, hostIn(workspace.root), { skip: [workspace.path(recordsPath)] })
}

const namesIn = (named: readonly { readonly name: string }[]): readonly string[] =>
  named.map(({ name }) => name)

it('files and checksums entries are collected, and counted for each pattern', async () => {
  const sums = { s1: `${hash}  x\n${other}  y\n`, s2: `SHA256 (z) = ${hash}\n` }
  const workspace = makeWorkspace({ a: '', b: '', c: '', ...sums })
  const collected = await collect(workspace, { path: 'a\n[ab]\n!no', checksums: 's1\ns*' })
  expect(collected).toMatchObject({ problems: [], warnings: [] })
  expect(namesIn(collected.files)).toEqual(['a', 'b'])
  expect(collected.listed).toMatchObject([
    { input: 'checksums', name: 'x', size: null, hash, outcome: { state: 'planned' } },
    { name: 'y', hash: other },
    { name: 'z', hash },
  ])
  expect(collected.counts).toEqual([
    { input: 'path', text: 'a', count: 1 },
    { input: 'path', text: '[ab]', count: 2 },
    { input: 'checksums', text: 's1', count: 2 },
    { input: 'checksums', text: 's*', count: 3 },
  ])
})

describe('if-no-files-found', () => {
  const workspace = makeWorkspace({
    'dist/a.txt': '',
    'sums/good': `${hash}  x\n`,
    'sums/empty': '',
    'sums/none': '\ufeff# nothing\r\n\r\n',
    'own/notarization-records-2.jsonl': '',
    'own/list': `${hash}  notarization-evidence.md\n`,
  })

  it.each<[Inputs, RegExp]>([
    [{ path: 'dist/*\nno/*\ndist/a.txt/x' }, /^input "path": [^"]*"no\/\*"[^"]*"dist\/a\.txt\/x"/],
    [{ path: 'dist/*\n!dist/*.txt' }, /^input "path": [^"]*"dist\/\*"/],
    [{ path: 'x'.repeat(256) }, /^input "path": [^"]*"x+" matches no file/],
    [{ path: 'dist/*.{zip,txt}' }, /^input "path": .*braces are not supported/],
    [{ path: 'own/*.jsonl' }, /^input "path": .* only files that this action writes/],
    [{ path: 'dist/*', checksums: 'no/*' }, /^input "checksums": [^"]*"no\/\*"/],
    [{ checksums: 'sums/*' }, /^input "checksums": [^"]*"sums\/empty"[^"]*"sums\/none"[^"]*$/],
    [{ checksums: 'own/list' }, /^input "checksums": .*"own\/list" .*that this action writes/],
  ])('applies to each pattern: %j', async (inputs, message) => {
    const { problems, warnings } = await collect(workspace, inputs)
    expect(problems).toMatchObject([{ message: expect.stringMatching(message) }])
    expect(warnings).toEqual([])
  })

  it.each<['error' | 'warn' | 'ignore', problems: object[], warnings: string[]]>([
    ['error', [{ input: 'path' }, { input: 'checksums' }], []],
    ['warn', [], ['input "path": the pattern "no/*"', 'input "checksums": the pattern "none"']],
    ['ignore', [], []],
  ])('can be %s', async (ifNoFilesFound, problems, texts) => {
    const inputs = { path: 'no/*\ndist/*', checksums: 'none', ifNoFilesFound }
    const warnings = texts.map(text => expect.stringContaining(text))
    expect(await collect(workspace, inputs)).toMatchObject({ problems, warnings })
  })
})

describe('under every policy, it is a problem', () => {
  it.each<[string, string, Inputs, RegExp]>([
    ['path', 'a pattern cannot be used', { path: 'a\n../b' }, /"\.\.\/b"/],
    ['checksums', 'a pattern cannot be used', { checksums: 'sums/ok\n!' }, /"!"/],
    ['path', 'no pattern includes anything', { path: '!a' }, /no pattern/],
    ['path', 'there are only comments', { checksums: '# s' }, /no pattern/],
    ['checksums', 'a line is invalid', { checksums: 'sums' }, /"sums\/a", line 2 .*b", line 1 /],
  ])('with the input %s if %s: %j', async (input, _, inputs, message) => {
    const sums = { 'sums/a': `${hash}  x\nbad\n`, 'sums/b': 'bad', 'sums/ok': `${hash}  x\n` }
    const workspace = makeWorkspace({ a: '', ...sums })
    const { problems } = await collect(workspace, { ...inputs, ifNoFilesFound: 'ignore' })
    expect(problems).toMatchObject([{ input, message: expect.stringMatching(message) }])
    expect(problems[0]?.message).not.toContain('if-no-files-found')
  })

  onLinux('if a checksums file cannot be opened, because its name is not valid UTF-8', async () => {
    const workspace = makeWorkspace({ 'sums/bad-\ufffd': `${hash}  x\n` })
    for (const bad of ['bad-\xff', 'other-\xff']) {
      writeFileSync(Buffer.from(workspace.path('sums', bad), 'latin1'), `${hash}  y\n`)
    }
    const { problems } = await collect(workspace, { checksums: 'sums', ifNoFilesFound: 'ignore' })
    const message = expect.stringMatching(/"sums\/bad-.* "sums\/other-/)
    expect(problems).toMatchObject([{ input: 'checksums', message }])
  })
})

describe('never artifacts', () => {
  it('are the files that this action writes, in folders and in checksums files', async () => {
    const own = ['notarization-records-2.jsonl', 'notarization-evidence.md']
    const workspace = makeWorkspace({ 'd/other.md': `${hash}  entry\n` })
    for (const name of own) workspace.write(`d/${name}`, `${hash}  d/x\n`)
    workspace.write('sums', [...own, 'y'].map(name => `${hash}  e/${name}\n`).join(''))
    const inputs = { path: 'd', checksums: 'sums\nd/*.md' }
    const { files, listed, counts } = await collect(workspace, inputs)
    expect(namesIn([...files, ...listed])).toEqual(['d/other.md', 'entry', 'e/y'])
    expect(counts.map(({ count }) => count)).toEqual([1, 1, 1])
  })

  it('is the records file, whatever its name', async () => {
    const sums = `${hash}  ./d/r.jsonl\n${hash}  b/r.jsonl\n`
    const workspace = makeWorkspace({ 'd/r.jsonl': '', 'r.jsonl': '', sums })
    const inputs = { path: '**/*.jsonl', checksums: 'sums', recordsPath: 'd/r.jsonl' }
    const { files, listed } = await collect(workspace, inputs)
    expect(namesIn([...files, ...listed])).toEqual(['r.jsonl', 'b/r.jsonl'])
  })

  onPosix('is the records file, also through links', async () => {
    const workspace = makeWorkspace({ 'data/r.jsonl': '', a: '' })
    symlinkSync('data', workspace.path('alias'))
    symlinkSync('alias/r.jsonl', workspace.path('copy.txt'))
    for (const recordsPath of ['data/r.jsonl', 'alias/r.jsonl', 'copy.txt']) {
      const { files } = await collect(workspace, { path: '**', recordsPath })
      expect(namesIn(files)).toEqual(['a'])
    }
  })
})
