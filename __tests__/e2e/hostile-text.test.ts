/** Text from outside that would like to act: none of it becomes a command, a mask, markup or a flood. */
import { describe, expect, it } from '@jest/globals'
import {
  rawFault,
  redirectFault,
  statusFault,
  type Fault,
  type Simulator,
} from '../../simulator/index.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'
import {
  checkWithSha256sum,
  FILE,
  makeLine,
  makeRelease,
  notarize,
  readLines,
  readSummary,
  secretsOf,
  sha256,
  startService,
  toJsonLines,
  type CheckedRun,
} from './support.ts'

/** Text that acts in a log, a terminal or a summary, or that looks like the end of something. */
const hostileTexts: readonly string[] = [
  '::error::forged',
  ' \t ::warning file=a,line=1::forged',
  '::add-mask::registered',
  '::set-output name=verdict::registered',
  '::stop-commands::forged',
  'x ##[error]forged',
  '##[add-mask]registered',
  '####[error][error]forged',
  'x%0A::error::forged%0D%0A##[error]forged',
  'x\n::error::forged',
  'x\r::error::forged',
  'x\r\n::add-mask::registered\r\n',
  'x\u2028::error::forged\u2029##[error]forged',
  'x\u0085::error::forged\u000b::error::forged\u000c::error::forged',
  '\u001b[31mred\u001b[0m\u001b]0;title\u0007\u001b[2J\u001b[1A',
  '\u009b31mred\u0090x\u009c',
  'safe\u202egpj.exe\u2066\u2067x\u2069',
  'a\u200bb\u200d\u2060\ufeffc\u00ad\u{e0041}',
  '|a|b|\n|-|-|\n|c|d|',
  'x\n```\n# NOTARIZED\n```sh',
  '<img src=x onerror=alert(1)>',
  '</code></td></tr></table><h1>forged</h1>',
  '<!-- x --> <!--',
  '&lt;b&gt;&#60;b&#62;&amp;',
  '[x](javascript:alert(1)) ![x](https://evil.example/x.png)',
  '[x]: javascript:alert(1)',
  '**x** __x__ ~~x~~ # x @octocat octo/app#1',
  '\'; $(id) `id` ${IFS} \\ "END"\nEND\n',
  '${{ secrets.KEY }}',
]

