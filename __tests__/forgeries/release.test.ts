/** What `examples/release.yml` and `backfill.yml` refuse: their own scripts, with a stand-in for `gh`. */
import { expect } from '@jest/globals'
import { readPage } from '../docs/page.ts'
import { itRunsScripts } from '../support/script.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'
import { stepsOf, withGh } from './example.ts'

const scriptsOf = (file: string, job: string): readonly string[] =>
  stepsOf(file, job).flatMap(({ run }) => (run === '' ? [] : run))
const [check = '', publish = ''] = scriptsOf('release.yml', 'release')
const [checkBackfill = '', upload = ''] = scriptsOf('backfill.yml', 'notarize')

/** Like `gh`: the releases are those of the variable RELEASES, or cannot be listed; the tag is at TAG_COMMIT. */
const runWithGh = withGh(`#!/bin/bash
case "$*" in
  'api '*/releases*) [ -n "$RELEASES" ] && jq -r "\${@: -1}" <<< "$RELEASES" 2> jq.log ;;
  'api '*/commits/tags/*) echo "$TAG_COMMIT" ;;
  'release create '* | 'release upload '*) echo "$@" ;;
  *) exit 2 ;;
esac`)
const usual = { GITHUB_SHA: 'abc', TAG: 'v1', TAG_COMMIT: 'abc', PRERELEASE: 'false' }

function run(script: string, workspace: Workspace, changes: Readonly<Record<string, string>> = {}) {
  return runWithGh(script, workspace, { ...usual, EVIDENCE: 'page.md', RELEASES: '[]', ...changes })
}

const listed = (...releases: readonly object[]): string =>
  JSON.stringify(releases.map(release => ({ tag_name: 'v1', immutable: false, ...release })))

itRunsScripts.each([
  ['two files of one name', { 'built/a/app': '1', 'built/b/app': '2' }, {}, 'Change the build'],
  ['an empty file', { 'built/app': '' }, {}, 'dist/app'],
  ['a name that GitHub changes', { 'built/a b': '1' }, {}, 'dist/a b'],
  ['a hidden file', { 'built/.app': '1' }, {}, 'dist/.app'],
  ['a name of the action', { 'built/notarization-records-1.jsonl': '1' }, {}, 'dist/notarization'],
  ['a name with two dots', { 'built/a..b': '1' }, {}, 'dist/a..b'],
  ['a release', { 'built/app': '1' }, { RELEASES: listed({}) }, 'v1 has a release or draft'],
  ['a failed look-up', { 'built/app': '1' }, { RELEASES: '' }, 'GitHub did not respond'],
])('release.yml stops before notarizing because of %s', (_, files, changes, message) => {
  const { status, stdout } = run(check, makeWorkspace(files), changes)
  expect(status).not.toBe(0)
  expect(stdout).toMatch(new RegExp(`^::error::.*${message}.*\n$`))
})

itRunsScripts('release.yml publishes all files', () => {
  const files = { 'built/linux/app': '1', 'built/macos/deep/app-1.0+x@y_z.zip': '2' }
  const workspace = makeWorkspace(files)
  const changes = { RELEASES: listed({ tag_name: 'v0' }) }
  expect(run(check, workspace, changes)).toMatchObject({ status: 0, stdout: '' })
  const { stdout } = run(publish, workspace, changes)
  expect(stdout).toContain('release create v1 --verify-tag --generate-notes --prerelease=false')
  expect(stdout).toContain('dist/app dist/app-1.0+x@y_z.zip notarization-records.jsonl page.md')
})

itRunsScripts('in an outage, release.yml publishes existing records without a page', () => {
  const [, text = '', replacement = ''] =
    /replace `(notarization-records.+?)` with `(.+?)`/.exec(readPage('docs/recipes.md')) ?? []
  expect(publish).toContain(text)
  const publishWith = (records: string) => {
    const workspace = makeWorkspace({ 'dist/app': '1', 'notarization-records.jsonl': records })
    return run(publish.replace(text, replacement), workspace, { EVIDENCE: '' }).stdout
  }
  expect(publishWith('{}\n')).toMatch(/ dist\/app notarization-records.jsonl\n$/)
  expect(publishWith('')).toMatch(/ dist\/app\n$/)
})

itRunsScripts('release.yml publishes nothing after the tag was moved', () => {
  const { status, stdout } = run(publish, makeWorkspace({ 'dist/app': '1' }), { TAG_COMMIT: 'def' })
  expect([status, stdout]).toEqual([1, expect.stringMatching(/^::error::/)])
})

itRunsScripts.each([
  ['accepts a release', listed({}, { tag_name: 'v0' }), /^$/],
  ['stops without a release', listed({ tag_name: 'v0' }), /no release/],
  ['stops at an immutable release', listed({ immutable: true }), /immutable/],
  ['stops at several drafts', listed({}, {}), /several/],
])('backfill.yml %s before it notarizes', (_, RELEASES, message) => {
  expect(run(checkBackfill, makeWorkspace(), { RELEASES }).stdout).toMatch(message)
})

itRunsScripts('backfill.yml uploads records without a page, and no empty file', () => {
  const changes = { EVIDENCE: '', GITHUB_RUN_ID: '7', GITHUB_RUN_ATTEMPT: '2' }
  const uploads = (records: string) =>
    run(upload, makeWorkspace({ 'notarization-records.jsonl': records }), changes)
  expect(uploads('{}\n').stdout).toBe('release upload v1 notarization-records-7-2.jsonl\n')
  expect(uploads('')).toMatchObject({ status: 0, stdout: '' })
})
