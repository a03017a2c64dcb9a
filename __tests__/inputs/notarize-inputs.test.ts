import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { notarizeInputNames, readInputs } from '../../src/inputs/notarize-inputs.ts'
import { readVerifyInputs, verifyInputNames } from '../../src/inputs/verify-inputs.ts'
import { readActionFile } from '../support/action-file.ts'
import { subscription, subscriptionSecrets, subscriptionText } from '../support/samples.ts'

type Texts = Readonly<Record<string, string>>

/** Reads the inputs that a first user writes, some of them replaced. */
function read(changed: Texts = {}) {
  const texts = { 'api-key': 'key-0123456789', path: 'dist/*', ...changed }
  return readInputs(texts, Date.UTC(2026, 0, 15))
}

/** Returns the message of the only problem, which must name this input and show no secret. */
function messageAbout(input: string, changed: Texts): string {
  const { problems, warnings } = read(changed)
  expect(problems.map(problem => problem.input)).toEqual([input])
  const [message = ''] = problems.map(problem => problem.message)
  expect(message.startsWith(`input "${input}" `)).toBe(true)
  expect([message, ...warnings].join()).not.toContain('hunter2')
  return message
}

describe('the inputs', () => {
  it.each([
    ['action.yml', notarizeInputNames, (texts: Texts) => readInputs(texts, 0)],
    ['verify/action.yml', verifyInputNames, readVerifyInputs],
  ])('have the names and defaults of %s', (file, names, readAll) => {
    const { inputs } = readActionFile(join(import.meta.dirname, '../..', file))
    // Expressions, which only the runner can evaluate, are empty here.
    const defaults = new Map<string, string>()
    for (const [name, text] of inputs) defaults.set(name, text.startsWith('${{') ? '' : text)
    expect(names.toSorted()).toEqual([...inputs.keys()].sort())
    expect(readAll(Object.fromEntries(defaults))).toEqual(readAll({}))
  })

  it('need only the key and a pattern', () => {
    const { inputs, ...rest } = read()
    const secrets = ['key-0123456789']
    expect(rest).toEqual({ problems: [], warnings: [], secrets, exempt: [] })
    expect(inputs).toMatchObject({ apiKey: 'key-0123456789', path: 'dist/*', releaseTag: null })
    expect(inputs).toMatchObject({ payment: null, requestRegistration: true, dryRun: false })
    expect(inputs).toMatchObject({ maxAttempts: 7, confirmedHashes: new Set() })
    expect(inputs.verificationUrl).toBe('https://app.dedit.io/verification/{hash}')
  })

  const release = { path: '', 'release-tag': 'v1', 'github-token': 'ghs_0' }
  const hash = 'AB'.repeat(32)
  const own = { 'base-url': 'https://n.example' }
  const template = { 'verification-url': 'https://n.example/{txId}' }
  const payment = { id: subscription.id, json: subscriptionText }
  const dry = { dryRun: true, apiKey: '' }
  it.each<[Texts, object]>([
    [release, { releaseTag: 'v1', githubToken: 'ghs_0' }],
    [{ subscription: subscriptionText }, { payment, requestRegistration: false }],
    [{ subscription: 'active' }, { payment: 'active', requestRegistration: false }],
    [{ subscription: 'active', 'request-registration': 'true' }, { requestRegistration: true }],
    [{ 'request-registration': 'true' }, { payment: null, requestRegistration: true }],
    [{ 'request-registration': 'false', 'dry-run': 'true' }, { requestRegistration: false }],
    [{ 'base-url': 'https://APP.dedit.io/' }, read().inputs],
    [own, { baseUrl: 'https://n.example', verificationUrl: null }],
    [{ ...own, ...template }, { verificationUrl: 'https://n.example/{txId}' }],
    [template, { verificationUrl: 'https://n.example/{txId}' }],
    [{ 'show-summary': 'FALSE' }, { showSummary: false }],
    [{ 'keep-records': 'false' }, { keepRecords: false }],
    [{ 'confirmed-hashes': `${hash}\n ${hash}` }, { confirmedHashes: new Set(['ab'.repeat(32)]) }],
    [{ 'dry-run': 'False' }, { dryRun: false }],
    [{ 'dry-run': 'True', 'api-key': '' }, dry],
    [{ concurrency: '1' }, { concurrency: 1 }],
    [{ concurrency: '064' }, { concurrency: 64 }],
    [{ 'max-attempts': '20' }, { maxAttempts: 20 }],
    [{ 'max-registrations': '0' }, { maxRegistrations: 0 }],
    [{ 'timeout-seconds': '600' }, { timeoutSeconds: 600 }],
  ])('are parsed: %j', (texts, expected) => {
    const { inputs, problems, warnings } = read(texts)
    expect({ problems, warnings }).toEqual({ problems: [], warnings: [] })
    expect(inputs).toMatchObject(expected)
  })

  const requests = 'request-registration'
  it.each<[string, Texts, RegExp]>([
    ['api-key', { 'api-key': '' }, /is empty.*forks get no secrets.*dry-run: true/],
    [requests, { [requests]: 'false' }, /"subscription" is empty.*remove/],
    ['path', { path: '' }, /is empty, and so are "checksums" and "release-tag"/],
    ['github-token', { 'release-tag': 'v1' }, /is empty, but "release-tag" needs it/],
  ])('are required if another input needs them: %s in %j', (input, texts, message) => {
    expect(messageAbout(input, texts)).toMatch(message)
  })
})

