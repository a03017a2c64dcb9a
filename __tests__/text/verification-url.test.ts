import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { checkVerificationTemplate, fillVerificationUrl } from '../../src/text/verification-url.ts'

const HASH = 'ab'.repeat(32)

describe('a template for verification URLs', () => {
  it.each([
    'https://notary.example/verification/{hash}',
    'https://notary.example/tx/{txId}',
    'https://notary.example/verify?hash={hash}&tx={txId}',
    'https://notary.example:8443/{hash}#{txId}',
    'https://[::1]/{hash}',
    'HTTPS://Notary.Example/{hash}',
    'https://notary.example/a@b/{hash}',
    'https://notary.example//{hash}',
    'https://xn--fsq.example/ä/{hash}',
    // The slash of the path may be left away.
    'https://notary.example?hash={hash}',
  ])('may be %s', template => {
    expect(checkVerificationTemplate(template)).toBeNull()
  })

  it.each([
    ['http://notary.example/{hash}', 'https://'],
    ['javascript:alert(1)//{hash}', 'https://'],
    ['https:notary.example/{hash}', 'https://'],
    ['https:/notary.example/{hash}', 'https://'],
    ['//notary.example/{hash}', 'URL'],
    ['https://notary.example/ {hash}', 'URL'],
    ['https://notary.example/\u0000{hash}', 'URL'],
    ['https://notary.example\\{hash}', 'URL'],
    ['https://name@notary.example/{hash}', 'credentials'],
    ['https://:word@notary.example/{hash}', 'credentials'],
    ['https://{hash}@notary.example/', 'credentials'],
    ['https://notary.example/', 'placeholder'],
    ['https://notary.example/{txid}', 'placeholder'],
    ['https://notary.example/{hash}/{sha}', 'placeholder'],
    ['https://notary.example/{hash', 'placeholder'],
    ['https://notary.example/{{hash}}', 'placeholder'],
    ['https://{hash}.notary.example/', 'host'],
    ['https://notary.{txId}/', 'host'],
  ])('must not be %j', (template, word) => {
    expect(checkVerificationTemplate(template)).toContain(word)
  })

  // A browser skips any number of slashes before the host.
  it.each(['https:///{txId}', 'https:////{txId}/a', 'https:///{txId}.example/{hash}'])(
    'must not let a transaction be the host, as %s does',
    template => {
      expect(checkVerificationTemplate(template)).toEqual(expect.any(String))
    },
  )
})

describe('a verification URL', () => {
  const TEMPLATE = 'https://notary.example/verification/{hash}'
  const WITH_TRANSACTION = 'https://notary.example/tx/{txId}?of={hash}&again={txId}'

  it('has the hash and the transaction of the record, wherever the template names them', () => {
    const record = { txId: 'TX7' }
    expect(fillVerificationUrl(TEMPLATE, { hash: HASH, record })).toBe(
      `https://notary.example/verification/${HASH}`,
    )
    expect(fillVerificationUrl(WITH_TRANSACTION, { hash: HASH, record })).toBe(
      `https://notary.example/tx/TX7?of=${HASH}&again=TX7`,
    )
  })

  it.each([{}, { txId: null }, { txId: '' }, { txId: 7 }, { txId: { a: 1 } }, { txId: ['x'] }])(
    'is not there for %j if the template names the transaction, else it is',
    record => {
      expect(fillVerificationUrl(WITH_TRANSACTION, { hash: HASH, record })).toBeUndefined()
      expect(fillVerificationUrl(TEMPLATE, { hash: HASH, record })).toBe(
        `https://notary.example/verification/${HASH}`,
      )
    },
  )

  it.each([
    ['without a template', null, HASH, 'x'],
    ['without a hash', TEMPLATE, null, 'x'],
    ['where it would be endless', WITH_TRANSACTION, HASH, 'x'.repeat(100_000)],
  ])('is not there %s', (_, text, hash, txId) => {
    expect(fillVerificationUrl(text, { hash, record: { txId } })).toBeUndefined()
  })

  it.each([
    ...['{hash}', '{txId}', '$&', '$1', '../../..', '//evil.example/', '@evil.example', '?a#b'],
    ...['\\\\evil.example', 'javascript:alert(1)', '"><script>', '%2f%2e', '\r\nx: y', '\0', ' '],
    ...['\ud800', '\udc00x', '🎉', '::error::', '##[error]x', "'", '...'],
  ])('has %j as one part of its path', txId => {
    const template = 'https://notary.example/tx/{txId}/end'
    const url = fillVerificationUrl(template, { hash: HASH, record: { txId } }) ?? ''
    const [, , , , part = '', ...rest] = url.split('/')
    expect(decodeURIComponent(part)).toBe(txId.toWellFormed())
    expect(rest).toEqual(['end'])
    expect(url).not.toMatch(/["<>\\\s\p{Cc}]/u)
  })

  const hostile = fc.oneof(
    fc.constantFrom('evil.example', '@evil.example', '//evil.example', '\\evil', ':1', '..', '%'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
    fc
      .array(fc.integer({ min: 0xd800, max: 0xdfff }), { minLength: 1, maxLength: 5 })
      .map(units => String.fromCharCode(...units)),
    fc.webUrl(),
  )
  const template = fc
    .array(
      fc.constantFrom(
        ...['{hash}', '{txId}', '/', '//', '?', '#', '&', '=', '.', ':', '@', '%2f', 'a', '[::1]'],
        ...['notary.example', ':8443', 'ä', '..', "'", '"', '{', '}', '\\', ' '],
      ),
      { minLength: 1, maxLength: 8 },
    )
    .map(parts => `https://${parts.join('')}`)

  it('stays on the origin of its template, for any transaction and any template that is taken', () => {
    let taken = 0
    fc.assert(
      fc.property(template, hostile, hostile, (text, txId, other) => {
        if (checkVerificationTemplate(text) !== null) return
        taken += 1
        const [first, second] = [txId, other].map(tx =>
          fillVerificationUrl(text, { hash: HASH, record: { txId: tx } }),
        )
        const { origin } = new URL(text.replaceAll(/\{(?:hash|txId)\}/g, 'x'))
        expect(new URL(first ?? '').origin).toBe(origin)
        expect(new URL(second ?? '')).toMatchObject({ origin, username: '', password: '' })
        expect(second).not.toMatch(/[\s\p{Cc}]/u)
      }),
      { numRuns: 20_000, seed: 42 },
    )
    // Else the property would say nothing.
    expect(taken).toBeGreaterThan(50)
  })
})
