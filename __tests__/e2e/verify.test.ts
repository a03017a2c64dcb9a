/**
 * The verify action, end to end: the committed bundle checks artifacts against records that real runs of the main action
 * wrote. Each run without a release is made where any use of the network would be seen on stderr.
 */
import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import type { Simulator } from '../../simulator/index.ts'
import type { AssetSeed, FakeGitHub, GitHubOptions, ReleaseSeed, Route } from '../support/github.ts'
import { checkFinishedRun, filesBelow } from '../support/finished-run.ts'
import { readVerifyOutputs } from '../support/outputs.ts'
import type { VerifyOutputs } from '../support/outputs.ts'
import { runAction, startAction } from '../support/runner.ts'
import type { ActionRun, RunOptions } from '../support/runner.ts'
import { job } from '../support/runner-environment.ts'
import { makeWorkspace } from '../support/workspace.ts'
import type { Workspace } from '../support/workspace.ts'
import { RECORDS, startRelease, TAG } from './release-support.ts'
import {
  makeLine,
  makeRecord,
  makeRelease,
  notarize,
  readSummary,
  sha256,
  startService,
  toJsonLines,
} from './support.ts'

/** Names, FIFOs and signals as POSIX has them. */
const onPosix = process.platform === 'win32' ? it.skip : it
const onLinux = process.platform === 'linux' ? it : it.skip

/** Writes every connection, datagram and name look-up to stderr, before it is made. */
const tripwire = `data:text/javascript,${encodeURIComponent(`
  import dgram from 'node:dgram'
  import dns from 'node:dns'
  import net from 'node:net'
  const watch = (object, name) => {
    const real = object[name]
    object[name] = function (...given) {
      process.stderr.write('network: ' + name + '\\n')
      return real.apply(this, given)
    }
  }
  watch(net.Socket.prototype, 'connect')
  watch(dgram.Socket.prototype, 'send')
  watch(dns, 'lookup')
`)}`

/** A run that passed what holds for every one, with its outputs read. */
type VerifyRun = ActionRun & { readonly outcome: VerifyOutputs }

interface Scenario extends RunOptions {
  readonly workspace: Workspace
  /** The run was cancelled: it fails whatever it found. */
  readonly isCancelled?: boolean
}

/** The options of a run of the verify action, for `dist` and the service of this file unless an input says otherwise. */
function optionsOf({ inputs = {}, ...options }: Scenario): RunOptions {
  return {
    actionFile: 'verify/action.yml',
    nodeArguments: ['--import', tripwire],
    ...options,
    inputs: { path: 'dist', 'base-url': service.url, ...inputs },
  }
}

/** Runs the verify action and applies what holds for every run. */
async function verify(scenario: Scenario): Promise<VerifyRun> {
  const before = filesOf(scenario.workspace)
  const run = await runAction(optionsOf(scenario))
  // Nothing is written but to the files of the runner, and a records file least of all.
  expect(filesOf(scenario.workspace)).toEqual(before)
  return checkRun(run, scenario)
}

function checkRun(run: ActionRun, { inputs = {}, isCancelled = false }: Scenario): VerifyRun {
  const requiresAll = inputs['require-all'] === 'true'
  checkFinishedRun(run, { secrets: run.masks, requiresAll, mustFail: isCancelled })
  return { ...run, outcome: readVerifyOutputs(run) }
}

/** All files of a workspace but those for the runner and the results that did not fit into the output; long ones by size and time only. */
function filesOf({ root, temp }: Workspace): Readonly<Record<string, string>> {
  const ofRunner = /_runner_file_commands|verification-results\.json$/
  const files = [root, temp].flatMap(filesBelow).filter(file => !ofRunner.test(file))
  return Object.fromEntries(
    files.map(file => {
      const { size, mtimeMs } = statSync(file)
      return [file, size > 1_000_000 ? `${size} ${mtimeMs}` : readFileSync(file, 'latin1')]
    }),
  )
}

/** Each artifact with its state, in the order of the outputs. */
function statesOf({ outcome }: VerifyRun): readonly string[] {
  return (outcome.results ?? []).map(({ artifact, state }) => `${artifact} ${state}`)
}

/** The counts: matched, altered, unknown, missing. */
function countsOf({ outcome }: VerifyRun): readonly number[] {
  const names = ['matched', 'altered', 'unknown', 'missing'] as const
  return names.map(name => outcome[`${name}-count`])
}

const one = { 'app.zip': 'app of one', 'lib/core.tgz': 'core', empty: '', 'twin.zip': 'app of one' }
const two = { 'app.zip': 'app of two', 'extra.bin': 'extra' }
const commitOne = job.sha
const commitTwo = 'c0ffee0000000000000000000000000000000002'

