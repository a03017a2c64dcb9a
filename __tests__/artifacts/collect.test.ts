import { execFileSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from '@jest/globals'
import { collectArtifacts } from '../../src/artifacts/collect.ts'
import type { CollectedArtifacts, CollectInputs } from '../../src/artifacts/collect.ts'
import { cleanUp } from '../support/clean-up.ts'
import '../support/realms.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'
import { hostIn } from './host.ts'

const hash = '0123456789abcdef'.repeat(4)
const other = 'fedcba9876543210'.repeat(4)
const onPosix = process.platform === 'win32' ? it.skip : it
const onLinux = process.platform === 'linux' ? it : it.skip
const policies = ['error', 'warn', 'ignore'] as const

afterAll(cleanUp)

type Inputs = Partial<CollectInputs> & { readonly recordsPath?: string }

function collect(workspace: Workspace, options: Inputs): Promise<CollectedArtifacts> {
  const { recordsPath = 'notarization-records.jsonl', ...inputs } = options
  const all = { path: '', checksums: '', ifNoFilesFound: 'error', ...inputs } as const
  return collectArtifacts(all, hostIn(workspace.root), { skip: [workspace.path(recordsPath)] })
}

const namesIn = (named: readonly { readonly name: string }[]): readonly string[] =>
  named.map(({ name }) => name)

const countsOf = ({ counts }: CollectedArtifacts): readonly string[] =>
  counts.map(({ input, text, count }) => `${input} ${text}: ${count}`)

describe('collecting the artifacts of path and checksums', () => {
  it('returns files and checksums entries, counted for each pattern', async () => {
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
    const counts = ['path a: 1', 'path [ab]: 2', 'checksums s1: 2', 'checksums s*: 3']
    expect(countsOf(collected)).toEqual(counts)
  })

  it('reports a problem that names the input and the pattern if a pattern cannot be used', async () => {
    const workspace = makeWorkspace({ a: '', s: `${hash}  x\n` })
    const { problems } = await collect(workspace, { path: 'a\n../b', checksums: 's\n!' })
    expect(problems).toMatchObject([
      { input: 'path', message: expect.stringMatching(/^input "path": .*"\.\.\/b"/) },
      { input: 'checksums', message: expect.stringMatching(/^input "checksums": .*"!"/) },
    ])
  })

  it.each([{ path: '!a' }, { checksums: '# s' }])(
    'reports a problem under every policy if no pattern includes anything: %j',
    async inputs => {
      for (const ifNoFilesFound of policies) {
        const { problems } = await collect(makeWorkspace({ a: '' }), { ...inputs, ifNoFilesFound })
        expect(problems).toMatchObject([{ message: expect.stringContaining('no pattern') }])
      }
    },
  )
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

  it.each([
    ['path', { path: 'dist/*\nno/*\ndist/a.txt/x' }, ['no/*', 'dist/a.txt/x']],
    ['path', { path: 'dist/*\n!dist/*.txt' }, ['dist/*']],
    ['path', { path: 'dist/*\n!no' }, []],
    ['path', { path: 'own/*.jsonl', checksums: 'sums/good.txt' }, ['own/*.jsonl']],
    ['checksums', { path: 'dist/*', checksums: 'no/*' }, ['no/*']],
    ['checksums', { checksums: 'sums/*' }, ['sums/empty.txt', 'sums/comments.txt']],
    ['checksums', { checksums: 'own/list' }, ['own/list']],
  ] as const)(
    'applies to each pattern: the input %s of %j finds nothing for %j',
    async (input, inputs, unmatched) => {
      const asError = await collect(workspace, inputs)
      const message = asError.problems.map(problem => problem.message).join('\n')
      expect(asError.warnings).toEqual([])
      expect(message.split('\n')).toHaveLength(1)
      expect(message).toMatch(unmatched.length === 0 ? /^$/ : RegExp(`^input "${input}": `))
      for (const name of unmatched) expect(message).toContain(`"${name}"`)
      expect(message).not.toContain('"sums/good.txt"')

      const asWarning = await collect(workspace, { ...inputs, ifNoFilesFound: 'warn' })
      expect(asWarning).toMatchObject({ problems: [], warnings: { length: unmatched.length } })
      for (const warning of asWarning.warnings) expect(warning).toMatch(`input "${input}": `)

      const ignored = await collect(workspace, { ...inputs, ifNoFilesFound: 'ignore' })
      expect(ignored).toMatchObject({ problems: [], warnings: [] })
    },
  )

  onPosix('applies to a pattern that matches only skipped files', async () => {
    const withPipe = makeWorkspace({ a: '' })
    execFileSync('mkfifo', [withPipe.path('pipe')])
    const { problems, warnings } = await collect(withPipe, { path: 'a\npipe' })
    expect(problems).toMatchObject([{ message: expect.stringContaining('"pipe"') }])
    expect(warnings).toHaveLength(1)
  })
})

describe('a checksums file', () => {
  it('with invalid lines is a problem under every policy, and the message names file and line', async () => {
    const workspace = makeWorkspace({
      'sums/a.txt': `${hash}  x\nbad\n`,
      'sums/b.txt': `\n\nMD5 (x) = ${'a'.repeat(32)}\n`,
    })
    const both = /"sums\/a\.txt", line 2 .*"sums\/b\.txt", line 3 [^"]*$/
    for (const ifNoFilesFound of policies) {
      const { problems } = await collect(workspace, { checksums: 'sums', ifNoFilesFound })
      const message = expect.stringMatching(both)
      expect(problems).toEqual([{ input: 'checksums', message }])
    }
  })

  onLinux('that cannot be opened because its name is not valid UTF-8 is a problem', async () => {
    const workspace = makeWorkspace({ 'sums/bad-\ufffd': `${hash}  x\n` })
    for (const bad of ['bad-\xff', 'other-\xff']) {
      writeFileSync(Buffer.from(`${workspace.path('sums')}/${bad}`, 'latin1'), `${hash}  y\n`)
    }
    const { problems } = await collect(workspace, { checksums: 'sums' })
    const message = expect.stringMatching(/"sums\/bad-.* "sums\/other-/)
    expect(problems).toEqual([{ input: 'checksums', message }])
  })
})

describe('files that this action writes', () => {
  const records = ['notarization-records.jsonl', 'notarization-records-0123456789ab.jsonl']
  const own = [...records, 'notarization-records.jsonl.tmp', 'notarization-evidence.md']
  const others = ['my-notarization-evidence.md', 'notarization-records.txt']

  it('are never artifacts, in folders or in checksums files', async () => {
    const workspace = makeWorkspace()
    for (const name of [...own, ...others]) workspace.write(`d/${name}`, `${hash}  e/${name}\n`)
    const sums = [...own, ...others].map(name => `${hash}  d/${name}\n`)
    workspace.write('sums', sums.join(''))
    const collected = await collect(workspace, { path: 'd', checksums: 'sums\nd/*.jsonl\nd/*.md' })
    const message = expect.stringContaining('"d/*.jsonl" matches only files that this action')
    expect(collected).toMatchObject({ warnings: [], problems: [{ input: 'checksums', message }] })
    const files = others.map(name => `d/${name}`)
    expect(namesIn(collected.files)).toEqual(files)
    expect(namesIn(collected.listed)).toEqual(['e/my-notarization-evidence.md', ...files])
    expect(countsOf(collected)[0]).toBe('path d: 2')
  })

  it('include a records file with any name', async () => {
    const workspace = makeWorkspace({ 'd/r.jsonl': '', 'r.jsonl': '' })
    workspace.write('sums', `${hash}  ./d/r.jsonl\n${hash}  b/r.jsonl\n`)
    const inputs = { path: '**/*.jsonl', checksums: 'sums', recordsPath: 'd/r.jsonl' }
    const { files, listed } = await collect(workspace, inputs)
    expect(namesIn(files)).toEqual(['r.jsonl'])
    expect(namesIn(listed)).toEqual(['b/r.jsonl'])
  })

  onPosix('include a records file that is found through links', async () => {
    const workspace = makeWorkspace({ 'data/r.jsonl': '', a: '' })
    symlinkSync('data', workspace.path('alias'))
    symlinkSync('alias/r.jsonl', workspace.path('copy.txt'))
    for (const recordsPath of ['data/r.jsonl', 'alias/r.jsonl', 'copy.txt']) {
      const { files } = await collect(workspace, { path: '**', recordsPath })
      expect(namesIn(files)).toEqual(['a'])
    }
  })
})
