import { spawnSync } from 'node:child_process'
import { describe, expect, it } from '@jest/globals'
import {
  decideNextStep,
  isRetryableStatus,
  maxRetryAfterMs,
  parseRetryAfter,
  type RetryState,
  type TryResult,
} from '../../src/service/retry.ts'

const NOW_MS = Date.UTC(1994, 10, 6, 8, 49, 37)

/** Decides after the first of five tries, which may be repeated, unless said otherwise. */
const decide = ({
  isRetryable = true,
  retryAfterMs = null,
  ...state
}: Partial<TryResult & RetryState>) =>
  decideNextStep({ isRetryable, retryAfterMs }, { tries: 1, maxAttempts: 5, random: 1, ...state })

it('what is tried again is exactly 408, 425, 429, 500, 502, 503 and 504 of all statuses', () => {
  const all = Array.from({ length: 900 }, (_, index) => index + 100)
  expect(all.filter(isRetryableStatus)).toEqual([408, 425, 429, 500, 502, 503, 504])
})

describe('another try', () => {
  const done = { action: 'done', holdMs: 0 }
  it.each<[string, Partial<TryResult & RetryState>, object]>([
    ['follows', {}, { action: 'wait', waitMs: 500, holdMs: 0 }],
    ['does not follow what is final', { isRetryable: false }, done],
    [
      'does not follow what is final, with a wait',
      { isRetryable: false, retryAfterMs: 5000 },
      done,
    ],
    ['follows the last but one', { tries: 4 }, { action: 'wait', waitMs: 4000 }],
    ['does not follow the last', { tries: 5 }, done],
    ['does not follow the only one', { maxAttempts: 1 }, done],
    [
      'waits as asked, and all others do',
      { retryAfterMs: 7000, tries: 9, maxAttempts: 20 },
      { action: 'wait', waitMs: 7000, holdMs: 7000 },
    ],
    [
      'waits less than the backoff if asked, even nothing',
      { retryAfterMs: 0, tries: 4 },
      { action: 'wait', waitMs: 0, holdMs: 0 },
    ],
    [
      'waits up to 60 s',
      { retryAfterMs: maxRetryAfterMs },
      { action: 'wait', waitMs: 60_000, holdMs: 60_000 },
    ],
    ['does not follow a longer wait, which holds back nobody', { retryAfterMs: 60_001 }, done],
    [
      'waits up to another limit',
      { retryAfterMs: 90_000, maxWaitMs: 90_000 },
      { action: 'wait', waitMs: 90_000 },
    ],
    [
      'does not follow the last, whose wait holds back the others',
      { retryAfterMs: 5000, tries: 5 },
      { action: 'done', holdMs: 5000 },
    ],
  ])('%s', (_, given, step) => {
    expect(decide(given)).toMatchObject(step)
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
      const module = new URL('../../src/service/retry.ts', import.meta.url).href
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