/** What runs of the main action for two commits recorded. */
const records = { one: '', two: '', checksums: '' }
let service: Simulator

beforeAll(async () => {
  service = await startService()
  const first = makeRelease(one)
  const run = await notarize({ service, workspace: first })
  records.one = first.read(RECORDS)
  records.checksums = run.files.readChecksums() ?? ''
  const second = makeRelease(two)
  await notarize({ service, workspace: second, env: { GITHUB_SHA: commitTwo } })
  records.two = second.read(RECORDS)
})

/** A workspace with these files below `dist`, and records. */
function makeDeploy(files: Readonly<Record<string, string>>, lines = records.one): Workspace {
  const workspace = makeRelease(files)
  workspace.write(RECORDS, lines)
  return workspace
}

const evil = (name: string): Readonly<Record<string, string>> => ({ ...one, [name]: 'evil' })
const requireAll = { 'require-all': 'true' } as const
const sumsOnly = { path: '', checksums: 'sums' } as const

describe('what is checked against the records', () => {
  it('matches, and log, outputs, summary and exit code say so, with service and time', async () => {
    const run = await verify({ workspace: makeDeploy(one) })

    expect(run.exitCode).toBe(0)
    expect(countsOf(run)).toEqual([4, 0, 0, 0])
    expect(run.outcome.results?.[0]).toEqual({
      ...{ artifact: 'dist/app.zip', size: 10, hash: sha256('app of one') },
      ...{ state: 'matched', message: '' },
      recorded: {
        ...{ artifact: 'dist/app.zip', hash: sha256('app of one') },
        ...{ service: service.url, sha: commitOne },
        record: service.registered.get(sha256('app of one')),
      },
    })
    const { verdict, titles, rows } = readSummary(run.summary)
    expect(verdict).toBe('## ✅ VERIFIED: 4 of 4 artifacts match their notarization records')
    expect(titles).toEqual([
      ...['State', 'Artifact', 'Size', 'SHA-256'],
      ...['Registered at (UTC)', 'Service', 'Blockchain'],
    ])
    const core = z
      .looseObject({ creationDate: z.number() })
      .parse(service.registered.get(sha256('core')))
    const registered = new Date(core.creationDate).toISOString().slice(0, 19).replace('T', ' ')
    expect(rows.filter(([, name]) => name === 'dist/lib/core.tgz')).toEqual([
      [
        ...['✅ matched', 'dist/lib/core.tgz', '4 B', sha256('core')],
        ...[registered, service.url, 'ALGORAND'],
      ],
    ])
    expect(run.lines).toContain(`matched: "dist/empty" (0 B, ${sha256('')})`)
    expect(run.lines).toContain(`Checked against 3 records of "${service.url}"`)
    expect(run.annotations).toEqual({ error: [], warning: [], notice: [] })
  })

  type Given = Partial<Scenario> & {
    readonly files?: Readonly<Record<string, string>>
    readonly lines?: string
  }

  it.each<[string, () => Given, readonly string[], readonly number[]]>([
    [
      'under other names, from elsewhere, matches',
      () => {
        const elsewhere = makeWorkspace({ 'kept/all.jsonl': records.one })
        const workspace = makeWorkspace({ 'downloads/renamed.zip': 'app of one' })
        const inputs = { path: 'downloads', records: elsewhere.path('kept/all.jsonl') }
        return { workspace, inputs }
      },
      ['downloads/renamed.zip matched'],
      [1, 0, 0, 2],
    ],
    [
      'is hidden only where a pattern names it',
      () => ({
        files: { empty: '', '.env': 'hidden', '.well/known': 'hidden' },
        inputs: { path: 'dist\ndist/**/.*' },
      }),
      ['dist/.env unknown', 'dist/.well/known unknown', 'dist/empty matched'],
      [1, 0, 2, 2],
    ],
    [
      'matches without any variable of the platform but the files of the step',
      () => {
        const gone = ['REPOSITORY', 'SHA', 'REF', 'RUN_ID', 'SERVER_URL', 'API_URL', 'EVENT_PATH']
        const env = Object.fromEntries(gone.map(name => [`GITHUB_${name}`, undefined]))
        return { files: { 'app.zip': 'app of one' }, env }
      },
      ['dist/app.zip matched'],
      [1, 0, 0, 2],
    ],
    [
      'is missing only where a record of the commit has no artifact',
      () => ({
        files: two,
        lines: records.one + records.two,
        inputs: { sha: commitTwo, ...requireAll },
      }),
      ['dist/app.zip matched', 'dist/extra.bin matched'],
      [2, 0, 0, 0],
    ],
    [
      'stands in checksums of the main action, and need not be here',
      () => ({
        workspace: makeWorkspace({ sums: records.checksums, [RECORDS]: records.one }),
        inputs: { ...sumsOnly, ...requireAll },
      }),
      ['app.zip', 'empty', 'lib/core.tgz', 'twin.zip'].map(name => `dist/${name} matched`),
      [4, 0, 0, 0],
    ],
  ])('%s', async (_, given, states, counts) => {
    const { files = {}, lines, workspace = makeDeploy(files, lines), ...options } = given()
    const run = await verify({ workspace, ...options })
    expect(statesOf(run)).toEqual(states)
    expect(countsOf(run)).toEqual(counts)
  })

  it('with two hashes stops the run', async () => {
    const workspace = makeDeploy({ 'app.zip': 'app of one' })
    workspace.write('sums', `${sha256('evil')}  dist/app.zip\n`)
    const run = await verify({ workspace, inputs: { checksums: 'sums' } })

    expect(run.outcome.verdict).toBe('stopped')
    const [error = ''] = run.annotations.error
    for (const part of ['dist/app.zip', sha256('evil'), sha256('app of one')])
      expect(error).toContain(part)
  })
})

