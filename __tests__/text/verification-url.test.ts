import { describe, expect, it } from '@jest/globals'
import { checkVerificationTemplate, fillVerificationUrl } from '../../src/text/verification-url.ts'

const hash = 'ab'.repeat(32)

describe('a template for verification URLs', () => {
  it.each([
    'https://[::1]/{hash}',
    'HTTPS://Notary.Example/a@b//{hash}',
    // The slash of the path is optional.
    'https://notary.example?hash={hash}',
    `https://notary.example/{hash}${'x'.repeat(1971)}`,
  ])('may be %s', template => {
    expect(checkVerificationTemplate(template)).toBeNull()
  })

  it.each([
    ['http://notary.example/{hash}', 'https://'],
    ['https:notary.example/{hash}', 'https://'],
    ['https://notary.example/ {hash}', 'URL'],
    ['https://notary.example\\{hash}', 'URL'],
    ['https://:word@notary.example/{hash}', 'credentials'],
    ['https://notary.example/', 'placeholder'],
    ['https://notary.example/{{hash}}', 'placeholder'],
    // What it is filled with must not change where it leads.
    ['https://{hash}.notary.example/', 'host'],
    ['https://notary.example{txId}', 'host'],
    ['https://notary.example:{txId}/', 'URL'],
    ['https://a{txId}@notary.example/', 'credentials'],
    // A browser skips any number of slashes before the host.
    ['https:///{txId}', 'host'],
    [`https://notary.example/{hash}${'x'.repeat(1972)}`, 'characters'],
  ])('must not be %j', (template, word) => {
    expect(checkVerificationTemplate(template)).toContain(word)
  })
})

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
