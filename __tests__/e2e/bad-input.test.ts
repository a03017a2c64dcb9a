import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { readActionFile } from '../support/action-file.ts'
import { makeWorkspace } from '../support/workspace.ts'
import type { Workspace } from '../support/workspace.ts'
import type { Simulator } from '../../simulator/index.ts'
import {
  checkTraffic,
  makeLine,
  makeRelease,
  notarize,
  sha256,
  startService,
  subscription,
  subscriptionText,
  toJsonLines,
} from './support.ts'
import type { CheckedRun } from './support.ts'

/** What holds for every run that is stopped: nothing sent, nothing written, one line in the summary. */
function checkStopped(run: CheckedRun, service?: Simulator): void {
  expect(run.results).toEqual({
    verdict: 'stopped',
    records: [],
    failures: [],
    'records-path': run.outputs['records-path'],
    'checksums-path': run.outputs['checksums-path'],
    'artifact-count': 0,
    'registered-count': 0,
    'newly-registered-count': 0,
    'failed-count': 0,
  })
  expect(run.exitCode).toBe(1)
  expect(service?.requests ?? []).toEqual([])
  expect(service?.maxConnections ?? 0).toBe(0)
  expect(run.summary.trimEnd().split('\n')).toHaveLength(1)
  expect(run.summary).toMatch(/not(hing was)? notarized/i)
}

/** Stops, and has written no records file. */
function checkStoppedUnwritten(run: CheckedRun, service?: Simulator): void {
  checkStopped(run, service)
  expect(existsSync(run.results['records-path'])).toBe(false)
}

