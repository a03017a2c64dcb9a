import { describe, expect, it } from '@jest/globals'
import { parseJsonObject, type JsonObject } from '../src/text/json.ts'
import { Secrets } from '../src/secrets.ts'

/** Secrets with what the runner was told to mask. */
function secretsOf(values: readonly string[], spared: readonly string[] = []) {
  const masks: string[] = []
  const secrets = new Secrets(line => masks.push(line))
  secrets.spare(spared)
  secrets.add(values)
  return { secrets, masks }
}

describe('masking', () => {
  it('tells the runner each value once, before anything can be said', () => {
    const { secrets, masks } = secretsOf(['first-secret', 'second-secret', 'first-secret'])
    expect(masks).toEqual(['first-secret', 'second-secret'])
    secrets.add(['second-secret', 'third-secret'])
    expect(masks).toEqual(['first-secret', 'second-secret', 'third-secret'])
  })

  it.each([
    ['', false],
    ['five5', false],
    ['     five5     ', false],
    ['漢字漢字漢', false],
    ['sixsix', true],
  ])('takes a value of at least six characters: %j', (value, isTaken) => {
    const { secrets, masks } = secretsOf([value])
    expect(masks).toEqual(isTaken ? [value] : [])
    expect(secrets.redactText(`x${value}x`)).toBe(isTaken ? 'x***x' : `x${value}x`)
  })

  it('takes a value of several lines line by line, trimmed, without its short lines', () => {
    const { secrets, masks } = secretsOf(['{\n  "first-line"\r\n\r  second-line  \r}\nabc\n\n'])
    expect(masks).toEqual(['"first-line"', 'second-line'])
    expect(secrets.redactText('{ } abc second-line')).toBe('{ } abc ***')
  })

  it.each([
    ['equals', 'sub_12345'],
    ['stands inside', 'sub_12'],
    ['has a line inside', 'short\nsub_12345'],
  ])('spares a value that %s one that must stay readable', (_, value) => {
    const { secrets, masks } = secretsOf([value, 'real-secret'], ['sub_12345', '4242'])
    expect(masks).toEqual(['real-secret'])
    expect(secrets.redactText(`${value} real-secret`)).toBe(`${value} ***`)
  })

  it('does not spare a value that only contains one that must stay readable', () => {
    const { secrets, masks } = secretsOf(['cus_sub_12345_x'], ['sub_12345'])
    expect(masks).toEqual(['cus_sub_12345_x'])
    expect(secrets.redactText('cus_sub_12345_x sub_12345')).toBe('*** sub_12345')
  })
})

