/** Every command that a page shows is run here; a tool that a machine may not have is reported as skipped. */
import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { isOpen, readRecordsText } from '../support/record-lines.ts'
import {
  makeLine,
  makeRecord,
  makeStateLine,
  sha256,
  source,
  toJsonLines,
} from '../support/samples.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeWorkspace } from '../support/workspace.ts'
import type { Workspace } from '../support/workspace.ts'
import { blocksOf, pages, root } from './page.ts'

const service = 'https://app.dedit.io'
const RECORDS = 'notarization-records.jsonl'

const blocks = pages.flatMap(blocksOf).filter(({ language }) => language === 'sh')
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

/** Runs a script as a step of a workflow does, with stand-ins for some commands. */
function bash(
  script: string,
  workspace: Workspace,
  { env = {}, stubs = {} }: Options = {},
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  for (const [name, text] of Object.entries(stubs)) {
    workspace.write(`../stubs/${name}`, `#!/usr/bin/env bash\n${text}\n`)
    chmodSync(workspace.path('../stubs', name), 0o755)
  }
  const path = [workspace.path('../stubs'), process.env['PATH'] ?? ''].join(delimiter)
  const { status, stdout, stderr } = spawnSync('bash', ['-eo', 'pipefail', '-c', script], {
    cwd: workspace.root,
    encoding: 'utf8',
    env: { ...process.env, ...env, PATH: path },
  })
  return { status, stdout, stderr }
}

interface Options {
  readonly env?: Readonly<Record<string, string>>
  readonly stubs?: Readonly<Record<string, string>>
}

const has = (tool: string): boolean => spawnSync(tool, ['--version']).status === 0
const withJq = has('jq') && has('sha256sum') ? it : it.skip
const withPowerShell = has('pwsh') ? it : it.skip

describe('the commands of npm', () => {
  it.each([
    ['README.md', 'npm run demo'],
    ['README.md', 'npm test'],
    ['docs/service.md', 'npm run probe'],
  ])('%s: %s is a script of this repository', (page, text) => {
    const name =
      command(page, text)
        .replace(/^npm (?:run )?/, '')
        .split(/\s/)[0] ?? ''
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))

    expect(scripts[name]).toMatch(/^node scripts\/set-up\.mjs && /)
  })
})

/** Lines of all kinds: a record, one with problems, one that was sent only, and one that came to nothing. */
const all = toJsonLines([
  makeStateLine(service, 'good'),
  makeLine(service, 'good'),
  makeLine(service, 'bad', { problems: ['status is "pending", not "registered"'] }),
  makeLine(service, 'pending', {
    record: { ...makeRecord(sha256('pending')), status: 'not_registered' },
  }),
  makeStateLine(service, 'open'),
  makeStateLine(service, 'open', { at: '2026-01-01T00:00:01.000Z' }),
  makeStateLine(service, 'open', { state: 'not-registered' }),
  makeStateLine(service, 'settled'),
  makeStateLine(service, 'settled', { state: 'not-registered' }),
  makeLine(service, 'other', {
    // A text search finds the hash of "open" here.
    record: { ...makeRecord(sha256('other')), payload: { hash: sha256('open'), problems: [] } },
  }),
])

describe('docs/reference.md', () => {
  withJq('reads records only, and prints nothing that somebody else chose', () => {
    const hostile = makeLine(service, '::error::x\n##[error]y')
    const workspace = makeWorkspace({
      [RECORDS]: toJsonLines([makeStateLine(service, 'a'), hostile]),
    })
    const { stdout } = bash(command('docs/reference.md', 'RECORDS'), workspace, {
      env: { RECORDS },
    })

    expect(stdout).toBe(`${hostile.hash} 1767225600000\n`)
  })
})

