/**
 * Text from outside that would like to act, and secrets that the service gives away: none of it becomes a command, a
 * mask, markup or a flood, and no secret comes out of the action but in `::add-mask::` lines.
 */
import { describe, expect, it } from '@jest/globals'
import { rawFault, redirectFault, statusFault } from '../../simulator/index.ts'
import type { Fault, Simulator } from '../../simulator/index.ts'
import { makeWorkspace } from '../support/workspace.ts'
import type { Workspace } from '../support/workspace.ts'
import {
  API_KEY,
  checkWithSha256sum,
  makeLine,
  makeRelease,
  notarize,
  readLines,
  readSummary,
  secretsOf,
  sha256,
  startService,
  subscription,
  toJsonLines,
} from './support.ts'
import type { CheckedRun } from './support.ts'

/** Text that acts in a log, a terminal or a summary, or that looks like the end of something. */
const hostileTexts: Readonly<Record<string, string>> = {
  'a command': '::error::forged',
  'a command after white space': ' \t ::warning file=a,line=1::forged',
  'a mask': '::add-mask::registered',
  'an output': '::set-output name=verdict::registered',
  'a stop': '::stop-commands::forged',
  'an old command': 'x ##[error]forged',
  'an old mask': '##[add-mask]registered',
  'an old command in an old command': '####[error][error]forged',
  'a group that never ends': '::group::forged',
  'an encoded line end': 'x%0A::error::forged%0D%0A##[error]forged',
  'a line feed': 'x\n::error::forged',
  'a carriage return': 'x\r::error::forged',
  'both line ends': 'x\r\n::add-mask::registered\r\n',
  'a line separator': 'x\u2028::error::forged\u2029##[error]forged',
  'a next line': 'x\u0085::error::forged\u000b::error::forged\u000c::error::forged',
  'colours and a title': '\u001b[31mred\u001b[0m\u001b]0;title\u0007\u001b[2J\u001b[1A',
  'eight-bit controls': '\u009b31mred\u0090x\u009c',
  'the other direction': 'safe\u202egpj.exe\u2066\u2067x\u2069',
  'what nobody sees': 'a\u200bb\u200d\u2060\ufeffc\u00ad\u{e0041}',
  'a table': '|a|b|\n|-|-|\n|c|d|',
  backticks: '``` `x` ```',
  'a fence': 'x\n```\n# NOTARIZED\n```sh',
  'an image tag': '<img src=x onerror=alert(1)>',
  'a script': '<script>alert(1)</script>',
  'the end of a table': '</code></td></tr></table><h1>forged</h1>',
  'a comment': '<!-- x --> <!--',
  'an entity': '&lt;b&gt;&#60;b&#62;&amp;',
  'a link': '[x](javascript:alert(1))',
  'an image': '![x](https://evil.example/x.png)',
  'a reference': '[x]: javascript:alert(1)',
  emphasis: '**x** __x__ ~~x~~ # x',
  'a mention': '@octocat octo/app#1 GH-1',
  'a shell': '\'; $(id) `id` ${IFS} \\ "END"\nEND\n',
  'an expression': '${{ secrets.KEY }}',
}

const hostile = Object.entries(hostileTexts)

