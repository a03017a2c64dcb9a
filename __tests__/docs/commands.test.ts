/** Every command that a page shows is run here; a tool that a machine may not have is reported as skipped. */
import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { isOpen, readRecordsText } from '../support/record-lines.ts'
import { makeLine, makeRecord, makeStateLine, sha256, toJsonLines } from '../support/samples.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeWorkspace } from '../support/workspace.ts'
import type { Workspace } from '../support/workspace.ts'
import { blocksOf, npmScripts, pages, root } from './page.ts'

const service = 'https://app.dedit.io'
const RECORDS = 'notarization-records.jsonl'

const all = pages.flatMap(blocksOf).filter(({ language }) => language === 'sh')
const [ofNpm = [], blocks = []] = [true, false].map(isNpm =>
  all.filter(({ text }) => text.startsWith('npm ') === isNpm),
)
const untried = new Set(blocks)

afterAll(() => {
  cleanUp()
  expect([...untried].map(({ page, text }) => `${page}: ${text}`)).toEqual([])
})

/** The block of a page that has this text; from now on it counts as tried. */
function command(page: string, part: string): string {
  const found = blocks.filter(block => block.page === page && block.text.includes(part))
  const [block] = found
  if (block === undefined || found.length > 1) throw new Error(`${page}: ${found.length} blocks`)
  untried.delete(block)
  return block.text
}

/** Runs a script as a step of a workflow does; what stands in `bin` of the workspace comes first. */
function bash(script: string, workspace: Workspace, env: Readonly<Record<string, string>> = {}) {
  const path = [workspace.path('bin'), process.env['PATH'] ?? ''].join(delimiter)
  const { status, stdout } = spawnSync('bash', ['-eo', 'pipefail', '-c', script], {
    cwd: workspace.root,
    encoding: 'utf8',
    env: { ...process.env, ...env, PATH: path },
  })
  return { status, stdout }
}

/** The values of JSON lines. */
function parseLines(text: string): readonly Readonly<Record<string, unknown>>[] {
  const lines = text.split('\n').filter(line => line !== '')
  return lines.map(line => z.record(z.string(), z.unknown()).parse(JSON.parse(line)))
}

const has = (tool: string): boolean => spawnSync(tool, ['--version']).status === 0
const withJq = has('jq') && has('sha256sum') ? it : it.skip
const withPowerShell = has('pwsh') ? it : it.skip

it.each(ofNpm)('$page: $text sets itself up', ({ text }) => {
  const [, name = ''] = /^npm (?:run )?([\w:]+)/.exec(text) ?? []

  expect(npmScripts[name]).toMatch(/^node scripts\/set-up\.mjs && /)
})

/** Lines of all kinds: a record, one with problems, one that was sent only, and one that came to nothing. */
const recordsText = toJsonLines([
  makeStateLine(service, 'good'),
  makeLine(service, 'good'),
  makeLine(service, 'bad', { problems: ['status is "pending", not "registered"'] }),
  makeLine(service, 'pending', {
    record: makeRecord(sha256('pending'), { status: 'not_registered' }),
  }),
  makeStateLine(service, 'open'),
  makeStateLine(service, 'open', { at: '2026-01-01T00:00:01.000Z' }),
  makeStateLine(service, 'open', { state: 'not-registered' }),
  makeStateLine(service, 'settled'),
  makeStateLine(service, 'settled', { state: 'not-registered' }),
  // A text search finds the hash of "open" here.
  makeLine(service, 'other', {
    record: makeRecord(sha256('other'), { payload: { hash: sha256('open'), problems: [] } }),
  }),
])

withJq('docs/reference.md reads records only, and prints nothing that somebody else chose', () => {
  const hostile = makeLine(service, '::error::x\n##[error]y')
  const text = toJsonLines([makeStateLine(service, 'a'), hostile])
  const workspace = makeWorkspace({ [RECORDS]: text })
  const { stdout } = bash(command('docs/reference.md', 'RECORDS'), workspace, { RECORDS })

  expect(stdout).toBe(`${hostile.hash} 1767225600000\n`)
})

