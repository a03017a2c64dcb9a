import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { z } from 'zod'
import { statusFault } from '../../simulator/index.ts'
import { readActionFile } from '../support/action-file.ts'
import { makeWorkspace } from '../support/workspace.ts'
import {
  API_KEY,
  checkTraffic,
  makeLine,
  makeRelease,
  notarize,
  readLines,
  readSummary,
  sha256,
  startService,
  subscription,
  toJsonLines,
} from './support.ts'

const FILE = 'notarization-records.jsonl'

describe('a partial failure', () => {
  it('is told in counts, failures, log and summary, and what succeeded is kept', async () => {
    const service = await startService({ requested: ['a', 'c'].map(sha256) })
    const workspace = makeRelease({ a: 'a', b: 'b', c: 'c' })
    const run = await notarize({ service, workspace })

    expect(run.exitCode).toBe(1)
    checkTraffic(service, { hashes: ['a', 'b', 'c'].map(sha256) })
    expect(run.results).toMatchObject({
      verdict: 'partial',
      records: [{ artifact: 'dist/a' }, { artifact: 'dist/c' }],
      failures: [
        { artifact: 'dist/b', size: 1, hash: sha256('b'), code: 'refused', registered: 'no' },
      ],
      'artifact-count': 3,
      'registered-count': 2,
      'newly-registered-count': 2,
      'failed-count': 1,
    })
    const { message } = run.results.failures[0] ?? { message: '' }
    expect(message).toMatch(/404.*hash was never requested/)
    // A refusal may mean that an earlier run has paid already.
    expect(message).toMatch(/registered by an earlier run whose records file is not here/)
    expect(run.annotations).toEqual({
      error: [expect.stringMatching(/1 of 3 .*dist\/b.*refused.*404/)],
      warning: [],
      notice: [],
    })
    expect(
      readLines(run)
        .map(({ artifact }) => artifact)
        .sort(),
    ).toEqual(['dist/a', 'dist/c'])

    const { verdict, rows } = readSummary(run.summary)
    expect(verdict).toMatch(/2 of 3 .*2 newly registered, 0 known before.*1 failed/)
    expect(rows.map(row => row[1])).toEqual(['dist/b', 'dist/a', 'dist/c'])
    expect(rows[0]?.[0]).toMatch(/not registered/)
    expect(rows[0]?.slice(-1)[0]).toMatch(/refused.*404/)
    expect(rows[0]).toContain(sha256('b'))
    expect(run.summary).toContain('sha256sum -c')
    expect(run.summary).not.toMatch(new RegExp(`${sha256('b')} {2}dist/b`))
    expect(run.summary).toContain(FILE)
    expect(run.visibleLog).toMatch(/FAILED.*dist\/b/)
  })

  it('of a file that cannot be read does not hold up the others', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    const inputs = { path: 'dist\n/proc/self/mem' }
    const run = await notarize({ service, workspace, inputs })

    expect(run.results).toMatchObject({
      verdict: 'partial',
      failures: [
        {
          artifact: '/proc/self/mem',
          size: null,
          hash: null,
          code: 'unreadable',
          registered: 'no',
        },
      ],
    })
    checkTraffic(service, { hashes: [sha256('a')] })
    expect(run.files.readChecksums()).toBe(`${sha256('a')}  dist/a\n`)
  })
})

