/** What stops a run before anything is sent, and what leaves it nothing to do. */
import { expect, it } from '@jest/globals'
import { job } from '../support/runner-environment.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { checkStopped, FILE, makeRelease, notarize, sha256, startService } from './support.ts'

it('wrong inputs are reported at once, in at most ten errors, in log and summary, with tag, commit and run', async () => {
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
  const run = await notarize({ workspace, inputs: wrong })
  checkStopped(run)
  const named = run.annotations.error.map(message => /^input "([a-z-]+)"/.exec(message)?.[1])
  expect(named.toSorted()).toEqual(Object.keys(wrong).sort())
  const texts = run.annotations.error.join('\n')
  expect(texts).toMatch(/"releases\/\*\.zip"/)
  expect(texts).toMatch(/"sums.txt".*line 1/)
  expect(texts + run.summary).not.toContain('cus_not_to_be_seen')
  const ofRun = ['v1.2.3', job.sha.slice(0, 12), job.runId]
  for (const text of ofRun) expect(run.summary).toContain(text)
  expect(workspace.exists(FILE)).toBe(false)

  const again = await notarize({ workspace, inputs: { ...wrong, 'max-registrations': '-1' } })
  expect(again.annotations.error).toHaveLength(10)
  expect(again.annotations.error.at(-1)).toBe('2 more inputs are wrong')
})

it('patterns that match nothing leave nothing to do if that is allowed', async () => {
  const workspace = makeWorkspace({ 'empty.txt': '# no entries\n\n' })
  const inputs = { path: 'x', checksums: 'empty.txt', 'if-no-files-found': 'warn' }
  const service = await startService()
  const run = await notarize({ service, workspace, inputs })
  expect(run.results).toMatchObject({ verdict: 'nothing-found', 'checksums-path': '' })
  expect(run.annotations.warning).toHaveLength(2)
  expect([service.maxConnections, workspace.exists(FILE)]).toEqual([0, false])
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
