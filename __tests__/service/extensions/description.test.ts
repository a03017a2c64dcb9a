import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { fillDescription } from '../../../src/service/extensions/request-registration.ts'

const values = { artifact: 'dist/app.zip', repository: 'octo/app', ref: 'refs/tags/v1' } as const
const describeAs = (artifact: string, template = '{artifact}'): string =>
  fillDescription(template, { ...values, artifact })

describe('the description of a request', () => {
  it.each([
    ['{artifact} of {repository} at {ref}', 'dist/app.zip of octo/app at refs/tags/v1'],
    ['{ref}{ref}{artifact}', 'refs/tags/v1refs/tags/v1dist/app.zip'],
    ['{Artifact} { artifact } {artifact', '{Artifact} { artifact } {artifact'],
    ['{tag} {constructor} {__proto__} {toString}', '{tag} {constructor} {__proto__} {toString}'],
    ['{{artifact}}', '{dist/app.zip}'],
  ])('fills %j', (template, text) => {
    expect(fillDescription(template, values)).toBe(text)
  })

  it.each(['{ref} {repository} {artifact}', "$& $` $' $1 $$ $<name>", '<b>&amp;"\'\\'])(
    'takes a name as it stands: %s',
    artifact => {
      expect(describeAs(artifact, '[{artifact}]')).toBe(`[${artifact}]`)
    },
  )

  it('has no control character, wherever it came from', () => {
    const artifact = 'a\r\n::error::\0b\u001b[31m\u007f\u0085\u009fc'
    const given = { artifact, repository: 'o\t/r', ref: 'v\n1' }
    expect(fillDescription('x\ny {artifact} {repository} {ref}', given)).toBe(
      'xy a::error::b[31mc o/r v1',
    )
  })

  it('has 500 characters at most, control characters not counted, and never ends in half of one', () => {
    const most = 'n'.repeat(500)
    for (const artifact of [most, `${most}n`, most.repeat(140), `${'\n'.repeat(900)}${most}`])
      expect(describeAs(artifact)).toBe(most)
    expect(describeAs(`${'n'.repeat(499)}🎉tail`)).toBe('n'.repeat(499))
    expect(describeAs(`${'n'.repeat(498)}🎉`)).toBe(`${'n'.repeat(498)}🎉`)
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
        expect(filled.length).toBeLessThanOrEqual(500)
        expect(filled).not.toMatch(/\p{Cc}/u)
        expect(filled.isWellFormed()).toBe(true)
        const known = new Map(Object.entries({ ...values, artifact, ref }))
        const whole = template
          .split(/\{(artifact|ref|repository)\}/)
          .map((piece, index) => (index % 2 === 0 ? piece : known.get(piece)))
          .join('')
          .replaceAll(/\p{Cc}/gu, '')
        expect(whole.startsWith(filled)).toBe(true)
        expect(filled.length).toBeGreaterThanOrEqual(Math.min(whole.length, 499))
      }),
      { numRuns: 500, seed: 41 },
    )
  })
})
