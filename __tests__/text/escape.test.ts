import { describe, expect, it } from '@jest/globals'
import { cut, maxNameLength, quote, showControls } from '../../src/text/escape.ts'
import { toAttribute, toHtml, toLogLine } from '../../src/text/escape.ts'

describe('control and invisible characters', () => {
  it.each([
    ['a line feed', 'a\nb', 'a\\u000ab'],
    ['a carriage return', 'a\rb', 'a\\u000db'],
    ['a null byte', 'a\0b', 'a\\u0000b'],
    ['an escape', 'a\u001b[31mb', 'a\\u001b[31mb'],
    ['a tab', 'a\tb', 'a\\u0009b'],
    ['a delete', 'a\u007fb', 'a\\u007fb'],
    ['a C1 control', 'a\u0085b', 'a\\u0085b'],
    ['a line separator', 'a\u2028b\u2029', 'a\\u2028b\\u2029'],
    ['a change of direction', 'a\u202eb\u2066c', 'a\\u202eb\\u2066c'],
    ['a zero-width space', 'a\u200bb\ufeff', 'a\\u200bb\\ufeff'],
    ['a soft hyphen', 'a\u00adb', 'a\\u00adb'],
    ['a tag character', 'a\u{e0041}b', 'a\\udb40\\udc41b'],
    ['half a character', 'a\ud800b', 'a\\ud800b'],
  ])('are shown as escapes: %s', (_, text, shown) => {
    expect(showControls(text)).toBe(shown)
  })

  it.each(['grüße 漢字 🎉', 'a b  c', 'C:\\new\\u000a', 'é'.normalize('NFD'), ''])(
    'are all that is changed: %j',
    text => {
      expect(showControls(text)).toBe(text)
    },
  )
})

describe('cutting', () => {
  it('leaves no half of a character, and of a sentence no half of a word', () => {
    expect(cut('ab🎉cd', 3)).toBe('ab… [cut, 6 characters]')
    expect(cut('ab🎉cd', 4)).toBe('ab🎉… [cut, 6 characters]')
    expect(cut('one two three', 9)).toBe('one two… [cut, 13 characters]')
  })

  it('is done to what is quoted, as it is shown', () => {
    expect(quote('x'.repeat(maxNameLength))).toHaveLength(maxNameLength)
    expect(quote('\0'.repeat(maxNameLength))).toMatch(/^(\\u0000){42}.{1,4}… \[cut, 1536 char/)
  })
})

it.each(['plain', 'a::b::c', 'a # b ## c [d]', 'C:\\x', 'a: b', '  indented', '# [x]', '#[x]'])(
  'a log line is as it was where nothing acts: %j',
  text => {
    expect(toLogLine(text)).toBe(text)
  },
)

describe('HTML', () => {
  it.each([
    ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['&lt;', '&amp;lt;'],
    ['[a](https://evil.example)', '&#91;a&#93;(https&#58;//evil.example)'],
    ['![a](b)', '&#33;&#91;a&#93;(b)'],
    ['a | b', 'a &#124; b'],
    ['`code`', '&#96;code&#96;'],
    ['**bold** ~~x~~', '&#42;&#42;bold&#42;&#42; &#126;&#126;x&#126;&#126;'],
    ['@octocat #1', '&#64;<wbr>octocat &#35;<wbr>1'],
    ['"\'', '&#34;&#39;'],
    ['$x$', '&#36;x&#36;'],
    ['_a_ __b__ c_d', '&#95;a&#95; &#95;&#95;b&#95;&#95; c_d'],
    ['x_www.evil.example', 'x_www&#46;evil.example'],
    ['WwW.evil.example', 'WwW&#46;evil.example'],
    ['https://evil.example', 'https&#58;//evil.example'],
    ['a\n\n# b', 'a&#92;u000a&#92;u000a&#35;<wbr> b'],
    ['</code></td>', '&lt;/code&gt;&lt;/td&gt;'],
  ])('of foreign text is only text: %j', (text, html) => {
    expect(toHtml(text)).toBe(html)
  })

  it('of a URL in an attribute stays readable', () => {
    expect(toAttribute('https://www.x.example/?a="b"&c=<d>_', 100)).toBe(
      'https://www.x.example/?a=&#34;b&#34;&amp;c=&lt;d&gt;_',
    )
  })

  it('is cut by the length of the text, not within an entity', () => {
    expect(toHtml('<'.repeat(300))).toMatch(/^(&lt;){256}… &#91;cut, 300 characters&#93;$/)
    expect(toHtml('<'.repeat(300), 300)).toBe('&lt;'.repeat(300))
  })
})
