import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { maskAndRead } from '../src/input-texts.ts'
import {
  inputDefaults,
  readInputs,
  type InputName,
  type InputReading,
  type RawInputs,
} from '../src/inputs.ts'
import { Secrets } from '../src/secrets.ts'
import { readActionFile } from './support/action-file.ts'
import { subscription, subscriptionSecrets, subscriptionText } from './support/samples.ts'

const nowMs = Date.UTC(2026, 0, 15)

const goodInputs = {
  'api-key': 'key-0123456789',
  'base-url': 'https://notary.example',
  path: 'dist/*',
  subscription: subscriptionText,
} as const

const way = {
  kind: 'complete',
  subscription: { id: subscription.id, json: subscriptionText },
} as const

type Given = Partial<RawInputs>

/** Reads a set of good inputs with some of them replaced. */
function read(changed: Given = {}): InputReading {
  return readInputs({ ...inputDefaults, ...goodInputs, ...changed }, nowMs)
}

/** Everything that a reading says. */
function saidBy({ problems, warnings, notices }: InputReading): string {
  return [...problems.map(one => one.message), ...warnings, ...notices].join('\n')
}

/** Reads what is wrong in one input alone; gives its message, which must not show what is secret. */
function messageAbout(input: InputName, changed: Given, secret = 'hunter2'): string {
  const reading = read(changed)
  const { inputs, problems } = reading
  expect(inputs).toBeNull()
  expect(problems.map(one => one.input)).toEqual([input])
  expect(saidBy(reading)).not.toContain(secret)
  const { message = '' } = problems[0] ?? {}
  expect(message.startsWith(`input "${input}" `)).toBe(true)
  return message
}

describe('the inputs', () => {
  it('have the defaults of action.yml, and no other names', () => {
    const { inputs } = readActionFile(join(import.meta.dirname, '..', 'action.yml'))
    // What only the runner can evaluate is empty here.
    const defaults = [...inputs].map(([name, text]) => [name, text.startsWith('${{') ? '' : text])
    expect({ ...inputDefaults }).toEqual(Object.fromEntries(defaults))
  })

  it('are read as their defaults when they are empty or blank', () => {
    const blank = Object.fromEntries(Object.keys(inputDefaults).map(name => [name, ' \n']))
    expect(read({ ...blank, ...goodInputs })).toEqual(read())
    expect(read().inputs).toEqual({
      ...{ path: 'dist/*', checksums: '', ifNoFilesFound: 'error' },
      ...{ recordsPath: 'notarization-records.jsonl', maxRegistrations: 100, concurrency: 4 },
      ...{ maxAttempts: 5, timeoutMs: 30_000, showSummary: true, verificationUrl: null },
      ...{ description: '{artifact} of {repository} at {ref}', releaseTag: null },
      ...{ attachToRelease: false, ifServiceUnavailable: 'error', retryUnanswered: true },
      ...{ githubToken: '', isDryRun: false, apiKey: 'key-0123456789' },
      ...{ baseUrl: 'https://notary.example', way },
    })
  })

  it.each<[Given, object]>([
    [{ path: 'dist/*\n!dist/*.map' }, { path: 'dist/*\n!dist/*.map', checksums: '' }],
    [
      { path: '', checksums: 'SHA256SUMS' },
      { path: '', checksums: 'SHA256SUMS' },
    ],
    [
      { path: '', 'release-tag': 'v1', 'github-token': 'ghs_0', 'attach-to-release': 'true' },
      { releaseTag: 'v1', githubToken: 'ghs_0', attachToRelease: true },
    ],
    [{ 'if-no-files-found': 'warn' }, { ifNoFilesFound: 'warn' }],
    [{ 'if-service-unavailable': 'warn' }, { ifServiceUnavailable: 'warn' }],
    [{ 'retry-unanswered': 'False' }, { retryUnanswered: false }],
    [{ 'records-path': 'records/all.jsonl' }, { recordsPath: 'records/all.jsonl' }],
    [{ 'verification-url': 'https://n.ex/{hash}' }, { verificationUrl: 'https://n.ex/{hash}' }],
    [{ description: ' of ours ' }, { description: 'of ours' }],
    [{ subscription: 'active' }, { way: { ...way, subscription: 'active' } }],
    [
      { 'request-registration': 'true', subscription: '' },
      { way: { kind: 'request', subscription: null } },
    ],
    [
      { 'request-registration': 'true', subscription: 'active' },
      { way: { kind: 'request', subscription: 'active' } },
    ],
    [{ 'request-registration': 'true' }, { way: { ...way, kind: 'request' } }],
    [
      { 'dry-run': 'True', 'show-summary': 'FALSE' },
      { isDryRun: true, showSummary: false },
    ],
    [
      { 'dry-run': 'false', 'show-summary': 'TRUE' },
      { isDryRun: false, showSummary: true },
    ],
    [
      { 'max-registrations': '00', concurrency: '01', 'max-attempts': '1', 'timeout-seconds': '1' },
      { maxRegistrations: 0, concurrency: 1, maxAttempts: 1, timeoutMs: 1000 },
    ],
    [
      { 'max-registrations': '2500', concurrency: '64', 'max-attempts': '20' },
      { maxRegistrations: 2500, concurrency: 64, maxAttempts: 20 },
    ],
    [{ 'timeout-seconds': '600' }, { timeoutMs: 600_000 }],
  ])('are read as they are given: %j', (given, expected) => {
    const { inputs, problems, warnings, notices } = read(given)
    expect({ problems, warnings, notices }).toEqual({ problems: [], warnings: [], notices: [] })
    expect(inputs).toMatchObject(expected)
  })

  it.each<[InputName, Given, RegExp]>([
    ['api-key', { 'api-key': '' }, /forks.*dry-run/],
    ['base-url', { 'base-url': '' }, /is empty; give the https/],
    ['subscription', { subscription: '' }, /forks.*dry-run/],
    ['path', { path: '' }, /is empty and so are "checksums" and "release-tag"/],
    ['path', { path: '', 'dry-run': 'true' }, /is empty and so are "checksums"/],
    ['github-token', { 'release-tag': 'v1' }, /is empty, and "release-tag" needs it/],
    ['attach-to-release', { 'attach-to-release': 'true' }, /needs "release-tag"/],
  ])('need what the others ask for, and the hint for it: %s in %j', (input, given, message) => {
    expect(messageAbout(input, given)).toMatch(message)
  })
})

