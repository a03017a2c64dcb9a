import { describe, expect, it } from '@jest/globals'
import type { Failure } from '../../src/failure.ts'
import {
  completionOperation,
  failureOf,
  isRetryable,
  isSuccess,
  loginOperation,
  mayHaveActed,
  reasonOf,
  type FailedCall,
} from '../../src/service/operation.ts'
import type { Reply } from '../../src/service/transport.ts'

const answered = (status: number, body = '', retryAfter: string | null = null): Reply => ({
  ...{ kind: 'answer', status, body, retryAfter },
})
const lost = (wasSent: boolean, isUnknownHost = false): Reply => ({
  ...{ kind: 'lost', wasSent, isUnknownHost, reason: 'the reason of the socket' },
})
const page = '<!-- x -->\n<!DOCTYPE html><html><b>Not this one</b></html>'

const callOf = (reply: Reply, changes: Partial<FailedCall> = {}): FailedCall => ({
  operation: completionOperation,
  url: new URL('https://notary.example/api'),
  ...{ reply, tries: 1, registered: 'no', saying: body => body },
  ...changes,
})

describe('the failure of a call', () => {
  it.each<[string, Reply, Partial<Failure>, RegExp, RegExp]>([
    [
      'a lost answer',
      lost(true),
      { code: 'unavailable', isOutage: true, isDeferrable: true },
      /the reason of the socket/,
      /later.*base-url/,
    ],
    [
      'an unknown host',
      lost(false, true),
      { code: 'unavailable', isOutage: true, isDeferrable: false },
      /the reason/,
      /^check the input "base-url"$/,
    ],
    [
      'an untrusted certificate',
      { kind: 'untrusted', reason: 'CERT_X' },
      { code: 'unavailable', isOutage: true, isDeferrable: false },
      /CERT_X/,
      /NODE_EXTRA_CA_CERTS/,
    ],
    [
      'a large body',
      { kind: 'too-large', status: 200 },
      { code: 'invalid-response', isOutage: false },
      /HTTP 200.*1 MiB/,
      /base-url/,
    ],
    ['no HTTP', answered(0), { code: 'invalid-response' }, /not HTTP/, /base-url/],
    [
      'a redirect',
      answered(308),
      { code: 'invalid-response', status: 308 },
      /redirect \(HTTP 308\).*https:\/\/notary.example\/api/,
      /final address/,
    ],
    ['a page', answered(200, page), { code: 'invalid-response' }, /HTML page/, /base-url/],
    [
      'a body of another form',
      answered(200, '[]'),
      { code: 'invalid-response' },
      /cannot be understood/,
      /base-url/,
    ],
    [
      'another status',
      answered(799),
      { code: 'invalid-response', status: 799 },
      /HTTP 799/,
      /base-url/,
    ],
    [
      'a refusal',
      answered(409, 'no'),
      { code: 'refused', status: 409, isOutage: false },
      /HTTP 409: "no"/,
      /earlier run/,
    ],
    ['a refusal without words', answered(404), { code: 'refused' }, /HTTP 404$/, /earlier run/],
    [
      'an unpaid one',
      answered(402),
      { code: 'refused', isOutage: true, isDeferrable: false },
      /HTTP 402/,
      /subscription/,
    ],
    [
      'a trouble',
      answered(500, 'x'),
      { code: 'unavailable', status: 500, isDeferrable: true },
      /HTTP 500: "x"/,
      /later/,
    ],
    [
      'a trouble with a time',
      answered(503, '', '120'),
      { code: 'unavailable', isOutage: true },
      /HTTP 503/,
      /Retry-After/,
    ],
  ])('says all of %s', (_, reply, failure, what, remedy) => {
    const made = failureOf(callOf(reply))
    expect(made).toMatchObject({ registered: 'no', endsRun: false, ...failure })
    expect(made.what).toMatch(/^the registration failed: /)
    expect(made.what).toMatch(what)
    expect(made.remedy).toMatch(remedy)
    expect(made.what).not.toMatch(/<b>|undefined/)
    expect(reasonOf(callOf(reply))).toBe(made.what.replace('the registration failed: ', ''))
  })

  it('counts the tries, keeps what they left open, and cuts what the service said', () => {
    const body = `a\n${'y'.repeat(5000)}`
    const made = failureOf(callOf(answered(500, body), { tries: 4, registered: 'unknown' }))
    expect(made.registered).toBe('unknown')
    expect(made.what).toMatch(/^the registration failed after 4 tries: .*\\u000ayyy.*cut/)
    expect(made.what.length).toBeLessThan(400)
  })

  it.each([
    [400, 'login-refused'],
    [401, 'login-refused'],
    [403, 'login-refused'],
    [422, 'login-refused'],
    [404, 'invalid-response'],
    [500, 'unavailable'],
  ])('of a login shows nothing of its answer: %d is %s', (status, code) => {
    const saying = (): string => 'shown'
    const made = failureOf(callOf(answered(status, 'shown'), { operation: loginOperation, saying }))
    expect(made.code).toBe(code)
    expect(made.what).not.toContain('shown')
  })
})

it.each<[string, Reply, boolean, boolean, boolean]>([
  ['a lost answer', lost(true), true, true, false],
  ['no connection', lost(false), true, false, false],
  ['an untrusted certificate', { kind: 'untrusted', reason: 'x' }, false, false, false],
  ['an end by the halt', { kind: 'aborted', wasSent: true }, false, true, false],
  ['an end before it began', { kind: 'aborted', wasSent: false }, false, false, false],
  ['a large body', { kind: 'too-large', status: 200 }, false, true, false],
  ['a large refusal', { kind: 'too-large', status: 404 }, false, false, false],
  ['200', answered(200), false, true, true],
  ['299', answered(299), false, true, true],
  ['300', answered(300), false, true, false],
  ['400', answered(400), false, false, false],
  ['429', answered(429), true, false, false],
  ['499', answered(499), false, false, false],
  ['500', answered(500), true, true, false],
  ['501', answered(501), false, true, false],
  ['no HTTP', answered(0), false, true, false],
])('%s: repeated %s, may have acted %s, is good %s', (_, reply, isRepeated, hasActed, isGood) => {
  expect([isRetryable(reply), mayHaveActed(reply), isSuccess(reply)]).toEqual([
    ...[isRepeated, hasActed, isGood],
  ])
})