describe('a total failure', () => {
  it('because of a wrong key is login-refused for all, after one login, with nothing sent', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a', b: 'b' })
    const apiKey = 'key_live_of_somebody_else'
    const run = await notarize({ service, workspace, inputs: { 'api-key': apiKey } })

    checkTraffic(service, { hashes: [], logins: 1, apiKey })
    expect(run.masks).toContain(apiKey)
    expect(run.results).toMatchObject({
      verdict: 'failed',
      records: [],
      failures: ['dist/a', 'dist/b'].map(artifact => ({
        artifact,
        code: 'login-refused',
        registered: 'no',
      })),
      'registered-count': 0,
      'failed-count': 2,
    })
    expect(run.annotations.error).toEqual([expect.stringMatching(/2 of 2 .*login-refused.*401/)])
    expect(run.annotations.error[0]).toContain('api-key')
    expect(readLines(run)).toEqual([])
    expect(readSummary(run.summary).verdict).toMatch(/0 of 2/)
    expect(run.summary).not.toContain('sha256sum -c')
  })

  it.each([
    [400, 'login-refused'],
    [403, 'login-refused'],
    [422, 'login-refused'],
    [404, 'invalid-response'],
    [302, 'invalid-response'],
    [501, 'unavailable'],
  ])(
    'because the login was answered %d is %s, and the login is not repeated',
    async (status, code) => {
      const faults = [{ endpoint: 'login' as const, fault: statusFault(status) }]
      const service = await startService({ faults })
      const run = await notarize({ service, workspace: makeRelease({ a: 'a', b: 'b' }) })

      checkTraffic(service, { hashes: [], logins: 1 })
      expect(run.results.failures.map(failure => [failure.code, failure.registered])).toEqual([
        [code, 'no'],
        [code, 'no'],
      ])
      if (code === 'invalid-response') expect(run.annotations.error[0]).toContain('base-url')
    },
  )

  it('leaves what was known registered, so that the verdict is partial', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a', b: 'b' })
    workspace.write(FILE, toJsonLines([makeLine(service.url, 'a')]))
    const run = await notarize({ service, workspace, inputs: { 'api-key': 'key_that_is_wrong' } })

    expect(run.results).toMatchObject({
      verdict: 'partial',
      'registered-count': 1,
      'newly-registered-count': 0,
      'failed-count': 1,
    })
  })
})

describe('the output "records"', () => {
  /** Names of one hash, so that one line of the records file stands for all entries, with `total` characters in all. */
  function makeNames(total: number, entryLength: number): string[] {
    const width = 1000
    const count = Math.floor((total - 2) / (entryLength + width + 1))
    const names = Array.from({ length: count }, (_, at) => `${at}`.padStart(width, 'n'))
    const used = 1 + count * (entryLength + width + 1)
    // The rest makes the last name longer.
    return [...names.slice(0, -1), `${names.at(-1) ?? ''}${'x'.repeat(total - used)}`]
  }

  async function runWithRecordsOf(total: number) {
    const service = await startService()
    const line = makeLine(service.url, 'same')
    const { hash, record } = line
    const entry = { artifact: '', size: null, hash, from: 'records-file', record }
    const names = makeNames(total, JSON.stringify(entry).length)
    const workspace = makeWorkspace({
      [FILE]: toJsonLines([line]),
      SUMS: names.map(name => `${hash}  ${name}\n`).join(''),
    })
    const run = await notarize({ service, workspace, inputs: { path: '', checksums: 'SUMS' } })
    return { run, names }
  }

  it('holds 300,000 characters, and they reach other jobs', async () => {
    const { run, names } = await runWithRecordsOf(300_000)

    expect(run.outputs['records']).toHaveLength(300_000)
    expect(run.results.records).toHaveLength(names.length)
    expect(run.annotations.warning).toEqual([])
  })

  it('is empty over 300,000 characters, with a warning that names records-path', async () => {
    const { run, names } = await runWithRecordsOf(300_001)

    expect(run.outputs['records']).toBe('')
    expect(run.exitCode).toBe(0)
    expect(run.results).toMatchObject({
      verdict: 'registered',
      'registered-count': names.length,
      'artifact-count': names.length,
    })
    expect(run.annotations.warning).toEqual([expect.stringContaining('records-path')])
  })
})

describe('the output "failures"', () => {
  it('is cut to what fits in 50,000 characters, and failed-count stays whole', async () => {
    const service = await startService({ requested: [] })
    const names = Array.from({ length: 150 }, (_, at) => `${at}`.padStart(300, '0'))
    const workspace = makeWorkspace({
      SUMS: names.map(name => `${sha256('same')}  ${name}\n`).join(''),
    })
    const run = await notarize({ service, workspace, inputs: { path: '', checksums: 'SUMS' } })

    checkTraffic(service, { hashes: [sha256('same')] })
    const { failures } = run.results
    expect(run.results).toMatchObject({ verdict: 'failed', 'failed-count': 150 })
    expect(failures.length).toBeLessThan(150)
    expect(failures.map(({ artifact }) => artifact)).toEqual(names.slice(0, failures.length))
    // One more, as long as all the others, would not have fitted.
    const length = run.outputs['failures']?.length ?? 0
    const entryLength = JSON.stringify(failures[0]).length
    expect(length).toBeLessThanOrEqual(50_000)
    expect(length + 1 + entryLength).toBeGreaterThan(50_000)
    expect(run.annotations.error[0]).toMatch(/150 of 150/)
  })
})

