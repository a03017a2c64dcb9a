import { chmodSync, symlinkSync, truncateSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { collectArtifacts } from '../../src/artifacts/collect.ts'
import { canceledFailure, Stop } from '../../src/failure.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'
import { asNobody, hostIn, recordingHost } from './host.ts'

const hash = '0123456789abcdef'.repeat(4)
const other = 'fedcba9876543210'.repeat(4)
const onPosix = process.platform === 'win32' ? it.skip : it

type Inputs = Partial<Parameters<typeof collectArtifacts>[0]> & { readonly recordsPath?: string }

async function collect(workspace: Workspace, options: Inputs) {
  const { recordsPath = 'notarization-records.jsonl', ...inputs } = options
  const all = { path: '', checksums: '', ifNoFilesFound: 'error', ...inputs } as const
  const { log: warnings, ...host } = recordingHost({ GITHUB_WORKSPACE: workspace.root })
  const skip = [workspace.path(recordsPath)]
  return { ...(await collectArtifacts(all, host, skip)), warnings }
}

const namesIn = (named: readonly { readonly name: string }[]): readonly string[] =>
  named.map(({ name }) => name)

/** Returns all problems, one a line. No case warns. */
async function problemsOf(workspace: Workspace, cases: readonly Inputs[]): Promise<string> {
  const lines: string[] = []
  for (const inputs of cases) {
    const { problems, warnings } = await collect(workspace, inputs)
    expect(warnings).toEqual([])
    for (const { message, next, docs = 'no docs' } of problems)
      lines.push(`${message}; ${next} (${docs})`)
  }
  return lines.join('\n')
}

it('files and checksums entries are collected, and counted for each pattern', async () => {
  const sums = { s1: `${hash}  x\n${other}  y\n`, s2: `SHA256 (z) = ${hash}\n` }
  const workspace = makeWorkspace({ a: '', b: '', c: '', ...sums })
  const collected = await collect(workspace, { path: 'a\n[abc]\n!c', checksums: 's1\ns*' })
  expect(collected).toMatchObject({ problems: [], warnings: [] })
  expect(namesIn(collected.files)).toEqual(['a', 'b'])
  expect(collected.listed).toMatchObject([
    { input: 'checksums', name: 'x', size: null, hash, outcome: { state: 'planned' } },
    { name: 'y', hash: other },
    { name: 'z', hash },
  ])
  const counted = ['"a" matches 1 file', '"[abc]" matches 2 files', '"s1" matches 2 entries']
  expect(collected.counts).toEqual([...counted, '"s*" matches 3 entries'])
})

describe('an entry of a checksums file', () => {
  const files = Object.fromEntries(['app', 'd/app', 'd/tool', 'd/d/tool', 'lib'].map(n => [n, '']))
  const line = (name: string): string => `${hash}  ${name}\n`
  const workspace = makeWorkspace({
    ...files,
    'd/SUMS': ['app', './tool', 'lib', '../lib', 'd/tool', 'other'].map(line).join(''),
    'd/tool.sha256': hash,
    'd/no.sha256': hash,
    SUMS: ['d/app', 'app', 'x/../lib'].map(line).join(''),
  })

  it.each<readonly [string, string, readonly string[]]>([
    ['d/SUMS', '**', ['d/app', 'd/tool', 'lib', 'lib', 'd/d/tool', 'other']],
    ['d/SUMS', 'lib\nd/tool', ['app', 'd/tool', 'lib', 'lib', 'd/tool', 'other']],
    ['d/SUMS', 'lib', ['app', 'tool', 'lib', 'lib', 'd/tool', 'other']],
    ['SUMS', '**', ['d/app', 'app', 'lib']],
    ['d/*.sha256', '**', ['d/no', 'd/tool']],
  ])('of %j is a file of %j: first that in its folder, then that of its name', async (...row) => {
    const [checksums, path, names] = row
    const { listed, problems } = await collect(workspace, { checksums, path })
    expect({ names: namesIn(listed), problems }).toEqual({ names, problems: [] })
  })
})

onPosix('an entry stands for the file that it names, through whatever links', async () => {
  const entries = `${hash}  to-a\n${hash}  sub/a\n${hash}  b\n${hash}  c\n`
  const workspace = makeWorkspace({ 'out/a': '', 'out/b': '', 'd/c': '', 'out/s': entries })
  symlinkSync('a', workspace.path('out/to-a'))
  symlinkSync('.', workspace.path('out/sub'))
  symlinkSync('out', workspace.path('latest'))
  symlinkSync('../out/s', workspace.path('d/s'))
  const inputs = { path: 'out/a\nlatest/b\nd/c', checksums: 'd/s' }
  const { files, listed } = await collect(workspace, inputs)
  expect(namesIn(files)).toEqual(['d/c', 'latest/b', 'out/a'])
  expect(namesIn(listed)).toEqual(['out/a', 'out/a', 'latest/b', 'd/c'])
})

onPosix('an entry of a checksums file for itself is skipped with a warning', async () => {
  const workspace = makeWorkspace({ 'dist/app': '', 'dist/no': '' })
  symlinkSync('dist', workspace.path('latest'))
  const path = workspace.path('dist/SUMS')
  const names = ['app', 'SUMS', './SUMS', 'dist/SUMS', '../dist/SUMS', 'latest/SUMS', path]
  workspace.write(path, names.map(name => `${hash}  ${name}\n`).join(''))
  workspace.write('no.sha256', `${hash}  no.sha256\n`)
  const inputs = { path: 'latest', checksums: 'latest/SUMS\nno.sha256' }
  const { listed, problems, warnings } = await collect(workspace, inputs)
  expect(namesIn(listed)).toEqual(['latest/app'])
  expect(warnings).toEqual([
    'skipped the entry that a checksums file has for itself, because its hash cannot be right: "latest/SUMS", "no.sha256" (no docs)',
  ])
  expect(problems).toMatchObject([
    { message: expect.stringContaining('"no.sha256" lists only files') },
  ])
})

it('a checksums file may have 130,000 entries, and reading them ends when the run stops', async () => {
  const workspace = makeWorkspace({ a: '', SUMS: `${hash}  a\n`.repeat(130_000) })
  const { listed, counts } = await collect(workspace, { checksums: 'SUMS' })
  expect(listed).toHaveLength(130_000)
  expect(counts).toEqual(['"SUMS" matches 130000 entries'])
  const { halt, ...host } = hostIn(workspace.root)
  const inputs = { path: '', checksums: 'SUMS', ifNoFilesFound: 'error' } as const
  const reading = collectArtifacts(inputs, { ...host, halt }, [])
  for (let turn = 0; turn < 20_000; turn++) await setImmediate()
  halt.end(canceledFailure)
  await expect(reading).rejects.toThrow(Stop)
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
  const hint =
    'make sure that an earlier step of this job builds or downloads the files, then check the pattern: patterns start at the workspace, one per line; variables, commas, quotes and braces are not supported, brackets are wildcards, and hidden files must be named (reference.md#patterns)'

  it('applies to each pattern', async () => {
    const ten = Array.from({ length: 10 }, (_, index) => index)
    const cases: readonly Inputs[] = [
      { path: 'dist/*\nno/*\n${GITHUB_WORKSPACE}/dist/*' },
      { path: `own/list/x\n${'x'.repeat(256)}` },
      { path: 'dist/*\n!dist/*.txt' },
      { path: [...ten, 'ten', 'eleven'].join('\n') },
      { path: 'own/*.jsonl' },
      { path: 'dist/*', checksums: 'no/*' },
      { checksums: 'sums/*' },
      { checksums: 'own/list' },
    ]
    const emptyNext =
      'name a checksums file that lists the files to notarize (reference.md#checksums-files)'
    const messages = await problemsOf(workspace, cases)
    expect(messages.replaceAll(hint, 'HINT').replaceAll(emptyNext, 'EMPTY')).toBe(
      `input "path": "no/*" matches no file; "\${GITHUB_WORKSPACE}/dist/*" matches no file; HINT
input "path": "own/list/x" matches no file; "${'x'.repeat(256)}" matches no file; HINT
input "path": "dist/*" matches only files that later lines exclude; correct the line with "!" that excludes these files, or remove the pattern (reference.md#patterns)
input "path": ${ten.map(name => `"${name}" matches no file; `).join('')}and 2 more; HINT
input "path": "own/*.jsonl" matches only files that this action writes; HINT
input "checksums": "no/*" matches no file; HINT
input "checksums": "sums/empty" lists nothing; "sums/none" lists nothing; EMPTY
input "checksums": "own/list" lists only files that this action never notarizes; EMPTY`,
    )
  })

  it('can be warn or ignore', async () => {
    const inputs = { path: 'no/*\ndist/*', checksums: 'none' }
    const unmatched = ['"path": "no/*"', '"checksums": "none"']
    const warnings = unmatched.map(text => `input ${text} matches no file; ${hint}`)
    const found = await collect(workspace, { ...inputs, ifNoFilesFound: 'warn' })
    expect(found).toMatchObject({ problems: [], warnings })
    const ignored = await collect(workspace, { ...inputs, ifNoFilesFound: 'ignore' })
    expect(ignored).toMatchObject({ problems: [], warnings: [] })
  })
})

onPosix('under every policy, it is a problem if something cannot be used', async () => {
  const sums = { 'sums/a': `${hash}  x\nbad\n`, 'sums/b': 'x', 'sums/ok': `${hash}  x\n` }
  const workspace = makeWorkspace({ a: '', closed: '', big: '', ...sums })
  chmodSync(workspace.path('closed'), 0)
  truncateSync(workspace.path('sums/b'), 64 * 1024 * 1024)
  truncateSync(workspace.path('big'), 64 * 1024 * 1024 + 1)
  const texts = [{ path: '!a', checksums: '# s' }, { checksums: 'sums' }, { checksums: 'big' }]
  const cases = texts.map(inputs => ({ ...inputs, ifNoFilesFound: 'ignore' }) as const)
  const some = { checksums: 'closed\nsums/b' }
  const { problems } = await asNobody(workspace, () => collect(workspace, some))
  const message = 'input "checksums": "closed" cannot be read: permission denied (EACCES)'
  const ofLines = { docs: 'reference.md#checksums-files' }
  expect(problems).toMatchObject([{ message, next: 'make each file readable' }, ofLines])
  expect(await problemsOf(workspace, cases)).toBe(
    `input "path": no line includes files; add a pattern of the files (reference.md#patterns)
input "checksums": no line includes files; add a pattern of the files (reference.md#patterns)
input "checksums": "sums/a", line 2 is not a SHA-256 checksum with a name; "sums/b", line 1 is not a SHA-256 checksum with a name; write each line as "<SHA-256>  name" or "SHA256 (name) = <SHA-256>", or put nothing but the hash into name.sha256 (reference.md#checksums-files)
input "checksums": "big" is larger than 64 MiB, so it is no checksums file; name only checksums files (no docs)`,
  )
})

describe('never artifacts', () => {
  it('are the files that this action writes, in folders and in checksums files', async () => {
    const records = 'notarization-records'
    const own = [`${records}-2.jsonl`, `${records}.jsonl.tmp`, 'notarization-evidence.md']
    const others = { [`d/my-${records}.jsonl`]: '', [`d/${records}.jsonlx`]: '' }
    const workspace = makeWorkspace({ 'd/other.md': `${hash}  entry\n`, ...others })
    for (const name of own) workspace.write(`d/${name}`, `${hash}  d/x\n`)
    workspace.write('sums', [...own, 'y'].map(name => `${hash}  e/${name}\n`).join(''))
    const inputs = { path: 'd', checksums: 'sums\nd/*.md' }
    const { files, listed, counts } = await collect(workspace, inputs)
    const names = [...Object.keys(others), 'd/other.md', 'entry', 'e/y']
    expect(namesIn([...files, ...listed])).toEqual(names)
    expect(counts.join(', ')).toBe(
      '"d" matches 3 files, "sums" matches 1 entry, "d/*.md" matches 1 entry',
    )
  })

  onPosix('are the records file, whatever its name, and links to it', async () => {
    const line = (name: string): string => `${hash}  ${name}\n`
    const sums = { sums: line('./d/r') + line('b/r'), 'd/sums': line('r'), 'e/sums': line('r') }
    const other = { 'b/notarization-records-b.jsonl': '' }
    const workspace = makeWorkspace({ 'd/r': '', 'e/r': '', r: '', ...other, ...sums })
    symlinkSync('d', workspace.path('alias'))
    symlinkSync('alias/r', workspace.path('copy.txt'))
    // Of another job.
    symlinkSync('b/notarization-records-b.jsonl', workspace.path('b.txt'))
    symlinkSync('e/sums', workspace.path('notarization-evidence.md'))
    for (const recordsPath of ['d/r', 'alias/r', 'copy.txt']) {
      const inputs = { path: '**\n!b/*\n!**/sums', checksums: '[de]/sums\nsums', recordsPath }
      const { files, listed } = await collect(workspace, { ...inputs, ifNoFilesFound: 'ignore' })
      expect(namesIn(files)).toEqual(['e/r', 'r'])
      expect(namesIn(listed)).toEqual(['e/r', 'b/r'])
    }
  })
})
