import type { Clock } from '../../clock.ts'
import type { Reason } from './failures.ts'
import { parseJsonObject } from './json.ts'

const renewalMs = 60_000

/** A token with the time at which it came. */
export interface Token {
  readonly value: string
  /** Epoch milliseconds from which it is renewed before use; infinite without a usable `exp`. */
  readonly renewFromMs: number
}

/** What a login gives. */
export type LoginResult =
  { readonly ok: true; readonly token: string } | { readonly ok: false; readonly reason: Reason }

/** A token to send, or why there is none; then there never will be. */
export type Authorization =
  { readonly ok: true; readonly token: Token } | { readonly ok: false; readonly reason: Reason }

/** The token of the run: one login for all workers, renewed before its `exp` and after a 401. */
export class Session {
  readonly #login: () => Promise<LoginResult>
  readonly #clock: Clock
  #current: Token | null = null
  #ongoing: Promise<Authorization> | null = null
  #failure: Reason | null = null

  constructor(login: () => Promise<LoginResult>, clock: Clock) {
    this.#login = login
    this.#clock = clock
  }

  /** Gives a token other than `refused`. All who ask during a login share it; a failed login is not repeated. */
  async authorize(refused: Token | null): Promise<Authorization> {
    if (this.#failure !== null) return { ok: false, reason: this.#failure }
    const current = this.#current
    const isUsable =
      current !== null && current !== refused && this.#clock.now() <= current.renewFromMs
    if (isUsable) return { ok: true, token: current }
    this.#ongoing ??= this.#renew()
    return this.#ongoing
  }

  /** Ends the session: nobody gets a token any more. */
  end(reason: Reason): void {
    this.#failure ??= reason
  }

  async #renew(): Promise<Authorization> {
    const result = await this.#login()
    this.#ongoing = null
    if (!result.ok) {
      this.end(result.reason)
      return result
    }
    const token = readToken(result.token, this.#clock.now())
    this.#current = token
    return { ok: true, token }
  }
}

/**
 * Reads when a token must be renewed: when its `exp` is nearer than the smaller of 60 s and a tenth of the life that it
 * has now. One without `exp`, or past it already (a wrong clock), is used until a 401. No other claim is read.
 */
export function readToken(value: string, nowMs: number): Token {
  const claims = parseJsonObject(Buffer.from(value.split('.')[1] ?? '', 'base64url').toString())
  const exp = claims?.['exp']
  const lifeMs = typeof exp === 'number' ? exp * 1000 - nowMs : 0
  if (!(lifeMs > 0)) return { value, renewFromMs: Infinity }
  return { value, renewFromMs: nowMs + lifeMs - Math.min(renewalMs, lifeMs / 10) }
}
