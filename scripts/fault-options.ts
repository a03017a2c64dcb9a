/** Command-line options for the faults of the simulator. */
import type { FaultPlan } from '../simulator/index.ts'
import { wholeNumber } from './command.ts'

export const faultOptions = {
  after: { type: 'string', default: '0' },
  lose: { type: 'string', default: '0' },
  known: { type: 'boolean', default: false },
  fail: { type: 'string', default: '' },
} as const

export const faultHelp = `
Faults, for files in the order in which the action sends them:

  --after N      register the first N files as usual
  --lose N       register the next N files, but close the connection without a response
  --known        respond to the next file with 409, as if it had been registered before
  --fail STATUS  respond to all other files with this status, such as 402 or 503
`

interface FaultValues {
  readonly after: string
  readonly lose: string
  readonly known: boolean
  readonly fail: string
}

/** Reads the options. Exits with code 2 if one is wrong. */
export function readFaults({ after, lose, known, fail }: FaultValues): FaultPlan {
  return {
    after: wholeNumber('after', after),
    lose: wholeNumber('lose', lose),
    known,
    fail: fail === '' ? null : wholeNumber('fail', fail, { min: 400, max: 599 }),
  }
}
