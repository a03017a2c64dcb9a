/** Every reason to fail, made in a run; and what in truth has to change before a run ends well. */
import { writeFileSync } from 'node:fs'
import type { FindingReason } from '../../src/report/words.ts'
import type { Reply } from '../../src/runtime/outside.ts'
import { recordsName } from '../../src/text/names.ts'
import { respond } from '../service/support.ts'
import { sha256, subscriptionText } from '../support/samples.ts'
import { broken, linkTo, type Fault, type Inputs, type Treatment } from './site.ts'

export interface Scenario extends Fault {
  /** What puts it right; `confirm`: nothing but that a person confirms the hash. */
  readonly ends: 'time' | 'repair' | 'workflow' | 'confirm'
  /** What an earlier attempt ended with, which it then needs; by default, `refused`. */
  readonly earlier?: Fault
}

type Make = (service: Required<Fault>['service'], parts?: Partial<Scenario>) => Scenario
const endsBy = (ends: Scenario['ends']): Make => {
  return (service, parts) => ({ ends, service, ...parts })
}
const [time, repair, workflow] = [endsBy('time'), endsBy('repair'), endsBy('workflow')]

const status = (code: number, retryAfterMs?: number): Treatment => {
  return { reply: respond(code, '{}', retryAfterMs), acts: false }
}
const none = (kind: Exclude<Reply['kind'], 'response'>, detail: string): Treatment => {
  return { reply: { kind, detail }, acts: false }
}
const acts = ({ reply }: Treatment): Treatment => ({ reply, acts: true })

const address = { wrong: { 'base-url': 'https://notary.example' } }
const asset = (fault: number | 'cut') => ({ inputs: release, github: { 'get-asset': fault } })
const list = (fault: number) => ({ inputs: release, github: { 'list-assets': fault } })
const data = { subscription: subscriptionText }
const requests = { ...data, 'request-registration': 'true' }
const unrequested = { inputs: requests, wrong: { 'request-registration': 'false' } }
export const release = { path: '', 'release-tag': 'v1', 'github-token': 'github-token-1' }
const html = { reply: respond(200, '<html>'), acts: false }
const actsInHtml = { completion: acts(html) }
const blocked = { reply: respond(403, '<html>'), acts: false }
const flags = { custody: false, signed: false }
const accepted = { hash: sha256('b.zip'), status: 'pending', ...flags }
const pending = { reply: respond(200, accepted), acts: 'later' } as const
const other = { reply: respond(200, { hash: sha256('x'), status: 'registered', ...flags }) }
const lost = acts(none('lost', 'no response within 30 s'))
const late = { reply: { kind: 'lost', reason: 'timeout', detail: 'no response' } } as const
const noise = { reply: { ...late.reply, reason: 'protocol' }, acts: false } as const
const missing = { completion: status(404) }
const loginNoise = { login: noise }
const misnamed = none('not-the-service', 'ERR_TLS_CERT_ALTNAME_INVALID')
const expired = none('certificate-expired', 'CERT_HAS_EXPIRED')
const noTunnel = none('proxy', 'the proxy returned HTTP 407')

/** What an attempt ends with by default: the first and the last file are registered. */
export const refused: Fault = { service: { completion: status(402) } }
const doubtful: Fault = { service: { completion: lost } }

