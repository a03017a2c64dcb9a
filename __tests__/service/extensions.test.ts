import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  checkVerificationTemplate,
  fillVerificationUrl,
} from '../../src/report/verification-url.ts'
import {
  fillDescription,
  maxDescriptionLength,
} from '../../src/service/extensions/request-registration.ts'
import { HASH } from './support.ts'

const values = { artifact: 'dist/app.zip', repository: 'octo/app', ref: 'refs/tags/v1' } as const

describe('the description of a request', () => {
  it.each([
    ['{artifact} of {repository} at {ref}', 'dist/app.zip of octo/app at refs/tags/v1'],
    ['{ref}{ref}{artifact}', 'refs/tags/v1refs/tags/v1dist/app.zip'],
    ['no placeholder', 'no placeholder'],
    ['{Artifact} { artifact } {artifact', '{Artifact} { artifact } {artifact'],
    ['{tag} {constructor} {__proto__} {toString}', '{tag} {constructor} {__proto__} {toString}'],
    ['{{artifact}}', '{dist/app.zip}'],
  ])('fills %j', (template, text) => {
    expect(fillDescription(template, values)).toBe(text)
  })

  it.each([
    ['another placeholder', '{ref} {repository} {artifact}'],
    ['what a replacement could mean', "$& $` $' $1 $$ $<name>"],
    ['what markup could mean', '<b>&amp;"\'\\'],
  ])('takes %s in a name as it stands', (_what, artifact) => {
    expect(fillDescription('[{artifact}]', { ...values, artifact })).toBe(`[${artifact}]`)
  })

  it('has no control character, wherever it came from', () => {
    const artifact = 'a\r\n::error::\0b\u001b[31m\u007f\u0085\u009fc'
    const given = { artifact, repository: 'o\t/r', ref: 'v\n1' }
    expect(fillDescription('x\ny {artifact} {repository} {ref}', given)).toBe(
      'xy a::error::b[31mc o/r v1',
    )
  })

  it.each([
    [499, 499],
    [500, 500],
    [501, 500],
    [70_000, 500],
  ])('of %d characters has %d', (length, expected) => {
    const artifact = 'n'.repeat(length)
    expect(fillDescription('{artifact}', { ...values, artifact })).toBe('n'.repeat(expected))
  })

  it('counts what is left when the control characters are gone', () => {
    const artifact = `${'\n'.repeat(900)}${'n'.repeat(500)}`
    expect(fillDescription('{artifact}', { ...values, artifact })).toHaveLength(500)
  })

  it('never ends in half a character', () => {
    const artifact = `${'n'.repeat(499)}🎉tail`
    expect(fillDescription('{artifact}', { ...values, artifact })).toBe('n'.repeat(499))
    const whole = `${'n'.repeat(498)}🎉`
    expect(fillDescription('{artifact}', { ...values, artifact: whole })).toBe(whole)
  })

  it('is short, clean and well-formed, and begins as it was filled, for any template and values', () => {
    const part = fc.oneof(
      fc.constantFrom('{artifact}', '{repository}', '{ref}', '{', '}', '\n', '\u0085', '🎉', '$&'),
      fc.string({ unit: 'grapheme', maxLength: 40 }),
    )
    const text = fc.array(part, { maxLength: 40 }).map(parts => parts.join(''))
    fc.assert(
      fc.property(text, text, text, (template, artifact, ref) => {
        const filled = fillDescription(template, { ...values, artifact, ref })
        expect(filled.length).toBeLessThanOrEqual(maxDescriptionLength)
        expect(filled).not.toMatch(/\p{Cc}/u)
        expect(filled.isWellFormed()).toBe(true)
        const whole = template
          .split(/(\{artifact\}|\{ref\}|\{repository\})/)
          .map(piece => {
            if (piece === '{artifact}') return artifact
            if (piece === '{ref}') return ref
            return piece === '{repository}' ? values.repository : piece
          })
          .join('')
          .replaceAll(/\p{Cc}/gu, '')
        expect(whole.startsWith(filled)).toBe(true)
        if (whole.length <= maxDescriptionLength) expect(filled).toBe(whole)
        else expect(filled.length).toBeGreaterThanOrEqual(maxDescriptionLength - 1)
      }),
      { numRuns: 500, seed: 41 },
    )
  })
})

