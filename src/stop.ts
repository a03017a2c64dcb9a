/** Something that stops the run before anything is sent; `input` names the input to correct, if there is one. */
export interface Problem {
  readonly input: string | null
  readonly message: string
}

/** A problem that says what an input is or must be. */
export function problemWith(input: string, text: string): Problem {
  return { input, message: `input "${input}" ${text}` }
}

/** A problem with what an input names or leads to. */
export function problemAt(input: string, text: string): Problem {
  return { input, message: `input "${input}": ${text}` }
}

/** Thrown where the run cannot go on, before anything is sent; each message is fit for a user and free of secrets. */
export class Stop extends Error {
  readonly problems: readonly Problem[]

  constructor(...problems: readonly Problem[]) {
    super(problems.map(({ message }) => message).join('; '))
    this.name = 'Stop'
    this.problems = problems
  }

  /** Throws if there is a problem. */
  static ifAny(problems: readonly Problem[]): void {
    if (problems.length > 0) throw new Stop(...problems)
  }
}
