import { execFileSync } from 'node:child_process'
import { symlinkSync, truncateSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { collectArtifacts, type Collected } from '../../src/artifacts/collect.ts'
import { realPathOf } from '../../src/artifacts/sources/files.ts'
import { cleanUp } from '../support/clean-up.ts'
import '../support/realms.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'

const hash = '0123456789abcdef'.repeat(4)
const other = 'fedcba9876543210'.repeat(4)
const onPosix = process.platform === 'win32' ? it.skip : it

afterAll(cleanUp)

interface Given {
  readonly path?: string
  readonly checksums?: string
  readonly ifNoFilesFound?: 'error' | 'warn' | 'ignore'
  readonly recordsPath?: string
}

function collect(workspace: Workspace, given: Given): Collected {
  const place = { workspace: workspace.root, home: homedir(), path }
  const inputs = { path: '', checksums: '', ifNoFilesFound: 'error' as const, ...given }
  const recordsPath = workspace.path(given.recordsPath ?? 'notarization-records.jsonl')
  return collectArtifacts(inputs, place, [realPathOf(recordsPath)])
}

const countsOf = ({ counts }: Collected): readonly (readonly [string, string, number])[] =>
  counts.map(({ input, text, count }) => [input, text, count])

describe('the artifacts of path and checksums', () => {
  it('are the files of the one and the entries of the other, together', () => {
    const workspace = makeWorkspace({
      'dist/a.txt': 'a',
      'dist/b.txt': 'b',
      'sums/one.txt': `${hash}  x\n${other}  y\n`,
      'sums/two.txt': `SHA256 (z) = ${hash}\n`,
    })
    const { files, entries, problems, warnings, ...rest } = collect(workspace, {
      path: 'dist',
      checksums: 'sums/*.txt',
    })
    expect({ problems, warnings }).toEqual({ problems: [], warnings: [] })
    expect(files.map(file => file.name)).toEqual(['dist/a.txt', 'dist/b.txt'])
    expect(entries).toEqual([
      { name: 'x', hash },
      { name: 'y', hash: other },
      { name: 'z', hash },
    ])
    expect(countsOf({ files, entries, problems, warnings, ...rest })).toEqual([
      ['path', 'dist', 2],
      ['checksums', 'sums/*.txt', 3],
    ])
  })

  it('are counted for each pattern, and entries for each that names their file', () => {
    const workspace = makeWorkspace({
      a: '',
      b: '',
      c: '',
      s1: `${hash}  x\n${other}  y\n`,
      s2: '',
    })
    workspace.write('s2', `${hash}  z\n`)
    const collected = collect(workspace, {
      path: 'a\n[ab]\n?\n!c\n!s*',
      checksums: 's1\ns*\n!s2',
    })
    expect(collected.problems).toEqual([])
    expect(countsOf(collected)).toEqual([
      ['path', 'a', 1],
      ['path', '[ab]', 2],
      ['path', '?', 2],
      ['checksums', 's1', 2],
      ['checksums', 's*', 2],
    ])
    expect(collected.entries).toHaveLength(2)
  })

  it('are no files that a checksums file names, as those may lie elsewhere', () => {
    const workspace = makeWorkspace({ SHA256SUMS: `${hash}  no/such/file\n` })
    const { files, entries, problems } = collect(workspace, { checksums: 'SHA256SUMS' })
    expect({ files, problems }).toEqual({ files: [], problems: [] })
    expect(entries).toEqual([{ name: 'no/such/file', hash }])
  })

  it('are none when a pattern cannot be used, and the problem names input and pattern', () => {
    const workspace = makeWorkspace({ a: '', s: `${hash}  x\n` })
    const { problems } = collect(workspace, { path: 'a\n../b', checksums: 's\n!' })
    expect(problems.map(one => one.input)).toEqual(['path', 'checksums'])
    expect(problems[0]?.message).toMatch(/^input "path": .*"\.\.\/b"/)
    expect(problems[1]?.message).toMatch(/^input "checksums": .*"!"/)
  })

  it.each([
    { path: '!a' },
    { path: '# a' },
    { path: '!a\n# b', checksums: '!s' },
    { checksums: '!s' },
    { checksums: '# s' },
  ])('are a problem, in every mode, when no pattern includes anything: %j', given => {
    const workspace = makeWorkspace({ a: '', b: '' })
    for (const ifNoFilesFound of ['error', 'warn', 'ignore'] as const) {
      const { problems } = collect(workspace, { ...given, ifNoFilesFound })
      expect(problems).toHaveLength(1)
      expect(problems[0]?.message).toMatch(/pattern/)
    }
  })
})

describe('if-no-files-found', () => {
  const workspace = makeWorkspace({
    'dist/a.txt': '',
    'sums/good.txt': `${hash}  x\n`,
    'sums/empty.txt': '',
    'sums/comments.txt': '\ufeff# nothing\r\n\r\n',
  })

  it.each([
    ['path', { path: 'dist/*\nno/*' }, ['no/*']],
    ['path', { path: 'no-1\ndist/*\nno-2' }, ['no-1', 'no-2']],
    ['path', { path: 'dist/*\n!dist/*.txt' }, ['dist/*']],
    ['path', { path: 'dist/*\n!no' }, []],
    ['path', { path: '*.txt', checksums: 'sums/good.txt' }, ['*.txt']],
    ['checksums', { path: 'dist/*', checksums: 'no/*' }, ['no/*']],
    ['checksums', { checksums: 'sums/good.txt\nSHA256SUMS' }, ['SHA256SUMS']],
    ['checksums', { checksums: 'sums/empty.txt' }, ['sums/empty.txt']],
    ['checksums', { checksums: 'sums/*' }, ['sums/empty.txt', 'sums/comments.txt']],
    ['checksums', { path: 'dist/*', checksums: 'sums/*\n!**/[ec]*' }, []],
  ] as const)('counts for each pattern: of %s in %j those of %j', (input, given, named) => {
    const asError = collect(workspace, given)
    expect(asError.warnings).toEqual([])
    expect(asError.problems.map(one => one.input)).toEqual(named.length === 0 ? [] : [input])
    const said = asError.problems.map(one => one.message).join('')
    expect(said.startsWith(named.length === 0 ? '' : `input "${input}": `)).toBe(true)
    for (const name of named) expect(said).toContain(`"${name}"`)
    expect(said).not.toContain('"sums/good.txt"')

    const asWarning = collect(workspace, { ...given, ifNoFilesFound: 'warn' })
    expect(asWarning.problems).toEqual([])
    expect(asWarning.warnings).toHaveLength(named.length)
    for (const name of named) {
      const naming = asWarning.warnings.filter(warning => warning.includes(`"${name}"`))
      expect(naming).toHaveLength(1)
      expect(naming[0]).toMatch(new RegExp(`^input "${input}": `))
    }

    const ignored = collect(workspace, { ...given, ifNoFilesFound: 'ignore' })
    expect({ problems: ignored.problems, warnings: ignored.warnings }).toEqual({
      problems: [],
      warnings: [],
    })

    expect(asWarning.files).toEqual(ignored.files)
    expect(asWarning.entries).toEqual(ignored.entries)
  })

  it('has one problem for each input when both bring nothing', () => {
    const { problems } = collect(workspace, { path: 'no-1\nno-2', checksums: 'no-3' })
    expect(problems.map(one => one.input)).toEqual(['path', 'checksums'])
  })

  it('does not excuse a checksums file with a bad line', () => {
    const bad = makeWorkspace({ s: 'no checksum\n' })
    for (const ifNoFilesFound of ['error', 'warn', 'ignore'] as const) {
      const { problems } = collect(bad, { checksums: 's', ifNoFilesFound })
      expect(problems.map(one => one.input)).toEqual(['checksums'])
    }
  })

  onPosix('counts what is skipped as not found', () => {
    const odd = makeWorkspace({ a: '' })
    execFileSync('mkfifo', [odd.path('pipe')])
    symlinkSync('nowhere', odd.path('link'))
    const { problems, warnings } = collect(odd, { path: 'a\npipe\nlink' })
    expect(problems).toHaveLength(1)
    expect(problems[0]?.message).toMatch(/"pipe".*"link"/)
    expect(warnings).toHaveLength(2)
  })
})

describe('a checksums file', () => {
  it('with bad lines is a problem that names file and line', () => {
    const workspace = makeWorkspace({
      'sums/a.txt': `${hash}  x\nbad\n`,
      'sums/b.txt': `\n\nMD5 (x) = ${'a'.repeat(32)}\n`,
    })
    const { problems } = collect(workspace, { checksums: 'sums' })
    expect(problems).toHaveLength(1)
    expect(problems[0]?.message).toMatch(/"sums\/a\.txt", line 2: .*"sums\/b\.txt", line 3: /)
  })

  it('with very many bad lines is a problem of bounded length that says how many more there are', () => {
    const workspace = makeWorkspace({ s: 'bad\n'.repeat(10_000) })
    const [problem] = collect(workspace, { checksums: 's' }).problems
    expect(problem?.message.length).toBeLessThan(3000)
    expect(problem?.message).toMatch(/99\d\d more/)
  })

  it('that is too large to be one is a problem that names it, and is not read', () => {
    const workspace = makeWorkspace({ s: '' })
    truncateSync(workspace.path('s'), 3 * 1024 ** 3)
    const { problems, entries } = collect(workspace, { checksums: 's' })
    expect(entries).toEqual([])
    expect(problems).toHaveLength(1)
    expect(problems[0]?.message).toMatch(/"s" .*large/)
  })

  onPosix('that is a FIFO is skipped with a warning', () => {
    const workspace = makeWorkspace({ good: `${hash}  x\n` })
    execFileSync('mkfifo', [workspace.path('pipe')])
    const { entries, warnings, problems } = collect(workspace, { checksums: '*' })
    expect(problems).toEqual([])
    expect(entries).toHaveLength(1)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('"pipe"')
  })
})

describe('the records file', () => {
  const line = `${hash}  x\n`

  it.each([
    ['path', { path: '**' }, ['a', 'sums'], 0],
    ['path', { path: 'notarization-records.jsonl\na' }, ['a'], 0],
    ['checksums', { path: 'a', checksums: '*.jsonl\nsums' }, ['a'], 1],
    ['checksums', { checksums: '**\n!a' }, [], 1],
  ])('is never taken, as a file of %s: %j', (_, given, names, entryCount) => {
    const workspace = makeWorkspace({ 'notarization-records.jsonl': line, a: '', sums: line })
    const { files, entries, problems } = collect(workspace, { ...given, ifNoFilesFound: 'warn' })
    expect(problems).toEqual([])
    expect(files.map(file => file.name)).toEqual(names)
    expect(entries).toHaveLength(entryCount)
  })

  it('alone is nothing found', () => {
    const workspace = makeWorkspace({ 'notarization-records.jsonl': '' })
    expect(collect(workspace, { path: '**' }).problems).toHaveLength(1)
  })

  it('is known by the path that is given, and a file that has only its name is taken', () => {
    const workspace = makeWorkspace({ 'd/records.jsonl': '', 'records.jsonl': '' })
    const { files } = collect(workspace, { path: '**', recordsPath: 'd/../d//records.jsonl' })
    expect(files.map(file => file.name)).toEqual(['records.jsonl'])
  })

  onPosix('is never taken through a link, and is known through one', () => {
    const workspace = makeWorkspace({ 'data/records.jsonl': '', a: '' })
    symlinkSync('data', workspace.path('alias'))
    symlinkSync('alias/records.jsonl', workspace.path('copy.txt'))
    for (const recordsPath of ['data/records.jsonl', 'alias/records.jsonl', 'copy.txt']) {
      const { files, problems } = collect(workspace, { path: '**', recordsPath })
      expect(problems).toEqual([])
      expect(files.map(file => file.name)).toEqual(['a'])
    }
  })
})