describe('docs/records.md', () => {
  const page = 'docs/records.md'
  const hash = sha256('open')
  const place = { service, hash }

  withJq('lists what is open, as the contract has it', () => {
    const { stdout } = bash(command(page, 'group_by'), makeWorkspace({ [RECORDS]: all }))

    expect(
      stdout
        .split('\n')
        .filter(Boolean)
        .map(line => z.unknown().parse(JSON.parse(line))),
    ).toEqual([{ artifact: 'dist/open', hash, sent: ['2026-01-01T00:00:01.000Z'] }])
    expect(isOpen(readRecordsText(all), place)).toBe(true)
  })

  withJq('settles an open hash by the record of the service', () => {
    const record = makeRecord(hash)
    const workspace = makeWorkspace({ [RECORDS]: all, 'record.json': JSON.stringify(record) })
    bash(command(page, '--slurpfile'), workspace, { env: { hash } })
    const { records } = readRecordsText(workspace.read(RECORDS))

    expect(records.at(-1)).toEqual({
      ...{ artifact: 'dist/open', size: 4, hash, service, record, problems: [], source },
    })
    expect(workspace.read(RECORDS).startsWith(all)).toBe(true)
  })

  withJq('settles an open hash that is not registered by removing its lines, and no others', () => {
    const workspace = makeWorkspace({ [RECORDS]: all })
    const left = (text: string): readonly unknown[] =>
      text
        .split('\n')
        .filter(Boolean)
        .map(line => z.unknown().parse(JSON.parse(line)))
    bash(command(page, 'settled.jsonl'), workspace, { env: { hash } })

    expect(left(workspace.read(RECORDS))).toEqual(
      left(all).filter(line => z.object({ hash: z.string() }).parse(line).hash !== hash),
    )
  })
})

describe('docs/releases.md', () => {
  it('puts the evidence page behind the notes of the release, again and again', () => {
    const workspace = makeWorkspace({
      'page.md': '# Notarization evidence\n\nrows\n',
      'notes.txt': 'What is new\n',
    })
    const gh = [
      'case "$2" in',
      '  view) cat notes.txt ;;',
      '  edit) test "$3 $4" = "v1.2.3 --notes-file"; cp "$5" notes.txt ;;',
      'esac',
    ].join('\n')
    const script = command('docs/releases.md', '--notes-file')
    for (let times = 0; times < 2; times++) {
      const env = { TAG: 'v1.2.3', EVIDENCE: 'page.md' }
      expect(bash(script, workspace, { env, stubs: { gh } })).toMatchObject({ status: 0 })
      expect(workspace.read('notes.txt')).toBe('What is new\n# Notarization evidence\n\nrows\n')
    }
  })
})

describe('docs/verify.md', () => {
  const page = 'docs/verify.md'

  it('asks for the attestation as examples/deploy.yml does', () => {
    const words = (text: string): readonly string[] => text.split(/[\s\\]+/).filter(Boolean)
    const example = readFileSync(join(root, 'examples/deploy.yml'), 'utf8')

    expect(words(example).join(' ')).toContain(words(command(page, 'gh attestation')).join(' '))
  })

  const contents = [
    ['good', true],
    ['bad', false],
    ['pending', false],
    ['open', false],
    ['stranger', false],
  ] as const

  const single = 'hash=$(sha256sum < app.tar.gz'

  withJq.each(contents)(
    'by hand: a file with the content "%s" is found: %s',
    (content, isFound) => {
      const workspace = makeWorkspace({ 'app.tar.gz': content, [RECORDS]: all })
      const run = bash(command(page, single), workspace)

      expect(run.status === 0).toBe(isFound)
      expect(run.stdout === '').toBe(!isFound)
      if (isFound)
        expect(JSON.parse(run.stdout)).toMatchObject({ service, registered: 1_767_225_600_000 })
    },
  )

  withJq('by hand: a folder passes only if each of its files has a record', () => {
    const script = command(page, 'for file in dist/*')
    const workspace = makeWorkspace({
      'dist/a b.zip': 'good',
      'dist/-c.zip': 'other',
      [RECORDS]: all,
    })
    expect(bash(script, workspace)).toMatchObject({
      ...{ status: 0, stdout: 'matched     dist/-c.zip\nmatched     dist/a b.zip\n' },
    })

    workspace.write('dist/-c.zip', 'pending')
    expect(bash(script, workspace)).toMatchObject({
      ...{ status: 1, stdout: 'NO RECORD   dist/-c.zip\nmatched     dist/a b.zip\n' },
    })
  })

  const [powershell] = blocksOf(page).filter(({ language }) => language === 'powershell')

  withPowerShell.each(contents)(
    'in PowerShell: a file with the content "%s" is found: %s',
    (content, isFound) => {
      const workspace = makeWorkspace({ 'app.zip': content, [RECORDS]: all })
      workspace.write('check.ps1', powershell?.text ?? '')
      const run = spawnSync('pwsh', ['-NoProfile', '-File', 'check.ps1'], {
        cwd: workspace.root,
        encoding: 'utf8',
      })

      expect(run.status === 0).toBe(isFound)
      expect(run.stdout.includes(service)).toBe(isFound)
    },
  )
})
