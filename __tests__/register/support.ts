/** Registrations over a transport with fixed replies, on a clock that advances only by sleeping and a disk in memory. */
import assert from 'node:assert'
import { setImmediate } from 'node:timers/promises'
import type { Failure } from '../../src/failure.ts'
import type { Artifact } from '../../src/outcome.ts'
import { Ledger, type Charges } from '../../src/records/ledger.ts'
import { register } from '../../src/register/register.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import type { Disk, Host } from '../../src/runtime/outside.ts'
import { service, TestService, wordOf } from '../service/support.ts'
import { hashOf, source } from '../support/samples.ts'

/** Makes artifacts with different hashes; `lastDoubtAt` is when an earlier run sent them. */
export function makeArtifacts(
  count: number,
  lastDoubtAt: string | null = null,
): readonly Artifact[] {
  return Array.from({ length: count }, (_, index) => {
    const outcome = { state: 'planned', lastDoubtAt } as const
    return { input: 'path', name: `app-${index}.zip`, size: 7, hash: hashOf(index), outcome }
  })
}

/** A run with three attempts per call and the longest jitter. */
export class TestRun extends TestService {
  /** The lines of the records file. */
  readonly lines: string[] = []
  /** Of the step, once it registers. */
  charges: Charges = { least: 0, most: 0 }

  async register(
    artifacts = makeArtifacts(1),
    outside: Partial<Host> = {},
  ): Promise<readonly Artifact[]> {
    const { inputs } = this
    const host = { ...this.host, disk: this.#disk, ...outside }
    const query = { path: '/records', name: 'records', service, source, others: [] }
    const ledger = new Ledger(query, host)
    const ended = await register(artifacts, { host, inputs, ledger })
    this.charges = ledger.charges
    return ended
  }

  get #disk(): Disk {
    const append = (_: string, data: Uint8Array): void => {
      const lines = Buffer.from(data).toString().split('\n')
      this.lines.push(...lines.filter(line => line !== ''))
    }
    const nothing = (): never => assert.fail('a run that registers writes one file')
    return {
      read: () => Buffer.alloc(0),
      append,
      truncate: nothing,
      makeFolder: nothing,
      write: nothing,
    }
  }
}

/** A clock that advances when nothing else happens, to the next of the times that are waited for. */
export class VirtualClock implements Clock {
  #timers: { readonly dueMs: number; readonly ring: () => void }[] = []
  #nowMs = 0

  now = (): number => this.#nowMs
  monotonic = (): number => this.#nowMs

  sleep = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise(ring => {
      if (signal.aborted) ring()
      this.#timers.push({ dueMs: this.#nowMs + ms, ring })
      signal.addEventListener('abort', () => {
        this.#timers = this.#timers.filter(timer => timer.ring !== ring)
        ring()
      })
    })

  /** Returns what is waited for; meanwhile, time passes. */
  async pass<T>(waited: Promise<T>): Promise<T> {
    const over = new AbortController()
    const end = (): void => {
      over.abort()
    }
    waited.then(end, end)
    for (;;) {
      await setImmediate()
      if (over.signal.aborted) return waited
      const next = this.#timers.sort((a, b) => a.dueMs - b.dueMs).shift()
      if (next === undefined) continue
      this.#nowMs = next.dueMs
      next.ring()
    }
  }
}

/** The outcomes in short: `registered`, or the code and whether the artifact may be registered. */
export function wordsOf(artifacts: readonly Artifact[]): readonly string[] {
  return artifacts.map(({ outcome }) => {
    if (outcome.state !== 'failed') return outcome.state
    return wordOf(outcome.failure, outcome.lastDoubtAt)
  })
}

/** The failure of the last artifact. */
export function failureIn(artifacts: readonly Artifact[]): Failure {
  const outcome = artifacts.at(-1)?.outcome
  assert(outcome?.state === 'failed')
  return outcome.failure
}
