import { expect, it } from '@jest/globals'
import { findWaitMs, parseRetryAfter } from '../../src/service/retry.ts'

it('the backoff doubles from 1 s to 30 s, with full jitter', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 20].map(attempts => findWaitMs(attempts, 0, 1))
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
  expect([0, 0.25].map(random => findWaitMs(2, 0, random))).toEqual([0, 500])
})

it('a longer Retry-After takes the place of the backoff, and a shorter one does not', () => {
  const waits = [0, 2000, 5000].map(retryAfterMs => findWaitMs(3, retryAfterMs, 1))
  expect(waits).toEqual([4000, 4000, 5000])
})

const invalid =
  '-1|+1|1.5|1e3|0x10|５|5s|5, 5|soon|Infinity||1994-11-06T08:50:07Z|Nov 6 1994|Sun Nov  6 08:50:07 1994|x Sun, 06 Nov 1994 08:50:07 GMT|Sun, 06 Nov 1994 08:50:07 GMT+1'
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
