/** A run for a release, whole: what is attached, and what stops it before anything is sent. */
import { expect, it } from '@jest/globals'
import type { GitHubOptions } from '../support/github.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { assetsOf, notarizeRelease, startRelease, TAG } from './release-support.ts'
import { checkStopped, FILE, makeLine, sha256, startService, toJsonLines } from './support.ts'

it('the records file and the evidence page of the run are attached as they are', async () => {
  const service = await startService()
  const held = toJsonLines([makeLine(service.url, 'old')])
  const github = await startRelease(assetsOf({ 'old.zip': 'old', 'new.zip': 'new', [FILE]: held }))

  const run = await notarizeRelease({ github, service })

  expect(run.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 1 })
  const texts = github.texts(TAG)
  const records = run.workspace.read(FILE)
  expect(records.startsWith(held)).toBe(true)
  expect(Object.values(texts)).toEqual(expect.arrayContaining([held, records]))
  const page = texts['notarization-evidence.md']
  expect(page).toBe(run.workspace.read(run.results['evidence-path']))
  expect(page).toContain(`${sha256('new')}  new.zip\n${sha256('old')}  old.zip\n`)
})

it('a dry run knows the artifacts of the release, and changes nothing', async () => {
  const service = await startService()
  const github = await startRelease([{ name: 'app.zip', content: 'app', digest: null }])
  const inputs = { 'dry-run': 'true', 'api-key': '', subscription: '' }

  const run = await notarizeRelease({ github, service, inputs })

  expect(run.results).toMatchObject({ verdict: 'dry-run', 'artifact-count': 1 })
  expect(run.checksums).toBe(`${sha256('app')}  app.zip\n`)
  expect([service.requests, github.writes(), run.workspace.exists(FILE)]).toEqual([[], [], false])
})

it.each<[string, GitHubOptions, RegExp]>([
  [
    'a tag that was moved',
    { tags: { [TAG]: { commit: 'a'.repeat(40) } } },
    /^input "release-tag": the tag .* points to/,
  ],
  ['a token that cannot write', { access: 'read' }, /^input "attach-to-release".*contents: write/],
])('a run is stopped before anything is sent by %s', async (_what, options, message) => {
  const github = await startRelease(assetsOf({ 'app.zip': 'app' }), options)
  const service = await startService()
  const workspace = makeWorkspace({ 'dist/app.zip': 'app' })

  const run = await notarizeRelease({ github, service, workspace, inputs: { path: 'dist' } })

  checkStopped(run, service)
  expect(run.annotations.error).toEqual([expect.stringMatching(message)])
})
