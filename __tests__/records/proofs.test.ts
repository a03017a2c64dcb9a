import { describe, expect, it } from '@jest/globals'
import type { Artifact, Outcome } from '../../src/outcome.ts'
import { systemDisk } from '../../src/records/disk.ts'
import { Ledger } from '../../src/records/ledger.ts'
import { writeProofs } from '../../src/records/proofs.ts'
import type { Disk } from '../../src/runtime/outside.ts'
import { hostIn } from '../artifacts/host.ts'
import { predicateSchema } from '../support/outputs.ts'
import { artifactOf, hashOf, makeRecord, source, unreadOf } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { AT, doubtLineOf, lineOf, SERVICE } from './entries.ts'

const known = lineOf(1)
/** Records without secrets, which those of the ledger may have. */
const record = makeRecord(hashOf(1), { holder: '***' })
const ofFile = { state: 'registered', from: 'records-file', isConfirmed: false } as const
const registered = { ...ofFile, record, otherCharge: null }
const again = { ...registered, otherCharge: { isDoubt: true, at: AT } }

function named(name: string, content: number, outcome: Outcome): Artifact {
  return { ...artifactOf(name, content), outcome }
}

const artifacts = [
  named('dist/a.zip', 2, registered),
  named('dist/b.zip', 1, registered),
  named('dist/twin.zip', 1, again),
  artifactOf('dist/planned.zip', 3),
  unreadOf('dist/unread.zip'),
]

/** Writes the files of a run that knows these records. Returns them by output, with the warnings. */
function proofsOf(
  all: readonly Artifact[],
  options: {
    readonly records?: string
    readonly isDryRun?: boolean
    readonly write?: Disk['write']
  },
) {
  const { records = '', isDryRun = false, write = systemDisk.write } = options
  const workspace = makeWorkspace({ records, 'folder/x': '' })
  const warnings: string[] = []
  const base = hostIn('/')
  const runner = { ...base.runner, warning: (text: string) => void warnings.push(text) }
  const host = { ...base, runner, disk: { ...systemDisk, write } }
  const file = { path: workspace.path('records'), name: 'records', others: [] }
  const ledger = new Ledger({ ...file, service: SERVICE, source }, host)
  const folder = workspace.path('folder')
  const inputs = { dryRun: isDryRun, verificationUrl: `${SERVICE}/{hash}` }
  const written = writeProofs({ artifacts: all, ledger, folder, inputs }, host)
  const paths = Object.values<string>({ ...written })
  const texts = paths.map(path => (path === '' ? '' : workspace.read(path)))
  return { texts, warnings: warnings.join().replaceAll(folder, 'FOLDER') }
}

describe('the files for later steps', () => {
  it('are of exactly the registered artifacts', () => {
    const records = known + doubtLineOf(2) + lineOf(2, { confirmed: true })
    const { texts, warnings } = proofsOf(artifacts, { records })
    const [checksums = '', predicate = '', page = ''] = texts
    expect(warnings).toBe('')
    expect(checksums).toBe(
      `${hashOf(2)}  dist/a.zip\n${hashOf(1)}  dist/b.zip\n${hashOf(1)}  dist/twin.zip\n`,
    )
    const { service, source: ofRun, records: listed } = predicateSchema.parse(JSON.parse(predicate))
    expect([service, ofRun]).toEqual([SERVICE, source])
    expect(listed).toMatchObject([
      { artifact: 'dist/a.zip', hash: hashOf(2), confirmed: true },
      { artifact: 'dist/b.zip', size: 1, at: AT, verificationUrl: `${SERVICE}/${hashOf(1)}` },
      { artifact: 'dist/twin.zip', hash: hashOf(1), record },
    ])
    expect(page.match(/^- File: `.*/gm)).toEqual([
      '- File: `dist/a.zip`, 2 bytes',
      '- File: `dist/b.zip`, 1 byte',
      '- File: `dist/twin.zip`, 1 byte',
    ])
    expect(page.match(/- File.*(?:\n-.*)*charged more than once/g)).toEqual([
      expect.stringContaining('twin.zip'),
    ])
  })

  it('are, in a dry run, only the checksums of all artifacts that were hashed', () => {
    const { texts } = proofsOf(artifacts, { records: known, isDryRun: true })
    const [checksums = '', ...others] = texts
    expect(checksums.match(/\S+$/gm)).toEqual(artifacts.slice(0, 4).map(({ name }) => name))
    expect(others).toEqual(['', ''])
  })

  it('are missing if nothing is registered', () => {
    const nothing = { texts: ['', '', ''], warnings: '' }
    expect(proofsOf(artifacts.slice(3), { records: known })).toEqual(nothing)
  })

  it('are missing with a warning if they cannot be written', () => {
    const write = (): void => {
      throw Object.assign(new Error('no'), { code: 'ENOSPC' })
    }
    const { texts, warnings } = proofsOf(artifacts.slice(1, 2), { records: known, write })
    expect(texts).toEqual(['', '', ''])
    expect(warnings.split(',')).toEqual(
      ['checksums.txt', 'predicate.json', 'evidence.md'].map(
        name =>
          `"FOLDER/notarization-${name}" could not be written: no space left on device (ENOSPC)`,
      ),
    )
  })

  it('lack a predicate that would be larger than actions/attest accepts', () => {
    const large = { ...registered, record: { payload: 'x'.repeat(4_000_000) } }
    const four = [1, 2, 3, 4].map(number => named(`${number}`, 1, large))
    const { texts, warnings } = proofsOf(four, { records: known })
    expect(texts.map(text => text === '')).toEqual([false, true, false])
    expect(warnings).toBe(
      'The output "predicate-path" is empty, because the predicate would exceed 16,000,000 bytes',
    )
  })
})