describe('the job summary', () => {
  it('is not written with show-summary false; everything else is', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    const run = await notarize({ service, workspace, inputs: { 'show-summary': 'false' } })

    expect(run.summary).toBe('')
    expect(run.exitCode).toBe(0)
    expect(run.results.verdict).toBe('registered')
    expect(run.annotations).toEqual({ error: [], warning: [], notice: [] })
  })

  it('is not written with show-summary false when inputs are wrong either', async () => {
    const inputs = { 'show-summary': 'false', concurrency: '0', 'base-url': 'https://x.example' }
    const run = await notarize({ workspace: makeRelease({ a: 'a' }), inputs })

    expect(run.summary).toBe('')
    expect(run.results.verdict).toBe('stopped')
  })

  it.each([
    ['is not set', undefined],
    ['names a file that is missing', '/nonexistent/summary.md'],
  ])('costs only a warning where GITHUB_STEP_SUMMARY %s', async (_, value) => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    const env = { GITHUB_STEP_SUMMARY: value }
    const run = await notarize({ service, workspace, env })

    expect(run.exitCode).toBe(0)
    expect(run.results.verdict).toBe('registered')
    expect(run.annotations.warning).toEqual([expect.stringMatching(/summary/)])
    expect(readLines(run)).toHaveLength(1)
  })

  it('stays under 1 MiB, counts the rows that do not fit, and names the records file', async () => {
    const service = await startService()
    const names = Array.from({ length: 6000 }, (_, at) => `${'<&>'.repeat(30)}${at}`)
    const workspace = makeWorkspace({
      SUMS: names.map(name => `${sha256('same')}  ${name}\n`).join(''),
    })
    const run = await notarize({ service, workspace, inputs: { path: '', checksums: 'SUMS' } })

    expect(run.results['registered-count']).toBe(6000)
    const { rows, verdict } = readSummary(run.summary)
    expect(verdict).toMatch(/6000 of 6000/)
    expect(rows.length).toBeGreaterThan(1000)
    expect(run.summary).toMatch(new RegExp(`\\b${6000 - rows.length} artifacts more\\b`))
    expect(run.summary.slice(run.summary.indexOf('</table>'))).toContain(FILE)
  })

  it('is added to, as other steps of ours may have written before', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    workspace.write('summary.md', '# Of the step before\n')
    const env = { GITHUB_STEP_SUMMARY: workspace.path('summary.md') }
    await notarize({ service, workspace, env })

    expect(workspace.read('summary.md')).toMatch(/^# Of the step before\n## .*1 of 1/)
  })
})

describe('a debug run', () => {
  it('tells no secret in its debug log', async () => {
    const service = await startService({ requested: [] })
    const env = { RUNNER_DEBUG: '1', ACTIONS_STEP_DEBUG: 'true', NODE_DEBUG: '' }
    const run = await notarize({ service, workspace: makeRelease({ a: 'a' }), env })

    expect(run.results.verdict).toBe('failed')
    for (const secret of [API_KEY, subscription.customer, ...service.tokens]) {
      expect(run.debug.join('\n')).not.toContain(secret)
    }
  })
})

