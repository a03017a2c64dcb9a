/** Runs `check-tag.sh`, which checks a release, in a temporary repository. */
import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import { root } from '../docs/page.ts'
import { itRunsScripts } from '../support/script.ts'
import { makeWorkspace } from '../support/workspace.ts'

const files = {
  'package.json': '{ "version": "1.2.3", "repository": "github:octo/notarize" }',
  'README.md': 'uses: octo/notarize@v1 # as it is\nuses: actions/checkout@v7',
  'docs/verify.md': 'uses: octo/notarize/verify@v1',
  'examples/a.yml': 'uses: octo/notarize@v1',
  'CHANGELOG.md': '# Changelog\n\n## Unreleased\n\n## 1.2.3 - 2026-01-31\n\n- One.\n',
}

const noNotes = { 'CHANGELOG.md': '## 1.2.2\n\n- One.\n' }
const unreleased = { 'CHANGELOG.md': '## Unreleased\n\n- Two.\n\n## 1.2.3\n\n- One.\n' }
const unnamed = { 'docs/a/b.md': 'uses: OWNER/REPO@v1' }
const otherMajor = { 'README.md': 'uses: octo/notarize@v2' }

itRunsScripts.each<[string, string, Readonly<Record<string, string>>, number, RegExp]>([
  ['that is complete passes', 'v1.2.3', {}, 0, /^$/],
  ['of a tag that is not a version stops', 'v1.2', {}, 1, /is not a version/],
  ['of another version stops', 'v1.2.4', {}, 1, /package.json has the version 1.2.3/],
  ['without notes stops', 'v1.2.3', noNotes, 1, /has nothing below/],
  ['that leaves changes unreleased stops', 'v1.2.3', unreleased, 1, /below '## Unreleased'/],
  ['without a repository name stops', 'v1.2.3', unnamed, 1, /missing in docs\/a/],
  ['with another major version stops', 'v1.2.3', otherMajor, 1, /another major/],
])('a release %s', (_, tag, changes, status, message) => {
  const { root: cwd } = makeWorkspace({ ...files, ...changes })
  cpSync(join(root, '.github/scripts'), join(cwd, '.github/scripts'), { recursive: true })
  const commit = `git init -q && git add . && git -c user.name=a -c user.email=a@b commit -qm a
    git update-ref refs/remotes/origin/main HEAD
    GITHUB_SHA=$(git rev-parse HEAD) .github/scripts/check-tag.sh`
  const env = { ...process.env, GITHUB_REF_NAME: tag }
  const run = spawnSync('bash', ['-ec', commit], { cwd, env, encoding: 'utf8' })
  expect(run).toMatchObject({ status, stdout: expect.stringMatching(message) })
})
