import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  fillDescription,
  maxDescriptionLength,
} from '../../../src/service/extensions/request-registration.ts'

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