describe('an invalid value', () => {
  it.each<[string, remedy: string, values: readonly string[]]>([
    ['if-no-files-found', 'error, warn or ignore', ['Error', 'fail']],
    ['records-path', 'a file', ['records/', 'records\\']],
    ['records-path', 'one path on one line', ['two\nfolders/', 'nul\0.jsonl']],
    ['max-registrations', 'whole number', ['-1', '1.5', '1e3', '9'.repeat(20), '١']],
    ['concurrency', '1 to 64', ['0', '65', '4 files']],
    ['max-attempts', '1 to 20', ['0', '21']],
    ['timeout-seconds', '1 to 600', ['0', '601']],
    ['request-registration', 'true or false', ['on']],
    ['confirmed-hashes', 'SHA-256 hashes', ['9f86', '0'.repeat(65), 'g'.repeat(64)]],
    ['dry-run', 'true or false', ['yes', '1', 'tRUE']],
    ['show-summary', 'true or false', ['no', 'false,']],
    ['release-tag', 'one tag', ['two tags']],
    ['release-tag', 'the tag alone', ['refs/tags/v1']],
    ['verification-url', 'https://', ['http://n.example/{hash}']],
    ['verification-url', 'placeholder', ['https://n.example/']],
    ['base-url', 'https://', ['notary.example', 'https://', 'https:/n.example', '//n.example']],
    ['base-url', 'https://', ['https:///n/prefix', 'ftp://n.example', 'https://n.example:99999']],
    ['base-url', 'https', ['http://n.example', 'http://127.0.0.1.n.example', 'http://0.0.0.0']],
    ['base-url', 'https', ['http://localhost.n.example', 'http://128.0.0.1', 'http://[::2]']],
    ['base-url', '/api/v2', ['https://n.example/api/v2', 'https://n.example/prefix/API/V2/']],
    ['base-url', 'query or a fragment', ['https://n.example/#', 'https://n.example/?']],
    ['base-url', 'whitespace or backslash', ['https://n.example\\x', 'https://n .example']],
  ])('of %s is shown with the remedy %j', (input, remedy, values) => {
    for (const value of values) {
      const message = messageAbout(input, { 'github-token': 'ghs_0', [input]: value })
      expect(message).toContain(remedy)
      const shown = value.replace(/[?#]$/, '').replace('\n', '\\u000a').replace('\0', '\\u0000')
      expect(message).toContain(`"${shown}"`)
    }
  })

  it.each<[string, string]>([
    ['base-url', 'ftp://user:hunter2-secret@notary.example'],
    ['base-url', 'https://user:hunter2-secret@notary.example'],
    ['base-url', 'https://notary.example?key=hunter2-secret&x=y@z'],
    ['base-url', 'https://notary.example/api/v2#hunter2-secret'],
    ['api-key', 'line-one\nhunter2-secret'],
    ['github-token', 'ghs hunter2-secret'],
    ['verification-url', 'https://user:hunter2-secret@x.example/{hash}'],
    ['subscription', '{"sessionId":"hunter2-secret",'],
    ['subscription', '["hunter2-secret"]'],
  ])('of %s is not shown if it may contain a secret: %j', (input, value) => {
    messageAbout(input, { [input]: value })
  })

  it('is reported together with all others, and replaced by its default', () => {
    const wrong = { concurrency: '0', 'show-summary': 'x', 'records-path': 'a/', 'api-key': '' }
    const { inputs, problems } = read({ ...wrong, 'if-no-files-found': 'ignore' })
    expect(problems.map(problem => problem.input).sort()).toEqual(Object.keys(wrong).sort())
    expect(inputs).toMatchObject({ concurrency: 4, showSummary: true, ifNoFilesFound: 'ignore' })
  })
})

it.each([
  ['https://notary.example///', 'https://notary.example'],
  ['HTTPS://Notary.EXAMPLE', 'https://notary.example'],
  ['https://notary.example:8443/a/../b/', 'https://notary.example:8443/b'],
  ['https://notary.example/api/v20', 'https://notary.example/api/v20'],
  ['https://[2001:DB8::1]/', 'https://[2001:db8::1]'],
  ['http://LOCALHOST:8080/', 'http://localhost:8080'],
  ['http://127.1/x/', 'http://127.0.0.1/x'],
  ['http://[0:0:0:0:0:0:0:1]:3000', 'http://[::1]:3000'],
])('base-url is normalized: %s', (text, expected) => {
  expect(read({ 'base-url': text })).toMatchObject({ problems: [], inputs: { baseUrl: expected } })
})

describe('secrets', () => {
  const runs: readonly Texts[] = [{}, { 'dry-run': 'true' }, { concurrency: '0' }]
  it.each(runs)('are listed for masking, except what belongs to the record: %j', texts => {
    const pair = { subscription: subscriptionText, 'github-token': 'ghs_0' }
    const { secrets, exempt } = read({ ...texts, ...pair })
    const expected = ['ghs_0', 'key-0123456789', ...subscriptionSecrets]
    expect(secrets.toSorted()).toEqual(expected.sort())
    const { id, planId, userId } = subscription
    expect(exempt.toSorted()).toEqual([id, planId, `${userId}`].sort())
  })

  it('in invalid inputs are listed too', () => {
    const wrong = { 'api-key': 'two\nlines-of-it', 'github-token': 'a b-token' }
    expect(read(wrong).secrets).toEqual(expect.arrayContaining(Object.values(wrong)))
  })
})

it('unexpected subscription data is a warning that names the input', () => {
  const { problems, warnings } = read({ subscription: '{"id":"sub_1","status":"past_due"}' })
  expect(problems).toEqual([])
  expect(warnings.length).toBeGreaterThan(0)
  for (const warning of warnings) expect(warning).toMatch(/^input "subscription" /)
})
