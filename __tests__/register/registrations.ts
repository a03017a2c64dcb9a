import type { FailureCode } from '../../src/outcome.ts'
import type { Registration } from '../../src/plan.ts'
import type { Settled } from '../../src/register/pool.ts'

/** So many registrations, each with a hash of its own. */
export function registrationsOf(count: number): readonly Registration[] {
  return Array.from({ length: count }, (_, index) => ({
    hash: (index + 1).toString(16).padStart(64, '0'),
    name: `file-${index + 1}`,
    size: index,
  }))
}

/** A registration that went well. */
export const registered: Settled = {
  outcome: { state: 'registered', from: 'this-run', record: {}, redacted: [] },
  endsRun: null,
  isOutage: false,
}

/** A registration that failed. */
export function failing(code: FailureCode, changes: Partial<Settled> = {}): Settled {
  const outcome = { state: 'failed', code, registered: 'unknown', message: `for ${code}` } as const
  return { outcome, endsRun: null, isOutage: code === 'unavailable', ...changes }
}

/** What ends the run when the login is refused. */
export const refusal: Settled = failing('login-refused', {
  endsRun: { code: 'login-refused', what: 'the login was refused', remedy: 'check the key' },
})
