import { setTimeout } from 'node:timers/promises'
import type { Clock } from './outside.ts'

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => undefined),
}
