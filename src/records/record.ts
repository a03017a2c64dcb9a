import { textOf, type JsonObject } from '../text/json.ts'
import { formatTime } from '../text/phrases.ts'

/** A value with longer JSON is not quoted. */
const maxShownLength = 100

/** Returns what in a record contradicts the request by the binding rules (docs/service.md), as texts that may have secrets. */
export function checkRecord(
  record: JsonObject,
  /** The `id` of the subscription is null if there is none to compare. */
  request: { readonly hash: string; readonly paymentId: string | null },
): readonly string[] {
  const { hash, status, custody, signed, paymentId } = record
  const problems: string[] = []
  const check = (field: string, isGood: boolean, expected: string): void => {
    if (isGood) return
    if (record[field] === undefined) {
      problems.push(`${field} is missing`)
      return
    }
    const value = JSON.stringify(record[field])
    // Secrets cannot be found in a value that is cut, or escaped once more.
    const isQuotable = value.length <= maxShownLength && !value.includes('\\')
    problems.push(`${field} is ${isQuotable ? `${value}, ` : ''}not ${expected}`)
  }
  const isSameHash = typeof hash === 'string' && hash.toLowerCase() === request.hash.toLowerCase()
  check('hash', isSameHash, 'that of the request')
  check('status', status === 'registered', '"registered"')
  check('custody', custody === false || custody === 'false', 'false')
  check('signed', signed === false || signed === 'false', 'false')
  const isComparable = (paymentId ?? null) !== null && request.paymentId !== null
  const isSamePayment = !isComparable || textOf(paymentId) === request.paymentId
  check('paymentId', isSamePayment, 'the id of the subscription')
  return problems
}

/** Returns when (UTC) and where a hash was registered; empty if not given in the type that docs/service.md lists. */
export function describeFields({ creationDate, blockchainType, txId, txHash }: JsonObject) {
  const time = Number.isInteger(creationDate) ? formatTime(Number(creationDate)) : ''
  return { time, blockchain: textIn(blockchainType), transaction: textIn(txId) || textIn(txHash) }
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}