describe('a template for verification URLs', () => {
  it.each([
    'https://notary.example/verification/{hash}',
    'https://notary.example/tx/{txId}',
    'https://notary.example/{hash}/{txId}/{hash}',
    'https://notary.example/verify?hash={hash}&tx={txId}',
    'https://notary.example/verify#{txId}',
    'https://notary.example:8443/{hash}',
    'https://[::1]/{hash}',
    'HTTPS://Notary.Example/{hash}',
    'https://notary.example/a@b/{hash}',
    'https://notary.example//{hash}',
    'https://xn--fsq.example/ä/{hash}',
    // The slash of the path may be left away.
    'https://notary.example?hash={hash}',
    'https://notary.example#{hash}',
  ])('may be %s', template => {
    expect(checkVerificationTemplate(template)).toBeNull()
  })

  it.each([
    ['http://notary.example/{hash}', 'https://'],
    ['http://127.0.0.1/{hash}', 'https://'],
    ['ftp://notary.example/{hash}', 'https://'],
    ['javascript:alert(1)//{hash}', 'https://'],
    ['data:text/html,{hash}', 'https://'],
    ['https:notary.example/{hash}', 'https://'],
    ['https:/notary.example/{hash}', 'https://'],
    ['//notary.example/{hash}', 'URL'],
    ['notary.example/{hash}', 'URL'],
    ['{hash}', 'URL'],
    ['https://', 'URL'],
    ['https://notary.example/ {hash}', 'URL'],
    ['https://notary.example/\u00a0{hash}', 'URL'],
    ['https://notary.example/\n{hash}', 'URL'],
    ['https://notary.example/\u0000{hash}', 'URL'],
    ['https://notary.example\\{hash}', 'URL'],
    ['https://notary.example:99999/{hash}', 'URL'],
    ['https://name@notary.example/{hash}', 'credentials'],
    ['https://name:word@notary.example/{hash}', 'credentials'],
    ['https://:word@notary.example/{hash}', 'credentials'],
    ['https://{hash}@notary.example/', 'credentials'],
    ['https://notary.example/', 'placeholder'],
    ['https://notary.example/hash', 'placeholder'],
    ['https://notary.example/{HASH}', 'placeholder'],
    ['https://notary.example/{txid}', 'placeholder'],
    ['https://notary.example/{hash}/{sha}', 'placeholder'],
    ['https://notary.example/{hash', 'placeholder'],
    ['https://notary.example/{{hash}}', 'placeholder'],
    ['https://{txId}/', 'host'],
    ['https://{txId}.example/{hash}', 'host'],
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

  it('is not there without a template or a hash', () => {
    expect(fillVerificationUrl(null, { hash: HASH, record: { txId: 'x' } })).toBeUndefined()
    expect(fillVerificationUrl(TEMPLATE, { hash: null, record: { txId: 'x' } })).toBeUndefined()
  })

  it('is not there where it would be endless', () => {
    const record = { txId: 'x'.repeat(100_000) }
    expect(fillVerificationUrl(WITH_TRANSACTION, { hash: HASH, record })).toBeUndefined()
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
      }),
      { numRuns: 20_000, seed: 42 },
    )
    // Else the property would say nothing.
    expect(taken).toBeGreaterThan(50)
  })

  it('stays on the origin of an ordinary template, for any transaction', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(
          WITH_TRANSACTION,
          'https://notary.example/{txId}',
          'https://n.example/{txId}/..',
        ),
        hostile,
        (text, txId) => {
          const url = fillVerificationUrl(text, { hash: HASH, record: { txId } }) ?? ''
          expect(new URL(url).origin).toBe(new URL(text).origin)
          expect(url).toMatch(/^[\x21-\x7e]+$/)
          expect(url).not.toMatch(/["<>\\`]/)
        },
      ),
      { numRuns: 1000, seed: 43 },
    )
  })
})
