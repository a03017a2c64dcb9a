import { expect, it } from '@jest/globals'
import { findWaitMs, parseRetryAfter } from '../../src/service/retry.ts'

const retryable = { isDoubtful: false, retryAfterMs: null }

it('the backoff doubles from 1 s to 30 s, with full jitter', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 20].map(attempts => findWaitMs(attempts, retryable, 1))
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
  expect([0, 0.25].map(random => findWaitMs(2, retryable, random))).toEqual([0, 500])
})

it.each<[string, number[], attempts: number, isDoubtful: boolean, retryAfterMs: number | null]>([
  ['20 to 40 s after what may have acted', [20_000, 40_000], 1, true, null],
  ['as long after the third attempt', [20_000, 40_000], 3, true, null],
  ['its longer Retry-After', [30_000, 40_000], 1, true, 30_000],
  ['any other Retry-After in place of the backoff', [100, 100], 3, false, 100],
])('the wait is %s', (_, waits, attempts, isDoubtful, retryAfterMs) => {
  const last = { isDoubtful, retryAfterMs }
  expect([0, 1].map(random => findWaitMs(attempts, last, random))).toEqual(waits)
})

const invalid =
  '-1|+1|1.5|1e3|0x10|５|5s|5, 5|soon|Infinity||1994-11-06T08:50:07Z|Nov 6 1994|Sun Nov  6 08:50:07 1994'
it.each<[string, number | null]>([
  ['0', 0],
  ['120', 120_000],
  ['007', 7000],
  ['9'.repeat(30), Number.MAX_SAFE_INTEGER],
  ['Sun, 06 Nov 1994 08:50:07 GMT', 30_000],
  ['Sunday, 06-Nov-94 08:50:07 GMT', 30_000],
  ['Sun, 06 Nov 1994 08:49:36 GMT', 0],
  ...invalid.split('|').map((value): [string, null] => [value, null]),
  ['Sun, 06 Nov 1994 25:50:07 GMT', null],
  ['Sun, 06 Nov 1994 08:50:07 PST', null],
])('the Retry-After %j, seconds or a date, is %j ms', (value, ms) => {
  expect(parseRetryAfter(value, Date.UTC(1994, 10, 6, 8, 49, 37))).toBe(ms)
})
