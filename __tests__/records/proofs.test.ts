import { describe, expect, it } from '@jest/globals'
import type { Artifact, Outcome } from '../../src/outcome.ts'
import { systemDisk } from '../../src/records/disk.ts'
import { Ledger } from '../../src/records/ledger.ts'
import { writeProofs } from '../../src/records/proofs.ts'
import { parseJsonObject } from '../../src/text/json.ts'
import { hostIn } from '../artifacts/host.ts'
import { artifactOf, hashOf, source, unreadOf } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { AT, doubtLineOf, lineOf, SERVICE } from './entries.ts'

const known = lineOf(1)
/** A record without secrets, which that of the ledger may have. */
const record = '{"txId":"T","creationDate":12345678901234567890.10}'
const ofFile = { state: 'registered', from: 'records-file', isConfirmed: false } as const
const registered = { ...ofFile, record: parseJsonObject(record) ?? {}, otherCharge: null }
const again = { ...registered, otherCharge: { isDoubt: true, at: AT } }

function named(name: string, content: number, outcome: Outcome): Artifact {
  return { ...artifactOf(name, content), outcome }
}

const artifacts = [
  { ...artifactOf('dist/a.zip', 2, 'checksums'), outcome: { ...registered, record: {} } },
  named('dist/b.zip', 1, registered),
  named('dist/twin.zip', 1, again),
  artifactOf('dist/planned.zip', 3),
  unreadOf('dist/unread.zip'),
]

/** Writes the files of a run that knows these records. Returns them by output, with the warnings. */
function proofsOf(
  all: readonly Artifact[],
  { records = '', isDryRun = false, write = systemDisk.write },
) {
  const workspace = makeWorkspace({ records, 'folder/x': '' })
  const warnings: string[] = []
  const base = hostIn('/')
  const runner = { ...base.runner, warning: (text: string) => void warnings.push(text) }
  const host = { ...base, runner, disk: { ...systemDisk, write } }
  const file = { path: workspace.path('records'), name: 'records', others: [] }
  const ledger = new Ledger({ ...file, service: SERVICE, source }, host)
  const folder = workspace.path('folder')
  const inputs = { dryRun: isDryRun, verificationUrl: `${SERVICE}/{txId}` }
  const written = writeProofs({ artifacts: all, ledger, folder, inputs }, host)
  const paths = Object.values<string>({ ...written })
  const texts = paths.map(path => (path === '' ? '' : workspace.read(path) || 'an empty file'))
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
    const url = `${SERVICE}/T`
    const listed = [
      `{"artifact":"dist/a.zip","size":null,"hash":"${hashOf(2)}","at":"${AT}","record":{},"confirmed":true,"verificationUrl":null}`,
      ...['b', 'twin'].map(
        name =>
          `{"artifact":"dist/${name}.zip","size":1,"hash":"${hashOf(1)}","at":"${AT}","record":${record},"verificationUrl":"${url}"}`,
      ),
    ]
    const head = JSON.stringify({ service: SERVICE, source }).slice(0, -1)
    expect(predicate).toBe(`${head},"records":[${listed.join()}]}\n`)
    expect(page.match(/^- File: `.*/gm)).toEqual([
      '- File: `dist/a.zip`, size unknown: only its checksum was read',
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
    expect(proofsOf(artifacts.slice(-1), { isDryRun: true }).texts).toEqual(['', '', ''])
  })

  it('are missing with a warning if they cannot be written', () => {
    const write = (): void => {
      throw Object.assign(new Error('no'), { code: 'ENOSPC' })
    }
    const { texts, warnings } = proofsOf(artifacts.slice(1, 2), { records: known, write })
    expect(texts).toEqual(['', '', ''])
    const why = 'could not be written: no space left on device (ENOSPC)'
    const names = ['checksums.txt', 'predicate.json', 'evidence.md']
    const told = names.map(name => `"FOLDER/notarization-${name}" ${why}`)
    expect(warnings.split(',')).toEqual(told)
  })

  it('lack a predicate that would be larger than actions/attest accepts', () => {
    const ofLength = (length: number) => {
      const outcome = { ...registered, record: { x: 'é'.repeat(length) } }
      return proofsOf([named('a', 1, outcome)], { records: known })
    }
    const rest = Buffer.byteLength(ofLength(0).texts[1] ?? '')
    const fitting = (16_000_000 - rest) >> 1
    expect(Buffer.byteLength(ofLength(fitting).texts[1] ?? '')).toBeGreaterThan(15_999_998)
    const { texts, warnings } = ofLength(fitting + 1)
    expect(texts.map(text => text === '')).toEqual([false, true, false])
    expect(warnings).toBe(
      'The output "predicate-path" is empty, because the predicate would exceed 16,000,000 bytes',
    )
  })
})
