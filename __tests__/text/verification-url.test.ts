import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { checkVerificationTemplate, fillVerificationUrl } from '../../src/text/verification-url.ts'

const hash = 'ab'.repeat(32)

describe('a template for verification URLs', () => {
  it.each([
    'https://notary.example/verify?hash={hash}&tx={txId}',
    'https://[::1]/{hash}',
    'HTTPS://Notary.Example/a@b//{hash}',
    'https://xn--fsq.example/ä/{hash}',
    // The slash of the path may be left out.
    'https://notary.example?hash={hash}',
  ])('may be %s', template => {
    expect(checkVerificationTemplate(template)).toBeNull()
  })

  it.each([
    ['http://notary.example/{hash}', 'https://'],
    ['javascript:alert(1)//{hash}', 'https://'],
    ['//notary.example/{hash}', 'URL'],
    ['https://notary.example/ {hash}', 'URL'],
    ['https://notary.example\\{hash}', 'URL'],
    ['https://:word@notary.example/{hash}', 'credentials'],
    ['https://notary.example/', 'placeholder'],
    ['https://notary.example/{txid}', 'placeholder'],
    ['https://notary.example/{{hash}}', 'placeholder'],
    ['https://{hash}.notary.example/', 'host'],
    ['https://notary.{txId}/', 'host'],
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

  it('has the hash and the transaction of the record, wherever the template names them', () => {
    const record = { txId: 'TX7' }
    expect(fillVerificationUrl(withTransaction, { hash, record })).toBe(
      `https://notary.example/tx/TX7?of=${hash}&again=TX7`,
    )
  })

  it.each([null, '', 7, { a: 1 }, ['x'], 'with ***'])(
    'is not there for the transaction %j if the template names it, else it is',
    txId => {
      expect(fillVerificationUrl(withTransaction, { hash, record: { txId } })).toBeUndefined()
      expect(fillVerificationUrl(plain, { hash, record: { txId } })).toBe(
        `https://notary.example/verification/${hash}`,
      )
    },
  )

  it.each([
    ['without a template', null, hash, 'x'],
    ['without a hash', plain, null, 'x'],
    ['where it would be endless', withTransaction, hash, 'x'.repeat(100_000)],
  ])('is not there %s', (_, template, of, txId) => {
    expect(fillVerificationUrl(template, { hash: of, record: { txId } })).toBeUndefined()
  })

  it.each(['{hash}', '$&', '../..', '@evil.example', '?a#b', '\\\\evil', '"><script>', '\ud800'])(
    'has %j as one part of its path',
    txId => {
      const template = 'https://notary.example/tx/{txId}/end'
      const [, , , , part = '', ...rest] =
        fillVerificationUrl(template, { hash, record: { txId } })?.split('/') ?? []
      expect(decodeURIComponent(part)).toBe(txId.toWellFormed())
      expect(rest).toEqual(['end'])
    },
  )

  it('stays on the origin of its template, for any transaction and any template that is taken', () => {
    const places = ['{hash}', '{txId}', 'notary.example', ':8443', '[::1]', '%2f', 'a', 'ä', ' ']
    const marks = ['/', '//', '?', '#', '&', '=', '.', '..', ':', '@', "'", '"', '{', '}', '\\']
    const parts = fc.constantFrom(...places, ...marks)
    const template = fc
      .array(parts, { minLength: 1, maxLength: 8 })
      .map(some => `https://${some.join('')}`)
    const hostile = fc.oneof(
      fc.constantFrom('evil.example', '@evil.example', '//evil.example', '\\evil', ':1', '..'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
      fc.webUrl(),
    )
    let taken = 0
    fc.assert(
      fc.property(template, hostile, (text, txId) => {
        if (checkVerificationTemplate(text) !== null) return
        taken += 1
        const url = fillVerificationUrl(text, { hash, record: { txId } }) ?? ''
        const { origin } = new URL(text.replaceAll(/\{(?:hash|txId)\}/g, 'x'))
        expect(new URL(url)).toMatchObject({ origin, username: '', password: '' })
        expect(url).not.toMatch(/[\s\p{Cc}]/u)
      }),
      { numRuns: 5_000, seed: 42 },
    )
    // Else the property would say nothing.
    expect(taken).toBeGreaterThan(10)
  })
})