/** By reason; each has a scenario. */
export const scenarios: Readonly<Record<FindingReason, readonly Scenario[]>> = {
  'wrong-key': [repair({ login: status(401) })],
  'not-the-service': [
    time({ login: html }),
    workflow({ login: html }, address),
    repair({ login: misnamed }),
    workflow({ login: misnamed }, address),
    time({ login: status(302) }),
    time({ completion: acts(status(302)) }),
    workflow({ login: status(301) }, address),
  ],
  blocked: [repair({ login: blocked }), repair({ completion: blocked })],
  unpaid: [
    repair({ completion: status(402) }),
    repair({ request: status(402) }),
    repair({ completion: status(402) }, { inputs: data }),
  ],
  forbidden: [repair({ completion: status(401) }), repair({ completion: status(403) })],
  'no-request': [
    time(missing),
    workflow(missing, unrequested),
    time({ request: status(409), completion: status(404) }),
  ],
  'already-registered': [
    time({}, { isKnown: true }),
    time({}, { isKnown: true, earlier: doubtful }),
    repair({ completion: status(409) }),
    time({ completion: lost }, { isKnown: true, hits: ['c.zip'] }),
    repair({ completion: status(402) }, { isKnown: true, hits: ['c.zip'] }),
  ],
  rejected: [
    repair({ completion: status(422) }),
    repair({ completion: status(422) }, { inputs: data }),
    repair({ completion: status(422) }, { earlier: doubtful }),
  ],
  'request-rejected': [repair({ request: status(422), completion: status(404) })],
  'no-subscription': [
    repair({ retrieval: status(404) }, { inputs: { subscription: 'active' } }),
    repair({ request: status(200) }),
  ],
  'unexpected-response': [time({ request: html }), time({ completion: html }), time(actsInHtml)],
  'not-yet-registered': [time({ completion: pending })],
  'record-mismatch': [{ ends: 'confirm', service: { completion: other } }],
  'rate-limit': [
    time({ completion: status(429) }),
    time({ completion: status(429, 90_000) }),
    time({ completion: status(503, 90_000) }),
  ],
  unavailable: [
    time({ login: status(503) }),
    time({ request: status(503) }),
    time({ completion: status(503) }),
    time({ completion: lost }),
    time({ completion: lost }, { hits: ['a.zip'] }),
    time({ completion: status(503) }, { hits: ['a.zip'] }),
    time({ completion: lost }, { hits: ['b.zip', 'c.zip'] }),
  ],
  timeout: [time({ login: late }), time({ completion: late })],
  unreachable: [
    time({ login: none('unreachable', 'ECONNREFUSED') }),
    time({ login: none('unreachable', 'ENOTFOUND') }, address),
  ],
  protocol: [repair(loginNoise), workflow(loginNoise, address), time({ completion: acts(noise) })],
  proxy: [repair({ login: noTunnel }), repair({ completion: noTunnel })],
  certificate: [workflow({ login: none('certificate', 'SELF_SIGNED_CERT_IN_CHAIN') })],
  'certificate-expired': [time({ login: expired }), time({ completion: expired })],
  'certificate-early': [repair({ login: none('certificate-early', 'CERT_NOT_YET_VALID') })],
  'not-saved': [{ ends: 'repair', full: /b\.zip.*"record"/ }],
  'file-unreadable': [{ ends: 'workflow', checkout: linkTo('/proc/self/mem') }],
  'file-changed': [{ ends: 'workflow', checkout: linkTo('/proc/self/status') }],
  'asset-changed': [time({}, asset('cut'))],
  'github-token': [repair({}, asset(401))],
  'github-permission': [workflow({}, asset(403))],
  'github-unavailable': [time({}, asset(429)), time({}, asset(503))],
  canceled: [
    time({ completion: { reply: null, cancels: true } }),
    time({ completion: { ...none('canceled', 'canceled'), cancels: true } }),
    time({ completion: { ...lost, cancels: true } }),
    time({ login: { reply: null, cancels: true } }),
  ],
  bug: [time({ completion: { reply: broken } })],
  'outputs-not-written': [{ ends: 'repair', hasNoOutputs: true }],
}

const foreign = (path: (name: string) => string): void => {
  writeFileSync(path(recordsName), 'what is this?\n')
}
const inFile = { wrong: { 'records-path': 'a.zip/x' } }
const cutShort = { service: { completion: { ...lost, cancels: true } } }
const unread = { earlier: refused, kept: 'cannot be read' } as const

/** What stops a run before anything is sent, by what the report names. */
export const stops: Readonly<Record<string, readonly Scenario[]>> = {
  'base-url': [workflow({}, { wrong: { 'base-url': 'http://notary.example' } })],
  'api-key': [repair({}, { wrong: { 'api-key': '' } })],
  subscription: [repair({}, { wrong: { subscription: '{' } })],
  // Wrong inputs and patterns are reported together.
  'timeout-seconds[^]+ "path"': [workflow({}, { wrong: { 'timeout-seconds': '0', path: 'x' } })],
  'max-registrations': [
    workflow({}, { wrong: { 'max-registrations': '0' } }),
    workflow({}, { wrong: { 'max-registrations': '0' }, earlier: cutShort }),
  ],
  'records-path': [{ checkout: foreign }, inFile].map(parts => workflow({}, parts)),
  'keep-records': [time({}, unread), time({}, { ...unread, kept: 'is damaged' })],
  'release-tag': [
    workflow({}, { inputs: release, wrong: { 'release-tag': 'v2' } }),
    workflow({}, { inputs: release, env: { GITHUB_REF: 'refs/tags/v1', GITHUB_SHA: 'decade' } }),
    time({}, list(503)),
    repair({}, list(401)),
    workflow({}, list(403)),
  ],
  https_proxy: [time({}, { env: { https_proxy: 'ftp://proxy.example' } })],
}

const limits = { concurrency: '1', 'max-attempts': '2' }
export const usualInputs: Inputs = { path: '*.zip', 'api-key': 'key-0123456789', ...limits }
