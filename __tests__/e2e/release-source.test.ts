/** A release as a source of artifacts, whole: what counts as one artifact, and what stops before anything is sent. */
import { describe, expect, it } from '@jest/globals'
import type { GitHubOptions } from '../support/github.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { assetsOf, notarizeRelease, startRelease, TAG } from './release-support.ts'
import { checkStopped, FILE, makeLine, sha256, startService, toJsonLines } from './support.ts'

const none = { digest: null }
const oneAsset = assetsOf({ 'app.zip': 'app' })

describe('the artifacts of a run with a release', () => {
  it('go together with files and checksums; what is the same artifact is one', async () => {
    const github = await startRelease(
      assetsOf({ 'app.zip': 'app', 'extra.tar': 'extra', copy: 'app' }),
    )
    const service = await startService()
    const workspace = makeWorkspace({
      'a/app.zip': 'app',
      'b/app.zip': 'app',
      [`b/${FILE}`]: 'an older one',
      SUMS: `${sha256('image')}  image.oci\n`,
    })
    const inputs = { path: 'a\nb', checksums: 'SUMS', 'attach-to-release': 'false' }

    const run = await notarizeRelease({ github, service, workspace, inputs })

    const names = run.results.records?.map(({ artifact }) => artifact)
    expect(names).toEqual(['a/app.zip', 'b/app.zip', 'copy', 'extra.tar', 'image.oci'])
    expect(service.completionCounts.size).toBe(3)
    expect(run.annotations.warning).toEqual([])
    expect(github.writes()).toEqual([])
  })

  it('are known to a dry run, which changes nothing', async () => {
    const service = await startService()
    const records = { name: FILE, content: toJsonLines([makeLine(service.url, 'app')]) }
    const github = await startRelease([{ name: 'app.zip', content: 'app', ...none }, records])
    const inputs = { 'dry-run': 'true', 'api-key': '', subscription: '' }

    const run = await notarizeRelease({ github, service, inputs })

    expect(run.results).toMatchObject({ verdict: 'dry-run', 'artifact-count': 1 })
    expect(run.checksums).toBe(`${sha256('app')}  app.zip\n`)
    expect([service.requests, github.writes(), run.workspace.exists(FILE)]).toEqual([[], [], false])
  })
})

describe('a run is stopped before anything is sent by', () => {
  const moved = { tags: { [TAG]: { commit: 'a'.repeat(40) } } }
  const readOnly = { canWrite: false }

  it.each<[string, GitHubOptions, RegExp, string?]>([
    ['a tag that was moved', moved, /^input "release-tag": the tag .* points to/],
    ['a release that is not there', { releases: [] }, /^input "release-tag": .*not found/],
    ['other bytes than are published', {}, /"dist\/app.zip" has [0-9a-f]{64}/, 'built again'],
    ['a token that cannot write', readOnly, /^input "attach-to-release".*contents: write/],
  ])('%s', async (_what, options, message, built = 'app') => {
    const github = await startRelease(oneAsset, options)
    const service = await startService()
    const workspace = makeWorkspace({ 'dist/app.zip': built })

    const run = await notarizeRelease({ github, service, workspace, inputs: { path: 'dist' } })

    checkStopped(run, service)
    expect(run.annotations.error).toEqual([expect.stringMatching(message)])
    expect(github.releases.flatMap(({ assets }) => assets)).toHaveLength(github.releases.length)
  })
})
