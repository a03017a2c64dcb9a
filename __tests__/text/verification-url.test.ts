import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { checkVerificationTemplate, fillVerificationUrl } from '../../src/text/verification-url.ts'

const hash = 'ab'.repeat(32)

describe('a template for verification URLs', () => {
  it.each([
    'https://[::1]/{hash}',
    'HTTPS://Notary.Example/a@b//{hash}',
    // The slash of the path is optional.
    'https://notary.example?hash={hash}',
  ])('may be %s', template => {
    expect(checkVerificationTemplate(template)).toBeNull()
  })

  it.each([
    ['http://notary.example/{hash}', 'https://'],
    ['https://notary.example/ {hash}', 'URL'],
    ['https://notary.example\\{hash}', 'URL'],
    ['https://:word@notary.example/{hash}', 'credentials'],
    ['https://notary.example/', 'placeholder'],
    ['https://notary.example/{{hash}}', 'placeholder'],
    ['https://{hash}.notary.example/', 'host'],
    // A browser skips any number of slashes before the host.
    ['https:///{txId}', 'host'],
    [`https://notary.example/{hash}${'x'.repeat(2000)}`, 'characters'],
  ])('must not be %j', (template, word) => {
    expect(checkVerificationTemplate(template)).toContain(word)
  })
})

describe('a verification URL', () => {
  const plain = 'https://notary.example/verification/{hash}'
  const withTransaction = 'https://notary.example/tx/{txId}?of={hash}&again={txId}'
  const fill = (template: string, txId: unknown) =>
    fillVerificationUrl(template, { hash, record: { txId } })

  it('has the hash and the transaction wherever the template names them', () => {
    const txId = '{hash}$&/../"'
    const part = encodeURIComponent(txId)
    const url = `https://notary.example/tx/${part}?of=${hash}&again=${part}`
    expect(fill(withTransaction, txId)).toBe(url)
  })

  const unusable = [null, '', 7, 'with ***', 'x'.repeat(100_000)]
  it.each(unusable)('is missing for the transaction %j only if the template names it', txId => {
    expect(fill(withTransaction, txId)).toBeUndefined()
    expect(fill(plain, txId)).toBe(`https://notary.example/verification/${hash}`)
  })

  it('stays on the origin of its template, for any transaction and any valid template', () => {
    const places = ['{hash}', '{txId}', 'notary.example', ':8443', '[::1]', '%2f', ' ']
    const part = fc.constantFrom(...places, '/', '?', '#', '.', ':', '@', '"', '{', '\\')
    const template = fc.array(part, { minLength: 1, maxLength: 8 })
    const acting = fc.constantFrom('@evil.example', '//evil.example', '\\evil', '..')
    const hostile = fc.oneof(acting, fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }))
    let valid = 0
    fc.assert(
      fc.property(template, hostile, (some, txId) => {
        const text = `https://${some.join('')}`
        if (checkVerificationTemplate(text) !== null) return
        valid += 1
        const url = fill(text, txId) ?? ''
        const { origin } = new URL(text.replaceAll(/\{(?:hash|txId)\}/g, 'x'))
        expect(new URL(url)).toMatchObject({ origin, username: '', password: '' })
        expect(url).not.toMatch(/[\s\p{Cc}]/u)
      }),
      { numRuns: 5_000, seed: 42 },
    )
    // Otherwise the property would prove nothing.
    expect(valid).toBeGreaterThan(10)
  })
})
