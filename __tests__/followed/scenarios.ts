/** Every reason to fail, made in a run; and what in truth has to change before a run ends well. */
import { writeFileSync } from 'node:fs'
import type { FindingReason } from '../../src/report/words.ts'
import type { Reply } from '../../src/runtime/outside.ts'
import { recordsName } from '../../src/text/names.ts'
import { sha256, subscriptionText } from '../support/samples.ts'
import { broken, linkTo, responseOf, type Fault, type Inputs, type Treatment } from './site.ts'

/** What puts a fault right; `confirm`: nothing but that a person confirms the hash. */
export type Remedy = 'time' | 'repair' | 'workflow' | 'confirm'

export interface Scenario extends Fault {
  readonly ends: Remedy
  /** The same from the second attempt on, if it differs. */
  readonly endsLater?: Remedy
  /** Whether it needs an earlier attempt that kept records. */
  readonly isLater?: boolean
}

const status = (code: number, retryAfterMs: number | null = null): Treatment => {
  return { reply: responseOf(code, '{}', retryAfterMs), acts: false }
}
const none = (kind: Exclude<Reply['kind'], 'response'>, detail: string): Treatment => {
  return { reply: { kind, detail }, acts: false }
}
const acts = ({ reply }: Treatment): Treatment => ({ reply, acts: true })

const address = { 'base-url': 'https://notary.example' }
const data = { subscription: subscriptionText }
const requests = { ...data, 'request-registration': 'true' }
export const release = { path: '', 'release-tag': 'v1', 'github-token': 'github-token-1' }
const html = { reply: responseOf(200, '<html>'), acts: false }
const blocked = { reply: responseOf(403, '<html>'), acts: false }
const flags = { custody: false, signed: false }
const pending = { reply: responseOf(200, { hash: sha256('b.zip'), status: 'pending', ...flags }) }
const other = { reply: responseOf(200, { hash: sha256('x'), status: 'registered', ...flags }) }
const lost = acts(none('lost', 'no response within 30 s'))
const late: Treatment = {
  reply: { kind: 'lost', reason: 'timeout', detail: 'no response within 30 s' },
  acts: true,
}
const noise: Treatment = {
  reply: { kind: 'lost', reason: 'protocol', detail: 'an HTTP or TLS error' },
  acts: false,
}
const misnamed = none('not-the-service', 'ERR_TLS_CERT_ALTNAME_INVALID')
const noTunnel = none('proxy', 'the proxy returned HTTP 407')