describe('what is wrong', () => {
  it('is altered in one row, one log line and one error, with both hashes, service and time', async () => {
    const workspace = makeDeploy(evil('lib/core.tgz'))
    const run = await verify({ workspace, inputs: requireAll })

    expect(countsOf(run)).toEqual([3, 1, 0, 1])
    const { verdict, rows } = readSummary(run.summary)
    expect(verdict).toBe(
      '## ❌ NOT VERIFIED: 3 of 4 artifacts match; 1 altered, 0 unknown, 1 recorded but missing',
    )
    expect(run.summary).toContain('<b>Do not deploy.</b>')
    expect(rows).toHaveLength(4)
    const logged = run.lines.filter(line => /^(altered|missing): /.test(line))
    expect(logged).toHaveLength(1)
    const [error = '', ...more] = run.annotations.error
    expect(more).toEqual([])
    expect(error).toMatch(
      /^NOT VERIFIED: 3 of 4 .*The first: altered: "dist\/lib\/core\.tgz" .*another hash/,
    )
    const altered = run.outcome.results?.find(({ state }) => state === 'altered')
    for (const text of [logged[0], rows[0]?.join(' '), JSON.stringify(altered)]) {
      for (const part of [sha256('evil'), sha256('core'), service.url]) expect(text).toContain(part)
      expect(text).toMatch(/registered at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/)
    }
  })

  it('comes first in log and summary, the worst before the others; the outputs stay sorted', async () => {
    const files = { 'a.zip': 'new', 'app.zip': 'evil', empty: '', 'z.zip': 'newer' }
    const run = await verify({ workspace: makeDeploy(files), inputs: requireAll })

    expect(statesOf(run)).toEqual([
      ...['dist/a.zip unknown', 'dist/app.zip altered', 'dist/empty matched', 'dist/z.zip unknown'],
      ...['dist/app.zip missing', 'dist/lib/core.tgz missing'],
    ])
    const order = ['app.zip', 'a.zip', 'z.zip', 'lib/core.tgz', 'empty'].map(name => `dist/${name}`)
    expect(readSummary(run.summary).rows.map(([, name]) => name)).toEqual(order)
    const logged = run.lines.flatMap(
      line => /^(?:altered|unknown|missing|matched): "(.*?)"/.exec(line)?.[1] ?? [],
    )
    expect(logged).toEqual(order)
    expect(run.outcome.verdict).toBe('altered')
  })

  onLinux('is unknown, not altered, where it or its name cannot be read', async () => {
    const known = makeLine(service.url, 'memory', { artifact: 'dist/mem' })
    const workspace = makeDeploy(one, records.one + toJsonLines([known]))
    writeFileSync(Buffer.from(`${workspace.path('dist')}/f\xff`, 'latin1'), 'x')
    const inputs = { path: 'dist\n/proc/self/mem', ...requireAll }
    const run = await verify({ workspace, inputs })

    expect(countsOf(run)).toEqual([4, 0, 2, 1])
    expect(statesOf(run)).toContain('dist/f\\xFF unknown')
    expect(run.outcome.results?.[0]).toMatchObject({
      ...{ artifact: '/proc/self/mem', size: null, hash: null, state: 'unknown', recorded: null },
      message: expect.stringMatching(/read/),
    })
    expect(run.stdout + run.summary).not.toContain('nothing was sent')
  })
})