describe('action.yml', () => {
  const described = z.looseObject({ description: z.string(), default: z.string().optional() })
  const action = z
    .looseObject({
      inputs: z.record(z.string(), described),
      outputs: z.record(z.string(), described),
      runs: z.strictObject({ using: z.string(), main: z.string() }),
    })
    .parse(parse(readFileSync('action.yml', 'utf8')))
  const inputs = readActionFile('action.yml').inputs

  it('declares every input and output of the contract, and runs the bundle on Node 24', () => {
    expect(Object.keys(action.inputs)).toEqual(
      expect.arrayContaining([
        'api-key',
        'base-url',
        'path',
        'checksums',
        'subscription',
        'if-no-files-found',
        'records-path',
        'max-registrations',
        'concurrency',
        'max-attempts',
        'timeout-seconds',
        'dry-run',
        'show-summary',
      ]),
    )
    expect(Object.keys(action.outputs)).toEqual(
      expect.arrayContaining([
        'verdict',
        'records',
        'failures',
        'records-path',
        'checksums-path',
        'artifact-count',
        'registered-count',
        'newly-registered-count',
        'failed-count',
      ]),
    )
    expect(action.runs).toEqual({ using: 'node24', main: 'dist/index.js' })
  })

  it.each([...Object.entries(action.inputs), ...Object.entries(action.outputs)])(
    'describes %s in one sentence',
    (_, { description }) => {
      expect(description).toMatch(/^[A-Z][^\n]{10,}\.$/)
      // A full stop in the middle would begin a second sentence.
      expect(description).not.toMatch(/[.!?]\s+[A-Z]/)
    },
  )

  it('has the defaults of the table of the contract', () => {
    expect(Object.fromEntries(inputs)).toMatchObject({
      'api-key': '',
      'base-url': '',
      path: '',
      checksums: '',
      subscription: '',
      'if-no-files-found': 'error',
      'records-path': 'notarization-records.jsonl',
      'max-registrations': '100',
      concurrency: '4',
      'max-attempts': '5',
      'timeout-seconds': '30',
      'dry-run': 'false',
      'show-summary': 'true',
    })
  })

  it('names exactly the outputs that the bundle sets', async () => {
    const service = await startService()
    const good = await notarize({ service, workspace: makeRelease({ a: 'a' }) })
    const stopped = await notarize({ service, workspace: makeWorkspace() })

    for (const run of [good, stopped]) {
      expect(Object.keys(run.outputs).sort()).toEqual(Object.keys(action.outputs).sort())
    }
  })

  const allEmpty = Object.fromEntries([...inputs.keys()].map(name => [name, '']))
  const valueOf = (name: string): number => Number(inputs.get(name))
  const given = ['api-key', 'base-url', 'subscription', 'path']
  // `notarize` gives these four; everything else is the empty string.
  const rest = Object.fromEntries(
    Object.entries(allEmpty).filter(([name]) => !given.includes(name)),
  )

  it('has the defaults that the bundle uses when every input is empty', async () => {
    const count = valueOf('max-registrations')
    const contents = Array.from({ length: count }, (_, at) => `${at}`)
    const service = await startService({ latencyMs: 10 })
    const workspace = makeRelease(Object.fromEntries(contents.map(content => [content, content])))
    const run = await notarize({ service, workspace, inputs: rest })

    expect(run.exitCode).toBe(0)
    checkTraffic(service, { hashes: contents.map(sha256) })
    expect(service.maxInFlight).toBe(valueOf('concurrency'))
    expect(run.results['records-path']).toBe(workspace.path(inputs.get('records-path') ?? ''))
    expect(run.summary).not.toBe('')
    const defaults = await notarize({ service, workspace })
    expect(defaults.results.records).toHaveLength(count)

    workspace.write('dist/one more', 'one more')
    workspace.write(FILE, '')
    const stopped = await notarize({ service, workspace, inputs: rest })
    expect(stopped.annotations.error[0]).toMatch(new RegExp(`max-registrations.*\\b${count}\\b`))
    expect(stopped.results.verdict).toBe('stopped')
    const nothing = await notarize({ service, workspace, inputs: { ...rest, path: 'nothing' } })
    expect(nothing.exitCode).toBe(1)
  })

  it('has the number of attempts that the bundle makes when the input is empty', async () => {
    const headers = { 'retry-after': '0' }
    const faults = [{ endpoint: 'completion' as const, fault: statusFault(503, { headers }) }]
    const service = await startService({ faults })
    const run = await notarize({ service, workspace: makeRelease({ a: 'a' }), inputs: rest })

    const tries = Array.from({ length: valueOf('max-attempts') }, () => sha256('a'))
    checkTraffic(service, { hashes: tries, logins: 1 })
    expect(run.results.failures).toMatchObject([{ code: 'unavailable', registered: 'unknown' }])
  })

  it('has the timeout that stands in the bundle', () => {
    const bundle = readFileSync('dist/index.js', 'utf8')
    expect(bundle).toContain(`'timeout-seconds': '${inputs.get('timeout-seconds') ?? ''}'`)
  })
})
