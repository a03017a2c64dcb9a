/** The commands that pages show do what these pages say. */
import { spawnSync } from 'node:child_process'
import { expect } from '@jest/globals'
import { lineOf } from '../records/entries.ts'
import { sha256 } from '../support/samples.ts'
import { itRunsScripts } from '../support/script.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'
import { blocksOf } from './page.ts'

const service = 'https://app.dedit.io'
const records = 'notarization-records.jsonl'

const lines = lineOf('one') + lineOf('two')

/** Returns the only command of a page with this text. */
function commandOf(page: string, part: string): string {
  const [block, another] = blocksOf(page).filter(text => text.includes(part))
  if (block === undefined || another !== undefined) throw new Error(`${page} needs one "${part}"`)
  return block
}

/** Returns the command of the first step that has one. */
function runOf(steps: string): string {
  return /^[- ]*run: (.*)$/m.exec(steps)?.[1] ?? ''
}

/** Runs a command as if it were pasted into a shell, after these other commands. */
function paste(command: string, { root }: Workspace, before = '') {
  return spawnSync('bash', ['-c', `${before}\n${command}`], { cwd: root, encoding: 'utf8' })
}

itRunsScripts('lines are saved from the log of each attempt, also of a Windows runner', () => {
  const log = Array.from(
    `##[warning]Save these\n${lines}FAILURES: [{"artifact":"a"}]\n`.matchAll(/.+/g),
    ([line]) => `notarize\tRun OWNER/REPO@v1\t2026-01-31T12:00:00.1234567Z ${line}\n`,
  ).join('')
  const workspace = makeWorkspace({ 1: log, 2: log.replaceAll('\n', '\r\n') })
  const command = commandOf('docs/records.md', 'sed -n')
  for (const attempt of [1, 2]) {
    paste(command, workspace, `RUN_ID=7 ATTEMPT=${attempt}\ngh() { cat "$5"; }`)
  }
  expect(workspace.read('notarization-records-7.jsonl')).toBe(lines + lines)
})

itRunsScripts('records of a run are added to those that are committed', () => {
  const collect = commandOf('docs/records.md', 'gh run download')
  const commit = commandOf('docs/records.md', 'git commit')
  const [one = '', two = ''] = lines.split(/(?<=\n)/)
  const workspace = makeWorkspace({ 'kept/1/notarization-records.jsonl': two, [records]: one })
  const before = 'RUN_ID=7\ngh() { cp -r kept earlier; }\ngit() { echo "$1"; }'
  const { stdout } = paste(`${collect}${commit}`, workspace, before)
  expect(stdout).toBe('add\ncommit\npush\n')
  expect(workspace.read(records)).toBe(lines)
})

itRunsScripts('the record of a file is printed from its attestation', () => {
  const record = { hash: sha256('app'), record: { txId: 'T' } }
  const predicate = { service, source: { ref: 'refs/tags/v1' }, records: [{ hash: 'b' }, record] }
  const attested = JSON.stringify([{ verificationResult: { statement: { predicate } } }])
  const workspace = makeWorkspace({ 'app.tar.gz': 'app', attested })
  const command = commandOf('docs/verify.md', '--jq')
  const { stdout } = paste(command, workspace, 'gh() { jq "${@: -1}" attested; }')
  expect(JSON.parse(stdout)).toEqual({ service, ref: 'refs/tags/v1', commit: null, ...record })
})

itRunsScripts.each([
  ['continues if the service was unavailable for all', ['unavailable', 'not-tried'], 2, 0],
  ['stops if nothing was tried for another reason', ['not-tried', 'not-tried'], 2, 1],
  ['stops if one failed for another reason', ['unavailable', 'unreadable'], 2, 1],
  ['stops if another reason may have been cut off', ['unavailable'], 2, 1],
  ['stops if nothing was sent, or nothing failed', [], 0, 1],
])('a release %s', (_, codes, failed, status) => {
  const command = runOf(commandOf('docs/recipes.md', 'jq -en'))
  const failures = JSON.stringify(codes.map(code => ({ code })))
  const before = `export FAILURES='${failures}' FAILED=${failed}`
  expect(paste(command, makeWorkspace(), before).status).toBe(status)
})

itRunsScripts('one checksums file covers files in folders, and shows which one was altered', () => {
  const workspace = makeWorkspace({ 'dist/app': '1', 'dist/deep/the docs': '2' })
  paste(runOf(commandOf('docs/recipes.md', 'path: SHA256SUMS')), workspace)
  const check = `cd dist\n${commandOf('docs/recipes.md', 'sha256sum --ignore-missing')}`
  const before = 'cp SHA256SUMS dist'
  expect(paste(check, workspace, before).stdout).toBe('./app: OK\n./deep/the docs: OK\n')
  workspace.write('dist/app', '3')
  expect(paste(check, workspace, before).status).toBe(1)
})
