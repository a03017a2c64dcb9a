import { spawnSync } from 'node:child_process'
import { describe, expect, it } from '@jest/globals'
import {
  decideNextStep,
  isRetryable,
  maxRetryAfterMs,
  parseRetryAfter,
  type RetryState,
} from '../../src/service/core/retry.ts'
import type { Reply } from '../../src/service/core/transport.ts'

const NOW_MS = Date.UTC(1994, 10, 6, 8, 49, 37)
const RETRIED = [408, 425, 429, 500, 502, 503, 504]

const status = (code: number, retryAfter: string | null = null): Reply => ({
  kind: 'answer',
  status: code,
  retryAfter,
  body: '',
})

const decide = (state: Partial<RetryState>) =>
  decideNextStep({
    ...{ reply: status(503), tries: 1, maxAttempts: 5, nowMs: NOW_MS, random: 1 },
    ...state,
  })

describe('what is tried again', () => {
  it('is exactly 408, 425, 429, 500, 502, 503 and 504 of all statuses', () => {
    const all = Array.from({ length: 900 }, (_, index) => index + 100)
    expect(all.filter(code => isRetryable(status(code)))).toEqual(RETRIED)
    expect(all.filter(code => decide({ reply: status(code) }).action === 'wait')).toEqual(RETRIED)
  })

  it.each([true, false])('is a try without a whole answer (its body was sent: %s)', wasSent => {
    expect(decide({ reply: { kind: 'lost', wasSent, reason: 'reset' } }).action).toBe('wait')
  })

  it.each<Reply>([
    { kind: 'untrusted', reason: 'CERT_HAS_EXPIRED' },
    { kind: 'too-large', status: 503 },
    { kind: 'aborted', wasSent: true },
    status(401),
    status(200),
    status(302),
  ])('is not $kind', reply => {
    expect(decide({ reply })).toEqual({ action: 'done', holdMs: 0 })
  })

  it('ends with the last of the attempts, the first included', () => {
    expect(decide({ tries: 4, maxAttempts: 5 }).action).toBe('wait')
    expect(decide({ tries: 5, maxAttempts: 5 }).action).toBe('done')
    expect(decide({ tries: 1, maxAttempts: 1 }).action).toBe('done')
  })
})

describe('the backoff', () => {
  const waits = (random: number) =>
    Array.from({ length: 10 }, (_, index) => {
      const step = decide({ tries: index + 1, maxAttempts: 20, random })
      return step.action === 'wait' ? step.waitMs : null
    })

  it('doubles from half a second to at most 30 s', () => {
    expect(waits(1)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000])
  })

  it('has full jitter: from nothing to all of it, in proportion', () => {
    expect(waits(0)).toEqual(Array.from({ length: 10 }, () => 0))
    expect(waits(0.25).slice(0, 3)).toEqual([125, 250, 500])
  })

  it('holds back nobody else', () => {
    expect(decide({}).holdMs).toBe(0)
  })
})

