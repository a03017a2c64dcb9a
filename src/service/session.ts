import { FailureError, failRun, makeFailure } from '../failure.ts'
import type { Reply } from './transport.ts'

/** The tokens of a run. All workers share one login, and one new login after a 401. */
export class Session {
  readonly #logIn: () => Promise<string>
  #logins = 0
  #token: Promise<string> | null = null
  /** Number of the last login whose token the service accepted. */
  #accepted = 0

  /** `logIn` returns a token or rejects with a failure, which ends the run. */
  constructor(logIn: () => Promise<string>) {
    this.#logIn = logIn
  }

  /** Calls `send` with a token, and again after a 401. Rejects if a login or a new token fails. */
  async authorize(send: (token: string) => Promise<Reply>): Promise<Reply> {
    for (;;) {
      if (this.#token === null) {
        this.#logins += 1
        this.#token = this.#logIn().catch(failRun)
      }
      const login = this.#logins
      const reply = await send(await this.#token)
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
}

const refusedToken = makeFailure({
  code: 'login-refused',
  what: 'the service rejected a new token; it returned HTTP 401, so nothing more was sent',
  remedy: 'check the permissions of the API key at the service, then run the job again',
  status: 401,
  endsRun: true,
})
