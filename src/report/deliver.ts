import { describeError } from '../errors.ts'
import type { Problem } from '../outcome.ts'

/** What the report is given to. */
export interface Reporter {
  readonly info: (text: string) => void
  readonly warning: (text: string) => void
  readonly error: (text: string) => void
  readonly setOutput: (name: string, value: string | number) => void
  readonly writeSummary: (markdown: string) => Promise<void>
}

/** Writes outputs and summary (none if null); gives what failed and makes the run fail. Never rejects. */
export async function deliver(
  outputs: Readonly<Record<string, string | number>>,
  summary: string | null,
  runner: Reporter,
): Promise<readonly string[]> {
  const errors: string[] = []
  try {
    for (const [name, value] of Object.entries(outputs)) runner.setOutput(name, value)
  } catch (error) {
    errors.push(`The outputs could not be written (${describeError(error)}); see the log`)
  }
  try {
    if (summary !== null) await runner.writeSummary(summary)
  } catch (error) {
    runner.warning(`The job summary could not be written (${describeError(error)})`)
  }
  return errors
}

/** One problem for each input, all its messages in one. */
export function mergeByInput(problems: readonly Problem[]): readonly Problem[] {
  const merged = new Map<string | null, Problem>()
  for (const { input, message } of problems) {
    const earlier = merged.get(input)
    merged.set(input, {
      input,
      message: earlier === undefined ? message : `${earlier.message}; ${message}`,
    })
  }
  return [...merged.values()]
}
