/** Text of files and of the service never becomes a command, a mask or markup, and never shows a secret. */
import { expect, it } from '@jest/globals'
import { rawFault, redirectFault, statusFault } from '../../simulator/index.ts'
import type { Fault, Simulator } from '../../simulator/index.ts'
import { formsOf, readRecordsFile } from '../support/finished-run.ts'
import { API_KEY, sha256 } from '../support/samples.ts'
import { makeRelease, notarize, secretsOf, startService } from './support.ts'

/** Texts that would act in a log, a terminal or a summary. */
const hostileTexts: readonly string[] = [
  '::error::forged',
  'x ##[error]forged%0A::error::forged%0D%0A##[error]forged',
  'x\n::error::forged\r::add-mask::registered',
  'x\u2028::error::forged\u2029::error::forged\u0085::error::forged\u000b::error::forged',
  '\u001b[31mred\u001b[0m\u001b]0;title\u0007\u001b[2J\u001b[1A',
  'a\u200bb\u200d\u2060\ufeffc\u00ad\u{e0041}',
  'x\n```\n# NOTARIZED\n```sh',
  '<img src=x onerror=alert(1)></code></td></tr></table><h1>forged</h1>',
  '[x](javascript:alert(1)) ![x](https://evil.example/x.png)',
  '**x** __x__ ~~x~~ # x @octocat octo/app#1',
  '\'; $(id) `id` ${IFS} ${{ secrets.KEY }} \\ "END"\nEND\n',
]

/** Answers without a record. */
const faults: readonly ((text: string) => Fault)[] = [
  text => statusFault(409, { body: { message: text } }),
  text => statusFault(422, { body: text }),
  text => rawFault(JSON.stringify([text])),
  text => redirectFault(`https://evil.example/?${encodeURIComponent(text)}`),
  text => statusFault(404, { body: { error: text, [text]: text } }),
  text => statusFault(429, { headers: { 'retry-after': encodeURIComponent(text.slice(0, 99)) } }),
]
/** After them: a record that contradicts its request, and a good one. */
const wrongRecord = faults.length
const goodRecord = wrongRecord + 1

/** Sorts before all other names. */
const first = '\u0001'

/** Before an echo: a truncated message must not end with the first part of a secret. */
const paddings = [0, 40, 80, 150, 170, 180, 190, 195, 199, 380, 980]

// Of words that no rule replaces.
const password = 'the words of a proxy'
const passwords = [password, encodeURIComponent(password)]

it('hostile text and secrets in names, inputs and answers have no effect, and other text stays exact', async () => {
  const cases = hostileTexts.flatMap((text, at) =>
    Array.from({ length: goodRecord + 1 }, (_, kind) => {
      // The number keeps names unique; a slash would create a folder.
      return { kind, text, at, name: `${text.replaceAll('/', '\u2215')}${kind}` }
    }),
  )
  const byHash = new Map(cases.map(row => [sha256(row.name), row]))
  const service: Simulator = await startService({
    faults: ({ endpoint, hash = '' }) => {
      const { kind = goodRecord, text = '', at = 0 } = byHash.get(hash) ?? {}
      const forms = [...passwords, ...secretsOf(service)].flatMap(secret => {
        return [...formsOf(secret), btoa(`{"key":"${secret}"}`)]
      })
      const echo = `${text} ${'x '.repeat((paddings[at] ?? 0) / 2)}${forms.join(' ')}`
      return endpoint === 'completion' ? faults[kind]?.(echo) : undefined
    },
    record: hash => {
      const row = byHash.get(hash)
      if (row === undefined) return { description: `for ${API_KEY}` }
      const text = `${row.text}\u0000::error::forged\ud800`
      const texts = { description: text, txId: text, blockchainType: text, [text]: [text] }
      return row.kind === wrongRecord ? { ...texts, status: text } : texts
    },
  })
  const files = Object.fromEntries(cases.map(({ name }) => [name, name]))
  // A record first, and then one between all that speaks against the service.
  const workspace = makeRelease({ ...files, [first]: 'y', 'a-b': 'x' })
  const url = `https://x.example/{hash}?key=${API_KEY}`
  const inputs = { 'verification-url': url, 'max-attempts': '1', concurrency: '1' }
  const https_proxy = `http://user:${passwords[1]}@127.0.0.1:9`
  const env = { RUNNER_DEBUG: '1', ACTIONS_STEP_DEBUG: 'true', https_proxy }
  const run = await notarize({ service, workspace, inputs, env, alsoSecret: passwords })
  const secrets = [...secretsOf(service), ...passwords]
  const known = new Set(secrets.flatMap(secret => [secret, ...secret.split('.')]))
  expect(run.masks.filter(mask => !known.has(mask))).toEqual([])
  const { error, warning, notice } = run.annotations
  expect([error.length, warning.length, notice.length]).toEqual([1, 0, 0])

  // Not even a part of a secret is left.
  const log = run.lines.filter(line => !line.startsWith('::add-mask::')).join('\n')
  const shown = [log, run.summary, ...Object.values(run.outputs)].join('\n')
  const parts = secrets.flatMap(secret =>
    Array.from({ length: Math.max(0, secret.length - 11) }, (_, at) => secret.slice(at, at + 12)),
  )
  expect(parts.filter(part => shown.includes(part))).toEqual([])

  const namesOf = (isOfKind: (kind: number) => boolean) =>
    cases.filter(({ kind }) => isOfKind(kind)).map(({ name }) => `dist/${name}`)
  const { records, failures } = run.results
  const nameOf = ({ artifact }: { readonly artifact: string }): string => artifact
  const good = [`dist/${first}`, ...namesOf(kind => kind === goodRecord), 'dist/a-b']
  expect(new Set(records?.map(nameOf))).toEqual(new Set(good))
  const failed = new Set(namesOf(kind => kind < goodRecord))
  expect(failures.map(nameOf).filter(name => !failed.has(name))).toEqual([])
  const { records: lines } = readRecordsFile(run)
  expect(new Set(lines.map(nameOf))).toEqual(new Set(good))
})
