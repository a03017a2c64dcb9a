import { execFileSync } from 'node:child_process'
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
  const collected = await collect(workspace, { path: 'a\n[ab]\n!c', checksums: 's1\ns*' })
  expect(collected).toMatchObject({ problems: [], warnings: [] })
  expect(namesIn(collected.files)).toEqual(['a', 'b'])
  expect(collected.listed).toMatchObject([
    { source: 'checksums', name: 'x', size: null, hash, outcome: { state: 'planned' } },
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
    'sums/good.txt': `${hash}  x\n`,
    'sums/empty.txt': '',
    'sums/comments.txt': '\ufeff# nothing\r\n\r\n',
    'own/notarization-records-2.jsonl': '',
    'own/list': `${hash}  notarization-evidence.md\n`,
  })

  it.each<[string, Inputs, readonly string[]]>([
    ['path', { path: 'dist/*\nno/*\ndist/a.txt/x' }, ['no/*', 'dist/a.txt/x']],
    ['path', { path: 'dist/*\n!dist/*.txt' }, ['dist/*']],
    ['path', { path: 'dist/*\n!no' }, []],
    ['path', { path: 'own/*.jsonl', checksums: 'sums/good.txt' }, ['own/*.jsonl']],
    ['checksums', { path: 'dist/*', checksums: 'no/*' }, ['no/*']],
    ['checksums', { checksums: 'sums/*' }, ['sums/empty.txt', 'sums/comments.txt']],
    ['checksums', { checksums: 'own/list' }, ['own/list']],
  ])('applies to each pattern: the input %s of %j finds nothing for %j', async (...testCase) => {
    const [input, inputs, unmatched] = testCase
    const asError = await collect(workspace, inputs)
    const message = asError.problems.map(problem => problem.message).join('\n')
    expect(asError.warnings).toEqual([])
    expect(message).toMatch(unmatched.length === 0 ? /^$/ : RegExp(`^input "${input}": .*$`))
    for (const name of unmatched) expect(message).toContain(`"${name}"`)
    expect(message).not.toContain('"sums/good.txt"')

    const asWarning = await collect(workspace, { ...inputs, ifNoFilesFound: 'warn' })
    expect(asWarning).toMatchObject({ problems: [], warnings: { length: unmatched.length } })
    for (const warning of asWarning.warnings) expect(warning).toMatch(`input "${input}": `)

    const ignored = await collect(workspace, { ...inputs, ifNoFilesFound: 'ignore' })
    expect(ignored).toMatchObject({ problems: [], warnings: [] })
  })

  it.each([
    ['dist/*.{zip,txt}', 'braces are not read; write one pattern per line'],
    ['own/*.jsonl', 'only files that this action writes'],
  ])('says why %s matches nothing', async (path, why) => {
    const { problems } = await collect(workspace, { path })
    expect(problems).toMatchObject([{ message: expect.stringContaining(why) }])
  })

  onPosix('applies to a pattern that matches only skipped files', async () => {
    const withPipe = makeWorkspace({ a: '' })
    execFileSync('mkfifo', [withPipe.path('pipe')])
    const { problems, warnings } = await collect(withPipe, { path: 'a\npipe' })
    expect(problems).toMatchObject([{ message: expect.stringContaining('"pipe"') }])
    expect(warnings).toHaveLength(1)
  })
})

describe('under every policy, it is a problem', () => {
  it.each<[string, string, Inputs, RegExp]>([
    ['path', 'a pattern cannot be used', { path: 'a\n../b' }, /"\.\.\/b"/],
    ['checksums', 'a pattern cannot be used', { checksums: 'sums/ok\n!' }, /"!"/],
    ['path', 'no pattern includes anything', { path: '!a' }, /no pattern/],
    ['path', 'there are only comments', { checksums: '# s' }, /no pattern/],
    [
      'checksums',
      'a line of a checksums file is invalid',
      { checksums: 'sums' },
      /"sums\/a\.txt", line 2 .*"sums\/b\.txt", line 3 [^"]*$/,
    ],
  ])('with the input %s if %s: %j', async (input, _, inputs, message) => {
    const workspace = makeWorkspace({
      a: '',
      'sums/a.txt': `${hash}  x\nbad\n`,
      'sums/b.txt': `\n\nMD5 (x) = ${'a'.repeat(32)}\n`,
      'sums/ok': `${hash}  x\n`,
    })
    for (const ifNoFilesFound of ['error', 'warn', 'ignore'] as const) {
      const { problems } = await collect(workspace, { ...inputs, ifNoFilesFound })
      expect(problems).toEqual([{ input, message: expect.stringMatching(message) }])
    }
  })

  onLinux('if a checksums file cannot be opened, because its name is not valid UTF-8', async () => {
    const workspace = makeWorkspace({ 'sums/bad-\ufffd': `${hash}  x\n` })
    for (const bad of ['bad-\xff', 'other-\xff']) {
      writeFileSync(Buffer.from(`${workspace.path('sums')}/${bad}`, 'latin1'), `${hash}  y\n`)
    }
    const { problems } = await collect(workspace, { checksums: 'sums' })
    const message = expect.stringMatching(/"sums\/bad-.* "sums\/other-/)
    expect(problems).toEqual([{ input: 'checksums', message }])
  })
})

describe('never artifacts', () => {
  it('are the files that this action writes, in folders and in checksums files', async () => {
    const records = ['notarization-records.jsonl', 'notarization-records-0123456789ab.jsonl']
    const own = [...records, 'notarization-records.jsonl.tmp', 'notarization-evidence.md']
    const others = ['my-notarization-evidence.md', 'notarization-records.txt']
    const workspace = makeWorkspace()
    for (const name of [...own, ...others]) workspace.write(`d/${name}`, `${hash}  e/${name}\n`)
    const sums = [...own, ...others].map(name => `${hash}  d/${name}\n`)
    workspace.write('sums', sums.join(''))
    const { files, listed, counts } = await collect(workspace, {
      path: 'd',
      checksums: 'sums\nd/*.md',
    })
    expect(namesIn(files)).toEqual(others.map(name => `d/${name}`))
    expect(namesIn(listed)).toEqual([`e/${others[0]}`, `d/${others[0]}`, `d/${others[1]}`])
    expect(counts.map(({ count }) => count)).toEqual([2, 2, 1])
  })

  it('is the records file, whatever its name', async () => {
    const workspace = makeWorkspace({ 'd/r.jsonl': '', 'r.jsonl': '' })
    workspace.write('sums', `${hash}  ./d/r.jsonl\n${hash}  b/r.jsonl\n`)
    const inputs = { path: '**/*.jsonl', checksums: 'sums', recordsPath: 'd/r.jsonl' }
    const { files, listed } = await collect(workspace, inputs)
    expect(namesIn(files)).toEqual(['r.jsonl'])
    expect(namesIn(listed)).toEqual(['b/r.jsonl'])
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