describe('a service that does not count', () => {
  it('is named in one warning, in log and summary', async () => {
    const lines = [makeLine(service.url, 'a'), makeLine('https://other.example', 'b')]
    const run = await verify({ workspace: makeDeploy({ a: 'a', b: 'b' }, toJsonLines(lines)) })

    expect(statesOf(run)).toEqual(['dist/a matched', 'dist/b unknown'])
    expect(run.annotations.warning).toEqual([
      expect.stringMatching(/^1 record of "https:\/\/other\.example" does not count/),
    ])
    expect(run.summary).toContain('not count')
  })
})

describe('the records files', () => {
  it('are found by patterns, each once, and are never artifacts, by whatever way they are found', async () => {
    const workspace = makeRelease({ ...one, 'extra.bin': 'extra' })
    workspace.write('records/one.jsonl', records.one)
    workspace.write('records/two.jsonl', records.two)
    workspace.write('records/old.jsonl', 'not for us')
    symlinkSync(workspace.path('records/two.jsonl'), workspace.path('dist/link.jsonl'))
    symlinkSync(workspace.path('records'), workspace.path('linked'))
    const patterns = 'records/*.jsonl\nrecords/one.*\n!**/old.jsonl'
    const path = '.\n!**/old.jsonl'
    const run = await verify({ workspace, inputs: { path, records: patterns, ...requireAll } })

    expect(countsOf(run)).toEqual([5, 0, 0, 1])
    expect(run.lines).toContain(`Checked against 5 records of "${service.url}"`)
  })

  it('with an incomplete end are read up to it, with a warning; its artifact is unknown', async () => {
    const lines = records.one.split(/(?<=\n)/).filter(line => line.includes('"record":'))
    const cut = lines.pop()?.slice(0, 200) ?? ''
    const run = await verify({ workspace: makeDeploy(one, [...lines, cut].join('')) })

    expect(run.outcome.verdict).toBe('unknown')
    expect(run.annotations.warning).toEqual([
      expect.stringMatching(/notarization-records\.jsonl.*incomplete/),
    ])
  })

  const damages: Readonly<Record<string, string>> = {
    'no JSON': 'garbage\n',
    'an empty line': '\n',
    'a record that breaks the rules': toJsonLines([
      makeLine('https://notary.example', 'forged', {
        record: { ...makeRecord(sha256('forged')), status: 'pending' },
      }),
    ]),
  }

  it('that are damaged stop the run, each by file and line', async () => {
    const workspace = makeRelease(one)
    for (const [name, line] of Object.entries(damages)) {
      workspace.write(`records/${name}.jsonl`, records.one + line + records.two)
    }
    const run = await verify({ workspace, inputs: { records: 'records' } })

    expect(run.outcome.verdict).toBe('stopped')
    const [error = '', ...more] = run.annotations.error
    expect(more).toEqual([])
    expect(error).toMatch(/^input "records": /)
    const line = records.one.split('\n').length
    for (const name of Object.keys(damages)) {
      expect(error).toContain(`"records/${name}.jsonl", line ${line} `)
    }
    expect(error.match(/, line \d+ /g)).toHaveLength(Object.keys(damages).length)
  })

  onPosix('of another kind are no records files, and nothing hangs', async () => {
    const workspace = makeDeploy(one)
    mkdirSync(workspace.path('folder'))
    expect(spawnSync('mkfifo', [workspace.path('fifo')]).status).toBe(0)
    symlinkSync('nowhere', workspace.path('link'))
    const run = await verify({
      workspace,
      inputs: { records: `${RECORDS}\nfolder\nfifo\nlink` },
    })

    expect(run.outcome.verdict).toBe('stopped')
    const [error = ''] = run.annotations.error
    for (const name of ['folder', 'fifo', 'link']) expect(error).toContain(`"${name}" matches no`)
  })
})

