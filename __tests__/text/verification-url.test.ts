import { describe, expect, it } from '@jest/globals'
import { fillVerificationUrl } from '../../src/text/verification-url.ts'

const hash = 'ab'.repeat(32)

describe('a verification URL', () => {
  const plain = 'https://notary.example/verification/{hash}'
  const withTransaction = 'https://notary.example/tx/{txId}?of={hash}&again={txId}'
  const fill = (template: string, txId: unknown) =>
    fillVerificationUrl(template, { hash, record: { txId } })

  it.each(['{hash}$&/../"', '@evil.example', '\\evil', '\r\n\ud800'])(
    'has the hash and the encoded transaction %j wherever the template names them',
    txId => {
      const part = encodeURIComponent(txId.toWellFormed())
      const url = `https://notary.example/tx/${part}?of=${hash}&again=${part}`
      expect(fill(withTransaction, txId)).toBe(url)
    },
  )

  const unusable = [null, '', 7, 'with ***', 'x'.repeat(100_000)]
  it.each(unusable)('is missing for the transaction %j only if the template names it', txId => {
    expect(fill(withTransaction, txId)).toBeNull()
    expect(fill(plain, txId)).toBe(`https://notary.example/verification/${hash}`)
  })
})
