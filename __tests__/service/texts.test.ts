/** Small pure functions: texts of errors, descriptions, proxy addresses. */
import { afterEach, describe, expect, it, jest } from '@jest/globals'
import { describeError, Failure, Stop } from '../../src/failure.ts'
import { Secrets } from '../../src/runtime/secrets.ts'
import { completion, readReply } from '../../src/service/operations.ts'
import { fillDescription } from '../../src/service/payers.ts'
import { checkProxy } from '../../src/service/proxy.ts'

/** Returns what is quoted of a response with this body. */
function saidIn(body: unknown): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const reply = { kind: 'response', status: 418, retryAfterMs: null, body: text } as const
  const secrets = new Secrets(() => undefined)
  secrets.add(['secret'])
  const failure = readReply(completion, reply, secrets)
  return failure instanceof Failure ? failure.said : 'not a failure'
}

const json = ['["message"]', '"text"', 'null', '{"message": "cut', { error: {} }]
const noText = ['', '<p>No</p>', 'No.\n<p>No</p>', '<?xml version="1.0"?>', '\0binary', '\ufffd']
it.each<[unknown, string]>([
  [{ message: ' no such plan ', error: 'other' }, ': "no such plan"'],
  [{ message: 7, error: 'no such plan' }, ': "no such plan"'],
  ['The account is locked.\n', ': "The account is locked."'],
  [{ error: 'the secret\r\n\u001b is  wrong' }, ': "the *** is wrong"'],
  // Words that may be keys: 24 characters, or 12 with a digit.
  [{ error: `a ${'x'.repeat(23)} ${'x'.repeat(24)} b` }, `: "a ${'x'.repeat(23)} *** b"`],
  [{ error: 'cus_1234567 and cus_12345678' }, ': "cus_1234567 and ***"'],
  ['a '.repeat(84) + 'to', `: "${'a '.repeat(84)}to"`],
  ['a '.repeat(99) + 'the', `: "${'a '.repeat(84)}a… [cut, 201 characters]"`],
  ...[...json, ...noText].map((body): [unknown, string] => [body, '']),
])('the text of the error %j is shown as %j', (body, shown) => {
  expect(saidIn(body)).toBe(shown)
})

const withCode = (code: unknown): Error => Object.assign(new Error('its message'), { code })
it.each<[string, unknown]>([
  ['no such file or directory (ENOENT)', withCode('ENOENT')],
  ['the host name is unknown (ENOTFOUND)', withCode('ENOTFOUND')],
  ['the name lookup failed temporarily (EAI_AGAIN)', withCode('EAI_AGAIN')],
  ['CERT_HAS_EXPIRED', withCode('CERT_HAS_EXPIRED')],
  ['its message', withCode(7)],
  ['all failed', new AggregateError([], 'all failed')],
  ['TypeError', new TypeError()],
  ['an unknown error', 'its text'],
])('an error is described as %s', (text, error) => {
  expect(describeError(error)).toBe(text)
})

it.each([
  ['{artifact} of {repository} at {ref}', 'app.zip', 'app.zip of octo/app at '],
  ['{{artifact}} {Artifact} {toString} {artifact', 'a', '{a} {Artifact} {toString} {artifact'],
  ['[{artifact}]', "{ref} $& $` $' $1 $$ $<name>", "[{ref} $& $` $' $1 $$ $<name>]"],
  // Without control characters, and at most 500 whole characters.
  ['{artifact}', 'a\r\n::error::\0b\u001b[31m\u007f\u0085c', 'a::error::b[31mc'],
  ['{artifact}', `${'\n'.repeat(900)}${'n'.repeat(501)}`, 'n'.repeat(500)],
  ['{artifact}', `${'n'.repeat(499)}🎉tail`, 'n'.repeat(499)],
])('the description of a request, %j with the name %j, is %j', (template, artifact, text) => {
  const values = { repository: 'octo/app', ref: null, artifact }
  expect(fillDescription(template, values)).toBe(text)
})

describe('the address of a proxy', () => {
  const [service, local] = ['https://notary.example/api', 'http://127.0.0.1:8080']
  const setVariables = (env: Readonly<Record<string, string>>) => {
    jest.replaceProperty(process, 'env', env)
    return env
  }
  afterEach(() => void jest.restoreAllMocks())

  const problemsOf = (...call: Parameters<typeof checkProxy>): unknown => {
    try {
      checkProxy(...call)
      return []
    } catch (error) {
      return error instanceof Stop ? error.problems : error
    }
  }

  it.each(['http://proxy:3128', 'https://user:p%20w@proxy', ''])('is usable: %s', address => {
    const env = setVariables({ https_proxy: address, HTTPS_PROXY: address && 'not used' })
    expect(problemsOf(service, env)).toEqual([])
  })

  const wrong = ['socks5://proxy', 'http://proxy:99999', 'http://me:pass%word@proxy', 'http://a b']
  it.each(wrong)('stops a call through it, and is not shown: %s', address => {
    const message =
      'the environment variable "HTTPS_PROXY" is not a valid proxy address (not shown because it may contain a password)'
    const next = 'set an http:// or https:// address, or exempt notary.example with no_proxy'
    const env = setVariables({ HTTPS_PROXY: address, http_proxy: 'http://proxy' })
    expect(problemsOf(service, env)).toEqual([{ input: null, message, next, needs: 'nothing' }])
    expect(problemsOf(local, env)).toEqual([])
    setVariables({ ...env, no_proxy: 'notary.example' })
    expect(problemsOf(service, env)).toEqual([])
  })
})