describe('hostile text', () => {
  const names = [
    '::error::forged',
    '##[error]forged',
    'x ##[add-mask]app',
    'a%0A::warning::b',
    'line\n::error::forged',
    'cr\r::set-output name=verdict::matched',
    'esc\u001b[2J\u0007bell',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '| cell | `code` | **bold**',
    '@octocat #1 &lt;b&gt;',
    '\u202egnp.exe\u200b',
    'ünï cödé 漢字 🎉',
    ' leading and trailing ',
    'quote"\'`$(id)',
  ]

  onPosix(
    'in file names is exact in the outputs and does nothing elsewhere, in each state',
    async () => {
      const contents = Object.fromEntries(names.map((name, index) => [name, `content ${index}`]))
      const recorded = makeRelease(contents)
      await notarize({ service, workspace: recorded })
      // Every third is as it was, every third is other bytes, and every third is not there.
      const here = names.flatMap((name, index) =>
        index % 3 === 2 ? [] : [[name, index % 3 === 0 ? `content ${index}` : 'evil'] as const],
      )
      const files = { ...Object.fromEntries(here), '::notice::new <b>': 'new' }
      const workspace = makeDeploy(files, recorded.read(RECORDS))
      const run = await verify({ workspace, inputs: requireAll })

      expect(run.masks).toEqual([])
      const expected = names.flatMap((name, index) => {
        const states = [['matched'], ['altered', 'missing'], ['missing']][index % 3] ?? []
        return states.map(state => `dist/${name} ${state}`)
      })
      expect(statesOf(run).toSorted()).toEqual(
        [...expected, 'dist/::notice::new <b> unknown'].toSorted(),
      )
      // One line for each, but for what is altered and missing at once; services, verdict and error.
      expect(run.lines).toHaveLength(names.length + 1 + 3)
    },
  )

  it('in records does nothing', async () => {
    const text = '</td></tr></table>\n\u2028::error::x ##[error]x <script>alert(1)</script>'
    const record = { blockchainType: text, description: text, [text]: text }
    const lines = [
      makeLine(text, 'a', {
        ...{ artifact: `dist/${text}/a`, record: { ...makeRecord(sha256('a')), ...record } },
      }),
      makeLine('https://notary.example', 'b', {
        artifact: text,
        record: { ...makeRecord(sha256('b')), creationDate: -1, blockchainType: 'x'.repeat(5000) },
        source: { ...makeLine('x', 'x').source, sha: text, ref: text },
      }),
    ]
    const workspace = makeDeploy({ a: 'a', c: 'c' }, toJsonLines(lines))
    const run = await verify({ workspace, inputs: { 'base-url': '', ...requireAll } })

    expect(run.outcome.results?.find(({ state }) => state === 'missing')).toMatchObject({
      ...{ artifact: text, recorded: { sha: text } },
    })
    expect(run.outcome.results?.[0]?.recorded?.record[text]).toBe(text)
    expect(run.annotations.error).toHaveLength(1)
  })

  onPosix('in damaged records and in inputs does nothing', async () => {
    const workspace = makeRelease({ a: 'a' })
    workspace.write('::error::r\n.jsonl', '{"artifact":"::error::x\\n"}\n##[error]x\n')
    const damaged = await verify({ workspace, inputs: { records: '*.jsonl' } })
    const inputs = {
      path: '##[error]x ::error::\u0007<b>',
      sha: '##[error]x',
      'require-all': '::error::x\r::error::y',
    }
    const wrong = await verify({ workspace, inputs })

    expect(damaged.annotations.error).toHaveLength(1)
    expect(wrong.annotations.error).toHaveLength(3)
  })

  it('with the value of a secret in it is in no output: the platform would drop it', async () => {
    const secret = 'hunter2hunter2'
    const line = makeLine(service.url, 'x', {
      record: { ...makeRecord(sha256('x')), description: Buffer.from(secret).toString('base64') },
    })
    const workspace = makeDeploy({ [`${secret}.zip`]: 'x' }, toJsonLines([line]))
    const options = optionsOf({ workspace, env: { https_proxy: `http://u:${secret}@127.0.0.1:9` } })
    const run = await runAction(options)

    expect(run.masks).toContain(secret)
    expect(run.outputs['verdict']).toBe('matched')
    const said = run.lines.filter(text => !text.startsWith('::add-mask::'))
    const shown = [...said, run.summary, ...Object.values(run.outputs)]
    const forms = [secret, Buffer.from(secret).toString('base64')]
    expect(shown.filter(text => forms.some(form => text.includes(form)))).toEqual([])
  })
})

