/** What stops a run before anything is sent: wrong inputs, and the guards of the plan. */
import { existsSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { job } from '../support/runner-environment.ts'
import { makeWorkspace } from '../support/workspace.ts'
import type { Simulator } from '../../simulator/index.ts'
import {
  checkStopped,
  checkTraffic,
  makeLine,
  makeRelease,
  notarize,
  sha256,
  startService,
  subscription,
  subscriptionText,
} from './support.ts'
import type { CheckedRun } from './support.ts'

/** Stops, and has written no records file. */
function checkUntouched(run: CheckedRun, service?: Simulator): void {
  checkStopped(run, service)
  expect(existsSync(run.results['records-path'])).toBe(false)
}

const namedIn = (messages: readonly string[]): (string | undefined)[] =>
  messages.map(message => /^input "([a-z-]+)"/.exec(message)?.[1]).sort()

describe('wrong inputs', () => {
  const wrong = {
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
  }
  const more = { 'records-path': 'folder/', 'max-registrations': '-1', 'dry-run': '1' }

  it('are all said at once, one error an input, in log and summary, with tag, commit and run', async () => {
    const service = await startService()
    const workspace = makeWorkspace({ 'sums.txt': 'this is no checksum\n' })
    const run = await notarize({ service, workspace, inputs: wrong })

    checkUntouched(run, service)
    expect(namedIn(run.annotations.error)).toEqual(Object.keys(wrong).sort())
    expect(run.annotations.error.join('\n')).toMatch(/"subscription".*userId.*planId/)
    for (const text of ['v1.2.3', job.sha.slice(0, 12), job.runId]) {
      expect(run.summary).toContain(text)
    }
  })

  it('are at most ten errors, and the last counts the rest', async () => {
    const run = await notarize({
      workspace: makeWorkspace({ 'sums.txt': 'this is no checksum\n' }),
      inputs: { ...wrong, ...more },
    })

    checkStopped(run)
    expect(run.annotations.error).toHaveLength(10)
    expect(run.annotations.error.at(-1)).toBe('4 more inputs are wrong')
  })

  it.each([
    ['api-key', '', /fork.*dry-run/],
    ['subscription', subscriptionText.slice(0, -1), /ends after \d+ characters.*jq -c/],
    ['path', 'dist\n../outside', /\.\./],
    ['path', '# only a comment\n!dist', /pattern/],
    ['release-tag', 'v1', /github-token/],
  ])('in %s such as %j name the input and the remedy', async (input, value, remedy) => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    const run = await notarize({ service, workspace, inputs: { [input]: value } })

    checkUntouched(run, service)
    expect(run.annotations.error).toEqual([expect.stringMatching(remedy)])
    expect(run.annotations.error[0]).toContain(`"${input}"`)
  })

  it.each([
    ['base-url', 'https://user:pa55w0rd@notary.example', 'pa55w0rd'],
    ['subscription', '{"customer":["cus_not_to_be_seen"]}', 'cus_not_to_be_seen'],
    ['description', `for ${subscription.customer}`, subscription.customer],
  ])('never show the secret in %s: %s', async (input, value, secret) => {
    const service = await startService()
    const inputs = { [input]: value }
    const run = await notarize({ service, workspace: makeRelease({ a: 'a' }), inputs })

    checkUntouched(run, service)
    expect(run.annotations.error).toEqual([expect.stringContaining(`"${input}"`)])
    const said = run.lines.filter(line => !line.startsWith('::add-mask::'))
    expect([...said, run.summary].join('\n')).not.toContain(secret)
  })
})

describe('a pattern that matches nothing', () => {
  const path = 'dist/*.bin\nnothing/**\ndist/*.zip'
  const unmatched = ['nothing/**', 'dist/*.zip', 'SUMS*']

  it.each([
    ['', { error: 2, warning: 0 }],
    ['error', { error: 2, warning: 0 }],
    ['warn', { error: 0, warning: 3 }],
    ['ignore', { error: 0, warning: 0 }],
  ])('is, with if-no-files-found "%s", said as it must be: %j', async (policy, counts) => {
    const service = await startService()
    const workspace = makeRelease({ 'a.bin': 'a' })
    const inputs = { path, checksums: 'SUMS*', 'if-no-files-found': policy }
    const run = await notarize({ service, workspace, inputs })

    const { error, warning } = run.annotations
    expect({ error: error.length, warning: warning.length }).toEqual(counts)
    const said = [...error, ...warning].join('\n')
    expect(unmatched.filter(text => said.includes(`"${text}"`))).toEqual(
      said === '' ? [] : unmatched,
    )
    expect(said).not.toContain('dist/*.bin')
    if (counts.error > 0) checkUntouched(run, service)
    else checkTraffic(service, { hashes: [sha256('a')] })
  })

  it.each([
    ['warn', 1],
    ['ignore', 0],
  ])('leaves nothing to do with "%s" when all are so', async (policy, warnings) => {
    const service = await startService()
    const workspace = makeWorkspace({ 'empty.txt': '# no entries\n\n' })
    const inputs = { path: '', checksums: 'empty.txt', 'if-no-files-found': policy }
    const run = await notarize({ service, workspace, inputs })

    expect(run.results).toMatchObject({ verdict: 'nothing-found', 'checksums-path': '' })
    expect(run.annotations.warning).toHaveLength(warnings)
    expect(run.summary).toMatch(/^## ⚠️ NOTHING NOTARIZED/u)
    expect(service.maxConnections).toBe(0)
    expect(existsSync(run.results['records-path'])).toBe(false)
  })
})

it.each([
  ['with prose', `# ok\r\n${sha256('a')}  a\r\nOf 1.2.3\r\n`, ['SUMS', 'line 3:']],
  ['with another hash than a file of path', `${sha256('stale')}  dist/a\n`, ['"dist/a"']],
])('a checksums file %s is an error that names it', async (_, SUMS, named) => {
  const service = await startService()
  const workspace = makeWorkspace({ 'dist/a': 'a', SUMS })
  const run = await notarize({ service, workspace, inputs: { checksums: 'SUMS*' } })

  checkUntouched(run, service)
  expect(namedIn(run.annotations.error)).toEqual(['checksums'])
  for (const text of named) expect(run.annotations.error[0]).toContain(text)
})

describe('the guard against a stray pattern', () => {
  it('stops more registrations than allowed, and names the number and what each pattern matches', async () => {
    const service = await startService()
    const names = Array.from({ length: 101 }, (_, at) => `${at % 2 === 0 ? 'even' : 'odd'}/${at}`)
    const workspace = makeRelease(Object.fromEntries(names.map(name => [name, name])))
    workspace.write('SUMS', `${sha256('even/0')}  dist/even/0\n${sha256('remote')}  remote\n`)
    const inputs = { path: 'dist/even\ndist/odd/**', checksums: 'SUMS' }
    const run = await notarize({ service, workspace, inputs })

    checkUntouched(run, service)
    expect(run.annotations.error).toEqual([
      expect.stringMatching(
        /max-registrations.*100.*102.*dist\/even\D*51 files.*dist\/odd\/\*\*\D*50 files.*SUMS\D*2/,
      ),
    ])
  })

  it('leaves a records file as it was, an incomplete last line included', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a', b: 'b', known: 'known' })
    const before = `${JSON.stringify(makeLine(service.url, 'known'))}\n{"artifact":"dist/cut`
    workspace.write('notarization-records.jsonl', before)
    const run = await notarize({ service, workspace, inputs: { 'max-registrations': '1' } })

    checkStopped(run, service)
    expect(workspace.read(run.results['records-path'])).toBe(before)
  })
})
