import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import {
  inputDefaults,
  leaveOutSecrets,
  readInputs,
  type InputName,
  type InputReading,
  type RawInputs,
} from '../src/inputs.ts'
import { Secrets } from '../src/secrets.ts'
import { readActionFile } from './support/action-file.ts'

const nowMs = Date.UTC(2026, 0, 15)

const goodSubscription = JSON.stringify({
  sessionId: 'cs_live_session0001',
  id: 'sub_0001',
  userId: 42,
  planId: 'plan_0001',
  planNickname: 'Basic',
  status: 'active',
  created: 1700000000,
  currentPeriodStart: 1760000000,
  currentPeriodEnd: 1900000000,
  canceledAt: 0,
  customer: 'cus_secret_0001',
  defaultPaymentMethod: null,
  latestInvoice: 'in_secret_0001',
})

const goodInputs = {
  'api-key': 'key-0123456789',
  'base-url': 'https://notary.example',
  path: 'dist/*',
  subscription: goodSubscription,
} as const

/** Reads a set of good inputs with some of them replaced. */
function read(changed: Partial<RawInputs>): InputReading {
  return readInputs({ ...inputDefaults, ...goodInputs, ...changed }, nowMs)
}

/** The messages about one input. */
function messagesOf(reading: InputReading, input: string): readonly string[] {
  return reading.problems.filter(one => one.input === input).map(one => one.message)
}

/** Everything that a reading says. */
function saidBy({ problems, warnings, notices }: InputReading): string {
  return [...problems.map(one => one.message), ...warnings, ...notices].join('\n')
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
    expect(read({ ...blank, ...goodInputs })).toEqual(read({}))
    expect(read({}).inputs).toEqual({
      ...{ path: 'dist/*', checksums: '', ifNoFilesFound: 'error' },
      ...{ recordsPath: 'notarization-records.jsonl', maxRegistrations: 100, concurrency: 4 },
      ...{ maxAttempts: 5, timeoutMs: 30_000, showSummary: true, verificationUrl: null },
      ...{ description: '{artifact} of {repository} at {ref}', releaseTag: null },
      ...{ attachToRelease: false, ifServiceUnavailable: 'error', retryUnanswered: true },
      ...{ githubToken: '', isDryRun: false, apiKey: 'key-0123456789' },
      baseUrl: 'https://notary.example',
      way: { kind: 'complete', subscription: { id: 'sub_0001', json: goodSubscription } },
    })
  })

  it.each<[Partial<RawInputs>, object]>([
    [
      { path: 'dist/*\n!dist/*.map', checksums: 'SHA256SUMS' },
      { path: 'dist/*\n!dist/*.map', checksums: 'SHA256SUMS' },
    ],
    [
      { path: '', checksums: 'SHA256SUMS' },
      { path: '', checksums: 'SHA256SUMS' },
    ],
    [
      { path: '', 'release-tag': 'v1', 'github-token': 'ghs_0' },
      { releaseTag: 'v1', githubToken: 'ghs_0' },
    ],
    [
      { 'release-tag': 'v1', 'github-token': 't', 'attach-to-release': 'true' },
      { attachToRelease: true },
    ],
    [{ 'if-no-files-found': 'warn' }, { ifNoFilesFound: 'warn' }],
    [{ 'if-service-unavailable': 'warn' }, { ifServiceUnavailable: 'warn' }],
    [{ 'retry-unanswered': 'False' }, { retryUnanswered: false }],
    [{ 'records-path': 'records/all.jsonl' }, { recordsPath: 'records/all.jsonl' }],
    [
      { 'verification-url': 'https://n.example/{hash}' },
      { verificationUrl: 'https://n.example/{hash}' },
    ],
    [{ description: ' of ours ' }, { description: 'of ours' }],
    [{ subscription: 'active' }, { way: { kind: 'complete', subscription: 'active' } }],
    [
      { 'request-registration': 'true', subscription: '' },
      { way: { kind: 'request', subscription: null } },
    ],
    [
      { 'request-registration': 'true', subscription: 'active' },
      { way: { kind: 'request', subscription: 'active' } },
    ],
    [
      { 'request-registration': 'true' },
      { way: { kind: 'request', subscription: { id: 'sub_0001', json: goodSubscription } } },
    ],
    [
      { 'dry-run': 'True', 'show-summary': 'FALSE' },
      { isDryRun: true, showSummary: false },
    ],
    [
      { 'dry-run': 'false', 'show-summary': 'TRUE' },
      { isDryRun: false, showSummary: true },
    ],
    ...(
      [
        ['max-registrations', 'maxRegistrations', [0, 1, 2500]],
        ['concurrency', 'concurrency', [1, 64]],
        ['max-attempts', 'maxAttempts', [1, 20]],
      ] as const
    ).flatMap(([name, field, numbers]) =>
      numbers.map((number): [Partial<RawInputs>, object] => [
        { [name]: `0${number}` },
        { [field]: number },
      ]),
    ),
    [{ 'timeout-seconds': '1' }, { timeoutMs: 1000 }],
    [{ 'timeout-seconds': '600' }, { timeoutMs: 600_000 }],
  ])('are read as they are given: %j', (given, expected) => {
    const { inputs, problems, warnings, notices } = read(given)
    expect({ problems, warnings, notices }).toEqual({ problems: [], warnings: [], notices: [] })
    expect(inputs).toMatchObject(expected)
  })

  it('say everything that is wrong at once, one problem for each', () => {
    const wrong = {
      ...{ 'if-no-files-found': 'maybe', 'records-path': 'records/', 'max-registrations': 'many' },
      ...{
        concurrency: '65',
        'max-attempts': '0',
        'timeout-seconds': '601',
        'show-summary': 'yes',
      },
      ...{ 'request-registration': 'y', 'verification-url': 'x', 'attach-to-release': 'true' },
      ...{ 'if-service-unavailable': 'ignore', 'retry-unanswered': 'never', 'github-token': 'a b' },
    }
    const { problems, inputs } = readInputs({ ...inputDefaults, ...wrong }, nowMs)
    expect(inputs).toBeNull()
    expect(problems.map(one => one.input).sort()).toEqual(
      ['api-key', 'base-url', 'path', 'subscription', ...Object.keys(wrong)].sort(),
    )
  })
})