describe('the limits of the platform', () => {
  it('leave the output results whole at 120,000 bytes, and empty it beyond, with a file that has all', async () => {
    const lineWith = (length: number): string =>
      toJsonLines([
        makeLine(service.url, 'big', {
          record: { ...makeRecord(sha256('big')), description: 'x'.repeat(length) },
        }),
      ])
    const workspace = makeDeploy({ big: 'big' }, lineWith(0))
    const small = await verify({ workspace })
    const room = 120_000 - (small.outputs['results']?.length ?? 0)
    workspace.write(RECORDS, lineWith(room))
    const full = await verify({ workspace })
    workspace.write(RECORDS, lineWith(room + 1))
    const over = await verify({ workspace })

    expect(full.outputs['results']).toHaveLength(120_000)
    expect(full.annotations.warning).toEqual([])
    expect(over.outcome).toMatchObject({ verdict: 'matched', results: null, 'matched-count': 1 })
    const [, path = ''] = /all results are in "(.*?)"/.exec(over.annotations.warning[0] ?? '') ?? []
    expect(path.startsWith(workspace.temp)).toBe(true)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject([{ state: 'matched' }])
    expect(over.summary.replaceAll('<wbr>', '')).toContain('verification-results.json')
  })

  it('hold for 4,000 artifacts: the summary is cut and counts the rest, the worst stays first', async () => {
    const names = Array.from({ length: 4_000 }, (_, index) => `${'漢'.repeat(60)} ${index}.zip`)
    const sums = names.map((name, index) => `${sha256(index === 3900 ? 'evil' : name)}  ${name}\n`)
    const lines = toJsonLines(names.map(name => makeLine(service.url, name)))
    const workspace = makeWorkspace({ sums: sums.join(''), [RECORDS]: lines })
    const run = await verify({ workspace, inputs: sumsOnly })

    expect(run.outcome).toMatchObject({ verdict: 'altered', results: null })
    expect(countsOf(run)).toEqual([3_999, 1, 0, 1])
    const { rows } = readSummary(run.summary)
    expect(rows[0]?.[1]).toBe(names[3900])
    const [, rest] = /(\d+) more artifacts are not shown/.exec(run.summary) ?? []
    expect(rows.length + Number(rest)).toBe(4_000)
    expect(run.summaryBytes).toBeGreaterThan(900_000)
  })

  it('cut a long name visibly, and keep it whole in the outputs', async () => {
    const name = `${'n'.repeat(4000)}.zip`
    const workspace = makeWorkspace({ sums: `${sha256('x')}  ${name}\n`, [RECORDS]: records.one })
    const run = await verify({ workspace, inputs: sumsOnly })

    expect(run.outcome.results?.[0]?.artifact).toBe(name)
    for (const text of [run.stdout, run.summary]) {
      expect(text).toContain('cut, 4004 characters')
      expect(text).not.toContain(name)
    }
  })
})

describe('bad input', () => {
  it.each<[string, Readonly<Record<string, string>>, readonly RegExp[]]>([
    [
      'nothing is named, and nothing else is right',
      {
        ...{ path: '', sha: '6dcb09b', 'require-all': 'yes', 'show-summary': '1' },
        ...{ 'base-url': 'http://notary.example', 'github-token': 'a b' },
      },
      [
        /"path" is empty .*"checksums" and "release-tag"/,
        /"base-url" must start with https/,
        /"sha" .*40 or 64 hex digits \(got "6dcb09b"\)/,
        /"require-all" must be true or false \(got "yes"\)/,
        /"show-summary" must be true or false \(got "1"\)/,
        /"github-token" must be one line/,
      ],
    ],
    [
      'patterns match nothing, or are none',
      { path: 'dist\nbuild/*', checksums: 'sums', records: 'a/../b' },
      [
        /"path": .*"build\/\*" matches no file/,
        /"checksums": .*"sums" matches no checksums file/,
        /"records": .*cannot be used/,
      ],
    ],
    ['the records are not there', { records: 'gone' }, [/"records": .*"gone" matches no/]],
    ['the records are excluded', { records: `!${RECORDS}` }, [/"records": there is no pattern/]],
    [
      'no record is of the commit that must be complete',
      { sha: 'd'.repeat(40), ...requireAll },
      [/"sha": no record that counts is of this commit/],
    ],
  ])('stops the run and names each input when %s', async (_, inputs, messages) => {
    const run = await verify({ workspace: makeDeploy(one), inputs })

    expect(run.outcome.verdict).toBe('stopped')
    expect(run.annotations.error).toHaveLength(messages.length)
    for (const message of messages) {
      expect(run.annotations.error.filter(error => message.test(error))).toHaveLength(1)
    }
    expect(run.annotations.error.every(error => error.startsWith('input "'))).toBe(true)
    if (inputs['show-summary'] === undefined)
      expect(run.summary.match(/<li>/g)).toHaveLength(messages.length)
  })
})