/** Rules for a run whatever hostile text it met: `notarize()` has checked the others already. */
function expectHarmless(run: CheckedRun, service: Simulator): void {
  const known = new Set(secretsOf(service))
  expect(run.masks.filter(mask => !known.has(mask))).toEqual([])
  // A list of records that is too long for an output gets a warning of ours.
  const { error, warning, notice } = run.annotations
  expect([error.length, warning.length, notice.length]).toEqual([
    ...[run.exitCode ?? 0, run.results.records === null ? 1 : 0, 0],
  ])
  const names = new Set(run.commands.map(({ command }) => command))
  expect(names.isSubsetOf(new Set(['add-mask', 'error', 'warning']))).toBe(true)
  for (const { properties } of run.commands) expect(properties).toEqual({})

  // No flood.
  expect(Math.max(...run.lines.map(line => line.length))).toBeLessThan(4500)
  expect(run.lines.length).toBeLessThan(200)

  // Within the table nothing is left that Markdown knows, and no character that is not seen.
  const [table = ''] = /<table>.*<\/table>/s.exec(run.summary) ?? []
  expect(table.replaceAll(/<[^<>]*>/g, '')).not.toMatch(/[`|[\]*~@]/)
  const unseen =
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/
  for (const text of [run.stdout, run.summary]) expect(text).not.toMatch(unseen)
  expect(run.outputs).toMatchObject({ verdict: run.results.verdict })
}

/** An artifact for each text, which is its name as well: the number keeps them apart, and a slash would make folders. */
const files = hostile.map(([, text], index) => {
  const name = `${text.replaceAll('/', '\u2215')}${index}`
  return { text, name, content: `content of ${name}`, hash: sha256(`content of ${name}`) }
})
const makeHostileRelease = (): Workspace =>
  makeRelease(Object.fromEntries(files.map(({ name, content }) => [name, content])))
const hostileOf = (hash: string | undefined): string =>
  files.find(file => file.hash === hash)?.text ?? ''

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const sortedArtifacts = files.map(({ name }) => `dist/${name}`).sort(byCodeUnits)

describe('names of files', () => {
  it('do nothing, and stay exact in outputs, records and checksums', async () => {
    const service = await startService()
    const run = await notarize({ service, workspace: makeHostileRelease() })

    expectHarmless(run, service)
    expect(run.exitCode).toBe(0)
    expect(run.results.records?.map(({ artifact }) => artifact)).toEqual(sortedArtifacts)
    const kept = readLines(run).map(({ artifact }) => artifact)
    expect(kept.toSorted(byCodeUnits)).toEqual(sortedArtifacts)
    expect(checkWithSha256sum(run)).toHaveLength(files.length)
    // Each has one line of its own in the log, and one row in the summary.
    expect(run.lines.filter(line => line.startsWith('registered: '))).toHaveLength(files.length)
    const shown = readSummary(run.summary).rows.map(([, name]) => name)
    for (const name of ['dist/<img src=x onerror=alert(1)>', 'dist/[x](javascript:alert(1))']) {
      expect(shown.some(text => text?.startsWith(name))).toBe(true)
    }
  })

  it('are cut where they are shown, however long, and exact in the records file', async () => {
    const service = await startService()
    const names = ['x', '##[error]'].map(text => text.repeat(100_000 / text.length))
    const lines = names.map(name => `${sha256(name)}  ${name}\n`)
    const workspace = makeWorkspace({ SHA256SUMS: lines.join('') })

    const run = await notarize({
      service,
      workspace,
      inputs: { path: '', checksums: 'SHA256SUMS' },
    })

    expectHarmless(run, service)
    expect(run.outputs['registered-count']).toBe('2')
    expect(new Set(readLines(run).map(({ artifact }) => artifact))).toEqual(new Set(names))
    expect(run.stdout).toMatch(/x… \[cut, 100000 characters\]/)
    expect(readSummary(run.summary).rows.map(([, name]) => name)).toContainEqual(
      expect.stringMatching(/cut, \d+ characters/),
    )
    expect(run.stdout.length).toBeLessThan(20_000)
    expect(run.summaryBytes).toBeLessThan(20_000)
  })

  it('do nothing as patterns, whether they match or not, and as the records file', async () => {
    const service = await startService({
      faults: [{ fault: statusFault(404), endpoint: 'completion' }],
    })
    const patterns = hostile.map(([, text]) => text.replaceAll(/[\r\n]/g, ' ').trim())
    const run = await notarize({
      service,
      workspace: makeRelease({ a: 'a' }),
      inputs: {
        path: ['dist', ...patterns.filter(text => !/^[!#]/.test(text))].join('\n'),
        'if-no-files-found': 'ignore',
        'records-path': '<img src=x onerror=alert(1)>|`x` ##[error]::error::x.jsonl',
      },
    })

    expect(run.results.failures).toHaveLength(1)
    expectHarmless(run, service)
    expect(run.summary).toContain('&lt;img src=x onerror=alert(1)&gt;')

    const path = '##[error]forged%0A::add-mask::registered\n<img src=x onerror=alert(1)>'
    const stopped = await notarize({ service, workspace: makeRelease({}), inputs: { path } })
    expectHarmless(stopped, service)
    expect(stopped.results.verdict).toBe('stopped')
  })
})

const refusal = (text: string): Fault => statusFault(404, { body: { error: text, [text]: text } })
const redirect = (text: string): Fault =>
  redirectFault(`https://evil.example/?${encodeURIComponent(text)}`)
const noRecord = (text: string): Fault => rawFault(JSON.stringify([text]))

describe('text of the service', () => {
  it.each<[string, (text: string) => Fault]>([
    ['a JSON message', text => statusFault(409, { body: { message: text } })],
    ['plain text', text => statusFault(422, { body: text })],
    ['what should be a record', noRecord],
    ['the target of a redirect', redirect],
  ])('does nothing in %s', async (_what, answer) => {
    const service = await startService({
      faults: ({ endpoint, hash }) =>
        endpoint === 'completion' ? answer(hostileOf(hash)) : undefined,
    })
    const run = await notarize({ service, workspace: makeHostileRelease() })

    expectHarmless(run, service)
    expect(run.results.failures.map(({ artifact }) => artifact)).toEqual(sortedArtifacts)
    expect(run.lines.filter(line => line.startsWith('FAILED'))).toHaveLength(files.length)
  })

  it('does nothing in a record, and stays exact in output and line', async () => {
    const nul = '\u0000::error::forged\ud800'
    const service = await startService({
      record: hash => {
        const text = hostileOf(hash) + nul
        return {
          ...{ description: text, signer: text, txHash: text, txId: text, assetId: text },
          ...{ blockchainType: text, holder: text, tags: [text], payload: { [text]: [text] } },
          [text]: text,
        }
      },
    })
    const run = await notarize({ service, workspace: makeHostileRelease() })

    expectHarmless(run, service)
    expect(run.exitCode).toBe(0)
    const honest = new Map(service.registered)
    expect(run.results.records).toHaveLength(files.length)
    for (const { hash, record, redacted } of run.results.records ?? []) {
      expect(redacted).toBeUndefined()
      expect(record).toEqual(honest.get(hash))
    }
    for (const { hash, record } of readLines(run)) expect(record).toEqual(honest.get(hash))
  })

  it('does nothing in a record that contradicts its request, now and in the next run', async () => {
    const service = await startService({
      record: hash => {
        const text = hostileOf(hash)
        return { hash: text, status: text, paymentId: text, custody: text }
      },
    })
    const workspace = makeHostileRelease()
    for (const completions of [files.length, files.length]) {
      const run = await notarize({ service, workspace })
      expectHarmless(run, service)
      expect(run.results.failures).toHaveLength(files.length)
      expect(service.registered.size).toBe(completions)
      for (const { hash, record } of readLines(run)) {
        expect(record).toEqual(service.registered.get(hash))
      }
    }
  })

  it('of 100 kB is cut where it is shown, and exact in the records file', async () => {
    const pieces = ['A', '::error::', '##[error]', '<b>|`', '\u202e', '\n']
    const kinds = ['refused', 'contradicting', 'registered'] as const
    const made = pieces.flatMap((piece, index) =>
      kinds.map(kind => ({
        kind,
        name: `${index} ${kind}`,
        long: piece.repeat(1e5 / piece.length),
      })),
    )
    const find = (hash: string | undefined) => made.find(({ name }) => sha256(name) === hash)
    const service = await startService({
      faults: ({ hash }) => {
        const { kind, long = '' } = find(hash) ?? {}
        return kind === 'refused' ? statusFault(404, { body: long }) : undefined
      },
      record: hash => {
        const { kind, long = '' } = find(hash) ?? {}
        return kind === 'registered'
          ? { txId: long, blockchainType: long.slice(0, 40_000) }
          : { status: long, hash: long, extra: long }
      },
    })
    const workspace = makeRelease(Object.fromEntries(made.map(({ name }) => [name, name])))

    const run = await notarize({ service, workspace })

    expectHarmless(run, service)
    expect(run.stdout.length).toBeLessThan(120_000)
    expect(run.summaryBytes).toBeLessThan(240_000)
    expect(readSummary(run.summary).rows.flat().join('\n')).toMatch(/cut, \d+ characters/)
    expect(run.results.failures).toHaveLength(2 * pieces.length)
    for (const { message } of run.results.failures) expect(message.length).toBeLessThan(1_100)
    const lines = readLines(run)
    expect(lines).toHaveLength(2 * pieces.length)
    for (const { hash, record } of lines) expect(record).toEqual(service.registered.get(hash))
  })
})

describe('text in the records file', () => {
  it('does nothing where a line has problems, or breaks the rules', async () => {
    const service = await startService()
    const workspace = makeHostileRelease()
    const lines = files.map(({ text, content }) =>
      makeLine(service.url, content, { artifact: text, problems: [text, 'x'.repeat(100_000)] }),
    )
    workspace.write('notarization-records.jsonl', toJsonLines(lines))
    const withProblems = await notarize({ service, workspace })
    expectHarmless(withProblems, service)
    expect(withProblems.results.failures).toHaveLength(files.length)

    // A message names a few lines only.
    for (let start = 0; start < lines.length; start += 4) {
      const some = lines.slice(start, start + 4).map(line => {
        const status = `${line.artifact}${'x'.repeat(50_000)}`
        return { ...line, problems: [], record: { ...line.record, status, hash: line.artifact } }
      })
      workspace.write('notarization-records.jsonl', toJsonLines(some))
      const stopped = await notarize({ service, workspace })
      expectHarmless(stopped, service)
      expect(stopped.results.verdict).toBe('stopped')
    }
    expect(service.requests).toEqual([])
  })
})

/** A secret as it is, and in encodings that anybody can read. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const shifted = ['', 'x', 'xy'].map(before => Buffer.from(`${before}${secret}`))
  const each = (form: (code: number) => string): string =>
    Array.from(secret, character => form(character.charCodeAt(0))).join('')
  return [
    ...[secret, encodeURIComponent(secret), JSON.stringify(secret), bytes.toString('hex')],
    ...shifted.map(text => text.toString('base64')),
    ...shifted.map(text => text.toString('base64url')),
    each(code => `%${code.toString(16)}`),
    each(code => `\\u00${code.toString(16)}`),
    each(code => `&#${code};`),
  ]
}

/** The forms, and a secret in the claims of a token. */
function echoesOf(secret: string): string[] {
  const claims = Buffer.from(JSON.stringify({ exp: 1, key: secret })).toString('base64url')
  return [...formsOf(secret), `e30.${claims}.x`]
}

/** Runs of a secret that are long enough to be of use to somebody. */
function slicesOf(secret: string): string[] {
  const length = 10
  return Array.from({ length: Math.max(0, secret.length - length + 1) }, (_, start) =>
    secret.slice(start, start + length),
  )
}

/** Neither whole, nor encoded, nor in part: `notarize()` looks for whole ones only. The ends of a form have their surroundings. */
function expectNoSlice(run: CheckedRun, secrets: readonly string[]): void {
  const places = [
    ...run.lines.filter(line => !line.startsWith('::add-mask::')),
    ...[run.summary, run.stderr, ...Object.values(run.outputs)],
    ...readLines(run).map(line => JSON.stringify(line)),
  ].join('\n')
  const forms = secrets.flatMap(formsOf).map(form => form.slice(4, -4))
  const found = [...secrets, ...forms].flatMap(slicesOf).filter(slice => places.includes(slice))
  expect([...new Set(found)]).toEqual([])
}

const debugging = { RUNNER_DEBUG: '1', ACTIONS_STEP_DEBUG: 'true' }

/** Files with the numbers from 0 as names and contents, and what finds the number again by the hash. */
const makeCounted = (count: number): Workspace =>
  makeRelease(Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}`, `${at}`])))
const numberOf = (hash: string | undefined): number => {
  let number = 0
  while (sha256(String(number)) !== hash) number += 1
  return number
}

describe('a secret that the service echoes', () => {
  it.each<[string, (text: string) => Fault]>([
    ['a JSON error', refusal],
    ['plain text', text => statusFault(400, { body: text })],
    ['a page of HTML', text => statusFault(403, { body: `<p>${text}` })],
    ['an outage', text => statusFault(503, { body: { message: text } })],
    ['what should be a record', noRecord],
    ['the target of a redirect', redirect],
    [
      'the headers of an outage',
      text => statusFault(503, { headers: { 'retry-after': encodeURIComponent(text) } }),
    ],
  ])('in %s is not shown', async (_what, answer) => {
    const service: Simulator = await startService({
      faults: ({ endpoint, nthOfEndpoint }) => {
        if (endpoint !== 'completion') return undefined
        const secrets = secretsOf(service)
        return answer(echoesOf(secrets[nthOfEndpoint % secrets.length] ?? '').join(' '))
      },
    })
    const inputs = { 'max-attempts': '1' }

    const run = await notarize({ service, workspace: makeCounted(18), env: debugging, inputs })

    expect(run.exitCode).toBe(1)
    expectNoSlice(run, secretsOf(service))
  })

  it.each([401, 404, 503])(
    'in the answer of a login is not shown, and nothing else there acts: %d',
    async status => {
      const secrets = [API_KEY, subscription.sessionId].flatMap(echoesOf)
      const body = [...secrets, ...hostile.map(([, text]) => text)].join('\n')
      const fault = statusFault(status, { body: status === 401 ? { error: body } : body })
      const service = await startService({ faults: [{ endpoint: 'login', fault }] })
      const inputs = { 'max-attempts': '1' }

      const run = await notarize({ service, workspace: makeCounted(1), env: debugging, inputs })

      expectHarmless(run, service)
      expect(run.results.verdict).toBe('failed')
      expectNoSlice(run, secretsOf(service))
    },
  )

  it('in a record is replaced in values, keys and depths, and each place is listed', async () => {
    const forms = echoesOf(subscription.sessionId)
    const service: Simulator = await startService({
      record: () => ({
        description: `by ${subscription.customer} with ${API_KEY}`,
        signer: `a ${service.tokens.at(-1) ?? ''} b`,
        tags: ['fine', subscription.latestInvoice, { deep: [subscription.defaultPaymentMethod] }],
        payload: {
          [`key/${subscription.customer}~`]: 'fine',
          forms,
          parts: secretsOf(service).slice(-3),
          spared: [subscription.id, subscription.planId, subscription.userId],
        },
        [subscription.sessionId]: { [API_KEY]: subscription.customer },
      }),
    })
    const workspace = makeRelease({ a: 'a' })
    const expected = [
      ...['/description', '/signer', '/tags/1', '/tags/2/deep/0', '/payload/key~1***~0'],
      ...forms.map((_, index) => `/payload/forms/${index}`),
      ...[0, 1, 2].map(index => `/payload/parts/${index}`),
      ...['/***', '/***/***'],
    ]

    for (const from of ['this-run', 'records-file']) {
      const run = await notarize({ service, workspace, env: debugging })

      const [entry] = run.results.records ?? []
      expect(entry?.from).toBe(from)
      expect(new Set(entry?.redacted)).toEqual(new Set(expected))
      expect(entry?.record).toMatchObject({
        description: 'by *** with ***',
        signer: 'a *** b',
        tags: ['fine', '***', { deep: ['***'] }],
        payload: {
          'key/***~': 'fine',
          parts: ['***', '***', '***'],
          spared: [subscription.id, subscription.planId, subscription.userId],
        },
        '***': { '***': '***' },
      })
      expect(readLines(run)).toMatchObject([{ record: entry?.record, redacted: entry?.redacted }])
      expect(run.jobOutputs['records']).toBe(run.outputs['records'])
      expectNoSlice(run, secretsOf(service))
    }
  })

  // Wherever a message is cut, it must not leave the first part of a secret.
  const paddings = [0, 40, 75, 80, 85, 90, 150, 180, 185, 190, 195, 199, 240, 380, 490, 900, 990]

  it.each(['hash', 'status', 'paymentId', null])(
    'is not shown, neither whole nor in part, where text is cut: in the field %s, or in a refusal',
    async field => {
      const textFor = (hash: string | undefined): string => {
        const secrets = secretsOf(service)
        const number = numberOf(hash)
        return 'x'.repeat(paddings[number] ?? 0) + (secrets[number % secrets.length] ?? '')
      }
      const service: Simulator = await startService(
        field === null
          ? {
              faults: ({ endpoint, hash }) =>
                endpoint === 'completion' ? refusal(textFor(hash)) : undefined,
            }
          : { record: hash => ({ [field]: textFor(hash) }) },
      )
      const workspace = makeCounted(paddings.length)

      const run = await notarize({ service, workspace, env: debugging })

      expect(run.results.failures).toHaveLength(paddings.length)
      expectNoSlice(run, secretsOf(service))
    },
  )
})

describe('a secret in a place of the job', () => {
  it('stops the run without being shown when it is in the name of an artifact', async () => {
    const service = await startService()
    const workspace = makeRelease({ [`a-${subscription.sessionId}.bin`]: 'a', b: 'b' })

    const run = await notarize({ service, workspace })

    expect(run.results.verdict).toBe('stopped')
    expect(service.requests).toEqual([])
    expectNoSlice(run, secretsOf(service))
  })

  it('is gone from the environment once it is read', async () => {
    const service = await startService()
    // Encoded, as the arguments of the process are searched, too, and these are some of them.
    const needles = [API_KEY, subscription.customer].map(text =>
      Buffer.from(text).toString('base64'),
    )
    const atExit = `process.on('exit', () => {
      const needles = ${JSON.stringify(needles)}.map(text => atob(text))
      const texts = [...Object.values(process.env), ...process.argv, ...process.execArgv]
      const leaks = texts.filter(text => needles.some(needle => text.includes(needle))).length
      console.log('AT EXIT ' + JSON.stringify({ keys: Object.keys(process.env), leaks }))
    })`
    const run = await notarize({
      service,
      workspace: makeRelease({ a: 'a' }),
      nodeArguments: ['--import', `data:text/javascript,${encodeURIComponent(atExit)}`],
    })

    expect(run.results.verdict).toBe('registered')
    const [line = ''] = run.lines.filter(text => text.startsWith('AT EXIT '))
    const seen: unknown = JSON.parse(line.slice('AT EXIT '.length))
    expect(seen).toEqual({
      keys: expect.arrayContaining(['INPUT_PATH', 'INPUT_BASE-URL']),
      leaks: 0,
    })
    expect(line).not.toContain('INPUT_API-KEY')
    expect(line).not.toContain('INPUT_SUBSCRIPTION')
  })
})
