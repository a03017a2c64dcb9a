import { execFileSync } from 'node:child_process'
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import type { Artifact } from '../../src/artifacts/artifact.ts'
import { collectArtifacts, type Collected } from '../../src/artifacts/collect.ts'
import { cleanUp } from '../support/clean-up.ts'
import '../support/realms.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'

const hash = '0123456789abcdef'.repeat(4)
const other = 'fedcba9876543210'.repeat(4)
const onPosix = process.platform === 'win32' ? it.skip : it
const onLinux = process.platform === 'linux' ? it : it.skip
const policies = ['error', 'warn', 'ignore'] as const

afterAll(cleanUp)

interface Given {
  readonly path?: string
  readonly checksums?: string
  readonly ifNoFilesFound?: 'error' | 'warn' | 'ignore'
  readonly recordsPath?: string
}

function collect(workspace: Workspace, given: Given): Promise<Collected> {
  const { recordsPath = 'notarization-records.jsonl', ...inputs } = given
  return collectArtifacts(
    { path: '', checksums: '', ifNoFilesFound: 'error', ...inputs },
    {
      place: { workspace: workspace.root, home: homedir(), path },
      halt: new AbortController().signal,
      skip: [workspace.path(recordsPath)],
    },
  )
}

const namesOf = ({ files }: Collected): readonly string[] => files.map(file => file.name)

const entry = (name: string, digest = hash): Artifact => ({
  ...{ source: 'checksums', name, size: null, hash: digest },
})

const countsOf = ({ counts }: Collected): readonly (readonly [string, string, number])[] =>
  counts.map(({ input, text, count }) => [input, text, count])