describe('the summary', () => {
  it('can be left away; outputs and exit code stay', async () => {
    const workspace = makeDeploy({ 'app.zip': 'evil' })
    const run = await verify({ workspace, inputs: { 'show-summary': 'false' } })

    expect(run.summary).toBe('')
    expect(run.outcome.verdict).toBe('altered')
  })

  it('that cannot be written is a warning; outputs that cannot be written fail the run', async () => {
    const workspace = makeDeploy(one)
    const summary = await verify({ workspace, env: { GITHUB_STEP_SUMMARY: workspace.temp } })
    const outputs = await runAction(
      optionsOf({ workspace, env: { GITHUB_OUTPUT: join(workspace.temp, 'gone') } }),
    )

    expect(summary.exitCode).toBe(0)
    expect(summary.annotations.warning).toHaveLength(1)
    expect(outputs.exitCode).toBe(1)
    expect(outputs.annotations.error).toHaveLength(1)
    expect(outputs.stderr).toBe('')
  })
})

describe('the network', () => {
  it('is not used: not for the service of the records, not for a proxy, not for GitHub', async () => {
    const requests = service.requests.length
    const run = await verify({
      workspace: makeDeploy(one),
      inputs: { 'github-token': 'ghs_tokenThatIsNotNeeded', sha: commitOne },
      env: { https_proxy: service.url, http_proxy: service.url, GITHUB_API_URL: service.url },
    })

    // The tripwire says nothing, as in every run of this file.
    expect(run.stderr).toBe('')
    expect(run.masks).toEqual(['ghs_tokenThatIsNotNeeded'])
    expect(service.requests).toHaveLength(requests)
  })

  it('would have been seen', async () => {
    const github = await startRelease([])
    const run = await runAction(
      optionsOf({
        workspace: makeDeploy(one),
        inputs: { 'release-tag': TAG, 'github-token': github.token },
        env: { GITHUB_API_URL: github.url },
      }),
    )

    expect(run.stderr).toMatch(/^network: connect$/m)
  })
})

/** A deploy job that knows only the release. */
async function verifyRelease(
  assets: readonly AssetSeed[],
  {
    inputs = {},
    files = {},
    ...options
  }: GitHubOptions & {
    readonly inputs?: Scenario['inputs']
    readonly files?: Readonly<Record<string, string>>
    readonly release?: Partial<ReleaseSeed>
  } = {},
): Promise<VerifyRun> {
  const github = await startRelease(assets, options)
  const scenario = {
    workspace: makeWorkspace(files),
    inputs: { path: '', 'release-tag': TAG, 'github-token': github.token, ...inputs },
    env: { GITHUB_API_URL: github.url },
    nodeArguments: [],
  }
  const run = await verify(scenario)
  checkGitHub(run, github)
  return run
}

/** The token goes to the API only, where nothing is changed. */
function checkGitHub(run: ActionRun, { token, calls, mistakes }: FakeGitHub): void {
  expect(run.masks).toEqual([token])
  expect(calls.map(({ method }) => method).filter(method => method !== 'GET')).toEqual([])
  expect(mistakes).toEqual([])
}

describe('a release', () => {
  const app: AssetSeed = { name: 'app.zip', content: 'app of one' }
  const core: AssetSeed = { name: 'core.tgz', content: 'core' }
  const empty: AssetSeed = { name: 'empty', content: '' }
  const attached = (): AssetSeed => ({ name: RECORDS, content: records.one })
  const checksums: AssetSeed = { name: 'notarization-checksums.txt', content: 'x' }

  type Options = NonNullable<Parameters<typeof verifyRelease>[1]>

  it.each<[string, () => readonly AssetSeed[], () => Options, readonly string[]]>([
    [
      'is checked against its attached records, asset by asset; those are no artifacts',
      () => [app, core, empty, attached(), checksums],
      () => ({ inputs: requireAll }),
      ['app.zip matched', 'core.tgz matched', 'empty matched'],
    ],
    [
      'as a draft, whose digests are not known, is read as a stream',
      () => [app, core, attached()],
      () => ({ release: { draft: true }, givesDigests: false, tags: {} }),
      ['app.zip matched', 'core.tgz matched'],
    ],
    [
      'is checked against the records file that is here, if one is',
      () => [app, attached()],
      () => ({ files: { [RECORDS]: records.two } }),
      ['app.zip altered'],
    ],
    [
      'shows an asset that is not the good file here',
      () => [{ ...app, content: 'evil' }, attached()],
      () => ({ files: { 'dist/app.zip': 'app of one' }, inputs: { path: 'dist' } }),
      ['app.zip altered', 'dist/app.zip matched'],
    ],
  ])('%s', async (_, assets, options, states) => {
    expect(statesOf(await verifyRelease(assets(), options()))).toEqual(states)
  })

  it.each<[string, () => readonly AssetSeed[], Options, RegExp]>([
    ['without records', () => [app], {}, /^input "records"/],
    ['without artifacts', () => [attached()], {}, /no artifact was found/],
    [
      'whose records are not those that were named',
      () => [app, attached()],
      { inputs: { records: 'mine.jsonl' } },
      /^input "records".*"mine\.jsonl"/,
    ],
    [
      'whose records file has gone',
      () => [app, attached()],
      { faults: [{ route: 'storage', fault: { kind: 'status', status: 404 } }] },
      /^input "release-tag".*records.*404/,
    ],
    [
      'with damaged records',
      () => [app, { name: RECORDS, content: `garbage\n${records.one}` }],
      {},
      /^input "records": .*release.*line 1 /,
    ],
  ])('%s stops the run, and a whole sentence says so', async (_, assets, options, why) => {
    const run = await verifyRelease(assets(), options)

    expect(run.outcome.verdict).toBe('stopped')
    expect(run.annotations.error).toEqual([expect.stringMatching(why)])
  })
})

