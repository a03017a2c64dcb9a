import { FailureError, failureIn, makeFailure, type Failure } from '../failure.ts'

/** A token of the run. */
export interface Token {
  readonly value: string
  /** The number of the login that gave it, from 1. */
  readonly login: number
}

/** The tokens of a run: all workers share one login, and after a 401 one new login. A login that fails ends the run. */
export class Session {
  readonly #login: () => Promise<string>
  #logins = 0
  #token: Promise<Token> | null = null
  /** The last login whose token the service accepted. */
  #accepted = 0
  #ending: Failure | null = null

  /** `login` gives a token, or rejects with a failure. */
  constructor(login: () => Promise<string>) {
    this.#login = login
  }

  /** Gives a token other than `refused`. Rejects with the failure that ended the session. */
  async authorize(refused: Token | null): Promise<Token> {
    if (this.#ending !== null) throw new FailureError(this.#ending)
    if (this.#token === null || refused?.login === this.#logins) {
      this.#logins += 1
      this.#token = this.#renew(this.#logins)
    }
    return this.#token
  }

  /** Notes that a call with the token was not answered with 401. */
  accept(token: Token): void {
    this.#accepted = Math.max(this.#accepted, token.login)
  }

  /** Notes a 401. Throws if that ends the run: the token came from a new login, and was never accepted. */
  refuse({ login }: Token): void {
    if (login > 1 && login > this.#accepted) throw this.#end(refusedToken)
  }

  async #renew(login: number): Promise<Token> {
    try {
      return { value: await this.#login(), login }
    } catch (error) {
      throw this.#end(failureIn(error))
    }
  }

  #end(failure: Failure): FailureError {
    this.#ending ??= { ...failure, endsRun: true }
    return new FailureError(this.#ending)
  }
}

const refusedToken = makeFailure({
  code: 'login-refused',
  what: 'the service refuses the token of a new login (HTTP 401), so nothing more was sent',
  remedy: 'check what the API key may do at the service, then run the job again',
  status: 401,
})
