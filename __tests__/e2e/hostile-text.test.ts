/** Untrusted text never becomes a command, a mask or markup, and never floods the log. */
import { describe, expect, it } from '@jest/globals'
import { rawFault, redirectFault, statusFault } from '../../simulator/index.ts'
import type { Fault, Simulator } from '../../simulator/index.ts'
import { readRecordsFile, readSummary } from '../support/finished-run.ts'
import { sha256 } from '../support/samples.ts'
import type { Workspace } from '../support/workspace.ts'
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
  // The warning says that the output "records" would be too long.
  const expected = [run.exitCode ?? 0, run.results.records === null ? 1 : 0, 0]
  expect([error.length, warning.length, notice.length]).toEqual(expected)
  for (const { properties } of run.commands) expect(properties).toBe('')

  // The log is not flooded.
  expect(Math.max(...run.lines.map(line => line.length))).toBeLessThan(4500)
  expect(run.lines.length).toBeLessThan(200)

  // No Markdown is left in the table, and no invisible character anywhere.
  const [table = ''] = /<table>.*<\/table>/s.exec(run.summary) ?? []
  expect(table.replaceAll(/<[^<>]*>/g, '')).not.toMatch(/[`|[\]*~@]/)
  const invisible = /[\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/
  for (const text of [run.stdout, run.summary]) expect(text).not.toMatch(invisible)
}

/** An artifact named after each text. The number keeps names unique; a slash would create a folder. */
const files = hostileTexts.map((text, index) => {
  const name = `${text.replaceAll('/', '\u2215')}${index}`
  return { text, name, content: `content of ${name}`, hash: sha256(`content of ${name}`) }
})
const makeHostileRelease = (): Workspace =>
  makeRelease(Object.fromEntries(files.map(({ name, content }) => [name, content])))
const hostileOf = (hash: string): string => files.find(file => file.hash === hash)?.text ?? ''

const longOf = (hash: string): string => hostileOf(hash).repeat(1_000).slice(0, 20_000)

it('hostile artifact names have no effect, and stay exact in outputs, records and checksums', async () => {
  const service = await startService()
  const workspace = makeHostileRelease()
  const long = ['x', '##[error]'].map(text => text.repeat(10_000))
  workspace.write('SUMS', long.map(name => `${sha256(name)}  ${name}\n`).join(''))
  const run = await notarize({ service, workspace, inputs: { checksums: 'SUMS' } })
  expectHarmless(run, service)
  const names = new Set([...long, ...files.map(({ name }) => `dist/${name}`)])
  expect(new Set(readRecordsFile(run).records.map(({ artifact }) => artifact))).toEqual(names)
  expect(new Set(run.results.records?.map(({ artifact }) => artifact))).toEqual(names)
  for (const { name } of files) expect(run.checksums).toContain(name.replace(/[\\\n\r].*/s, ''))
  // Each artifact has one line in the log and one row in the summary.
  expect(run.lines.filter(line => /^\S+ registered: "/u.test(line))).toHaveLength(names.size)
  expect(run.stdout).toMatch(/x… \[cut, 10000 characters\]/)
  const shown = readSummary(run.summary).rows.map(([, name]) => name)
  expect(shown).toContainEqual(expect.stringMatching(/^dist.<img src=x onerror=alert\(1\)>\d+$/))
})

describe('hostile text from the service', () => {
  const answers: readonly ((text: string) => Fault)[] = [
    text => statusFault(409, { body: { message: text } }),
    text => statusFault(422, { body: text }),
    text => rawFault(JSON.stringify([text])),
    text => redirectFault(`https://evil.example/?${encodeURIComponent(text)}`),
  ]
  it('has no effect in an answer without a record, even if it is very long', async () => {
    const service = await startService({
      faults: ({ hash, nthOfEndpoint }) =>
        hash === undefined ? undefined : answers[nthOfEndpoint % 4]?.(longOf(hash).slice(0, 9_000)),
    })
    const run = await notarize({ service, workspace: makeHostileRelease() })
    expectHarmless(run, service)
    expect(run.results.failures).toHaveLength(files.length)
    for (const { message } of run.results.failures) expect(message.length).toBeLessThan(2_500)
  })

  it('has no effect in a record, even in one that contradicts its request, and stays exact', async () => {
    const service = await startService({
      record: hash => {
        const text = `${hostileOf(hash)}\u0000::error::forged\ud800`
        const texts = { description: text, txId: text, blockchainType: text, [text]: [text] }
        return hash < '8' ? texts : { ...texts, status: longOf(hash), custody: text }
      },
    })
    const workspace = makeHostileRelease()
    for (let count = 0; count < 2; count++) {
      const run = await notarize({ service, workspace })
      expectHarmless(run, service)
      const { records: entries, failures } = run.results
      const records = entries ?? []
      expect(new Set(failures.map(({ code }) => code))).toEqual(new Set(['record-mismatch']))
      for (const { hash, record } of [...records, ...readRecordsFile(run).records]) {
        expect(record).toEqual(service.registered.get(hash))
      }
    }
    expect(service.completionCounts.size).toBe(files.length)
  })
})
