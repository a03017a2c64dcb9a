/** Small pure functions: error texts, descriptions, proxy addresses. */
import { afterEach, describe, expect, it } from '@jest/globals'
import { completion, failureOf, readErrorText } from '../../src/service/operations.ts'
import { fillDescription } from '../../src/service/payers.ts'
import { proxyProblem } from '../../src/service/proxy.ts'

const redact = (text: string): string => text.replaceAll('secret', '***')
const read = (body: unknown): string =>
  readErrorText(typeof body === 'string' ? body : JSON.stringify(body), redact)

const without = (body: string): [string, string] => [body, '']

it.each<[unknown, string]>([
  [{ message: ' no such plan ', error: 'other' }, 'no such plan'],
  [{ message: 7, error: 'no such plan' }, 'no such plan'],
  ['The account is locked.\n', 'The account is locked.'],
  [{ error: 'the secret\r\n\u001b is  wrong' }, 'the *** is wrong'],
  // Words that may be keys: 24 characters, or 12 with a digit.
  [{ error: `a ${'x'.repeat(23)} ${'x'.repeat(24)} b` }, `a ${'x'.repeat(23)} *** b`],
  [{ error: 'cus_1234567 and cus_12345678' }, 'cus_1234567 and ***'],
  [{ error: 'registration is not possible' }, 'registration is not possible'],
  // Not useful to a reader.
  [{ error: { message: 'deep' } }, ''],
  ...['["message"]', '"text"', 'null', '', '{"message": "cut'].map(without),
  ...['<html><p>Bad gateway</p></html>', '<?xml version="1.0"?>', '\0binary', '\ufffd'].map(
    without,
  ),
])('the error text of %j is %j', (body, text) => {
  expect(read(body)).toBe(text)
})

describe('the description of a request', () => {
  const describeAs = (artifact: string, template = '{artifact}'): string =>
    fillDescription(template, { repository: 'octo/app', ref: 'refs/tags/v1', artifact })

  it.each([
    ['{artifact} of {repository} at {ref}', 'app.zip', 'app.zip of octo/app at refs/tags/v1'],
    ['{{artifact}} {Artifact} {toString} {artifact', 'a', '{a} {Artifact} {toString} {artifact'],
    ['[{artifact}]', "{ref} $& $` $' $1 $$ $<name>", "[{ref} $& $` $' $1 $$ $<name>]"],
  ])('fills %j with the name %j', (template, artifact, text) => {
    expect(describeAs(artifact, template)).toBe(text)
  })

  it('has no control characters, and at most 500 whole characters', () => {
    expect(describeAs('a\r\n::error::\0b\u001b[31m\u007f\u0085c')).toBe('a::error::b[31mc')
    expect(describeAs(`${'\n'.repeat(900)}${'n'.repeat(501)}`)).toBe('n'.repeat(500))
    expect(describeAs(`${'n'.repeat(499)}🎉tail`)).toBe('n'.repeat(499))
  })
})

it('the text of an error has at most 200 characters, with the note that it is cut', () => {
  const shownOf = (message: string): string => {
    const body = JSON.stringify({ message })
    const reply = { kind: 'response', status: 418, retryAfterMs: null, body } as const
    const [, shown = ''] = /"(.*)"$/.exec(failureOf(completion, reply, redact).observed) ?? []
    return shown
  }
  const whole = 'no '.repeat(66) + 'no'
  expect([whole.length, shownOf(whole)]).toEqual([200, whole])
  expect(shownOf(`${whole}w`)).toMatch(/^(?:no )+no… \[cut, 201 characters\]$/)
  expect(shownOf(`${whole}w`).length).toBeLessThanOrEqual(200)
})

describe('the address of a proxy', () => {
  const [service, local] = ['https://notary.example/api', 'http://127.0.0.1:8080']
  afterEach(() => {
    delete process.env['no_proxy']
  })

  it.each(['http://proxy:3128', 'https://user:p%20w@proxy', ''])('is usable: %s', address => {
    expect(proxyProblem(service, { https_proxy: address })).toBeNull()
  })

  const wrong = ['proxy:3128', 'socks5://proxy', 'http://user:pass%word@proxy', 'not a URL']
  it.each(wrong)('stops a call through it, and is not shown: %s', address => {
    const { message = '' } = proxyProblem(service, { HTTPS_PROXY: address }) ?? {}
    expect(message).toContain('"HTTPS_PROXY"')
    expect(message).not.toContain(address)
    // These calls do not use a proxy, or not this one.
    expect(proxyProblem(local, { http_proxy: address })).toBeNull()
    expect(proxyProblem(service, { http_proxy: address })).toBeNull()
    process.env['no_proxy'] = 'notary.example'
    expect(proxyProblem(service, { HTTPS_PROXY: address })).toBeNull()
  })
})