describe('text', () => {
  const value = 'p@ss "word"/+?&=%ü漢'
  const { secrets } = secretsOf([value])
  const claims = JSON.stringify({ sub: 'someone', key: value, exp: 1_900_000_000 })
  const base64 = (text: string): string => Buffer.from(text).toString('base64')

  it.each([
    ['in JSON, with more escapes', String.raw`p\u0040ss \"word\"\/\u002B?\u0026=%\u00fc\u6F22`],
    ['in a URI, in part', 'p%40ss %22word%22/+?&=%25%c3%bc漢'],
    ['in a form', encodeURIComponent(value).replaceAll('%20', '+')],
    ['in HTML, by name', 'p&commat;ss &quot;word&quot&sol;&plus;&quest;&amp;&equals;%ü漢'],
    ['in HTML, by number', 'p&#64;ss &#x22;word&#X22;/&#0043;?&=%&#xfc;&#28450;'],
    ['in hex with colons', (Buffer.from(value).toString('hex').match(/../g) ?? []).join(':')],
  ])('has a secret replaced %s', (_, form) => {
    expect(secrets.redactText(`before ${form} after`)).toBe('before *** after')
    expect(secrets.isIn(`x${form}x`)).toBe(true)
  })

  it('has a secret in the claims of a token replaced', () => {
    const token = ['{"alg":"HS256"}', claims, 'signature!'].map(base64).join('.')
    const clean = secrets.redactText(token.replaceAll('=', ''))
    expect(clean).toMatch(/^[\w-]+\.[\w-]+\*\*\*[\w-]+\.[\w-]+$/)
    expect(Buffer.from(clean.split('***')[0]?.split('.')[1] ?? '', 'base64').toString()).toMatch(
      /^\{"sub":"someone","key":"$/,
    )
  })

  it('has characters of any code replaced, and survives codes that no character has', () => {
    const { secrets: smiling } = secretsOf(['smile-\u{1f642}-secret'])
    for (const one of ['&#128578;', '&#x1F642;', String.raw`\ud83d\ude42`, '%f0%9f%99%82'])
      expect(smiling.redactText(`x smile-${one}-secret`)).toBe('x ***')
    expect(smiling.redactText('&#9999999; &#xffffff;')).toBe('&#9999999; &#xffffff;')
  })

  it('is searched in a moment, however large it is and whatever it is made of', () => {
    const size = 1024 * 1024
    const made = ['a', '\\u0041', '%2541', '%5cu0026amp;', '&#37;34\\u0025', 'QUJD', '414243', '漢']
    for (const part of made) {
      const text = part.repeat(size / part.length)
      const startMs = performance.now()
      expect(secrets.redactText(text)).toBe(text)
      expect(performance.now() - startMs).toBeLessThan(10_000)
    }
  })

  it.each(['a.*+?^${}()|[]\\/-,', '$&$1$`'])('has %j replaced by the letter', odd => {
    const { secrets: strange } = secretsOf([odd])
    expect(strange.redactText(`x ${odd} aaaaaa`)).toBe('x *** aaaaaa')
  })

  it('has the longer one of two secrets replaced whole', () => {
    const nested = secretsOf(['secret', 'secret-and-more'])
    expect(nested.secrets.redactText('secret-and-more secret')).toBe('*** ***')
  })

  it('has secrets replaced that were added later', () => {
    expect(secrets.redactText('a later one')).toBe('a later one')
    const late = secretsOf(['first-secret']).secrets
    late.redactText('x')
    late.add(['later-secret'])
    expect(late.redactText('first-secret later-secret')).toBe('*** ***')
  })

  it('takes a secret with half of a character, and does not throw', () => {
    const half = secretsOf(['half-\ud800-of-it'])
    expect(half.secrets.redactText('x half-\ud800-of-it')).toBe('x ***')
  })
})

describe('what the body of an error says', () => {
  const { secrets } = secretsOf(['nk_live+0123/abc'])

  it.each<readonly [string, unknown, string]>([
    ['a message', { message: 'no such plan', error: 'x' }, 'no such plan'],
    ['an error', { error: 'no such plan', message: 7 }, 'no such plan'],
    ['the message of an error', { error: { message: ' deep ', token: 'x' } }, 'deep'],
    ['a detail', { detail: 'more', title: 'less' }, 'more'],
    ['a title', { title: 'less', status: 400 }, 'less'],
    ['a text', 'just this', 'just this'],
    ['nothing of other fields', { errors: ['a'], data: { message: 'x' } }, ''],
    ['nothing of a list', ['a'], ''],
    ['no secret of ours', { message: 'bad key nk_live+0123/abc' }, 'bad key ***'],
    [
      'no value of a field with the name of a secret, wherever it is',
      {
        message: 'a tok-of-it, b cus_98765 c',
        data: [{ accessToken: 'tok-of-it' }],
        customer: { id: 'cus_98765' },
      },
      'a ***, b *** c',
    ],
    [
      'no number of such a field',
      { message: 'invoice 7654321', latest_invoice: 7654321 },
      'invoice ***',
    ],
    [
      'no credentials',
      { message: 'Authorization: Bearer abc.d3f.ghi was refused' },
      'Authorization: Bearer *** was refused',
    ],
    ['what a token is', { message: 'token: expired' }, 'token: expired'],
  ])('is %s', (_, body, said) => {
    expect(secrets.saying(JSON.stringify(body, null, 2))).toBe(said)
  })

  it.each([
    ['a text', ' try again later\n', 'try again later'],
    ['no secret in a text', 'key nk_live%2B0123/abc refused', 'key *** refused'],
    ['no named value', 'error=denied&apiKey=s0me-other-key&x=1', 'error=denied&apiKey=***&x=1'],
    [
      'no secret that JSON escapes',
      String.raw`{"message":"key nk_live\u002B0123\/abc refused"}`,
      'key *** refused',
    ],
    ['nothing of a page', '<!DOCTYPE html><p>key</p>', ''],
    ['nothing of markup', 'Error: <b>no</b>', ''],
    ['nothing of JSON that was cut', '{"message":"no', ''],
    ['nothing of bytes', 'a\0b', ''],
    ['nothing of nothing', '', ''],
  ])('is %s, if it is no JSON object', (_, body, said) => {
    expect(secrets.saying(body)).toBe(said)
  })

  it.each([
    '{"token":'.repeat(100_000),
    `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
    `{"a":${'{"token":"abc123def"},'.repeat(2)}`,
    JSON.stringify({ message: 'x', tokens: Array.from({ length: 1001 }, (_, n) => 1_000_000 + n) }),
  ])('is nothing, and no error, for nonsense', body => {
    expect(secrets.saying(body)).toBe('')
  })
})

describe('a record', () => {
  const { secrets } = secretsOf(['the-secret', '12345678'])
  const redact = (record: JsonObject) => secrets.redact(record)

  it('has secrets replaced at any depth, with a JSON Pointer to each place', () => {
    const record = {
      text: 'a the-secret b',
      list: ['x', 'the-secret', { deep: ['the-secret'] }],
      'a/b~c': { '': 'the-secret' },
    }
    expect(redact(record)).toEqual({
      record: {
        text: 'a *** b',
        list: ['x', '***', { deep: ['***'] }],
        'a/b~c': { '': '***' },
      },
      redacted: ['/text', '/list/1', '/list/2/deep/0', '/a~1b~0c/'],
    })
  })

  it('has secrets replaced that are encoded three times, escapes of the record not counted', () => {
    const twice = Buffer.from(Buffer.from('the-secret').toString('base64')).toString('base64')
    const text = Array.from(twice, one => `\\u00${Buffer.from(one).toString('hex')}`).join('')
    expect(redact({ text }).redacted).toEqual(['/text'])
  })

  it('has secrets replaced in numbers', () => {
    expect(redact({ creationDate: 12_345_678, longer: 99_123_456_780, other: 1_234_567 })).toEqual({
      record: { creationDate: '***', longer: '99***0', other: 1_234_567 },
      redacted: ['/creationDate', '/longer'],
    })
  })

  it('has secrets replaced in the names of fields', () => {
    expect(redact({ 'x-the-secret': 1, deep: { 'the-secret': 'the-secret' } })).toEqual({
      record: { 'x-***': 1, deep: { '***': '***' } },
      redacted: ['/x-***', '/deep/***'],
    })
  })

  it('loses no field when names become the same, and keeps one that was there as it is', () => {
    const { record, redacted } = redact({ 'the-secret': 1, '12345678': 2, '***': 3 })
    expect(record['***']).toBe(3)
    expect(Object.values(record).sort()).toEqual([1, 2, 3])
    expect(redacted).toHaveLength(2)
    expect(JSON.stringify(record)).not.toMatch(/the-secret|12345678/)
  })

  it('keeps a field named __proto__ as a field', () => {
    const given = parseJsonObject('{"__proto__":{"a":"the-secret"},"b":1}')
    const { record, redacted } = redact(given ?? {})
    expect(JSON.stringify(record)).toBe('{"__proto__":{"a":"***"},"b":1}')
    expect(redacted).toEqual(['/__proto__/a'])
  })

  it('is looked through in seconds, also where many ways of decoding lead through it', () => {
    const description = '%2525252556&amp;amp;amp;amp;\\\\\\\\nVVVVVVVVVVVVVVVVVVVVVVVV'.repeat(
      17_000,
    )
    const startedAt = performance.now()
    expect(redact({ description }).redacted).toEqual([])
    expect(performance.now() - startedAt).toBeLessThan(8_000)
  }, 60_000)

  it('is walked to the depth of the deepest answer that is taken', () => {
    const text = `${'{"a":'.repeat(199)}"the-secret"${'}'.repeat(199)}`
    const { record, redacted } = redact(parseJsonObject(text) ?? {})
    expect(JSON.stringify(record)).toBe(text.replace('the-secret', '***'))
    expect(redacted).toEqual(['/a'.repeat(199)])
  })

  it('keeps what belongs to it: values that must stay readable', () => {
    const paid = secretsOf(['sub_12345', 'cus_secret'], ['sub_12345', '424242', 'plan_x'])
    const record = { paymentId: 'sub_12345', userId: 424_242, description: 'plan_x for cus_secret' }
    expect(paid.secrets.redact(record)).toEqual({
      record: { ...record, description: 'plan_x for ***' },
      redacted: ['/description'],
    })
  })
})
