import {
  rawFault,
  redirectFault,
  resetFault,
  silenceFault,
  statusFault,
} from '../../simulator/index.ts'
import type { Fault, SeenRequest } from '../../simulator/index.ts'

/** Faults of a call that may act: half of them come after it has acted. */
const callFaults: readonly Fault[] = [
  statusFault(503, { effect: 'after' }),
  statusFault(500, { effect: 'after' }),
  statusFault(502),
  statusFault(429, { headers: { 'retry-after': '0' } }),
  statusFault(408),
  statusFault(400),
  statusFault(409),
  resetFault('request-read'),
  resetFault('done'),
  resetFault('mid-headers'),
  resetFault('mid-body'),
  resetFault('mid-body', 'chunked'),
  silenceFault({ done: true }),
  silenceFault(),
  rawFault('<html>busy</html>', { contentType: 'text/html', effect: 'after' }),
  rawFault('', { effect: 'after' }),
  redirectFault('http://127.0.0.1:9/', { effect: 'after' }),
]
const loginFaults: readonly Fault[] = [statusFault(503), resetFault('done'), rawFault('{}')]

/** Picks what a request meets: nothing, for two out of three. */
export function pickFault({ endpoint }: SeenRequest, random: () => number): Fault | undefined {
  const isLogin = endpoint === 'login'
  const faults = isLogin ? loginFaults : callFaults
  const isHit = random() < (isLogin ? 0.15 : 0.35)
  return isHit ? faults[Math.floor(random() * faults.length)] : undefined
}
