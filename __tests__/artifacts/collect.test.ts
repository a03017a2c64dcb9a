import { symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import {
  collectArtifacts,
  describeCount,
  type CollectedArtifacts,
} from '../../src/artifacts/collect.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'
import { hostIn } from './host.ts'

const hash = '0123456789abcdef'.repeat(4)
const other = 'fedcba9876543210'.repeat(4)
const onPosix = process.platform === 'win32' ? it.skip : it
const onLinux = process.platform === 'linux' ? it : it.skip

type Inputs = Partial<Parameters<typeof collectArtifacts>[0]> & { readonly recordsPath?: string }

function collect(workspace: Workspace, options: Inputs): Promise<CollectedArtifacts> {
  const { recordsPath = 'notarization-records.jsonl', ...inputs } = options
  const all = { path: '', checksums: '', ifNoFilesFound: 'error', ...inputs } as const
  return collectArtifacts(all, hostIn(workspace.root), { skip: [workspace.path(recordsPath)] })
}

const namesIn = (named: readonly { readonly name: string }[]): readonly string[] =>
  named.map(({ name }) => name)

/** Returns the messages of all problems, one a line. No case warns. */
async function messagesOf(workspace: Workspace, cases: readonly Inputs[]): Promise<string> {
  const messages: string[] = []
  for (const inputs of cases) {
    const { problems, warnings } = await collect(workspace, inputs)
    expect(warnings).toEqual([])
    messages.push(
      ...problems.map(({ input, message }) => message.replace(`input "${input}"`, `${input}`)),
    )
  }
  return messages.join('\n')
}

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
  const ofRelease = [1, 2].map(count => ({ input: 'release-tag', text: 'v1', count }) as const)
  expect([...collected.counts, ...ofRelease].map(describeCount)).toEqual([
    '"a" matches 1 file',
    '"[ab]" matches 2 files',
    '"s1" matches 2 checksums entries',
    '"s*" matches 3 checksums entries',
    '"v1" matches 1 release asset',
    '"v1" matches 2 release assets',
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

  it('applies to each pattern', async () => {
    const ten = Array.from({ length: 10 }, (_, index) => index)
    const cases: readonly Inputs[] = [
      { path: 'dist/*\nno/*\ndist/a.txt/x' },
      { path: 'dist/*\n!dist/*.txt' },
      { path: [...ten, 'ten', 'eleven'].join('\n') },
      { path: 'x'.repeat(256) },
      { path: 'dist/*.{zip,txt}' },
      { path: 'own/*.jsonl' },
      { path: 'dist/*', checksums: 'no/*' },
      { checksums: 'sums/*' },
      { checksums: 'own/list' },
    ]
    const remedy = 'correct the pattern, or set if-no-files-found'
    const messages = await messagesOf(workspace, cases)
    expect(messages.replaceAll(remedy, 'REMEDY')).toBe(
      `path: the pattern "no/*" matches no file; the pattern "dist/a.txt/x" matches no file; REMEDY
path: the pattern "dist/*" matches no file; REMEDY
path: ${ten.map(name => `the pattern "${name}" matches no file; `).join('')}and 2 more; REMEDY
path: the pattern "${'x'.repeat(256)}" matches no file; REMEDY
path: the pattern "dist/*.{zip,txt}" matches no file (braces are not supported; write one pattern per line); REMEDY
path: the pattern "own/*.jsonl" matches only files that this action writes, which are never artifacts; REMEDY
checksums: the pattern "no/*" matches no checksums file; REMEDY
checksums: the checksums file "sums/empty" lists no artifact (files that this action writes do not count); the checksums file "sums/none" lists no artifact (files that this action writes do not count); REMEDY
checksums: the checksums file "own/list" lists no artifact (files that this action writes do not count); REMEDY`,
    )
  })

  it('can be warn or ignore', async () => {
    const inputs = { path: 'no/*\ndist/*', checksums: 'none' }
    const file = 'input "path": the pattern "no/*" matches no file'
    const list = 'input "checksums": the pattern "none" matches no checksums file'
    for (const [ifNoFilesFound, warnings] of [
      ['warn', [file, list]],
      ['ignore', []],
    ] as const) {
      const collected = await collect(workspace, { ...inputs, ifNoFilesFound })
      expect(collected).toMatchObject({ problems: [], warnings })
    }
  })
})

it('under every policy, it is a problem if something cannot be used', async () => {
  const sums = { 'sums/a': `${hash}  x\nbad\n`, 'sums/b': 'bad', 'sums/ok': `${hash}  x\n` }
  const workspace = makeWorkspace({ a: '', ...sums })
  const texts = [
    { path: 'a\n../b' },
    { checksums: 'sums/ok\n!' },
    { path: '!a' },
    { checksums: '# s' },
    { checksums: 'sums' },
  ]
  const cases = texts.map(inputs => ({ ...inputs, ifNoFilesFound: 'ignore' }) as const)
  expect(await messagesOf(workspace, cases)).toBe(
    `path: pattern "../b" cannot be used: . and .. are not allowed within a pattern; name the folder itself
checksums: pattern "!" cannot be used: there is nothing after the !
path: no pattern includes anything; add one pattern per line
path: no pattern includes anything; add one pattern per line
checksums: "sums/a", line 2 is not a SHA-256 checksum with a name; "sums/b", line 1 is not a SHA-256 checksum with a name`,
  )
})

onLinux('a checksums file whose name is not valid UTF-8 is a problem', async () => {
  const workspace = makeWorkspace({ 'sums/bad-\ufffd': `${hash}  x\n` })
  for (const bad of ['bad-\xff', 'other-\xff']) {
    writeFileSync(Buffer.from(workspace.path('sums', bad), 'latin1'), `${hash}  y\n`)
  }
  expect(await messagesOf(workspace, [{ checksums: 'sums', ifNoFilesFound: 'ignore' }])).toBe(
    'checksums: "sums/bad-\ufffd" could not be read: another file has the same name, because it is not valid UTF-8; "sums/other-\ufffd" could not be read: no such file or directory (ENOENT)',
  )
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
