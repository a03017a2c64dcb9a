import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { inputDefaults, readInputs, type InputReading, type RawInputs } from '../src/inputs.ts'
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

  it('have the defaults of the contract', () => {
    expect(inputDefaults).toMatchObject({
      'api-key': '',
      'base-url': '',
      path: '',
      checksums: '',
      subscription: '',
      'if-no-files-found': 'error',
      'records-path': 'notarization-records.jsonl',
      'max-registrations': '100',
      concurrency: '4',
      'max-attempts': '5',
      'timeout-seconds': '30',
      'dry-run': 'false',
      'show-summary': 'true',
    })
  })

  it('are read as their defaults when they are empty or blank', () => {
    const { inputs, problems } = read({
      'if-no-files-found': '',
      'records-path': ' \n',
      'max-registrations': '',
      concurrency: '\t',
      'max-attempts': '',
      'timeout-seconds': ' ',
      'dry-run': '',
      'show-summary': '',
    })
    expect(problems).toEqual([])
    expect(inputs).toMatchObject({
      ifNoFilesFound: 'error',
      recordsPath: 'notarization-records.jsonl',
      maxRegistrations: 100,
      concurrency: 4,
      maxAttempts: 5,
      timeoutMs: 30_000,
      isDryRun: false,
      showSummary: true,
    })
  })

  it('are read as they are given', () => {
    const { inputs, problems, warnings, notices } = read({
      path: 'dist/*\n!dist/*.map',
      checksums: 'SHA256SUMS',
      'if-no-files-found': 'warn',
      'records-path': 'records/all.jsonl',
      'max-registrations': '7',
      concurrency: '64',
      'max-attempts': '20',
      'timeout-seconds': '600',
      'dry-run': 'True',
      'show-summary': 'FALSE',
    })
    expect({ problems, warnings, notices }).toEqual({ problems: [], warnings: [], notices: [] })
    expect(inputs).toMatchObject({
      apiKey: 'key-0123456789',
      baseUrl: 'https://notary.example',
      path: 'dist/*\n!dist/*.map',
      checksums: 'SHA256SUMS',
      subscription: { id: 'sub_0001', json: goodSubscription },
      ifNoFilesFound: 'warn',
      recordsPath: 'records/all.jsonl',
      maxRegistrations: 7,
      concurrency: 64,
      maxAttempts: 20,
      timeoutMs: 600_000,
      isDryRun: true,
      showSummary: false,
    })
  })

  it('tell everything that is wrong at once, one problem for each', () => {
    const { problems } = readInputs(
      {
        ...inputDefaults,
        'if-no-files-found': 'maybe',
        'records-path': 'records/',
        'max-registrations': 'many',
        concurrency: '65',
        'max-attempts': '0',
        'timeout-seconds': '601',
        'show-summary': 'yes',
      },
      nowMs,
    )
    expect(problems.map(one => one.input).sort()).toEqual([
      'api-key',
      'base-url',
      'concurrency',
      'if-no-files-found',
      'max-attempts',
      'max-registrations',
      'path',
      'records-path',
      'show-summary',
      'subscription',
      'timeout-seconds',
    ])
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
    'of %s, %j, is told with its input, what was given and the remedy',
    (input, value, remedy) => {
      const reading = read({ [input]: value })
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

describe('the number inputs', () => {
  it.each([
    ['concurrency', '1', { concurrency: 1 }],
    ['concurrency', '64', { concurrency: 64 }],
    ['max-attempts', '1', { maxAttempts: 1 }],
    ['max-attempts', '20', { maxAttempts: 20 }],
    ['timeout-seconds', '1', { timeoutMs: 1000 }],
    ['timeout-seconds', '600', { timeoutMs: 600_000 }],
    ['max-registrations', '1', { maxRegistrations: 1 }],
    ['max-registrations', '2500', { maxRegistrations: 2500 }],
    ['max-registrations', '007', { maxRegistrations: 7 }],
  ] as const)('take %s %s', (input, value, expected) => {
    const { inputs, problems } = read({ [input]: value })
    expect(problems).toEqual([])
    expect(inputs).toMatchObject(expected)
  })
})

describe('the boolean inputs', () => {
  it.each([
    ['true', true],
    ['True', true],
    ['TRUE', true],
    ['false', false],
    ['False', false],
    ['FALSE', false],
  ])('are read as core.getBooleanInput reads them: %s', (value, expected) => {
    const { inputs, problems } = read({ 'dry-run': value, 'show-summary': value })
    expect(problems).toEqual([])
    expect(inputs).toMatchObject({ isDryRun: expected, showSummary: expected })
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
    expect(inputs.baseUrl).toBe(expected)
    expect(read({ 'base-url': expected }).inputs.baseUrl).toBe(expected)
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

  it('says so when it ends in /api/v2', () => {
    expect(saidBy(read({ 'base-url': 'https://notary.example/api/v2' }))).toContain(
      'must stop before /api/v2',
    )
  })

  it('is null when a dry run has none, and an error in other runs', () => {
    expect(read({ 'base-url': '', 'dry-run': 'true' }).inputs.baseUrl).toBeNull()
    expect(read({ 'base-url': '', 'dry-run': 'true' }).problems).toEqual([])
    expect(messagesOf(read({ 'base-url': '' }), 'base-url')).toHaveLength(1)
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

describe('path and checksums', () => {
  it('are an error when both are empty, also in a dry run', () => {
    for (const dryRun of ['true', 'false']) {
      const reading = read({ path: '', checksums: '', 'dry-run': dryRun })
      const [message = ''] = messagesOf(reading, 'path')
      expect(message).toContain('"checksums"')
      expect(reading.problems).toHaveLength(1)
    }
  })

  it.each([
    { path: 'dist/*', checksums: '' },
    { path: '', checksums: 'SHA256SUMS' },
    { path: 'dist/*', checksums: 'SHA256SUMS' },
  ])('are enough as %j', given => {
    expect(read(given).problems).toEqual([])
    expect(read(given).inputs).toMatchObject(given)
  })
})

describe('subscription', () => {
  it('gets the hints about forks and dry-run when it is empty', () => {
    const [message = ''] = messagesOf(read({ subscription: '' }), 'subscription')
    expect(message).toContain('forks')
    expect(message).toContain('dry-run')
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

describe('a dry run', () => {
  it('needs nothing but something to look at', () => {
    const { inputs, problems, warnings, notices } = readInputs(
      { ...inputDefaults, path: '.', 'dry-run': 'true' },
      nowMs,
    )
    expect({ problems, warnings, notices }).toEqual({ problems: [], warnings: [], notices: [] })
    expect(inputs).toMatchObject({ apiKey: '', baseUrl: null, subscription: null, isDryRun: true })
  })

  it('still refuses what is given and wrong', () => {
    const { problems } = read({ 'dry-run': 'true', 'base-url': 'http://notary.example' })
    expect(problems.map(one => one.input)).toEqual(['base-url'])
  })
})