const refused: readonly (readonly [InputName, remedy: string, values: readonly string[]])[] = [
  ['if-no-files-found', 'error, warn or ignore', ['Error', 'fail']],
  ['records-path', 'file', ['records/', 'records\\']],
  ['records-path', 'one path on one line', ['two\nfolders/', 'nul\0.jsonl']],
  ['max-registrations', 'whole number', ['-1', '1.5', '1e3', '0x10', '9'.repeat(20), '١', 'NaN']],
  ['concurrency', '1 to 64', ['0', '65', '+4', '4 files']],
  ['max-attempts', '1 to 20', ['0', '21']],
  ['timeout-seconds', '1 to 600', ['0', '601', '30s', 'Infinity']],
  ['if-service-unavailable', 'error or warn', ['ignore']],
  ['retry-unanswered', 'true or false', ['no']],
  ['request-registration', 'true or false', ['on']],
  ['attach-to-release', 'true or false', ['0']],
  ['dry-run', 'true or false', ['yes', '1', 'tRUE']],
  ['show-summary', 'true or false', ['no', 'false,']],
  ['release-tag', 'one tag', ['refs/tags/two tags']],
  ['release-tag', 'the tag alone', ['refs/tags/v1']],
  ['verification-url', 'https://', ['http://n.example/{hash}']],
  ['verification-url', 'placeholder', ['https://n.example/']],
  ['base-url', 'https://', ['notary.example', 'https://', 'https:/notary.example', '//n.example']],
  ['base-url', 'https://', ['https:///notary/prefix', 'ftp://n.example', 'file:///etc/passwd']],
  ['base-url', 'https://', ['javascript://n.example', 'https://n.example:99999']],
  ['base-url', 'https', ['http://n.example', 'http://127.0.0.1.n.example', 'http://0.0.0.0']],
  ['base-url', 'https', ['http://localhost.n.example', 'http://128.0.0.1', 'http://[::2]']],
  ['base-url', '/api/v2', ['https://n.example/api/v2', 'https://n.example/prefix/API/V2/']],
  ['base-url', '/api/v2', ['https://n.example/api/v2/auth/login']],
  ['base-url', 'fragment', ['https://n.example/#']],
  ['base-url', 'query', ['https://n.example/?']],
  ['base-url', 'backslash', ['https://n.example\\x']],
  ['base-url', 'white space', ['https://notary .example']],
]