describe('a cancelled run', () => {
  /** Starts a run, and interrupts it as soon as `isReady` says so. */
  async function interrupt(
    scenario: Scenario,
    isReady: (output: string) => boolean,
  ): Promise<VerifyRun> {
    const started = startAction(optionsOf({ timeoutMs: 15_000, ...scenario }))
    let output = ''
    let isSent = false
    started.child.stdout.on('data', (text: string) => {
      output += text
      if (isSent || !isReady(output)) return
      isSent = true
      started.child.kill('SIGINT')
    })
    return checkRun(await started.finished, scenario)
  }

  onPosix('that hashes ends at once, with outputs and summary, and is no success', async () => {
    const workspace = makeDeploy({ huge: '' })
    // Nothing but a hole, which takes no room and half a minute.
    truncateSync(workspace.path('dist/huge'), 64 * 1024 ** 3)
    const inputs = { 'github-token': 'ghs_0123456789abcdef' }
    const run = await interrupt({ workspace, inputs, isCancelled: true }, output =>
      output.includes('::add-mask::'),
    )

    // Whether it hashed already, or still looked for files.
    expect(run.outcome.verdict).toMatch(/^(unknown|stopped)$/)
    expect(statesOf(run)).toEqual(run.outcome.verdict === 'unknown' ? ['dist/huge unknown'] : [])
    expect(run.annotations.error.at(-1)).toMatch(/cancelled/)
    expect(run.durationMs).toBeLessThan(10_000)
  })

  onPosix('among small files, which are hashed in one turn, is no success either', async () => {
    const names = Array.from({ length: 1_500 }, (_, index) => `file ${index}`)
    const files = Object.fromEntries(names.map(name => [name, name]))
    const lines = toJsonLines(names.map(name => makeLine(service.url, name)))
    const inputs = { 'github-token': 'ghs_0123456789abcdef' }
    const scenario = { workspace: makeDeploy(files, lines), inputs, isCancelled: true }
    const run = await interrupt(scenario, output => output.includes('::add-mask::'))

    expect(run.exitCode).toBe(1)
    expect(run.outcome.verdict).not.toBe('matched')
  })

  onPosix.each<[string, Route]>([
    ['the list of releases', 'list-releases'],
    ['its attached records', 'storage'],
  ])('that waits for a GitHub which is silent about %s ends within 5 s', async (_, route) => {
    const assets = [
      { name: 'app.zip', content: 'app of one' },
      { name: RECORDS, content: records.one },
    ]
    const seen = Promise.withResolvers<null>()
    const github = await startRelease(assets, {
      // A draft is not found by its tag, but in the list.
      release: { draft: route === 'list-releases' },
      faults: [{ route, fault: { kind: 'silence' } }],
      onCall: call => {
        if (call.route === route) seen.resolve(null)
      },
    })
    const scenario = {
      workspace: makeWorkspace(),
      inputs: { path: '', 'release-tag': TAG, 'github-token': github.token },
      env: { GITHUB_API_URL: github.url },
      nodeArguments: [],
    }
    // The runner kills it after 10 s, and nobody would learn what it had found.
    const started = startAction(optionsOf({ ...scenario, timeoutMs: 10_000 }))
    await Promise.race([seen.promise, started.finished])
    started.child.kill('SIGINT')
    const run = checkRun(await started.finished, scenario)

    expect(run.outcome.verdict).toBe('stopped')
    expect(run.durationMs).toBeLessThan(9_000)
  })
})
