import { makeFailure, type Failure, type FailureCode } from '../../src/failure.ts'
import { failed, type Outcome } from '../../src/outcome.ts'
import type { Registration } from '../../src/plan.ts'
import { hashOf } from '../support/samples.ts'

/** So many registrations, each with a hash of its own; nothing is open. */
export function registrationsOf(count: number): readonly Registration[] {
  return Array.from({ length: count }, (_, index) => ({
    ...{ hash: hashOf(index + 1), name: `file-${index + 1}`, size: index, open: null },
  }))
}

/** A registration that went well. */
export const registered: Outcome = {
  ...{ state: 'registered', from: 'this-run', record: {}, redacted: [], unansweredTries: 0 },
}

/** A registration that failed; nobody knows whether it is registered. */
export function failing(code: FailureCode, changes: Partial<Failure> = {}): Outcome {
  return failed(
    makeFailure({
      ...{ code, registered: 'unknown', what: `for ${code}`, remedy: 'try' },
      ...{ isOutage: code === 'unavailable', ...changes },
    }),
  )
}

/** What ends the run when the login is refused. */
export const refusal: Outcome = failing('login-refused', { endsRun: true })
