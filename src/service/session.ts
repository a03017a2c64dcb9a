import { FailureError, failureIn, makeFailure } from '../failure.ts'
import type { Reply } from './transport.ts'

interface Token {
  readonly value: string
  /** Number of the login that returned it, from 1. */
  readonly login: number
}

/** The tokens of a run. All workers share one login, and one new login after a 401. */
export class Session {
  readonly #logIn: () => Promise<string>
  #logins = 0
  #token: Promise<Token> | null = null
  /** The last login whose token the service accepted. */
  #accepted = 0

  /** `logIn` returns a token or rejects with a failure, which ends the run. */
  constructor(logIn: () => Promise<string>) {
    this.#logIn = logIn
  }

  /**
   * Calls `send` with a token, and again with a new one after each 401. Rejects if a login failed, or if the service
   * refuses a new token.
   */
  async authorize(send: (token: string) => Promise<Reply>): Promise<Reply> {
    for (;;) {
      this.#token ??= this.#renew()
      const { value, login } = await this.#token
      const reply = await send(value)
      if (reply.kind === 'no-answer') return reply
      if (reply.status !== 401) {
        this.#accepted = Math.max(this.#accepted, login)
        return reply
      }
      if (login > 1 && login > this.#accepted) throw new FailureError(refusedToken)
      // Another worker may have started a new login already.
      if (login === this.#logins) this.#token = null
    }
  }

  async #renew(): Promise<Token> {
    this.#logins += 1
    const login = this.#logins
    try {
      return { value: await this.#logIn(), login }
    } catch (error) {
      throw new FailureError({ ...failureIn(error), endsRun: true }, error)
    }
  }
}

const refusedToken = makeFailure({
  code: 'login-refused',
  what: 'the service rejected a new token (HTTP 401), so nothing more was sent',
  remedy: 'check the permissions of the API key at the service, then run the job again',
  status: 401,
  endsRun: true,
})
