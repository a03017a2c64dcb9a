/** What stops a run before anything is sent: wrong inputs, patterns that match nothing, and the limit. */
import { describe, expect, it } from '@jest/globals'
import { job } from '../support/runner-environment.ts'
import { makeWorkspace } from '../support/workspace.ts'
import {
  checkStopped,
  FILE,
  makeLetters,
  makeLine,
  makeRelease,
  notarize,
  sha256,
  startService,
  trafficOf,
} from './support.ts'

const namedIn = (messages: readonly string[]): readonly string[] =>
  messages.map(message => /^input "([a-z-]+)"/.exec(message)?.[1] ?? '').sort()

describe('wrong inputs', () => {
  const wrong = {
    'api-key': '',
    'base-url': 'http://notary.example/api/v2',
    path: 'dist/**\nreleases/*.zip',
    checksums: 'sums.txt',
    subscription: '[{"customer":"cus_not_to_be_seen"}]',
    'if-no-files-found': 'complain',
    'max-attempts': '0',
    concurrency: '65',
    'timeout-seconds': 'soon',
    'show-summary': 'yes',
  }
  const workspace = makeWorkspace({ 'sums.txt': 'this is no checksum\nnor is this\n' })

  it('are reported at once, one error for each, in log and summary, with tag, commit and run', async () => {
    const run = await notarize({ workspace, inputs: wrong })
    checkStopped(run)
    expect(namedIn(run.annotations.error)).toEqual(Object.keys(wrong).sort())
    const texts = run.annotations.error.join('\n')
    expect(texts).toMatch(/"releases\/\*\.zip"/)
    expect(texts).toMatch(/"sums.txt".*line 1/)
    expect(texts + run.summary).not.toContain('cus_not_to_be_seen')
    const ofRun = ['v1.2.3', job.sha.slice(0, 12), job.runId]
    for (const text of ofRun) expect(run.summary).toContain(text)
    expect(workspace.exists(FILE)).toBe(false)
  })

  it('are at most ten errors, and the last counts the rest', async () => {
    const more = { 'records-path': 'folder/', 'max-registrations': '-1', 'dry-run': '1' }
    const run = await notarize({ workspace, inputs: { ...wrong, ...more } })
    checkStopped(run)
    expect(run.annotations.error).toHaveLength(10)
    expect(run.annotations.error.at(-1)).toBe('4 more inputs are wrong')
  })
})

describe('a pattern that matches nothing', () => {
  const unmatched = ['nothing/**', 'dist/*.zip', 'SUMS*']
  it.each([
    ['error', { error: 2, warning: 0 }],
    ['warn', { error: 0, warning: 3 }],
    ['ignore', { error: 0, warning: 0 }],
  ])('is reported by if-no-files-found: %s', async (policy, counts) => {
    const service = await startService()
    const path = 'dist/a\nnothing/**\ndist/*.zip'
    const inputs = { path, checksums: 'SUMS*', 'if-no-files-found': policy }
    const run = await notarize({ service, inputs })

    const { error, warning } = run.annotations
    expect({ error: error.length, warning: warning.length }).toEqual(counts)
    const texts = [...error, ...warning].join('\n')
    for (const text of texts === '' ? [] : unmatched) expect(texts).toContain(`"${text}"`)
    if (policy === 'error') checkStopped(run, service)
    else expect(trafficOf(service)).toEqual(['login', 'completion a'])
  })

  it('leaves nothing to do if that is allowed and all are so', async () => {
    const workspace = makeWorkspace({ 'empty.txt': '# no entries\n\n' })
    const inputs = { path: '', checksums: 'empty.txt', 'if-no-files-found': 'warn' }
    const service = await startService()
    const run = await notarize({ service, workspace, inputs })
    expect(run.results).toMatchObject({ verdict: 'nothing-found', 'checksums-path': '' })
    expect(run.annotations.warning).toHaveLength(1)
    expect([service.maxConnections, workspace.exists(FILE)]).toEqual([0, false])
  })

  it('names the files of this action if it matches nothing else', async () => {
    const run = await notarize({
      workspace: makeLetters('', [makeLine('https://x.example', 'a')]),
      inputs: { path: '*.jsonl', 'dry-run': 'true' },
    })
    checkStopped(run)
    expect(run.annotations.error).toEqual([expect.stringMatching(/"\*\.jsonl".*never artifacts?/)])
  })
})

it('max-registrations stops a stray pattern, and leaves the records file as it was', async () => {
  const service = await startService()
  const names = Array.from({ length: 101 }, (_, at) => `${at % 2 === 0 ? 'even' : 'odd'}/${at}`)
  const workspace = makeRelease(Object.fromEntries(names.map(name => [name, name])))
  workspace.write('SUMS', `${sha256('even/0')}  dist/even/0\n${sha256('remote')}  remote\n`)
  workspace.write(FILE, '{"artifact":"dist/cut')
  const inputs = { path: 'dist/even\ndist/odd/**', checksums: 'SUMS' }
  const run = await notarize({ service, workspace, inputs })

  checkStopped(run, service)
  expect(run.annotations.error).toEqual([
    expect.stringMatching(
      /max-registrations.*100.*102.*dist\/even\D*51 files.*dist\/odd\/\*\*\D*50 files.*SUMS\D*2/,
    ),
  ])
  expect(workspace.read(FILE)).toBe('{"artifact":"dist/cut')
})