describe('Retry-After', () => {
  it.each(RETRIED)('takes the place of the backoff after %d, and holds all back', code => {
    expect(decide({ reply: status(code, '7'), tries: 9, maxAttempts: 20 })).toEqual({
      action: 'wait',
      waitMs: 7000,
      holdMs: 7000,
    })
  })

  it('is honoured when it is shorter than the backoff, even zero', () => {
    const next = decide({ reply: status(429, '0'), tries: 6, maxAttempts: 20 })
    expect(next).toEqual({ action: 'wait', waitMs: 0, holdMs: 0 })
  })

  it('is honoured up to 60 s exactly; a longer one ends the tries and holds back nobody', () => {
    expect(maxRetryAfterMs).toBe(60_000)
    expect(decide({ reply: status(429, '60') })).toMatchObject({ waitMs: 60_000, holdMs: 60_000 })
    expect(decide({ reply: status(429, '61') })).toEqual({ action: 'done', holdMs: 0 })
    expect(decide({ reply: status(429, '3600') })).toEqual({ action: 'done', holdMs: 0 })
    expect(decide({ reply: status(503, '9'.repeat(400)) })).toEqual({ action: 'done', holdMs: 0 })
  })

  it('is honoured up to 60 s as a date as well', () => {
    const inOneMinute = status(429, 'Sun, 06 Nov 1994 08:50:37 GMT')
    const oneSecondMore = status(429, 'Sun, 06 Nov 1994 08:50:38 GMT')
    expect(decide({ reply: inOneMinute })).toMatchObject({ waitMs: 60_000, holdMs: 60_000 })
    expect(decide({ reply: oneSecondMore })).toEqual({ action: 'done', holdMs: 0 })
  })

  it('of the last attempt still holds back the others', () => {
    const next = decide({ reply: status(429, '5'), tries: 5, maxAttempts: 5 })
    expect(next).toEqual({ action: 'done', holdMs: 5000 })
  })

  it('that is nonsense leaves the backoff in its place', () => {
    expect(decide({ reply: status(503, 'soon'), tries: 2 })).toEqual({
      action: 'wait',
      waitMs: 1000,
      holdMs: 0,
    })
  })

  it('means nothing beside a status that is not tried again', () => {
    expect(decide({ reply: status(403, '5') })).toEqual({ action: 'done', holdMs: 0 })
  })
})

describe('a Retry-After value', () => {
  it.each([
    ['0', 0],
    ['1', 1000],
    [' 120\t', 120_000],
    ['007', 7000],
    ['3600', 3_600_000],
  ])('of seconds is read: %j', (value, ms) => {
    expect(parseRetryAfter(value, NOW_MS)).toBe(ms)
  })

  it.each([
    ['the preferred form', 'Sun, 06 Nov 1994 08:50:07 GMT', 30_000],
    ['the form of RFC 850', 'Sunday, 06-Nov-94 08:50:07 GMT', 30_000],
    ['the form of asctime', 'Sun Nov  6 08:50:07 1994', 30_000],
    ['asctime with a day of two digits', 'Wed Nov 16 08:49:37 1994', 864_000_000],
    ['an hour from now', 'Sun, 06 Nov 1994 09:49:37 GMT', 3_600_000],
    ['a moment that is past', 'Sun, 06 Nov 1994 08:49:36 GMT', 0],
    ['years ago', 'Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['this moment', 'Sun, 06 Nov 1994 08:49:37 GMT', 0],
  ])('of a date is read: %s', (_, value, ms) => {
    expect(parseRetryAfter(value, NOW_MS)).toBe(ms)
  })

  it.each([
    null,
    '',
    ' ',
    '-1',
    '+1',
    '1.5',
    '1e3',
    '0x10',
    '５',
    '5s',
    '5, 5',
    'soon',
    'Infinity',
    'NaN',
    '1994-11-06T08:50:07Z',
    'Nov 6 1994',
    'Sun, 06 Nov 1994 25:50:07 GMT',
    'Sun, 06 Nov 1994 08:61:07 GMT',
    'Sun, 06 Nov 1994 08:50:07 PST',
    'Sun, 06 Nov 1994 08:50:07',
    'Sun, 6 Nov 1994 08:50:07 GMT',
    'Abc, 06 Nov 1994 08:50:07 GMT',
  ])('that is nonsense is none: %j', value => {
    expect(parseRetryAfter(value, NOW_MS)).toBeNull()
  })

  it.each(['UTC', 'America/New_York', 'Asia/Kolkata'])(
    'of a date means the same on a machine in %s',
    zone => {
      const module = new URL('../../src/service/core/retry.ts', import.meta.url).href
      const script = `
        import { parseRetryAfter } from ${JSON.stringify(module)}
        const forms = ['Sun, 06 Nov 1994 08:50:07 GMT', 'Sunday, 06-Nov-94 08:50:07 GMT', 'Sun Nov  6 08:50:07 1994']
        console.log(forms.map(form => parseRetryAfter(form, ${NOW_MS})).join())`
      const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
        env: { ...process.env, TZ: zone },
        encoding: 'utf8',
      })
      expect(stdout.trim()).toBe('30000,30000,30000')
    },
  )
})
