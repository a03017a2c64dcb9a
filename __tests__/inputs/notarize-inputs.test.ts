import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { readInputs } from '../../src/inputs/notarize-inputs.ts'
import { readVerifyInputs } from '../../src/inputs/verify-inputs.ts'
import { readActionFile } from '../support/action-file.ts'
import { subscription, subscriptionSecrets, subscriptionText } from '../support/samples.ts'

type Texts = Readonly<Record<string, string>>

/** Reads the inputs that a first user writes, some of them replaced. */
function read(changed: Texts = {}) {
  return readInputs({ 'api-key': 'key-0123456789', path: 'dist/*', ...changed })
}

/** The problems with what they need, what to do, and what they mean. */
function describeProblems({ problems }: ReturnType<typeof readInputs>): string {
  const lines = problems.map(({ needs, message, next, hint = '' }) =>
    [`${needs}: ${message}`, next, hint].join('\n  ').trimEnd(),
  )
  return lines.join('\n')
}

describe('the inputs', () => {
  it.each([
    ['action.yml', readInputs],
    ['verify/action.yml', readVerifyInputs],
  ])('have the names and defaults of %s', (file, readAll) => {
    const { inputs } = readActionFile(join(import.meta.dirname, '../..', file))
    // Expressions, which only the runner can evaluate, are empty here.
    const defaults = new Map<string, string>()
    for (const [name, text] of inputs) defaults.set(name, text.startsWith('${{') ? '' : text)
    const reading = readAll({})
    expect(readAll(Object.fromEntries(defaults))).toEqual(reading)
    // The payment is made of the subscription.
    const fields = Object.keys(reading.inputs).filter(field => field !== 'payment')
    const names = fields.map(field => field.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`))
    expect(names.sort()).toEqual([...inputs.keys()].sort())
  })

  const release = { path: '', 'release-tag': 'v1', 'github-token': 'ghs_0' }
  const hash = 'AB'.repeat(32)
  const lower = hash.toLowerCase()
  const own = { 'base-url': 'https://n' }
  const template = { 'verification-url': 'https://n.example/{txId}' }
  const limits = { 'max-registrations': '0', 'timeout-seconds': '600' }
  const payment = { id: subscription.id, json: subscriptionText }
  const verificationUrl = 'https://app.dedit.io/verification/{hash}'
  const defaults = { payment: null, requestRegistration: true, dryRun: false, verificationUrl }
  it.each<[Texts, object]>([
    [{}, { apiKey: 'key-0123456789', path: 'dist/*', releaseTag: null, ...defaults }],
    [release, { releaseTag: 'v1', githubToken: 'ghs_0' }],
    [{ subscription: subscriptionText }, { payment, requestRegistration: false }],
    [{ subscription: 'active' }, { payment: 'active', requestRegistration: false }],
    [{ subscription: 'active', 'request-registration': 'true' }, { requestRegistration: true }],
    [{ 'request-registration': 'false', 'dry-run': 'true' }, { requestRegistration: false }],
    [{ 'base-url': 'https://APP.dedit.io/' }, read().inputs],
    [own, { baseUrl: 'https://n', verificationUrl: null }],
    [{ ...own, ...template }, { verificationUrl: 'https://n.example/{txId}' }],
    [{ 'verification-url': 'HTTPS://N.example/a@b//{hash}' }, {}],
    [{ 'verification-url': 'https://[::1]?hash={hash}&of={txId}' }, {}],
    [{ 'confirmed-hashes': `${hash}\n sha256:${hash}` }, { confirmedHashes: new Set([lower]) }],
    [{ 'confirmed-hashes': '' }, { confirmedHashes: new Set() }],
    [{ 'confirmed-hashes': 'none' }, { confirmedHashes: null }],
    [
      { 'show-summary': 'FALSE', 'records-path': 'r' },
      { showSummary: false, recordsPath: 'r' },
    ],
    [{ 'keep-records': 'False' }, { keepRecords: false }],
    [{ 'earlier-releases': 'TRUE', 'github-token': 'ghs_0' }, { earlierReleases: true }],
    [{ 'dry-run': 'True', 'api-key': '' }, { dryRun: true }],
    [{ concurrency: '064' }, { concurrency: 64 }],
    [{ 'max-attempts': '20' }, { maxAttempts: 20 }],
    [limits, { maxRegistrations: 0, timeoutSeconds: 600 }],
    [{ 'base-url': 'HTTPS://N.EXAMPLE///' }, { baseUrl: 'https://n.example' }],
    [{ 'base-url': 'https://n.example:8443/a/../b/' }, { baseUrl: 'https://n.example:8443/b' }],
    [{ 'base-url': 'https://n.example/api/v20' }, { baseUrl: 'https://n.example/api/v20' }],
    [{ 'base-url': 'https://[2001:DB8::1]/' }, { baseUrl: 'https://[2001:db8::1]' }],
    [{ 'base-url': 'http://LOCALHOST:8080/' }, { baseUrl: 'http://localhost:8080' }],
    [{ 'base-url': 'http://127.1/x/' }, { baseUrl: 'http://127.0.0.1/x' }],
    [{ 'base-url': 'http://[0:0:0:0:0:0:0:1]:3000' }, { baseUrl: 'http://[::1]:3000' }],
  ])('are parsed: %j', (texts, expected) => {
    const { inputs, problems, warnings } = read(texts)
    expect({ problems, warnings }).toEqual({ problems: [], warnings: [] })
    expect(inputs).toMatchObject(expected)
  })

  it('may be required because of other inputs, and exclude each other', () => {
    const wrong = { 'api-key': '', path: '', 'request-registration': 'false' }
    const all = [
      wrong,
      { ...wrong, 'dry-run': 'true' },
      { path: '', 'release-tag': 'v1' },
      { 'earlier-releases': 'TRUE' },
      { 'earlier-releases': 'untrue' },
      { 'earlier-releases': 'trueish', 'verification-url': 'https://n/{hash} x' },
      { ...release, path: 'dist/*' },
      { ...release, checksums: 'SHA256SUMS' },
    ]
    expect(all.map(texts => describeProblems(read(texts))).join('\n')).toMatchSnapshot()
  })
})

describe('an invalid value', () => {
  it('is shown with what is wrong and what to do, without what is long or may be secret', () => {
    const long = 'x'.repeat(101)
    const values: Readonly<Record<string, string | readonly string[]>> = {
      'api-key': ['line\nsecret'],
      'github-token': ['ghs secret'],
      subscription: ['{"sessionId":"secret",', '["secret"]'],
      'confirmed-hashes': ['9F86', '0'.repeat(65), 'g'.repeat(64), 'none x', `${long} secret@`],
      'if-no-files-found': `Error fail ${long}`,
      'records-path': ['records/', 'records\\', 'a\nb/', 'a\nb'],
      'max-registrations': '-1 1.5 1e3 10000001 ١',
      concurrency: '0 65 4files',
      'max-attempts': '0 21',
      'timeout-seconds': `0 601 ${'9'.repeat(20)}`,
      'request-registration': 'on false,',
      'dry-run': 'yes 1 tRUE',
      'release-tag': ['refs/v1', 'a b'],
      'verification-url':
        'http://n.example/{hash} https://n https:n/{hash} https:///{txId} https://{hash}.n https://user:secret@n/{hash} https://n:{txId} https://n/{{hash}} https://n/{HASH} https://n/{x}/{hash} https://n/{hash}/{x} https://n/x http://n/https://n/{hash}',
      'base-url': `notary.example https:// https:/n.example //n.example https:///n/prefix ftp://n.example
        https://n.example:99999 https://n.example\\x ${long} http://n.example http://localhost.n http://0.0.0.0
        http://127.0.0.1.n http://128.0.0.1 http://[::2] http://n/api/v2 https://n/api/v2 https://n/x/API/V2/ https://n# https://n?a
        https://n?key=secret&x=y@z https://n/api/v2?x=1 https://n/api/v2#secret ftp://user:secret@n https://:secret@n https://user:secret https://:secret https://@n http://n:/ ftp://n:8secret http://nlocalhost
        https://user:secret%40n/`,
    }
    const shown = Object.entries(values).flatMap(([input, texts]) => {
      const all = typeof texts === 'string' ? texts.split(/\s+/) : texts
      const others = input === 'release-tag' ? { path: '' } : {}
      return all.map(text =>
        describeProblems(read({ 'github-token': 'ghs_0', ...others, [input]: text })),
      )
    })
    expect(shown.join('\n')).toMatchSnapshot()
    expect(shown.join()).not.toMatch(/secret@|=secret|"secret|line.secret|ghs secret|#secret/s)
  })
})

it('keys, even if invalid, and secret details are masked, except what belongs to the record', () => {
  const pair = { 'api-key': 'two\nlines', 'github-token': 'a b' }
  const { keys, details, exempt } = read({ ...pair, subscription: subscriptionText })
  const { id, planId, userId } = subscription
  expect(keys).toEqual(['two\nlines', 'a b'])
  expect(details).toEqual(subscriptionSecrets)
  expect(exempt).toEqual([id, `${userId}`, planId])
})

it('subscription data on several lines gets one warning, and nothing in it is judged', () => {
  const subscription = '{\n"status":"ended",\n"canceledAt":1,"currentPeriodEnd":1}'
  const warnings = [
    'input "subscription" has several lines, and the runner masks each of them everywhere in the log, even a single brace; store it on one line or as base64',
  ]
  expect(read({ subscription })).toMatchObject({ problems: [], warnings })
})
