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
  /** What one try showed, and what follows: a wait, or the end, and how long all others are held back. */
  it.each<[string, Partial<TryResult & RetryState>, number | 'done', number]>([
    ['follows', {}, 500, 0],
    ['does not follow what is final', { isRetryable: false, retryAfterMs: 5000 }, 'done', 0],
    ['follows the last but one', { tries: 4 }, 4000, 0],
    ['does not follow the only one', { maxAttempts: 1 }, 'done', 0],
    ['waits as asked, as all others do', { retryAfterMs: 7000, tries: 4 }, 7000, 7000],
    ['waits less than the backoff if asked', { retryAfterMs: 0, tries: 4 }, 0, 0],
    ['waits up to 60 s', { retryAfterMs: maxRetryAfterMs }, 60_000, 60_000],
    ['does not follow a longer wait, which holds nobody', { retryAfterMs: 60_001 }, 'done', 0],
    ['waits up to another limit', { retryAfterMs: 90_000, maxWaitMs: 90_000 }, 90_000, 90_000],
    ['does not follow the last, whose wait holds', { retryAfterMs: 5000, tries: 5 }, 'done', 5000],
  ])('%s', (_, given, then, holdMs) => {
    const step = then === 'done' ? { action: then, waitMs: 0 } : { action: 'wait', waitMs: then }
    expect(decide(given)).toEqual({ ...step, holdMs })
  })

  it('comes after a backoff that doubles from half a second to 30 s, with full jitter', () => {
    const waits = (random: number, count: number) =>
      Array.from({ length: count }, (_, index) => {
        return decide({ tries: index + 1, maxAttempts: 20, random }).waitMs
      })
    expect(waits(1, 9)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
    expect(waits(0, 3)).toEqual([0, 0, 0])
    expect(waits(0.25, 3)).toEqual([125, 250, 500])
  })
})

describe('a Retry-After value', () => {
  it.each([
    ['0', 0],
    [' 120\t', 120_000],
    ['007', 7000],
    ['Sun, 06 Nov 1994 08:50:07 GMT', 30_000],
    ['Sunday, 06-Nov-94 08:50:07 GMT', 30_000],
    ['Sun Nov  6 08:50:07 1994', 30_000],
    ['Wed Nov 16 08:49:37 1994', 864_000_000],
    ['Sun, 06 Nov 1994 08:49:36 GMT', 0],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ])('is seconds, or a date in one of three forms: %j', (value, ms) => {
    expect(parseRetryAfter(value, NOW_MS)).toBe(ms)
  })

  it.each([
    ...[null, '', ' ', '-1', '+1', '1.5', '1e3', '0x10', '５', '5s', '5, 5', 'soon', 'Infinity'],
    ...['NaN', '1994-11-06T08:50:07Z', 'Nov 6 1994', 'Sun, 06 Nov 1994 25:50:07 GMT'],
    ...['Sun, 06 Nov 1994 08:61:07 GMT', 'Sun, 06 Nov 1994 08:50:07 PST'],
    ...['Sun, 06 Nov 1994 08:50:07', 'Sun, 6 Nov 1994 08:50:07 GMT'],
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