/** What a run must not show whatever it met; much is checked for every run already. */
function expectHarmless(run: CheckedRun, service: Simulator): void {
  const known = new Set(secretsOf(service).flatMap(secret => [secret, ...secret.split('.')]))
  expect(run.masks.filter(mask => !known.has(mask))).toEqual([])
  const { error, warning, notice } = run.annotations
  // A list of records that is too long for an output gets a warning of ours.
  const ours = [run.exitCode ?? 0, run.results.records === null ? 1 : 0, 0]
  expect([error.length, warning.length, notice.length]).toEqual(ours)
  for (const { properties } of run.commands) expect(properties).toEqual({})

  // No flood.
  expect(Math.max(...run.lines.map(line => line.length))).toBeLessThan(4500)
  expect(run.lines.length).toBeLessThan(200)

  // Within the table nothing is left that Markdown knows, and no character that is not seen.
  const [table = ''] = /<table>.*<\/table>/s.exec(run.summary) ?? []
  expect(table.replaceAll(/<[^<>]*>/g, '')).not.toMatch(/[`|[\]*~@]/)
  const unseen = /[\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/
  for (const text of [run.stdout, run.summary]) expect(text).not.toMatch(unseen)
}

/** An artifact for each text, which is its name as well: the number keeps them apart, and a slash would make folders. */
const files = hostileTexts.map((text, index) => {
  const name = `${text.replaceAll('/', '\u2215')}${index}`
  return { text, name, content: `content of ${name}`, hash: sha256(`content of ${name}`) }
})
const makeHostileRelease = (): Workspace =>
  makeRelease(Object.fromEntries(files.map(({ name, content }) => [name, content])))
const hostileOf = (hash: string | undefined): string =>
  files.find(file => file.hash === hash)?.text ?? ''
const sortedArtifacts = files.map(({ name }) => `dist/${name}`).sort((a, b) => Number(a > b) || -1)

describe('names of files', () => {
  it('do nothing, and stay exact in outputs, records and checksums', async () => {
    const service = await startService()
    const run = await notarize({ service, workspace: makeHostileRelease() })
    expectHarmless(run, service)
    expect(run.results.records?.map(({ artifact }) => artifact)).toEqual(sortedArtifacts)
    expect(new Set(readLines(run).map(({ artifact }) => artifact))).toEqual(
      new Set(sortedArtifacts),
    )
    expect(checkWithSha256sum(run)).toHaveLength(files.length)
    // Each has one line of its own in the log, and one row in the summary.
    expect(run.lines.filter(line => /^\S+ registered: "/u.test(line))).toHaveLength(files.length)
    const shown = readSummary(run.summary).rows.map(([, name]) => name)
    expect(shown).toContain('dist/<img src=x onerror=alert(1)>20')
  })

  it('are cut where they are shown, however long, and exact in the records file', async () => {
    const service = await startService()
    const names = ['x', '##[error]'].map(text => text.repeat(100_000 / text.length))
    const SUMS = names.map(name => `${sha256(name)}  ${name}\n`).join('')
    const inputs = { path: '', checksums: 'SUMS' }
    const run = await notarize({ service, workspace: makeWorkspace({ SUMS }), inputs })
    expectHarmless(run, service)
    expect(new Set(readLines(run).map(({ artifact }) => artifact))).toEqual(new Set(names))
    expect(run.stdout).toMatch(/x… \[cut, 100000 characters\]/)
    expect(run.stdout.length + run.summary.length).toBeLessThan(20_000)
  })

  it('do nothing as patterns, and as the path of the records file', async () => {
    const service = await startService()
    const patterns = hostileTexts.map(text => text.replaceAll(/[\r\n]/g, ' ').trim())
    const path = ['dist', ...patterns.filter(text => !/^[!#]/.test(text))].join('\n')
    const recordsPath = '<img src=x onerror=alert(1)>|`x` ##[error]::error::x.jsonl'
    const inputs = { path, 'if-no-files-found': 'ignore', 'records-path': recordsPath }
    const run = await notarize({ service, inputs })
    expect(run.results.verdict).toBe('registered')
    expectHarmless(run, service)
    const stopped = await notarize({
      service,
      inputs: { path: '##[error]forged%0A::add-mask::registered' },
    })
    expect(stopped.results.verdict).toBe('stopped')
    expectHarmless(stopped, service)
  })
})

describe('text of the service', () => {
  const answers: readonly ((text: string) => Fault)[] = [
    text => statusFault(409, { body: { message: text } }),
    text => statusFault(422, { body: text }),
    text => rawFault(JSON.stringify([text])),
    text => redirectFault(`https://evil.example/?${encodeURIComponent(text)}`),
  ]
  it('does nothing in a message, in what should be a record, and as the target of a redirect', async () => {
    const service = await startService({
      faults: ({ endpoint, hash, nthOfEndpoint }) =>
        endpoint === 'completion' ? answers[nthOfEndpoint % 4]?.(hostileOf(hash)) : undefined,
    })
    const run = await notarize({ service, workspace: makeHostileRelease() })
    expectHarmless(run, service)
    expect(run.results.failures.map(({ artifact }) => artifact)).toEqual(sortedArtifacts)
    expect(
      run.lines.filter(line =>
        /^\S+ (not registered|may be registered|known to the service): "/u.test(line),
      ),
    ).toHaveLength(files.length)
  })

  it('does nothing in a record, and stays exact in output and line', async () => {
    const service = await startService({
      record: hash => {
        const text = `${hostileOf(hash)}\u0000::error::forged\ud800`
        const texts = { description: text, txHash: text, txId: text, blockchainType: text }
        return { ...texts, tags: [text], payload: { [text]: [text] }, [text]: text }
      },
    })
    const run = await notarize({ service, workspace: makeHostileRelease() })
    expectHarmless(run, service)
    expect(run.results.records ?? readLines(run)).toHaveLength(files.length)
    for (const { hash, record } of [...(run.results.records ?? []), ...readLines(run)]) {
      expect(record).toEqual(service.registered.get(hash))
    }
  })

  it('does nothing in a record that contradicts its request, now and in the next run', async () => {
    const service = await startService({
      record: hash => ({
        hash: hostileOf(hash),
        status: hostileOf(hash),
        custody: hostileOf(hash),
      }),
    })
    const workspace = makeHostileRelease()
    for (let count = 0; count < 2; count++) {
      const run = await notarize({ service, workspace })
      expectHarmless(run, service)
      expect(run.results.failures).toHaveLength(files.length)
    }
    expect(service.completionCounts.size).toBe(files.length)
  })

  it('of 100 kB is cut where it is shown, and exact in the records file', async () => {
    const pieces = ['A', '::error::', '##[error]', '<b>|`', '\u202e', '\n']
    const kinds = ['refused', 'contradicting', 'registered'] as const
    const made = pieces.flatMap((piece, index) =>
      kinds.map(kind => ({
        kind,
        name: `${index} ${kind}`,
        long: piece.repeat(1e5 / piece.length),
      })),
    )
    const find = (hash = '') => made.find(({ name }) => sha256(name) === hash)
    const service = await startService({
      faults: ({ hash }) => {
        const { kind, long = '' } = find(hash) ?? {}
        return kind === 'refused' ? statusFault(404, { body: long }) : undefined
      },
      record: hash => {
        const { kind, long = '' } = find(hash) ?? {}
        return kind === 'registered'
          ? { txId: long, blockchainType: long }
          : { status: long, hash: long }
      },
    })
    const workspace = makeRelease(Object.fromEntries(made.map(({ name }) => [name, name])))
    const run = await notarize({ service, workspace })
    expectHarmless(run, service)
    expect(run.stdout.length + run.summary.length).toBeLessThan(300_000)
    expect(readSummary(run.summary).rows.flat().join('\n')).toMatch(/cut, \d+ characters/)
    for (const { message } of run.results.failures) expect(message.length).toBeLessThan(2_500)
    for (const { hash, record } of readLines(run))
      expect(record).toEqual(service.registered.get(hash))
  })
})

it('text in the records file does nothing where a line has problems, or breaks the rules', async () => {
  const service = await startService()
  const workspace = makeHostileRelease()
  const lines = files.map(({ text, content }) =>
    makeLine(service.url, content, { artifact: text, problems: [text, 'x'.repeat(100_000)] }),
  )
  workspace.write(FILE, toJsonLines(lines))
  const withProblems = await notarize({ service, workspace })
  expectHarmless(withProblems, service)
  expect(withProblems.results.failures).toHaveLength(files.length)

  const broken = lines.map(line => {
    const status = `${line.artifact}${'x'.repeat(50_000)}`
    return { ...line, problems: [], record: { ...line.record, status, hash: line.artifact } }
  })
  workspace.write(FILE, toJsonLines(broken.toReversed()))
  const stopped = await notarize({ service, workspace })
  expectHarmless(stopped, service)
  expect(stopped.results.verdict).toBe('stopped')
})
