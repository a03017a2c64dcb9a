/** The words of a failed call, and what it means for the run; which reply is tried again is seen at the client. */
import { describe, expect, it } from '@jest/globals'
import {
  completionOperation,
  failureOf,
  loginOperation,
  mayHaveActed,
  reasonOf,
  type FailedCall,
} from '../../src/service/operation.ts'
import type { Reply } from '../../src/service/exchange.ts'

const answered = (status: number, body = '', retryAfter: string | null = null): Reply => ({
  ...{ kind: 'answer', status, body, retryAfter },
})
const lost: Reply = {
  ...{ kind: 'lost', wasSent: true, isAborted: false, isUnknownHost: false },
  reason: 'the reason',
}
const page = '<!-- x -->\n<!DOCTYPE html><html><b>Not this one</b></html>'

const callOf = (reply: Reply, changes: Partial<FailedCall> = {}): FailedCall => ({
  operation: completionOperation,
  url: new URL('https://notary.example/api'),
  ...{ reply, tries: 1, secrets: { saying: body => body } },
  ...changes,
})

describe('the failure of a call', () => {
  const both = 'outage deferrable'
  const odd = 'invalid-response'
  it.each<[Reply, string, string, RegExp, RegExp]>([
    [lost, 'unavailable', both, /the reason/, /later.*base-url/],
    [{ ...lost, isUnknownHost: true }, 'unavailable', 'outage', /the reason/, /^check.*base-url"$/],
    [{ kind: 'untrusted', reason: 'CERT_X' }, 'unavailable', 'outage', /CERT_X/, /EXTRA_CA_CERTS/],
    [{ kind: 'too-large', status: 200 }, odd, '', /HTTP 200.*1 MiB/, /base-url/],
    [answered(0), odd, '', /not HTTP/, /base-url/],
    [answered(308), odd, '', /redirect \(HTTP 308\).*notary.example\/api/, /final address/],
    [answered(200, page), odd, '', /HTML page/, /base-url/],
    [answered(200, '[]'), odd, '', /cannot be understood/, /base-url/],
    [answered(799), odd, '', /HTTP 799/, /base-url/],
    [answered(409, 'no'), 'refused', '', /HTTP 409: "no"/, /earlier run/],
    [answered(404), 'refused', '', /HTTP 404$/, /earlier run/],
    [answered(402), 'refused', 'outage', /HTTP 402/, /subscription/],
    [answered(500, 'x'), 'unavailable', both, /HTTP 500: "x"/, /later/],
    [answered(503, '', '120'), 'unavailable', both, /HTTP 503/, /Retry-After/],
  ])('says all of %j', (reply, code, marks, what, remedy) => {
    const made = failureOf(callOf(reply))
    expect(made).toMatchObject({
      ...{ code, registered: 'no', endsRun: false },
      ...{ isOutage: marks.includes('outage'), isDeferrable: marks.includes('deferrable') },
    })
    expect(made.status).toBe(reply.kind === 'answer' ? reply.status : undefined)
    expect(made.what).toMatch(/^the registration failed: /)
    expect(made.what).toMatch(what)
    expect(made.remedy).toMatch(remedy)
    expect(made.what).not.toMatch(/<b>|undefined/)
    expect(reasonOf(callOf(reply))).toBe(made.what.replace('the registration failed: ', ''))
  })

  it('counts the tries, and cuts what the service said', () => {
    const body = `a\n${'y'.repeat(5000)}`
    const made = failureOf(callOf(answered(500, body), { tries: 4 }))
    expect(made.what).toMatch(/^the registration failed after 4 tries: .*\\u000ayyy.*cut/)
    expect(made.what.length).toBeLessThan(400)
  })

  it('of a login shows nothing of its answer', () => {
    const made = failureOf(callOf(answered(401, 'said'), { operation: loginOperation }))
    expect(made.code).toBe('login-refused')
    expect(made.what).not.toContain('said')
  })
})

it.each<[Reply, boolean]>([
  [lost, true],
  [{ ...lost, wasSent: false }, false],
  [{ kind: 'untrusted', reason: 'x' }, false],
  [{ kind: 'too-large', status: 200 }, true],
  [{ kind: 'too-large', status: 404 }, false],
])('%j may have acted: %s', (reply, isSo) => {
  expect(mayHaveActed(reply)).toBe(isSo)
})