describe('wrong inputs', () => {
  it('are all told at once, one error an input, and nothing else happens', async () => {
    const service = await startService()
    const workspace = makeWorkspace({ 'sums.txt': 'this is no checksum\n' })
    const run = await notarize({
      service,
      workspace,
      inputs: {
        'api-key': '',
        'base-url': 'http://notary.example/api/v2',
        path: 'dist/**\nreleases/*.zip',
        checksums: 'sums.txt',
        subscription: '{"userId":"7","planId":9}',
        'if-no-files-found': 'complain',
        'max-attempts': '0',
        concurrency: '65',
        'timeout-seconds': 'soon',
        'show-summary': 'yes',
      },
    })

    checkStoppedUnwritten(run, service)
    const messages = run.annotations.error
    expect(messages).toHaveLength(10)
    for (const input of [
      'api-key',
      'base-url',
      'path',
      'checksums',
      'subscription',
      'if-no-files-found',
      'max-attempts',
      'concurrency',
      'timeout-seconds',
      'show-summary',
    ]) {
      expect(messages.filter(message => message.includes(`"${input}"`)).length).toBeGreaterThan(0)
    }
    expect(messages.find(message => message.includes('"subscription"'))).toMatch(/userId.*planId/)
    expect(run.summary).toContain('10 inputs')
  })

  it('are at most ten errors, and the last counts the rest', async () => {
    const run = await notarize({
      workspace: makeWorkspace({ 'sums.txt': 'this is no checksum\n' }),
      inputs: {
        'api-key': 'two\nlines',
        'base-url': 'nonsense',
        path: 'missing',
        checksums: 'sums.txt',
        subscription: '[]',
        'if-no-files-found': 'Error',
        'records-path': 'folder/',
        'max-registrations': '-1',
        concurrency: '0',
        'max-attempts': '1.5',
        'timeout-seconds': '601',
        'dry-run': '1',
        'show-summary': 'no',
      },
    })

    expect(run.annotations.error).toHaveLength(10)
    expect(run.annotations.error.at(-1)).toMatch(/\b4\b/)
    expect(run.summary).toContain('13 inputs')
    checkStopped(run)
  })

  it.each([
    ['api-key', '', /fork.*dry-run/],
    ['api-key', 'first line\nsecond line', /one line/],
    ['subscription', '', /fork.*dry-run/],
    ['subscription', 'plain text', /JSON object.*base64/],
    ['subscription', '[1]', /JSON object/],
    ['subscription', '"text"', /JSON object/],
    ['subscription', 'null', /JSON object/],
    ['subscription', Buffer.from('[]').toString('base64'), /JSON object/],
    ['subscription', subscriptionText.slice(0, -1), /JSON object/],
    ['subscription', '{"id":7}', /\bid\b/],
    ['subscription', '{"created":"2026-01-01"}', /\bcreated\b/],
    ['subscription', '{"created":1.5}', /\bcreated\b/],
    ['subscription', '{"status":null}', /\bstatus\b/],
    ['subscription', '{"canceledAt":"0"}', /\bcanceledAt\b/],
    ['subscription', '{"custumer":7}', /\bcust[ou]mer\b/],
    ['base-url', '', /https:\/\//],
    ['base-url', 'notary.example', /https:\/\//],
    ['base-url', 'http://notary.example', /https:\/\//],
    ['base-url', 'http://127.0.0.1.notary.example', /https:\/\//],
    ['base-url', 'ftp://notary.example', /https:\/\//],
    ['base-url', 'https://notary.example/api/v2', /\/api\/v2/],
    ['base-url', 'https://notary.example/eu/api/v2/', /\/api\/v2/],
    ['base-url', 'https://notary.example?x=1', /query/],
    ['base-url', 'https://notary.example/#x', /fragment/],
    ['base-url', 'https://user@notary.example', /credentials/],
    ['path', 'dist\n../outside', /\.\./],
    ['path', '# only a comment\n!dist', /pattern/],
    ['records-path', 'records/', /file/],
    ['max-registrations', 'many', /whole number/],
    ['concurrency', '0', /1 to 64/],
    ['concurrency', '65', /1 to 64/],
    ['max-attempts', '21', /1 to 20/],
    ['timeout-seconds', '0', /1 to 600/],
    ['timeout-seconds', '1e2', /1 to 600/],
    ['dry-run', 'yes', /true or false/],
    ['show-summary', '0', /true or false/],
    ['if-no-files-found', 'ERROR', /error, warn or ignore/],
  ])('in %s such as %j name the input and the remedy', async (input, value, remedy) => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    const run = await notarize({ service, workspace, inputs: { [input]: value } })

    checkStoppedUnwritten(run, service)
    expect(run.annotations.error).toEqual([expect.stringMatching(remedy)])
    expect(run.annotations.error[0]).toContain(`"${input}"`)
    expect(run.summary).toContain('1 input')
  })

  it('with credentials in the URL never show them', async () => {
    const service = await startService()
    const inputs = { 'base-url': 'https://user:pa55w0rd-of-url@notary.example' }
    const run = await notarize({ service, workspace: makeRelease({ a: 'a' }), inputs })

    expect(run.annotations.error).toEqual([expect.stringMatching(/credentials/)])
    expect(run.stdout + run.summary).not.toContain('pa55w0rd-of-url')
  })

  it('never show a subscription that cannot be read, nor a value of the wrong type in it', async () => {
    const secret = 'cus_that_cannot_be_masked'
    for (const text of [`{"customer":"${secret}"`, `{"customer":["${secret}"]}`]) {
      const run = await notarize({
        workspace: makeRelease({ a: 'a' }),
        inputs: { 'base-url': 'https://notary.example', subscription: text },
      })
      expect(run.annotations.error).toHaveLength(1)
      expect(run.lines.filter(line => !line.startsWith('::add-mask::')).join()).not.toContain(
        secret,
      )
    }
  })

  it('neither path nor checksums given is one error that names both', async () => {
    const service = await startService()
    const run = await notarize({
      service,
      workspace: makeRelease({ a: 'a' }),
      inputs: { path: '' },
    })

    checkStoppedUnwritten(run, service)
    expect(run.annotations.error).toEqual([expect.stringMatching(/path.*checksums/)])
  })

  it('that would act in the log do nothing', async () => {
    const service = await startService()
    const run = await notarize({
      service,
      workspace: makeRelease({ a: 'a' }),
      inputs: {
        path: 'dist\n##[error]nothing\n::error::nothing',
        concurrency: '4\n::error::forged',
        'base-url': 'https://x.example/\u001b[31m',
        'records-path': 'a\r::warning::forged',
      },
    })

    checkStoppedUnwritten(run, service)
    expect(run.annotations.error).toHaveLength(4)
    expect(run.annotations.warning).toEqual([])
    for (const line of run.lines.filter(line => line.includes('forged'))) {
      expect(line).toMatch(/^::error::/)
    }
  })
})

describe('all inputs empty', () => {
  it('are their defaults, and those of the table of the contract', async () => {
    const workspace = makeRelease({ a: 'a' })
    const names = [...readActionFile('action.yml').inputs.keys()]
    const run = await notarize({
      workspace,
      inputs: Object.fromEntries(names.map(name => [name, ''])),
    })

    // Only what has no default is missing: four inputs, "path" standing for both kinds of pattern.
    checkStoppedUnwritten(run)
    expect(run.annotations.error).toHaveLength(4)
    expect(run.annotations.error.map(message => /"([a-z-]+)"/.exec(message)?.[1]).sort()).toEqual([
      'api-key',
      'base-url',
      'path',
      'subscription',
    ])
    expect(run.results['records-path']).toBe(workspace.path('notarization-records.jsonl'))
    expect(run.summary).toContain('4 inputs')
  })
})

describe('a pattern that matches nothing', () => {
  const path = 'dist/*.bin\nnothing/**\ndist/*.zip'

  it('is an error by default, though others match, and every such pattern is named', async () => {
    const service = await startService()
    const workspace = makeRelease({ 'a.bin': 'a' })
    const run = await notarize({ service, workspace, inputs: { path, checksums: 'SUMS*' } })

    checkStoppedUnwritten(run, service)
    const [first, second] = run.annotations.error
    expect(run.annotations.error).toHaveLength(2)
    expect(first).toMatch(/nothing\/\*\*.*dist\/\*\.zip/)
    expect(first).not.toContain('dist/*.bin')
    expect(second).toContain('SUMS*')
  })

  it('is a warning each with "warn", and the rest is registered', async () => {
    const service = await startService()
    const workspace = makeRelease({ 'a.bin': 'a' })
    const inputs = { path, checksums: 'SUMS*', 'if-no-files-found': 'warn' }
    const run = await notarize({ service, workspace, inputs })

    expect(run.exitCode).toBe(0)
    const warnings = run.annotations.warning.join('\n')
    for (const text of ['nothing/**', 'dist/*.zip', 'SUMS*']) expect(warnings).toContain(text)
    expect(warnings).not.toContain('dist/*.bin')
    expect(run.results.verdict).toBe('registered')
    checkTraffic(service, { hashes: [sha256('a')] })
  })

  it('is nothing with "ignore", and the rest is registered', async () => {
    const service = await startService()
    const workspace = makeRelease({ 'a.bin': 'a' })
    const inputs = { path, checksums: 'SUMS*', 'if-no-files-found': 'ignore' }
    const run = await notarize({ service, workspace, inputs })

    expect(run.annotations).toEqual({ error: [], warning: [], notice: [] })
    expect(run.results.verdict).toBe('registered')
    checkTraffic(service, { hashes: [sha256('a')] })
  })

  it.each(['warn', 'ignore'])('leaves nothing to do with "%s" when all are so', async policy => {
    const service = await startService()
    const workspace = makeWorkspace({ 'empty.txt': '# no entries\n\n' })
    const inputs = { checksums: 'empty.txt', 'if-no-files-found': policy }
    const run = await notarize({ service, workspace, inputs })

    expect(run.exitCode).toBe(0)
    expect(run.results).toMatchObject({
      verdict: 'nothing-found',
      records: [],
      failures: [],
      'checksums-path': '',
      'artifact-count': 0,
    })
    expect(run.annotations.warning.length > 0).toBe(policy === 'warn')
    expect(run.summary).toMatch(/nothing notarized/i)
    checkTraffic(service, { hashes: [] })
    expect(service.maxConnections).toBe(0)
    expect(existsSync(run.results['records-path'])).toBe(false)
  })

  it('may be a checksums file without entries', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    workspace.write('SUMS', '\ufeff# nothing yet\r\n\r\n')
    const run = await notarize({ service, workspace, inputs: { checksums: 'SUMS' } })

    checkStoppedUnwritten(run, service)
    expect(run.annotations.error).toEqual([expect.stringMatching(/"checksums".*SUMS/)])
  })
})

describe('a checksums file', () => {
  const good = `${sha256('a')}  a\n`

  it.each([
    ['MD5', `${good}d41d8cd98f00b204e9800998ecf8427e  b\n`, 2],
    ['SHA-512', `${'ab'.repeat(64)}  b\n`, 1],
    ['a BSD line of another algorithm', `${good}\nSHA512 (b) = ${'ab'.repeat(64)}\n`, 3],
    ['prose', `# ok\r\n${good}\r\nThe checksums of 1.2.3\r\n`, 4],
    ['a hash alone', `${sha256('a')}\n`, 1],
    ['a single space', `${sha256('a')} a\n`, 1],
    ['a hash of 63 digits', `${sha256('a').slice(1)}  a\n`, 1],
  ])('with %s is an error with file and line', async (_, text, line) => {
    const service = await startService()
    const workspace = makeRelease({ other: 'other' })
    workspace.write('sums/SUMS', text)
    const run = await notarize({ service, workspace, inputs: { checksums: 'sums/SUMS' } })

    checkStoppedUnwritten(run, service)
    expect(run.annotations.error).toHaveLength(1)
    expect(run.annotations.error[0]).toContain('sums/SUMS')
    expect(run.annotations.error[0]).toMatch(new RegExp(`line ${line}\\b`))
  })

  it('that gives a file of path another hash is an error that names both', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    workspace.write('SUMS', `${sha256('stale')}  dist/a\n`)
    const run = await notarize({ service, workspace, inputs: { checksums: 'SUMS' } })

    checkStoppedUnwritten(run, service)
    const [message] = run.annotations.error
    for (const text of ['dist/a', sha256('a'), sha256('stale')]) expect(message).toContain(text)
  })

  it('that has two hashes for one name, also in two files, is an error', async () => {
    const service = await startService()
    const workspace = makeWorkspace({
      'one.txt': `${sha256('1')}  ./app\n`,
      'two.txt': `SHA256 (app) = ${sha256('2')}\n`,
    })
    const run = await notarize({ service, workspace, inputs: { path: '', checksums: '*.txt' } })

    checkStoppedUnwritten(run, service)
    expect(run.annotations.error).toHaveLength(1)
    for (const text of ['app', sha256('1'), sha256('2')]) {
      expect(run.annotations.error[0]).toContain(text)
    }
  })
})

describe('the guard against a stray pattern', () => {
  function makeMany(count: number): Workspace {
    return makeRelease(
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [
          `${at % 2 === 0 ? 'even' : 'odd'}/${at}`,
          `${at}`,
        ]),
      ),
    )
  }

  it('stops more than 100 registrations by default, naming the number and what each pattern brought', async () => {
    const service = await startService()
    const workspace = makeMany(101)
    workspace.write('SUMS', `${sha256('0')}  dist/even/0\n${sha256('remote')}  remote\n`)
    const inputs = { path: 'dist/even\ndist/odd/**', checksums: 'SUMS' }
    const run = await notarize({ service, workspace, inputs })

    checkStoppedUnwritten(run, service)
    const [message] = run.annotations.error
    expect(run.annotations.error).toHaveLength(1)
    expect(message).toMatch(/max-registrations.*100.*102/)
    expect(message).toMatch(/dist\/even\D*51 files.*dist\/odd\/\*\*\D*50 files.*SUMS\D*2/)
  })

  it('names every pattern, or says how many it leaves out', async () => {
    const service = await startService()
    const numbers = Array.from({ length: 25 }, (_, at) => `${at}`)
    const workspace = makeRelease(
      Object.fromEntries(numbers.map(number => [`only-${number}/file`, number])),
    )
    const inputs = {
      path: numbers.map(number => `dist/only-${number}`).join('\n'),
      'max-registrations': '24',
    }
    const run = await notarize({ service, workspace, inputs })

    checkStoppedUnwritten(run, service)
    const [message = ''] = run.annotations.error
    const named = numbers.filter(number => message.includes(`dist/only-${number}"`))
    const left = numbers.length - named.length
    if (left > 0) expect(message).toMatch(new RegExp(`\\b${left} more`))
    expect(named.length).toBeGreaterThan(0)
  })

  it('counts distinct hashes that are left, not files: known ones and twins are free', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a', twin: 'a', b: 'b', known: 'known' })
    workspace.write('notarization-records.jsonl', toJsonLines([makeLine(service.url, 'known')]))
    const inputs = { 'max-registrations': '2' }
    const run = await notarize({ service, workspace, inputs })

    expect(run.results).toMatchObject({ verdict: 'registered', 'artifact-count': 4 })
    checkTraffic(service, { hashes: ['a', 'b'].map(sha256) })
  })

  it('leaves a records file as it was', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a', b: 'b', known: 'known' })
    const before = `${JSON.stringify(makeLine(service.url, 'known'))}\n{"artifact":"dist/torn`
    workspace.write('notarization-records.jsonl', before)
    const run = await notarize({ service, workspace, inputs: { 'max-registrations': '1' } })

    checkStopped(run, service)
    expect(readFileSync(run.results['records-path'], 'utf8')).toBe(before)
  })
})

describe('a records file that cannot be written', () => {
  it('stops the run before the login', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    workspace.write('blocked', 'a file where a folder is needed')
    const inputs = { 'records-path': 'blocked/records.jsonl' }
    const run = await notarize({ service, workspace, inputs })

    checkStoppedUnwritten(run, service)
    expect(run.annotations.error).toEqual([expect.stringMatching(/records-path.*blocked/)])
  })

  it('because it is a folder stops the run before the login', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    const run = await notarize({ service, workspace, inputs: { 'records-path': 'dist' } })

    checkStopped(run, service)
    expect(run.annotations.error).toEqual([expect.stringMatching(/records-path/)])
  })
})

describe('a name that holds a secret', () => {
  it('stops the run, and the secret is not told', async () => {
    const service = await startService()
    const workspace = makeRelease({ [`app-${subscription.customer}.zip`]: 'a', b: 'b' })
    const run = await notarize({ service, workspace })

    checkStoppedUnwritten(run, service)
    expect(run.annotations.error).toEqual([expect.stringMatching(/secret/)])
  })
})