describe('a bad value', () => {
  it.each(
    refused.flatMap(([input, remedy, values]) =>
      values.map(value => [input, value, remedy] as const),
    ),
  )('of %s, %j, is said with what was given and the remedy %j', (input, value, remedy) => {
    const message = messageAbout(input, { 'github-token': 'ghs_0', [input]: value })
    expect(message).toContain(remedy)
    const given = value.replace(/[?#]$/, '').replace('\n', '\\u000a').replace('\0', '\\u0000')
    expect(message).toContain(`"${given}"`)
  })

  it('is cut visibly in its message when it is long', () => {
    const message = messageAbout('concurrency', { concurrency: '9'.repeat(5000) })
    expect(message.length).toBeLessThan(400)
    expect(message).toContain('5000 characters')
  })

  it.each<[InputName, string]>([
    ['base-url', 'ftp://user:hunter2-secret@notary.example'],
    ['base-url', 'user:hunter2-secret@notary.example'],
    ['base-url', 'https://user:hunter2-secret@'],
    ['base-url', 'https://notary.example?key=hunter2-secret&x=y@z'],
    ['base-url', 'http://notary.example/?key=hunter2-secret'],
    ['base-url', 'https://notary.example/api/v2#hunter2-secret'],
    ['api-key', 'line-one\nhunter2-secret'],
    ['github-token', 'ghs hunter2-secret'],
    ['verification-url', 'https://user:hunter2-secret@x.example/{hash}'],
    ['subscription', '{"sessionId":"hunter2-secret",'],
    ['subscription', '{"sessionId":123,"status":["hunter2-secret"]}'],
  ])('of %s is not shown where it may hold a secret: %j', (input, value) => {
    messageAbout(input, { [input]: value })
  })
})

describe('base-url', () => {
  it.each([
    ['https://notary.example///', 'https://notary.example'],
    ['HTTPS://Notary.EXAMPLE', 'https://notary.example'],
    ['https://notary.example:443/Prefix/', 'https://notary.example/Prefix'],
    ['https://notary.example:8443/a/../b/', 'https://notary.example:8443/b'],
    ['https://notary.example/api', 'https://notary.example/api'],
    ['https://notary.example/api/v20', 'https://notary.example/api/v20'],
    ['https://notary.example/my-api/v2x', 'https://notary.example/my-api/v2x'],
    ['https://nötary.example', 'https://xn--ntary-jua.example'],
    ['https://[2001:DB8::1]/', 'https://[2001:db8::1]'],
    ['http://LOCALHOST:8080/', 'http://localhost:8080'],
    ['http://127.1/x/', 'http://127.0.0.1/x'],
    ['http://[0:0:0:0:0:0:0:1]:3000', 'http://[::1]:3000'],
  ])('is brought to its normal form: %s', (given, expected) => {
    const { inputs, problems } = read({ 'base-url': given })
    expect(problems).toEqual([])
    expect(inputs?.baseUrl).toBe(expected)
  })
})

describe('secrets', () => {
  it.each<Given>([{}, { 'dry-run': 'true' }, { concurrency: '0' }])(
    'are given to be masked, but for what belongs to the record: %j',
    given => {
      const { secrets, spared } = read({
        ...given,
        'github-token': 'ghs_0',
        'api-key': 'two\nlines',
      })
      expect(secrets.toSorted()).toEqual([...subscriptionSecrets, 'ghs_0', 'two\nlines'].sort())
      const { id, planId, userId } = subscription
      expect(spared.toSorted()).toEqual([id, planId, `${userId}`].sort())
    },
  )

  it('in other inputs are a problem: each that holds one is named, and left empty', () => {
    const secrets = new Secrets(() => undefined)
    const given = { ...inputDefaults, ...goodInputs, 'api-key': 'hunter2-hunter2' }
    const wrong = {
      'base-url': 'https://notary.example/hunter2-hunter2',
      path: 'dist/hunter2-hunter2',
      'records-path': 'hunter2-hunter2.jsonl',
      description: `by ${Buffer.from('hunter2-hunter2').toString('base64')}`,
    }
    const seen: RawInputs[] = []
    const readSeen = (raw: RawInputs): InputReading => {
      seen.push(raw)
      return readInputs(raw, 0)
    }
    const options = { secrets, others: [] }
    const { inputs, problems } = maskAndRead({ ...given, ...wrong }, readSeen, options)
    expect(inputs).toBeNull()
    expect(problems.map(one => one.input)).toEqual(Object.keys(wrong))
    for (const { message } of problems) expect(message).not.toContain('hunter2')
    const empty = { 'base-url': '', path: '', 'records-path': '', description: '' }
    expect(seen.at(-1)).toEqual({ ...given, ...empty })
  })
})

describe('subscription', () => {
  it('says when its period ended, also in a run with wrong inputs', () => {
    const given = { subscription: '{"currentPeriodEnd":1}', 'api-key': '' }
    expect(read(given)).toMatchObject({ inputs: null, periodEndedMs: 1000 })
    expect(read().periodEndedMs).toBeNull()
  })

  it.each<[string, warnings: readonly RegExp[], notices: readonly RegExp[]]>([
    ['{"id":"sub_0001"}', [/^input "subscription" lacks .*sessionId/], []],
    ['{"sessionId":"cs_1"}', [/ lacks /], [/no id, so paymentId/]],
    ['{"id":null}', [/ lacks /], [/no id, so paymentId/]],
  ])('has warnings and notices that name the input: %s', (text, warnings, notices) => {
    const matching = (all: readonly RegExp[]) => all.map(one => expect.stringMatching(one))
    expect(read({ subscription: text })).toMatchObject({
      ...{ warnings: matching(warnings), notices: matching(notices) },
    })
  })
})

describe('a dry run', () => {
  it.each([
    ['{"status":"past_due"}', 0],
    ['{"id":null,\n"canceledAt":1,"currentPeriodEnd":1}', 1],
  ])('warns of no subscription, which it does not use, but of its lines: %j', (data, count) => {
    const reading = read({ subscription: data, 'dry-run': 'true' })
    expect(reading).toMatchObject({ problems: [], notices: [] })
    expect(reading.warnings).toHaveLength(count)
    for (const text of reading.warnings) expect(text).toContain('stands on several lines')
    expect(read({ subscription: data }).warnings.length).toBeGreaterThan(count)
  })
})

it.each<[Given, object]>([
  [
    {},
    { path: 'dist/*', checksums: '', ifNoFilesFound: 'error', releaseTag: null, isDryRun: false },
  ],
  [
    { 'if-no-files-found': 'ignore', 'show-summary': 'false', 'dry-run': 'TRUE' },
    { ifNoFilesFound: 'ignore', showSummary: false, isDryRun: true },
  ],
  [
    { 'if-no-files-found': 'x', 'show-summary': 'x', 'dry-run': 'x' },
    { ifNoFilesFound: 'error', showSummary: true, isDryRun: false },
  ],
  [
    { 'records-path': 'a/b.jsonl', 'release-tag': 'v1', 'base-url': 'https://n.example/' },
    { recordsPath: 'a/b.jsonl', releaseTag: 'v1', baseUrl: 'https://n.example' },
  ],
  [
    { 'records-path': 'a/', 'release-tag': 'a b', 'base-url': 'x' },
    { recordsPath: 'notarization-records.jsonl', releaseTag: null, baseUrl: null },
  ],
  [{ 'if-service-unavailable': 'warn' }, { ifServiceUnavailable: 'warn' }],
  [
    { 'if-service-unavailable': 'x', 'verification-url': 'x' },
    { ifServiceUnavailable: 'error', verificationUrl: null },
  ],
])('a run with wrong inputs uses what is right of them, else the default: %j', (given, usable) => {
  const reading = read({ 'max-attempts': '0', ...given })
  expect(reading.inputs).toBeNull()
  expect(reading.usable).toMatchObject(usable)
})
