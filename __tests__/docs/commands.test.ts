/** The commands that pages show do what these pages say. */
import { spawnSync } from 'node:child_process'
import { expect } from '@jest/globals'
import { makeLine, sha256, toJsonLines } from '../support/samples.ts'
import { itRunsScripts } from '../support/script.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'
import { blocksOf } from './page.ts'

const service = 'https://app.dedit.io'
const records = 'notarization-records.jsonl'

const lines = toJsonLines([makeLine(service, 'one'), makeLine(service, 'two')])

/** Returns the only command of a page with this text. */
function commandOf(page: string, part: string): string {
  const [block, another] = blocksOf(page).filter(text => text.includes(part))
  if (block === undefined || another !== undefined) throw new Error(`${page} needs one "${part}"`)
  return block
}

/** Runs a command as if it were pasted into a shell, after these other commands. */
function paste(command: string, { root }: Workspace, before = '') {
  return spawnSync('bash', ['-c', `${before}\n${command}`], { cwd: root, encoding: 'utf8' })
}

itRunsScripts('lines are saved from the log of a run', () => {
  const log = Array.from(
    `##[warning]Save these\n${lines}FAILURES: [{"artifact":"a"}]\n`.matchAll(/.+/g),
    ([line]) => `notarize\tRun OWNER/REPO@v1\t2026-01-31T12:00:00.1234567Z ${line}\n`,
  )
  const workspace = makeWorkspace({ log: log.join('') })
  paste(commandOf('docs/records.md', 'sed -n'), workspace, 'gh() { cat log; }')
  expect(workspace.read(records)).toBe(lines)
})

itRunsScripts(
  'the records of all workflow artifacts are merged, or else nothing is committed',
  () => {
    const command = commandOf('docs/records.md', 'git commit')
    const workspace = makeWorkspace({ 'kept/1/notarization-records.jsonl': lines })
    const git = 'git() { echo "$1"; }'
    expect(paste(command, workspace, `${git}\ngh() { false; }`).stdout).toBe('')
    expect(paste(command, workspace, `${git}\ngh() { cp -r kept earlier; }`).stdout).toContain(
      'commit',
    )
    expect(workspace.read(records)).toBe(lines)
  },
)

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
  ['continues if the service was unavailable for all', ['unavailable', 'unavailable'], 2, 0],
  ['stops if one failed for another reason', ['unavailable', 'unreadable'], 2, 1],
  ['stops if another reason may have been cut off', ['unavailable'], 2, 1],
  ['stops if nothing was sent, or nothing failed', [], 0, 1],
])('a release %s', (_, codes, failed, status) => {
  const step = commandOf('docs/recipes.md', 'jq -en')
  const failures = JSON.stringify(codes.map(code => ({ code })))
  const command = /^ *run: (.*)$/m.exec(step)?.[1] ?? ''
  const before = `export FAILURES='${failures}' FAILED=${failed}`
  expect(paste(command, makeWorkspace(), before).status).toBe(status)
})
