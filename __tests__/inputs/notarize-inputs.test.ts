import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { notarizeInputNames, readInputs } from '../../src/inputs/notarize-inputs.ts'
import { readVerifyInputs, verifyInputNames } from '../../src/inputs/verify-inputs.ts'
import { readActionFile } from '../support/action-file.ts'
import { subscription, subscriptionSecrets, subscriptionText } from '../support/samples.ts'

type Texts = Readonly<Record<string, string>>

/** Reads the inputs that a first user writes, some of them replaced. */
function read(changed: Texts = {}, attempt = 1) {
  const texts = { 'api-key': 'key-0123456789', path: 'dist/*', ...changed }
  return readInputs(texts, Date.UTC(2026, 0, 15), attempt)
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
    [{ 'confirmed-hashes': `${hash}\n ${hash}` }, { confirmedHashes: new Set(['ab'.repeat(32)]) }],
    [{ 'show-summary': 'FALSE' }, { showSummary: false }],
    [{ 'keep-records': 'false' }, { keepRecords: false }],
    [{ 'dry-run': 'TRUE' }, { dryRun: true }],
    [{ 'dry-run': 'False' }, { dryRun: false }],
    [{ 'dry-run': 'True', 'api-key': '' }, { dryRun: true }],
    [{ concurrency: '1' }, { concurrency: 1 }],
    [{ concurrency: '064' }, { concurrency: 64 }],
    [{ 'max-attempts': '20' }, { maxAttempts: 20 }],
    [{ 'max-registrations': '0' }, { maxRegistrations: 0 }],
    [{ 'timeout-seconds': '600' }, { timeoutSeconds: 600 }],
    [{ 'base-url': 'https://n.example///' }, { baseUrl: 'https://n.example' }],
    [{ 'base-url': 'HTTPS://N.EXAMPLE' }, { baseUrl: 'https://n.example' }],
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

  it('may be required because of other inputs', () => {
    const noKey =
      'input "api-key" is empty; pass your API key, for example ${{ secrets.NOTARIZATION_API_KEY }}, and make sure that this secret exists (runs from forks get no secrets; with dry-run: true, no key is needed)'
    const noData =
      'input "request-registration" is false, but "subscription" is empty, so there is no subscription to charge; remove this input, or set "subscription" to the word active or to a secret with your subscription data'
    const noPath =
      'input "path" is empty, and so are "checksums" and "release-tag"; set at least one of them, one pattern per line'
    const noToken =
      'input "github-token" is empty, but "release-tag" needs it; remove this input to use the token of the job'
    const messagesOf = (texts: Texts) => read(texts).problems.map(({ message }) => message)
    const wrong = { 'api-key': '', path: '', 'request-registration': 'false' }
    expect(messagesOf(wrong)).toEqual([noKey, noData, noPath])
    expect(messagesOf({ ...wrong, 'dry-run': 'true' })).toEqual([noPath])
    expect(messagesOf({ path: '', 'release-tag': 'v1' })).toEqual([noToken])
    // The workflow lacks the key, or, if an earlier attempt had it, the secret does.
    const needs = [1, 2].map(attempt => read({ 'api-key': '' }, attempt).problems[0]?.needs)
    expect(needs).toEqual(['workflow', 'secret'])
  })
})