describe('the artifacts of path and checksums', () => {
  it('are the files of the one and the entries of the other, together', async () => {
    const workspace = makeWorkspace({
      'dist/a.txt': 'a',
      'dist/b.txt': 'b',
      'sums/one.txt': `${hash}  x\n${other}  y\n`,
      'sums/two.txt': `SHA256 (z) = ${hash}\n`,
    })
    const collected = await collect(workspace, { path: 'dist', checksums: 'sums/*.txt' })
    expect(collected).toMatchObject({ problems: [], warnings: [] })
    expect(namesOf(collected)).toEqual(['dist/a.txt', 'dist/b.txt'])
    expect(collected.listed).toEqual([entry('x'), entry('y', other), entry('z')])
    expect(countsOf(collected)).toEqual([
      ['path', 'dist', 2],
      ['checksums', 'sums/*.txt', 3],
    ])
  })

  it('are counted for each pattern, and entries for each that names their file', async () => {
    const workspace = makeWorkspace({
      a: '',
      b: '',
      c: '',
      s1: `${hash}  x\n${other}  y\n`,
      s2: '',
    })
    workspace.write('s2', `${hash}  z\n`)
    const collected = await collect(workspace, {
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
    expect(collected.listed).toHaveLength(2)
  })

  it('are none when a pattern cannot be used, and the problem names input and pattern', async () => {
    const workspace = makeWorkspace({ a: '', s: `${hash}  x\n` })
    const { problems } = await collect(workspace, { path: 'a\n../b', checksums: 's\n!' })
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
  ])('are a problem, in every mode, when no pattern includes anything: %j', async given => {
    const workspace = makeWorkspace({ a: '', b: '' })
    for (const ifNoFilesFound of policies) {
      const { problems } = await collect(workspace, { ...given, ifNoFilesFound })
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
  ] as const)('counts for each pattern: of %s in %j those of %j', async (input, given, named) => {
    const asError = await collect(workspace, given)
    expect(asError.warnings).toEqual([])
    expect(asError.problems.map(one => one.input)).toEqual(named.length === 0 ? [] : [input])
    const said = asError.problems.map(one => one.message).join('')
    expect(said.startsWith(named.length === 0 ? '' : `input "${input}": `)).toBe(true)
    for (const name of named) expect(said).toContain(`"${name}"`)
    expect(said).not.toContain('"sums/good.txt"')

    const asWarning = await collect(workspace, { ...given, ifNoFilesFound: 'warn' })
    expect(asWarning.problems).toEqual([])
    expect(asWarning.warnings).toHaveLength(named.length)
    for (const name of named) {
      const naming = asWarning.warnings.filter(warning => warning.includes(`"${name}"`))
      expect(naming).toHaveLength(1)
      expect(naming[0]).toMatch(new RegExp(`^input "${input}": `))
    }

    const ignored = await collect(workspace, { ...given, ifNoFilesFound: 'ignore' })
    expect({ problems: ignored.problems, warnings: ignored.warnings }).toEqual({
      problems: [],
      warnings: [],
    })

    expect(asWarning.files).toEqual(ignored.files)
    expect(asWarning.listed).toEqual(ignored.listed)
  })

  it('does not excuse a checksums file with a bad line', async () => {
    const bad = makeWorkspace({ s: 'no checksum\n' })
    for (const ifNoFilesFound of policies) {
      const { problems } = await collect(bad, { checksums: 's', ifNoFilesFound })
      expect(problems.map(one => one.input)).toEqual(['checksums'])
      expect(problems[0]?.message).not.toContain('no entries')
    }
  })

  onPosix('counts what is skipped as not found', async () => {
    const odd = makeWorkspace({ a: '' })
    execFileSync('mkfifo', [odd.path('pipe')])
    symlinkSync('nowhere', odd.path('link'))
    const { problems, warnings } = await collect(odd, { path: 'a\npipe\nlink' })
    expect(problems).toHaveLength(1)
    expect(problems[0]?.message).toMatch(/"pipe".*"link"/)
    expect(warnings).toHaveLength(2)
  })
})

describe('a checksums file', () => {
  it('with bad lines is a problem that names file and line', async () => {
    const workspace = makeWorkspace({
      'sums/a.txt': `${hash}  x\nbad\n`,
      'sums/b.txt': `\n\nMD5 (x) = ${'a'.repeat(32)}\n`,
    })
    const { problems } = await collect(workspace, { checksums: 'sums' })
    expect(problems).toHaveLength(1)
    expect(problems[0]?.message).toMatch(/"sums\/a\.txt", line 2: .*"sums\/b\.txt", line 3: /)
  })

  it('with very many bad lines is a problem of bounded length that says how many more there are', async () => {
    const workspace = makeWorkspace({ s: 'bad\n'.repeat(10_000) })
    const [problem] = (await collect(workspace, { checksums: 's' })).problems
    expect(problem?.message.length).toBeLessThan(3000)
    expect(problem?.message).toMatch(/99\d\d more/)
  })

  it('that is too large to be one is a problem that names it, and is not read', async () => {
    const workspace = makeWorkspace({ s: '' })
    truncateSync(workspace.path('s'), 3 * 1024 ** 3)
    const { problems, listed } = await collect(workspace, { checksums: 's' })
    expect(listed).toEqual([])
    expect(problems).toHaveLength(1)
    expect(problems[0]?.message).toMatch(/"s" .*large/)
  })

  it('of 200,000 lines gives 200,000 artifacts', async () => {
    const lines = Array.from({ length: 200_000 }, (_, index) => `${hash}  f${index}\n`)
    const { listed } = await collect(makeWorkspace({ s: lines.join('') }), { checksums: 's' })
    expect(listed).toHaveLength(200_000)
  })
})

describe('the records file', () => {
  const line = `${hash}  x\n`

  it.each([
    ['path', { path: '**' }, ['a', 'sums'], 0],
    ['path', { path: 'notarization-records.jsonl\na' }, ['a'], 0],
    ['checksums', { path: 'a', checksums: '*.jsonl\nsums' }, ['a'], 1],
    ['checksums', { checksums: '**\n!a' }, [], 1],
  ])('is never taken, as a file of %s: %j', async (_, given, names, entryCount) => {
    const workspace = makeWorkspace({ 'notarization-records.jsonl': line, a: '', sums: line })
    const { files, listed, problems } = await collect(workspace, {
      ...given,
      ifNoFilesFound: 'warn',
    })
    expect(problems).toEqual([])
    expect(files.map(file => file.name)).toEqual(names)
    expect(listed).toHaveLength(entryCount)
  })

  it('is known by the path that is given, and a file that has only its name is taken', async () => {
    const workspace = makeWorkspace({ 'd/records.jsonl': '', 'records.jsonl': '' })
    const { files } = await collect(workspace, { path: '**', recordsPath: 'd/../d//records.jsonl' })
    expect(files.map(file => file.name)).toEqual(['records.jsonl'])
  })

  it.each([
    ['data/records.jsonl', true],
    ['other/records.jsonl', true],
    ['data/records.jsonl', false],
  ])(
    'is no artifact as an entry of a checksums file: %s, there already: %s',
    async (own, isThere) => {
      const workspace = makeWorkspace({ s: `${hash}  ./${own}\n${hash}  b/records.jsonl\n` })
      if (isThere) workspace.write(own, '')
      const { listed } = await collect(workspace, { checksums: 's', recordsPath: own })
      expect(listed).toEqual([entry('b/records.jsonl')])
    },
  )

  onPosix('is never taken through a link, and is known through one', async () => {
    const workspace = makeWorkspace({ 'data/records.jsonl': '', a: '' })
    symlinkSync('data', workspace.path('alias'))
    symlinkSync('alias/records.jsonl', workspace.path('copy.txt'))
    for (const recordsPath of ['data/records.jsonl', 'alias/records.jsonl', 'copy.txt']) {
      workspace.write('sums/s', `${hash}  ${recordsPath}\n`)
      const given = { path: '**\n!sums', checksums: 'sums/s', recordsPath }
      const { files, listed, problems } = await collect(workspace, given)
      expect({ listed, problems }).toEqual({ listed: [], problems: [] })
      expect(files.map(file => file.name)).toEqual(['a'])
    }
  })
})

describe('a name that is not valid UTF-8', () => {
  onLinux('is a failure of the input whose pattern may match it, and counts as found', async () => {
    const workspace = makeWorkspace({ 'd/a': '', 'sums/s': `${hash}  x\n` })
    for (const folder of ['d', 'sums']) {
      writeFileSync(
        Buffer.concat([Buffer.from(workspace.path(folder, 'bad-')), Buffer.from([0xff])]),
        '',
      )
    }
    const collected = await collect(workspace, { path: 'd/b*\nd/a', checksums: 'sums/*' })
    expect(collected.problems).toEqual([])
    expect(collected.listed).toMatchObject([
      { source: 'path', name: 'd/bad-\\xFF', failure: { code: 'unreadable', registered: 'no' } },
      { source: 'checksums', name: 'sums/bad-\\xFF', failure: { code: 'unreadable' } },
      entry('x'),
    ])
    expect(countsOf(collected)).toEqual([
      ['path', 'd/b*', 1],
      ['path', 'd/a', 1],
      ['checksums', 'sums/*', 2],
    ])
  })
})

describe('files named like what is attached to a release', () => {
  const own = [
    'notarization-records.jsonl',
    'notarization-checksums.txt',
    'notarization-evidence.md',
  ]
  const workspace = makeWorkspace({
    ...Object.fromEntries(
      own.map(name => [`copy/${name}`, `${hash}  ${name}\n${hash}  d/${name}\n`]),
    ),
    'copy/notarization-notes.txt': '',
    'copy/my-notarization-evidence.md': '',
    sums: `${hash}  x\n${hash}  copy/${own[0] ?? ''}\n`,
  })
  const rest = ['copy/my-notarization-evidence.md', 'copy/notarization-notes.txt']

  it('are no artifacts, wherever they lie, and whatever checksums name them', async () => {
    const collected = await collect(workspace, {
      path: 'copy',
      checksums: 'sums',
    })
    expect(namesOf(collected)).toEqual(rest)
    expect(collected).toMatchObject({ listed: [entry('x')], warnings: [], problems: [] })
  })

  it('are named in a warning if a pattern without wildcards names them', async () => {
    const path = `copy/${own[2] ?? ''}\ncopy`
    const given = { path, ifNoFilesFound: 'ignore' } as const
    const collected = await collect(workspace, given)
    expect(namesOf(collected)).toEqual(rest)
    expect(collected.warnings).toHaveLength(1)
    expect(collected.warnings[0]).toContain(`"copy/${own[2] ?? ''}" is left out`)
  })

  it('are read as checksums files all the same', async () => {
    const checksums = `copy/${own[1] ?? ''}`
    const given = { checksums, ifNoFilesFound: 'ignore' } as const
    expect(await collect(workspace, given)).toMatchObject({ listed: [], counts: [{ count: 2 }] })
  })
})
