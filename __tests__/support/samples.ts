/** The one sample of everything that tests need again and again: a key, a subscription, a record, lines of a records file. */
import { createHash } from 'node:crypto'

/** The key that every service of these tests takes. */
export const API_KEY = 'key_live_e2e_5f3c9a71d2'

/** Every secret field is text of its own, so that it can be found wherever it leaks to. */
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

/** {@link subscription} as a workflow gives it. */
export const subscriptionText = JSON.stringify(subscription)

/** The fields of {@link subscription} that nobody may see. */
export const subscriptionSecrets: readonly string[] = [
  subscription.sessionId,
  subscription.customer,
  subscription.defaultPaymentMethod,
  subscription.latestInvoice,
]

/** SHA-256 in lower-case hex. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** A hash in the shape of SHA-256 with this number. */
export function hashOf(number: number): string {
  return number.toString(16).padStart(64, '0')
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

/** What earlier runs sent, and read no answer of. */
export const openTries = {
  ...{ count: 2, at: '2026-01-31T12:00:00.000Z', runUrl: source.runUrl },
  lines: 'lines 7, 12 of "records.jsonl"',
} as const

/** A record in the observed shape (service-api.md 2.1). */
export function makeRecord(
  hash: string,
  changes: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    hash,
    description: 'registered by an earlier run',
    custody: false,
    signed: false,
    signer: null,
    signature: null,
    txHash: null,
    status: 'registered',
    blockchainType: 'ALGORAND',
    holder: null,
    txId: null,
    assetId: null,
    tags: [],
    paymentId: 'sub_of_an_earlier_period',
    creationDate: 1_767_225_600_000,
    payload: null,
    userId: 1,
    ...changes,
  }
}

function startOfLine(service: string, content: string) {
  const size = Buffer.byteLength(content)
  return { artifact: `dist/${content}`, size, hash: sha256(content), service }
}

/** An honest record line of this content, for runs that start with one. */
export function makeLine(
  service: string,
  content: string,
  changes: Readonly<Record<string, unknown>> = {},
) {
  const start = startOfLine(service, content)
  return { ...start, record: makeRecord(start.hash), problems: [], source, ...changes }
}

/** A state line of this content: it was sent, and nothing came of it, unless the changes say otherwise. */
export function makeStateLine(
  service: string,
  content: string,
  changes: Readonly<Record<string, unknown>> = {},
) {
  const start = startOfLine(service, content)
  return { ...start, state: 'sent', at: '2026-01-01T00:00:00.000Z', source, ...changes }
}

/** Lines as the text of a records file. */
export function toJsonLines(lines: readonly unknown[]): string {
  return lines.map(line => `${JSON.stringify(line)}\n`).join('')
}
