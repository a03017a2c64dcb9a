import type { Clock } from '../clock.ts'
import { FailureError, failureIn, type Failure } from '../failure.ts'
import { parseJsonObject } from '../text/json.ts'

const renewalMs = 60_000

/** A token that was sent younger than that, and refused, is no token that has come of age. */
const newMs = 1_000

/** A token with the time at which it came. */
export interface Token {
  readonly value: string
  /** On the monotonic clock, in milliseconds. */
  readonly receivedMs: number
  /** From then on it is renewed before use, on the monotonic clock; infinite without a usable `exp`. */
  readonly renewFromMs: number
}

/** The token of the run: one login for all workers, renewed before its `exp` and after a 401. */
export class Session {
  readonly #login: () => Promise<string>
  readonly #clock: Clock
  #current: Token | null = null
  #ongoing: Promise<Token> | null = null
  #failure: Failure | null = null

  constructor(login: () => Promise<string>, clock: Clock) {
    this.#login = login
    this.#clock = clock
  }

  /** Gives a token other than `refused`. All who ask during a login share it; a failed login is not repeated. */
  async authorize(refused: Token | null): Promise<Token> {
    if (this.#failure !== null) throw new FailureError(this.#failure)
    const current = this.#current
    const isUsable =
      current !== null && current !== refused && this.#clock.monotonic() <= current.renewFromMs
    if (isUsable) return current
    this.#ongoing ??= this.#renew()
    return this.#ongoing
  }

  /** Whether a token came just now, so that a refusal of it is final. */
  isNew({ receivedMs }: Token): boolean {
    return this.#clock.monotonic() - receivedMs < newMs
  }

  /** Ends the session, and with it the run: nobody gets a token any more. */
  end(failure: Failure): never {
    const ending = { ...failure, endsRun: true, isOutage: false }
    this.#failure ??= ending
    throw new FailureError(ending)
  }

  async #renew(): Promise<Token> {
    try {
      this.#current = readToken(await this.#login(), this.#clock)
      return this.#current
    } catch (error) {
      return this.end(failureIn(error))
    } finally {
      this.#ongoing = null
    }
  }
}

/**
 * Reads when a token must be renewed: when its `exp` is nearer than the smaller of 60 s and a tenth of the life that it
 * has now. One without `exp`, or past it already (a wrong clock), is used until a 401. No other claim is read.
 */
export function readToken(value: string, clock: Pick<Clock, 'now' | 'monotonic'>): Token {
  const claims = parseJsonObject(Buffer.from(value.split('.')[1] ?? '', 'base64url').toString())
  const exp = claims?.['exp']
  const lifeMs = typeof exp === 'number' ? exp * 1000 - clock.now() : 0
  const receivedMs = clock.monotonic()
  const usableMs = lifeMs > 0 ? lifeMs - Math.min(renewalMs, lifeMs / 10) : Infinity
  return { value, receivedMs, renewFromMs: receivedMs + usableMs }
}