describe('docs/records.md', () => {
  const page = 'docs/records.md'
  const hash = sha256('open')

  withJq('lists what is open, as the contract has it', () => {
    const { stdout } = bash(command(page, 'group_by'), makeWorkspace({ [RECORDS]: recordsText }))

    const open = { artifact: 'dist/open', hash, sent: ['2026-01-01T00:00:01.000Z'] }
    expect(parseLines(stdout)).toEqual([open])
    expect(isOpen(readRecordsText(recordsText), { service, hash })).toBe(true)
  })

  withJq('settles an open hash by the record of the service', () => {
    const record = makeRecord(hash)
    const files = { [RECORDS]: recordsText, 'record.json': JSON.stringify(record) }
    const workspace = makeWorkspace(files)
    bash(command(page, '--slurpfile'), workspace, { hash })
    const { records } = readRecordsText(workspace.read(RECORDS))

    expect(records.at(-1)).toEqual(makeLine(service, 'open', { record }))
    expect(workspace.read(RECORDS).startsWith(recordsText)).toBe(true)
  })

  withJq('settles an open hash that is not registered by removing its lines, and no others', () => {
    const workspace = makeWorkspace({ [RECORDS]: recordsText })
    bash(command(page, 'settled.jsonl'), workspace, { hash })

    const kept = parseLines(recordsText).filter(line => line['hash'] !== hash)
    expect(parseLines(workspace.read(RECORDS))).toEqual(kept)
  })
})

it('docs/releases.md puts the evidence page behind the notes of the release, again and again', () => {
  const gh = `#!/usr/bin/env bash
    case "$2" in
      view) cat notes.txt ;;
      edit) test "$3 $4" = "v1.2.3 --notes-file"; cp "$5" notes.txt ;;
    esac`
  const page = '# Notarization evidence\n\nrows\n'
  const workspace = makeWorkspace({ 'page.md': page, 'notes.txt': 'What is new\n', 'bin/gh': gh })
  chmodSync(workspace.path('bin/gh'), 0o755)
  const script = command('docs/releases.md', '--notes-file')
  for (let times = 0; times < 2; times++) {
    const { status } = bash(script, workspace, { TAG: 'v1.2.3', EVIDENCE: 'page.md' })
    expect(status).toBe(0)
    expect(workspace.read('notes.txt')).toBe(`What is new\n${page}`)
  }
})

describe('docs/verify.md', () => {
  const page = 'docs/verify.md'

  it('asks for the attestation as examples/deploy.yml does', () => {
    const words = (text: string): string => text.split(/[\s\\]+/).join(' ')
    const example = readFileSync(join(root, 'examples/deploy.yml'), 'utf8')

    expect(words(example)).toContain(words(command(page, 'gh attestation')).trim())
  })

  const contents = [
    ['good', true],
    ...['bad', 'pending', 'open', 'stranger'].map(content => [content, false] as const),
  ] as const

  withJq.each(contents)('by hand: a file with the content "%s" is found: %s', (...row) => {
    const [content, isFound] = row
    const workspace = makeWorkspace({ 'app.tar.gz': content, [RECORDS]: recordsText })
    const { status, stdout } = bash(command(page, 'sha256sum < app.tar.gz'), workspace)

    expect(status === 0).toBe(isFound)
    const found = { service, registered: 1_767_225_600_000 }
    if (isFound) expect(JSON.parse(stdout)).toMatchObject(found)
    else expect(stdout).toBe('')
  })

  withJq('by hand: a folder passes only if each of its files has a record', () => {
    const script = command(page, 'for file in dist/*')
    const files = { 'dist/a b.zip': 'good', 'dist/-c.zip': 'other', [RECORDS]: recordsText }
    const workspace = makeWorkspace(files)
    const lines = 'matched     dist/-c.zip\nmatched     dist/a b.zip\n'
    expect(bash(script, workspace)).toEqual({ status: 0, stdout: lines })

    workspace.write('dist/-c.zip', 'pending')
    const without = lines.replace('matched     dist/-c', 'NO RECORD   dist/-c')
    expect(bash(script, workspace)).toEqual({ status: 1, stdout: without })
  })

  withPowerShell.each(contents)('in PowerShell: a file with "%s" is found: %s', (...row) => {
    const [content, isFound] = row
    const [block] = blocksOf(page).filter(({ language }) => language === 'powershell')
    const workspace = makeWorkspace({ 'app.zip': content, [RECORDS]: recordsText })
    workspace.write('check.ps1', block?.text ?? '')
    const options = { cwd: workspace.root, encoding: 'utf8' } as const
    const run = spawnSync('pwsh', ['-NoProfile', '-File', 'check.ps1'], options)

    expect(run.status === 0).toBe(isFound)
    expect(run.stdout.includes(service)).toBe(isFound)
  })
})