describe('a bad value', () => {
  it.each([
    ['if-no-files-found', 'Error', 'error, warn or ignore'],
    ['if-no-files-found', 'fail', 'error, warn or ignore'],
    ['records-path', 'records/', 'file'],
    ['records-path', 'records\\', 'file'],
    ['records-path', 'two\nlines.jsonl', 'one line'],
    ['records-path', 'nul\0.jsonl', 'path'],
    ['max-registrations', '-1', 'whole number'],
    ['max-registrations', '1.5', 'whole number'],
    ['max-registrations', '1e3', 'whole number'],
    ['max-registrations', '0x10', 'whole number'],
    ['max-registrations', '99999999999999999999', 'whole number'],
    ['max-registrations', '١', 'whole number'],
    ['max-registrations', '100 files', 'whole number'],
    ['max-registrations', 'NaN', 'whole number'],
    ['concurrency', '0', '1 to 64'],
    ['concurrency', '65', '1 to 64'],
    ['concurrency', '+4', '1 to 64'],
    ['max-attempts', '0', '1 to 20'],
    ['max-attempts', '21', '1 to 20'],
    ['timeout-seconds', '0', '1 to 600'],
    ['timeout-seconds', '601', '1 to 600'],
    ['timeout-seconds', '30s', '1 to 600'],
    ['timeout-seconds', 'Infinity', '1 to 600'],
    ['if-service-unavailable', 'ignore', 'error or warn'],
    ['retry-unanswered', 'no', 'true or false'],
    ['request-registration', 'on', 'true or false'],
    ['attach-to-release', '0', 'true or false'],
    ['release-tag', 'two tags', 'one tag'],
    ['release-tag', 'refs/tags/v1', 'the tag alone'],
    ['verification-url', 'http://n.example/{hash}', 'https://'],
    ['verification-url', 'https://n.example/', 'placeholder'],
    ['dry-run', 'yes', 'true or false'],
    ['dry-run', '1', 'true or false'],
    ['dry-run', 'tRUE', 'true or false'],
    ['show-summary', 'no', 'true or false'],
    ['show-summary', 'false,', 'true or false'],
    ['base-url', 'notary.example', 'https://'],
    ['base-url', 'https://', 'https://'],
    ['base-url', 'https:/notary.example', 'https://'],
    ['base-url', '//notary.example', 'https://'],
    ['base-url', 'https:///notary/prefix', 'https://'],
    ['base-url', 'ftp://notary.example', 'https://'],
    ['base-url', 'file:///etc/passwd', 'https://'],
    ['base-url', 'javascript://notary.example', 'https://'],
    ['base-url', 'https://notary.example:99999', 'https://'],
    ['base-url', 'http://notary.example', 'https'],
    ['base-url', 'http://127.0.0.1.notary.example', 'https'],
    ['base-url', 'http://localhost.notary.example', 'https'],
    ['base-url', 'http://128.0.0.1', 'https'],
    ['base-url', 'http://[::2]', 'https'],
    ['base-url', 'http://0.0.0.0', 'https'],
    ['base-url', 'https://notary.example/api/v2', '/api/v2'],
    ['base-url', 'https://notary.example/api/v2/', '/api/v2'],
    ['base-url', 'https://notary.example/prefix/API/V2', '/api/v2'],
    ['base-url', 'https://notary.example/api/v2/auth/login', '/api/v2'],
    ['base-url', 'https://notary.example/#', 'fragment'],
    ['base-url', 'https://notary.example/?', 'query'],
    ['base-url', 'https://notary.example\\x', 'backslash'],
    ['base-url', 'https://notary .example', 'white space'],
  ] as const)(
    'of %s, %j, is said with its input, what was given and the remedy',
    (input, value, remedy) => {
      const reading = read({ 'github-token': 'ghs_0', [input]: value })
      const [message = '', ...others] = messagesOf(reading, input)
      expect(others).toEqual([])
      expect(message.startsWith(`input "${input}" `)).toBe(true)
      expect(message).toContain(remedy)
      const given = value.replace(/[?#]$/, '').replace('\n', '\\u000a').replace('\0', '\\u0000')
      expect(message).toContain(`"${given}"`)
      expect(reading.problems).toHaveLength(1)
    },
  )

  it('is cut visibly in its message when it is long', () => {
    const [message = ''] = messagesOf(read({ concurrency: '9'.repeat(5000) }), 'concurrency')
    expect(message.length).toBeLessThan(400)
    expect(message).toContain('5000 characters')
  })

  it('does nothing in its message', () => {
    const said = saidBy(read({ 'if-no-files-found': 'x\r\n::error::forged\u001b[31m\u202e' }))
    expect(said).not.toMatch(/[\p{Cc}\u202e]/u)
  })
})

describe('base-url', () => {
  it.each([
    ['https://notary.example', 'https://notary.example'],
    ['https://notary.example/', 'https://notary.example'],
    ['https://notary.example///', 'https://notary.example'],
    ['HTTPS://Notary.EXAMPLE', 'https://notary.example'],
    ['https://notary.example:443/', 'https://notary.example'],
    ['https://notary.example:8443', 'https://notary.example:8443'],
    ['https://notary.example/Prefix/', 'https://notary.example/Prefix'],
    ['https://notary.example/a/b', 'https://notary.example/a/b'],
    ['https://notary.example/a/../b/', 'https://notary.example/b'],
    ['https://notary.example/api', 'https://notary.example/api'],
    ['https://notary.example/api/v20', 'https://notary.example/api/v20'],
    ['https://notary.example/my-api/v2x', 'https://notary.example/my-api/v2x'],
    ['https://nötary.example', 'https://xn--ntary-jua.example'],
    ['https://[2001:DB8::1]/', 'https://[2001:db8::1]'],
    ['http://localhost', 'http://localhost'],
    ['http://LOCALHOST:8080/', 'http://localhost:8080'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://127.8.9.10/x/', 'http://127.8.9.10/x'],
    ['http://127.1', 'http://127.0.0.1'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
    ['http://[0:0:0:0:0:0:0:1]', 'http://[::1]'],
  ])('is brought to its normal form: %s', (given, expected) => {
    const { inputs, problems } = read({ 'base-url': given })
    expect(problems).toEqual([])
    expect(inputs?.baseUrl).toBe(expected)
    expect(read({ 'base-url': expected }).inputs?.baseUrl).toBe(expected)
  })

  it.each([
    'https://user:hunter2-secret@notary.example',
    'https://hunter2-secret@notary.example',
    'https://:hunter2-secret@notary.example/api/v2',
    'http://user:hunter2-secret@notary.example',
    'ftp://user:hunter2-secret@notary.example',
    'user:hunter2-secret@notary.example',
    'https://user:hunter2-secret@notary.example/?a=b',
    'https://user:hunter2-secret@',
    'https://notary.example/?key=hunter2-secret',
    'https://notary.example?key=hunter2-secret&x=y@z',
    'https://notary.example/#hunter2-secret',
    'http://notary.example/?key=hunter2-secret',
    'notary.example/?key=hunter2-secret',
    'https://notary.example/api/v2?key=hunter2-secret',
  ])('is refused without showing what may be a credential in it: %s', given => {
    const reading = read({ 'base-url': given })
    expect(messagesOf(reading, 'base-url')).toHaveLength(1)
    expect(saidBy(reading)).not.toContain('hunter2')
  })
})

describe('api-key', () => {
  it('gets the hints about forks and dry-run when it is empty', () => {
    const [message = ''] = messagesOf(read({ 'api-key': '' }), 'api-key')
    expect(message).toContain('forks')
    expect(message).toContain('dry-run')
  })

  it.each(['line-one-secret\nline-two-secret', 'line-one-secret\rline-two-secret'])(
    'is refused on several lines without being shown, and is masked: %j',
    key => {
      const reading = read({ 'api-key': key })
      expect(messagesOf(reading, 'api-key')).toHaveLength(1)
      expect(saidBy(reading)).not.toContain('secret')
      expect(reading.secrets).toContain(key)
    },
  )

  it('is masked in a dry run, too', () => {
    expect(read({ 'dry-run': 'true' }).secrets).toContain('key-0123456789')
  })
})

describe('path, checksums and release-tag', () => {
  it('are an error when all are empty, also in a dry run', () => {
    for (const dryRun of ['true', 'false']) {
      const reading = read({ path: '', checksums: '', 'dry-run': dryRun })
      const [message = ''] = messagesOf(reading, 'path')
      expect(message).toContain('"checksums"')
      expect(reading.problems).toHaveLength(1)
    }
  })
})

describe('subscription', () => {
  it('gets the hints about forks and dry-run when it is empty', () => {
    const [message = ''] = messagesOf(read({ subscription: '' }), 'subscription')
    expect(message).toContain('forks')
    expect(message).toContain('dry-run')
  })

  it('says when its period ended, also in a run with wrong inputs', () => {
    const given = { subscription: '{"currentPeriodEnd":1}', 'api-key': '' }
    expect(read(given)).toMatchObject({ inputs: null, periodEndedMs: 1000 })
    expect(read({ 'api-key': '' }).periodEndedMs).toBeNull()
  })

  it('is masked but for what belongs to the record', () => {
    const { secrets, spared } = read({})
    expect(secrets.filter(secret => secret !== '').sort()).toEqual([
      'cs_live_session0001',
      'cus_secret_0001',
      'in_secret_0001',
      'key-0123456789',
    ])
    expect([...spared].sort()).toEqual(['42', 'plan_0001', 'sub_0001'])
  })

  it('has all its problems in one message, with the names of the fields and without their values', () => {
    const reading = read({
      subscription: JSON.stringify({ sessionId: 123454321, status: ['wrong-value'], id: 7 }),
    })
    const [message = '', ...others] = messagesOf(reading, 'subscription')
    expect(others).toEqual([])
    expect(message.startsWith('input "subscription" ')).toBe(true)
    for (const field of ['sessionId', 'status', 'id']) expect(message).toContain(field)
    expect(message).not.toMatch(/123454321|wrong-value/)
  })

  it('is not shown when it cannot be parsed', () => {
    const reading = read({ subscription: '{"sessionId":"cs_live_session0001",' })
    expect(messagesOf(reading, 'subscription')).toHaveLength(1)
    expect(saidBy(reading)).not.toContain('cs_live')
  })

  it.each([
    ['Active', /the word active without quotes/],
    ['"active"', /the word active without quotes/],
    ['{"id":"sub_0001"', /ends after 16 characters without its closing brace.*jq -c/],
  ])('as %s is refused with what was meant', (subscription, message) => {
    const reading = read({ subscription })
    expect(messagesOf(reading, 'subscription')).toEqual([expect.stringMatching(message)])
    expect(reading.problems).toHaveLength(1)
  })

  it('has warnings that name the input', () => {
    const { warnings } = read({ subscription: '{"id":"sub_0001"}' })
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatch(/^input "subscription" lacks .*sessionId/)
  })

  it.each(['{"sessionId":"cs_1"}', '{"id":null}'])(
    'without an id gets a notice that paymentId is not compared: %s',
    subscription => {
      const { notices } = read({ subscription })
      expect(notices).toHaveLength(1)
      expect(notices[0]).toContain('paymentId')
    },
  )

  it('with an id gets no notice', () => {
    expect(read({}).notices).toEqual([])
  })
})

describe('a release', () => {
  it.each<[Partial<RawInputs>, InputName, RegExp]>([
    [{ 'release-tag': 'v1' }, 'github-token', /is empty, and "release-tag" needs it/],
    [{ 'github-token': 'ghs secret0' }, 'github-token', /one line without white space/],
    [{ 'attach-to-release': 'true' }, 'attach-to-release', /needs "release-tag"/],
  ])('must be complete: %j', (given, input, message) => {
    const reading = read(given)
    expect(messagesOf(reading, input)).toEqual([expect.stringMatching(message)])
    expect(reading.problems).toHaveLength(1)
    expect(saidBy(reading)).not.toContain('secret0')
  })

  it('has its token masked', () => {
    expect(read({ 'github-token': 'ghs_0123456789' }).secrets).toContain('ghs_0123456789')
  })
})

describe('a dry run', () => {
  it('needs nothing but something to look at', () => {
    const { inputs, ...reading } = readInputs(
      { ...inputDefaults, path: '.', 'dry-run': 'true' },
      nowMs,
    )
    expect(reading).toMatchObject({ problems: [], warnings: [], notices: [] })
    expect(inputs).toMatchObject({ baseUrl: null, isDryRun: true })
    expect(Object.keys(inputs ?? {})).not.toEqual(expect.arrayContaining(['apiKey']))
  })

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

  it.each<[InputName, string]>([
    ['base-url', 'http://notary.example'],
    ['subscription', '[]'],
    ['api-key', 'two\nlines'],
    ['concurrency', '0'],
  ])('still refuses what is given and wrong: %s', (input, value) => {
    const { problems } = read({ 'dry-run': 'true', [input]: value })
    expect(problems.map(one => one.input)).toEqual([input])
  })
})

describe('what a run with wrong inputs uses all the same', () => {
  const wrong = { 'api-key': '' } as const
  it.each<[Partial<RawInputs>, object]>([
    [
      {},
      { path: 'dist/*', checksums: '', ifNoFilesFound: 'error', releaseTag: null, isDryRun: false },
    ],
    [
      { 'if-no-files-found': 'ignore', 'show-summary': 'false' },
      { ifNoFilesFound: 'ignore', showSummary: false },
    ],
    [
      { 'if-no-files-found': 'x', 'show-summary': 'x' },
      { ifNoFilesFound: 'error', showSummary: true },
    ],
    [
      { 'records-path': 'a/b.jsonl', 'release-tag': 'v1' },
      { recordsPath: 'a/b.jsonl', releaseTag: 'v1' },
    ],
    [
      { 'records-path': 'a/', 'release-tag': 'a b' },
      { recordsPath: 'notarization-records.jsonl', releaseTag: null },
    ],
    [{ 'dry-run': 'TRUE', concurrency: '0' }, { isDryRun: true }],
    [
      { 'base-url': 'https://n.example/', 'if-service-unavailable': 'warn' },
      { baseUrl: 'https://n.example', ifServiceUnavailable: 'warn' },
    ],
    [
      { 'base-url': 'x', 'if-service-unavailable': 'x', 'verification-url': 'x' },
      { baseUrl: null, ifServiceUnavailable: 'error', verificationUrl: null },
    ],
  ])('is what is right of them, else the default: %j', (given, usable) => {
    const reading = read({ ...wrong, ...given })
    expect(reading.inputs).toBeNull()
    expect(reading.usable).toMatchObject(usable)
  })
})

it('inputs that are no secrets must hold none: each that does is named, and left empty', () => {
  const secrets = new Secrets(() => undefined)
  secrets.add(['hunter2-hunter2'])
  const given = { ...inputDefaults, ...goodInputs, 'api-key': 'hunter2-hunter2' }
  const wrong = {
    'base-url': 'https://notary.example/hunter2-hunter2',
    path: 'dist/hunter2-hunter2',
    'records-path': 'hunter2-hunter2.jsonl',
    description: `by ${Buffer.from('hunter2-hunter2').toString('base64')}`,
  }
  const { raw, leaks } = leaveOutSecrets({ ...given, ...wrong }, secrets)
  expect(leaks.map(one => one.input)).toEqual(Object.keys(wrong))
  for (const { message } of leaks) expect(message).not.toContain('hunter2')
  const empty = { 'base-url': '', path: '', 'records-path': '', description: '' }
  expect(raw).toEqual({ ...given, ...empty })
})
