/** Untrusted text never becomes a command, a mask or markup in a real log and summary. */
import { spawnSync } from 'node:child_process'
import { expect, it } from '@jest/globals'
import { rawFault, redirectFault, statusFault } from '../../simulator/index.ts'
import type { Fault, Simulator } from '../../simulator/index.ts'
import { readRecordsFile, readSummary } from '../support/finished-run.ts'
import { sha256 } from '../support/samples.ts'
import { makeRelease, notarize, secretsOf, startService, type CheckedRun } from './support.ts'

/** Texts that would act in a log, a terminal or a summary. */
const hostileTexts: readonly string[] = [
  '::error::forged',
  '::add-mask::registered',
  'x ##[error]forged',
  'x%0A::error::forged%0D%0A##[error]forged',
  'x\n::error::forged',
  'x\r::error::forged',
  'x\u2028::error::forged\u2029##[error]forged',
  'x\u0085::error::forged\u000b::error::forged\u000c::error::forged',
  '\u001b[31mred\u001b[0m\u001b]0;title\u0007\u001b[2J\u001b[1A',
  'a\u200bb\u200d\u2060\ufeffc\u00ad\u{e0041}',
  'x\n```\n# NOTARIZED\n```sh',
  '<img src=x onerror=alert(1)>',
  '</code></td></tr></table><h1>forged</h1>',
  '[x](javascript:alert(1)) ![x](https://evil.example/x.png)',
  '**x** __x__ ~~x~~ # x @octocat octo/app#1',
  '\'; $(id) `id` ${IFS} \\ "END"\nEND\n',
  '${{ secrets.KEY }}',
]

/** Checks what `checkFinishedRun` does not check. */
function expectHarmless(run: CheckedRun, service: Simulator): void {
  const known = new Set(secretsOf(service).flatMap(secret => [secret, ...secret.split('.')]))
  expect(run.masks.filter(mask => !known.has(mask))).toEqual([])
  const { error, warning, notice } = run.annotations
  expect([error.length, warning.length, notice.length]).toEqual([run.exitCode, 0, 0])
  for (const { properties } of run.commands) expect(properties).toBe('')

  // No Markdown is left in the table, and no invisible character anywhere.
  const [table = ''] = /<table>.*<\/table>/s.exec(run.summary) ?? []
  expect(table.replaceAll(/<[^<>]*>/g, '')).not.toMatch(/[`|[\]*~@]/)
  const invisible = /[\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/
  for (const text of [run.stdout, run.summary]) expect(text).not.toMatch(invisible)
}

/** Answers without a record; after them come a record that contradicts its request, and a good one. */
const faults: readonly ((text: string) => Fault)[] = [
  text => statusFault(409, { body: { message: text } }),
  text => statusFault(422, { body: text }),
  text => rawFault(JSON.stringify([text])),
  text => redirectFault(`https://evil.example/?${encodeURIComponent(text)}`),
]
const wrongRecord = faults.length
const goodRecord = wrongRecord + 1

it('hostile names and answers have no effect, and stay exact in outputs, records and checksums', async () => {
  // The number keeps names unique; a slash would create a folder.
  const cases = hostileTexts.flatMap(text =>
    Array.from({ length: goodRecord + 1 }, (_, kind) => {
      return { text, kind, name: `${text.replaceAll('/', '\u2215')}${kind}` }
    }),
  )
  const byHash = new Map(cases.map(row => [sha256(row.name), row]))
  const service = await startService({
    faults: ({ hash = '' }) => {
      const { text, kind } = byHash.get(hash) ?? { text: '', kind: goodRecord }
      return faults[kind]?.(text)
    },
    record: hash => {
      const text = `${byHash.get(hash)?.text ?? ''}\u0000::error::forged\ud800`
      const texts = { description: text, txId: text, blockchainType: text, [text]: [text] }
      return byHash.get(hash)?.kind === wrongRecord ? { ...texts, status: text } : texts
    },
  })
  const workspace = makeRelease(Object.fromEntries(cases.map(({ name }) => [name, name])))
  const run = await notarize({ service, workspace, inputs: { 'max-registrations': '200' } })
  expectHarmless(run, service)

  const namesOf = (isOfKind: (kind: number) => boolean): ReadonlySet<string> =>
    new Set(cases.filter(({ kind }) => isOfKind(kind)).map(({ name }) => `dist/${name}`))
  const { records, failures } = run.results
  const nameOf = ({ artifact }: { readonly artifact: string }): string => artifact
  expect(new Set(records?.map(nameOf))).toEqual(namesOf(kind => kind === goodRecord))
  expect(run.results['failed-count']).toBe(hostileTexts.length * goodRecord)
  expect(
    failures.map(nameOf).filter(name => !namesOf(kind => kind < goodRecord).has(name)),
  ).toEqual([])
  const lines = readRecordsFile(run).records
  expect(new Set(lines.map(nameOf))).toEqual(namesOf(kind => kind >= wrongRecord))
  for (const { hash, record } of [records ?? [], lines].flat()) {
    expect(record).toEqual(service.registered.get(hash))
  }
  const args = ['--strict', '-c', run.results['checksums-path']]
  const { status, stderr } = spawnSync('sha256sum', args, { cwd: workspace.root, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  // Each registered artifact has one line in the log.
  const logged = run.lines.filter(line => /^\S+ registered: "/u.test(line))
  expect(logged).toHaveLength(hostileTexts.length)
  const shown = readSummary(run.summary).rows.map(([, name]) => name)
  expect(shown).toContainEqual(expect.stringMatching(/^dist.<img src=x onerror=alert\(1\)>\d$/))
})
