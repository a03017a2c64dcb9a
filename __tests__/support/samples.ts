/** Sample data for many tests. */
import { createHash } from 'node:crypto'
import { Failure } from '../../src/failure.ts'
import { failed, planned, type Artifact } from '../../src/outcome.ts'
import type { HttpRequest } from '../../src/runtime/outside.ts'

/** The key that the services of these tests accept. */
export const API_KEY = 'key_live_e2e_5f3c9a71d2'

/** Each secret field has a unique value, so that every leak is found. */
export const subscription = {
  sessionId: 'cs_live_e2e_9dK2mQ7x',
  id: 'sub_e2e_1Nv0FG2e',
  userId: 471_100,
  planId: 'plan_e2e_gold',
  planNickname: 'Gold',
  status: 'active',
  created: 1_700_000_000,
  currentPeriodStart: 1_700_000_000,
  currentPeriodEnd: 4_102_444_800,
  canceledAt: 0,
  customer: 'cus_e2e_Q9s8d7f6',
  defaultPaymentMethod: 'pm_e2e_8Xy7Wv6U',
  latestInvoice: 'in_e2e_3K9d8f7s',
} as const

export const subscriptionText = JSON.stringify(subscription)

const { sessionId, customer, latestInvoice, defaultPaymentMethod } = subscription
/** In the order in which they are masked. */
export const subscriptionSecrets = [sessionId, customer, latestInvoice, defaultPaymentMethod]

/** Returns SHA-256 in lowercase hex. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Returns a number in the form of a hash. */
export function hashOf(number: number): string {
  return number.toString(16).padStart(64, '0')
}

type Input = Artifact['input']

/** A hashed artifact; a number stands for the content of its file, and is its size. */
export function artifactOf(name: string, content: number, input: Input = 'path'): Artifact {
  const size = input === 'checksums' ? null : content
  return { input, name, size, hash: hashOf(content), outcome: planned }
}

/** An artifact that could not be read. */
export function unreadOf(name: string, input: Input = 'path'): Artifact {
  const outcome = failed(new Failure('unreadable', 'file-unreadable', { observed: 'EACCES' }))
  return { input, name, size: null, hash: null, outcome }
}

/** The run that wrote a line. */
export const source = {
  repository: 'octo/app',
  sha: '0000000000000000000000000000000000000000',
  ref: 'refs/tags/v1.0.0',
  runId: '1',
  runAttempt: '1',
  commitUrl: 'https://github.com/octo/app/commit/0000000000000000000000000000000000000000',
  runUrl: 'https://github.com/octo/app/actions/runs/1/attempts/1',
} as const

const flags = { status: 'registered', custody: false, signed: false, assetId: null }
const unset = { signer: null, signature: null, txHash: null, holder: null, txId: null }
const ofAccount = { paymentId: 'sub_of_an_earlier_period', userId: 1, tags: [], payload: null }

/** Returns a record in the observed form (docs/service.md). */
export function makeRecord(hash: string, changes: object = {}): Record<string, unknown> {
  const description = 'registered by an earlier run'
  const time = { blockchainType: 'ALGORAND', creationDate: 1_767_225_600_000 }
  return { hash, description, ...flags, ...unset, ...time, ...ofAccount, ...changes }
}

/** What a request to the service is for, and the hash in it; empty without one. */
export function readCall({ url: { pathname }, body }: HttpRequest) {
  const [hash = ''] = /[0-9a-f]{64}/.exec(pathname + (body ?? '')) ?? []
  if (pathname.endsWith('/login')) return { kind: 'login', hash } as const
  if (pathname.endsWith('/active')) return { kind: 'retrieval', hash } as const
  return { kind: pathname.endsWith('/forfait') ? 'completion' : 'request', hash } as const
}
