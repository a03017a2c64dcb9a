import { describe, expect, it } from '@jest/globals'
import { Secrets } from '../../src/runtime/secrets.ts'
import { parseJsonObject } from '../../src/text/json.ts'

/** Creates secrets with these keys, and records what the runner was told to mask. */
function secretsOf(...keys: readonly string[]) {
  const masks: string[] = []
  const secrets = new Secrets(line => masks.push(line))
  secrets.add(keys)
  return { secrets, masks }
}

describe('masks', () => {
  it.each<[string, values: readonly string[], masks: readonly string[]]>([
    ['each value once', ['first-one', 'second-one', 'first-one'], ['first-one', 'second-one']],
    ['no line shorter than 6 characters', ['', 'five5', '   five5   ', 'sixsix'], ['sixsix']],
    ['each line of a value, trimmed', ['{\n  a-line\r\n\r  b-line \r}'], ['a-line', 'b-line']],
  ])('cover %s, of keys and of details', (_, values, expected) => {
    const details = secretsOf()
    details.secrets.addDetails(values)
    details.secrets.maskDetails([])
    details.secrets.maskDetails([])
    for (const { secrets, masks } of [secretsOf(...values), details]) {
      expect(masks).toEqual(expected)
      for (const mask of masks) expect(secrets.redactText(`x ${mask} x`)).toBe('x *** x')
      expect(secrets.redactText('five5 { } abc')).toBe('five5 { } abc')
    }
  })

  it('cover a key always, but no detail that is part of an exempt value, or turns out to be', () => {
    const { secrets, masks } = secretsOf('key_12345')
    secrets.addDetails(['sub_12345', 'b_1234', 'cus_sub_12345', 'sub_12\nsecret-x'])
    secrets.maskDetails(['dist/key_12345', 'sub_12345', '4242'])
    expect(masks).toEqual(['key_12345', 'cus_sub_12345', 'secret-x'])
    const text = 'dist/key_12345 sub_12345 4242 cus_sub_12345 secret-x'
    expect(secrets.redactText(text)).toBe('dist/*** sub_12345 4242 *** ***')
    secrets.exempt(['dist/secret-x-key_12345.zip'])
    expect(secrets.redactText('secret-x key_12345')).toBe('secret-x ***')
    secrets.add(['later-key'])
    expect(secrets.redactText('later-key')).toBe('***')
    secrets.addDetails(['later-detail'])
    expect(secrets.redactText('later-detail')).toBe('***')
  })
})

describe('redacted text', () => {
  it.each([0, 1, 2])('contains no secret of 12, 13 or 14 bytes in base64 at offset %i', offset => {
    for (const secret of ['twelve-bytes', 'thirteen-byte', 'fourteen-bytes']) {
      for (const rest of ['', 'x', 'xy', 'xyz']) {
        const whole = Buffer.from('u:p'.slice(0, offset) + secret + rest).toString('base64')
        const text = secretsOf(secret).secrets.redactText(whole)
        expect(text).toMatch(offset === 0 ? /^\*\*\*/ : /\*\*\*/)
        const shown = text.split('***').map(part => Buffer.from(part, 'base64').toString('latin1'))
        for (const part of shown) {
          expect(part).not.toContain(secret.slice(2, 7))
          // The last one or two bytes share their digits with what follows.
          expect(part).not.toContain(secret.slice(-3))
        }
      }
    }
  })

  const special = 'a.*+?^${}()|[]\\/-,'
  const value = 'p@ss "word"/+?&=%ü漢'
  it.each([
    ['a secret in JSON', [value], `x ${JSON.stringify(value).slice(1, -1)} x`, 'x *** x'],
    ['a secret in a URI', [value], `x ${encodeURIComponent(value)} x`, 'x *** x'],
    ['a secret that is a pattern', [special], `${special} aaaaaa ${special}`, '*** aaaaaa ***'],
    ['a secret that is a replacement', ['$&$1$`'], 'x $&$1$` x', 'x *** x'],
    ['half a character', ['half-\ud800-pair'], 'x half-\ud800-pair x', 'x *** x'],
    ['the longer secret', ['secret', 'secret-and-more'], 'secret-and-more secret', '*** ***'],
    // In base64, 4 characters may occur by chance.
    ['6 bytes in base64', ['sixsix'], 'c2l4c2l4 aXhz', '*** aXhz'],
  ])('contains no part of %s', (_, values, text, redacted) => {
    expect(secretsOf(...values).secrets.redactText(text)).toBe(redacted)
  })
})

it('a redacted line is one line', () => {
  const { secrets } = secretsOf('the-secret')
  expect(secrets.redactLine('a \n b\r\n\nthe-secret\nc')).toBe('a b *** c')
})

describe('a redacted JSON object', () => {
  const { secrets } = secretsOf('the-secret', '12345678')
  const redact = (json: string): string =>
    JSON.stringify(secrets.redactJson(parseJsonObject(json) ?? {}))

  it.each([
    '{"text":"a the-secret b","list":["x",{"deep":["the-secret"]}]}',
    '{"a/b~c":{"":"the-secret"}}',
    '{"x-the-secret":1,"deep":{"the-secret":"the-secret"}}',
    '{"__proto__":{"a":"the-secret"},"b":1}',
    '{"a":"[no JSON: the-secret","b":"[]"}',
  ])('contains no secrets, and is otherwise unchanged: %s', json => {
    expect(redact(json)).toBe(json.replaceAll('the-secret', '***'))
  })

  it('contains no secrets in numbers or in base64', () => {
    const json = '{"a":12345678,"b":991234567800,"c":1234567,"d":99123456789999999999}'
    const text = '{"a":"***","b":"99***00","c":1234567,"d":"99***9999999999"}'
    expect(redact(json)).toBe(text)
    expect(redact(`{"a":"${btoa('key=the-secret')}"}`)).toMatch(/^\{"a":"[^"]*\*\*\*[^"]*"\}$/)
  })
})
