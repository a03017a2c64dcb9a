import { FailureError, failureIn, makeFailure } from '../failure.ts'

/** A token of the run. */
export interface Token {
  readonly value: string
  /** The number of the login that gave it, from 1. */
  readonly login: number
}

/** The tokens of a run: all workers share one login, and after a 401 one new login. */
export class Session {
  readonly #login: () => Promise<string>
  #logins = 0
  #token: Promise<Token> | null = null
  /** The last login whose token the service accepted. */
  #accepted = 0

  /** `login` gives a token, or rejects with a failure, which ends the run. */
  constructor(login: () => Promise<string>) {
    this.#login = login
  }

  /** Gives a token other than `refused`. Rejects, for all who ask from now on, if a login failed. */
  authorize(refused: Token | null): Promise<Token> {
    if (this.#token === null || refused?.login === this.#logins) this.#token = this.#renew()
    return this.#token
  }

  /** Notes that a call with the token was not answered with 401. */
  accept({ login }: Token): void {
    this.#accepted = Math.max(this.#accepted, login)
  }

  /** Notes a 401. Throws if that ends the run: the token came from a new login, and was never accepted. */
  refuse({ login }: Token): void {
    if (login > 1 && login > this.#accepted) throw new FailureError(refusedToken)
  }

  async #renew(): Promise<Token> {
    this.#logins += 1
    const login = this.#logins
    try {
      return { value: await this.#login(), login }
    } catch (error) {
      throw new FailureError({ ...failureIn(error), endsRun: true }, error)
    }
  }
}

const refusedToken = makeFailure({
  code: 'login-refused',
  what: 'the service refuses the token of a new login (HTTP 401), so nothing more was sent',
  remedy: 'check what the API key may do at the service, then run the job again',
  status: 401,
  endsRun: true,
})
