/** Registrations over a transport with fixed replies, on a clock that advances only by sleeping and a disk in memory. */
import assert from 'node:assert'
import type { Failure } from '../../src/failure.ts'
import type { Artifact } from '../../src/outcome.ts'
import { Ledger } from '../../src/records/ledger.ts'
import { register } from '../../src/register/register.ts'
import type { Disk } from '../../src/runtime/outside.ts'
import { service, serviceData, TestService } from '../service/support.ts'
import { hashOf, source } from '../support/samples.ts'

/** Makes artifacts with different hashes; `openSince` is when an earlier run sent them. */
export function makeArtifacts(count: number, openSince: string | null = null): readonly Artifact[] {
  return Array.from({ length: count }, (_, index) => {
    const outcome = { state: 'planned', openSince } as const
    return { input: 'path', name: `app-${index}.zip`, size: 7, hash: hashOf(index), outcome }
  })
}

/** A run with three attempts per call and the longest jitter. */
export class TestRun extends TestService {
  /** The lines of the records file. */
  readonly lines: string[] = []
  /** What the records file holds before. */
  records = ''

  async register(artifacts = makeArtifacts(1)): Promise<readonly Artifact[]> {
    const { inputs } = this
    const host = { ...this.host, disk: this.#disk }
    const { verificationUrl } = inputs
    const query = { path: '/records', name: 'records', service, source, verificationUrl }
    const ledger = Ledger.read({ ...query, others: [] }, host)
    return register(artifacts, { host, inputs, ledger })
  }

  get #disk(): Disk {
    const done = (): Promise<void> => Promise.resolve()
    const append = (data: Uint8Array): Promise<void> => {
      if (data.length > 0) this.lines.push(...Buffer.from(data).toString().trimEnd().split('\n'))
      return done()
    }
    const file = { append, truncate: done, sync: done, close: done }
    const writeNew = (): Promise<string> => Promise.reject(new Error('this writes no other file'))
    return {
      read: () => Buffer.from(this.records),
      openForAppending: () => Promise.resolve(file),
      writeNew,
    }
  }
}

/** The outcomes in short: who was charged and whether it may have been charged again, or the code and `registered`. */
export function wordsOf(artifacts: readonly Artifact[]): readonly string[] {
  return artifacts.map(({ outcome }) => {
    if (outcome.state === 'failed') {
      const { code, registered } = outcome.failure
      return `${code}/${registered}`
    }
    assert(outcome.state === 'registered')
    const payer = outcome.record['paymentId'] === serviceData.id ? ' by service data' : ''
    return `registered${outcome.maybeChargedAgain ? ' again' : ''}${payer}`
  })
}

/** The failure of the last artifact. */
export function failureIn(artifacts: readonly Artifact[]): Failure {
  const outcome = artifacts.at(-1)?.outcome
  assert(outcome?.state === 'failed')
  return outcome.failure
}