/** By reason; a reason without a scenario fails the test. */
export const scenarios: Readonly<Record<FindingReason, readonly Scenario[]>> = {
  'wrong-key': [{ ends: 'repair', service: { login: status(401) } }],
  'rejected-token': [{ ends: 'repair', service: { completion: status(401) } }],
  'not-the-service': [
    { ends: 'time', service: { login: html } },
    { ends: 'workflow', wrong: address, service: { login: html } },
    { ends: 'repair', service: { login: misnamed } },
    { ends: 'workflow', wrong: address, service: { login: misnamed } },
  ],
  blocked: [
    { ends: 'repair', service: { login: blocked } },
    { ends: 'repair', service: { completion: blocked } },
  ],
  unpaid: [
    { ends: 'repair', service: { completion: status(402) } },
    { ends: 'repair', service: { request: status(402) } },
    { ends: 'repair', inputs: data, service: { completion: status(402) } },
  ],
  forbidden: [{ ends: 'repair', service: { completion: status(403) } }],
  'no-request': [
    { ends: 'time', service: { completion: status(404) } },
    {
      ends: 'workflow',
      inputs: requests,
      wrong: { 'request-registration': 'false' },
      service: { completion: status(404) },
    },
  ],
  'already-registered': [
    { ends: 'confirm', isKnown: true, service: { completion: status(409) } },
    { ends: 'confirm', service: { completion: [lost, status(409)] } },
  ],
  rejected: [
    { ends: 'repair', service: { completion: status(422) } },
    { ends: 'repair', inputs: data, service: { completion: status(422) } },
    { ends: 'confirm', service: { completion: [lost, status(422)] } },
  ],
  'request-rejected': [
    { ends: 'repair', service: { request: status(409), completion: status(404) } },
    { ends: 'repair', service: { request: status(422), completion: status(404) } },
  ],
  'no-subscription': [
    { ends: 'repair', inputs: { subscription: 'active' }, service: { retrieval: status(404) } },
    { ends: 'repair', service: { request: status(200) } },
  ],
  'unexpected-response': [
    { ends: 'time', service: { completion: html } },
    { ends: 'time', service: { completion: acts(html) } },
    { ends: 'time', service: { request: html } },
  ],
  redirect: [
    { ends: 'time', service: { login: status(302) } },
    { ends: 'time', service: { completion: acts(status(302)) } },
    { ends: 'workflow', wrong: address, service: { login: status(301) } },
  ],
  'not-yet-registered': [{ ends: 'time', service: { completion: pending } }],
  'record-mismatch': [{ ends: 'confirm', service: { completion: other } }],
  'rate-limit': [
    { ends: 'time', service: { completion: status(429) } },
    { ends: 'time', service: { completion: status(429, 90_000) } },
    { ends: 'time', service: { completion: acts(status(503, 90_000)) } },
  ],
  unavailable: [
    { ends: 'time', service: { login: status(503) } },
    { ends: 'time', service: { request: status(503) } },
    { ends: 'time', service: { completion: status(503) } },
    { ends: 'time', service: { completion: lost } },
    { ends: 'time', service: { completion: [lost, none('unreachable', 'ECONNREFUSED')] } },
  ],
  timeout: [{ ends: 'time', service: { completion: late } }],
  unreachable: [
    { ends: 'time', service: { login: none('unreachable', 'ECONNREFUSED') } },
    { ends: 'time', wrong: address, service: { login: none('unreachable', 'ENOTFOUND') } },
  ],
  protocol: [
    { ends: 'repair', service: { login: noise } },
    { ends: 'workflow', wrong: address, service: { login: noise } },
    { ends: 'time', service: { completion: acts(noise) } },
  ],
  proxy: [
    { ends: 'repair', service: { login: noTunnel } },
    { ends: 'repair', service: { completion: noTunnel } },
  ],
  certificate: [
    { ends: 'workflow', service: { login: none('certificate', 'SELF_SIGNED_CERT_IN_CHAIN') } },
  ],
  'certificate-expired': [
    { ends: 'time', service: { login: none('certificate-expired', 'CERT_HAS_EXPIRED') } },
    { ends: 'time', service: { completion: none('certificate-expired', 'CERT_HAS_EXPIRED') } },
  ],
  'certificate-early': [
    { ends: 'repair', service: { login: none('certificate-early', 'CERT_NOT_YET_VALID') } },
  ],
  'not-saved': [{ ends: 'repair', full: /b\.zip.*"record"/ }],
  'file-unreadable': [{ ends: 'workflow', checkout: linkTo('/proc/self/mem') }],
  'file-changed': [{ ends: 'workflow', checkout: linkTo('/proc/self/status') }],
  'asset-changed': [{ ends: 'time', inputs: release, github: { 'get-asset': 'cut' } }],
  'github-token': [{ ends: 'repair', inputs: release, github: { 'get-asset': 401 } }],
  'github-permission': [{ ends: 'workflow', inputs: release, github: { 'get-asset': 403 } }],
  'github-unavailable': [
    { ends: 'time', inputs: release, github: { 'get-asset': 429 } },
    { ends: 'time', inputs: release, github: { 'get-asset': 503 } },
  ],
  canceled: [
    { ends: 'time', service: { completion: { reply: null, cancels: true } } },
    { ends: 'time', service: { completion: { ...none('canceled', 'canceled'), cancels: true } } },
    { ends: 'time', service: { completion: { ...lost, cancels: true } } },
    { ends: 'time', service: { login: { reply: null, cancels: true } } },
  ],
  bug: [{ ends: 'time', service: { completion: { reply: broken, acts: true } } }],
  'outputs-not-written': [{ ends: 'repair', hasNoOutputs: true }],
}

const foreign = (path: (name: string) => string): void => {
  writeFileSync(path(recordsName), 'what is this?\n')
}

/** Problems that stop a run before anything is sent, by the input that the report names. */
export const stops: readonly (Scenario & { readonly input: string | null })[] = [
  { input: 'base-url', ends: 'workflow', wrong: { 'base-url': 'http://notary.example' } },
  { input: 'api-key', ends: 'repair', wrong: { 'api-key': '' } },
  { input: 'subscription', ends: 'repair', wrong: { subscription: '{' } },
  { input: 'path', ends: 'workflow', wrong: { path: '*.tar' } },
  { input: 'max-registrations', ends: 'workflow', wrong: { 'max-registrations': '0' } },
  { input: 'records-path', ends: 'workflow', checkout: foreign },
  { input: 'records-path', ends: 'workflow', wrong: { 'records-path': 'a.zip/x' } },
  { input: 'keep-records', ends: 'time', isLater: true, kept: 'cannot be read' },
  { input: 'keep-records', ends: 'time', isLater: true, kept: 'is damaged' },
  { input: 'release-tag', ends: 'workflow', inputs: release, wrong: { 'release-tag': 'v2' } },
  { input: 'release-tag', ends: 'time', inputs: release, github: { 'list-assets': 503 } },
  { input: 'release-tag', ends: 'repair', inputs: release, github: { 'list-assets': 401 } },
  { input: 'release-tag', ends: 'workflow', inputs: release, github: { 'list-assets': 403 } },
  {
    input: 'release-tag',
    ends: 'workflow',
    inputs: release,
    env: { GITHUB_REF: 'refs/tags/v1', GITHUB_SHA: 'decade' },
  },
  { input: null, ends: 'time', env: { https_proxy: 'ftp://proxy.example' } },
]

export const usualInputs: Inputs = {
  path: '*.zip',
  'api-key': 'key-0123456789',
  concurrency: '1',
  'max-attempts': '2',
}