describe('an invalid value', () => {
  const secretInputs = ['api-key', 'github-token', 'subscription', 'confirmed-hashes']
  function expectProblem(input: string, value: string, text: string): void {
    const { problems } = read({ 'github-token': 'ghs_0', [input]: value })
    const needs = secretInputs.includes(input) ? 'secret' : 'workflow'
    expect(problems).toEqual([{ input, message: `input "${input}" ${text}`, needs }])
  }

  const url = 'must be a valid URL that starts with https://'
  const hashes = 'must contain only SHA-256 hashes of 64 hex digits, separated by white space'
  const noHttps = 'must start with https://'
  const tagOfRun = '; for example, use ${{ github.ref_name }}'
  const use = '; use the https address of the service'
  const adds = '; the action adds that part itself'
  const example = '; for example, use https://notary.example/verification/{hash}'
  it.each<[input: string, values: string, problem: string, remedy?: string]>([
    ['if-no-files-found', 'Error fail', 'must be error, warn or ignore'],
    ['records-path', 'records/ records\\', 'must name a file, not a folder'],
    ['max-registrations', '-1 1.5 1e3 10000001 ١', 'must be a whole number from 0 to 10000000'],
    ['concurrency', '0 65 4files', 'must be a whole number from 1 to 64'],
    ['max-attempts', '0 21', 'must be a whole number from 1 to 20'],
    ['timeout-seconds', `0 601 ${'9'.repeat(20)}`, 'must be a whole number from 1 to 600'],
    ['request-registration', 'on false,', 'must be true or false'],
    ['dry-run', 'yes 1 tRUE', 'must be true or false'],
    ['confirmed-hashes', `9f86 ${'0'.repeat(65)} ${'g'.repeat(64)}`, hashes],
    ['release-tag', 'refs/v1', 'must be the tag alone', tagOfRun],
    ['verification-url', 'http://n.example/{hash}', noHttps, example],
    ['verification-url', 'https://n', 'must have the placeholder {hash} or {txId}', example],
    ['base-url', 'notary.example https:// https:/n.example //n.example https:///n/prefix', url],
    ['base-url', 'ftp://n.example https://n.example:99999', url],
    ['base-url', 'http://n.example http://localhost.n http://0.0.0.0', noHttps, use],
    ['base-url', 'http://127.0.0.1.n http://128.0.0.1 http://[::2]', noHttps, use],
    ['base-url', 'https://n/api/v2 https://n/x/API/V2/', 'must end before /api/v2', adds],
    ['base-url', 'https://n.example\\x', 'must be one URL without whitespace or backslashes'],
  ])('of %s is shown: %s %s', (input, values, problem, remedy = '') => {
    for (const value of values.split(' ')) {
      expectProblem(input, value, `${problem} (got "${value}")${remedy}`)
    }
  })

  const long = 'x'.repeat(101)
  const cut = `(got "${'x'.repeat(100)}… [cut, 101 characters]")`
  const notOneLine = 'must be one path on one line (got "a'
  const query = 'must not contain a query or a fragment'
  const both = `${query} (got "https://n/api/v2"); use only the address; it must end before /api/v2 (got "https://n/api/v2")${adds}`
  const noData =
    'must be the word active, or subscription data: a JSON object with fields such as sessionId and id, or base64 of one (its value is secret and not shown); to store it on one line, run: jq -c . subscription.json | gh secret set NOTARIZATION_SUBSCRIPTION'
  it.each([
    ['if-no-files-found', long, `must be error, warn or ignore ${cut}`],
    ['confirmed-hashes', long, `${hashes} ${cut}`],
    ['base-url', long, `${url} ${cut}`],
    ['records-path', 'a\nb/', `${notOneLine}\\u000ab/")`],
    ['records-path', 'a\0.jsonl', `${notOneLine}\\u0000.jsonl")`],
    ['release-tag', 'refs/a b', 'must be one tag without whitespace (got "refs/a b")'],
    ['base-url', 'https://n#', `${query} (got "https://n"); use only the address`],
    ['base-url', 'https://n?a', `${query} (got "https://n"); use only the address`],
    ['base-url', 'https://n?key=secret&x=y@z', `${query}; use only the address`],
    ['base-url', 'https://n/api/v2#secret', both],
    ['base-url', 'ftp://user:secret@n', url],
    ['base-url', 'https://:secret@n', 'must not contain credentials; the key belongs in "api-key"'],
    ['verification-url', 'https://u:secret@n/{hash}', `must not contain credentials${example}`],
    ['api-key', 'line\nsecret', 'must be one line; store the key without line breaks'],
    ['github-token', 'ghs secret', 'must be one line without whitespace'],
    ['subscription', '{"sessionId":"secret",', noData],
    ['subscription', '["secret"]', noData],
  ])('of %s is shown without what is too long, breaks a line or may be secret: %j', expectProblem)

  it('is reported together with all others, and replaced by its default', () => {
    const wrong = { concurrency: '0', 'show-summary': 'x', 'records-path': 'a/', 'api-key': '' }
    const { inputs, problems } = read({ ...wrong, 'if-no-files-found': 'ignore' })
    expect(problems.map(problem => problem.input).sort()).toEqual(Object.keys(wrong).sort())
    expect(inputs).toMatchObject({ concurrency: 4, showSummary: true, ifNoFilesFound: 'ignore' })
  })
})

it.each<[changed: Texts, own: readonly string[]]>([
  [{}, ['key-0123456789', 'ghs_0']],
  [{ 'dry-run': 'true' }, ['key-0123456789', 'ghs_0']],
  [{ 'api-key': 'two\nlines', 'github-token': 'a b' }, ['two\nlines', 'a b']],
])('secrets are masked, except what belongs to the record: %j', (changed, own) => {
  const pair = { subscription: subscriptionText, 'github-token': 'ghs_0' }
  const { secrets, exempt } = read({ ...pair, ...changed })
  const { id, planId, userId } = subscription
  expect(secrets.toSorted()).toEqual([...own, ...subscriptionSecrets].sort())
  expect(exempt).toEqual([id, `${userId}`, planId])
})

it('unexpected subscription data is a warning that names the input', () => {
  const changed = { subscription: subscriptionText.replace('active', 'ended') }
  const text = 'has a status other than "active"; the service will probably reject it'
  expect(read(changed)).toMatchObject({ problems: [], warnings: [`input "subscription" ${text}`] })
})
