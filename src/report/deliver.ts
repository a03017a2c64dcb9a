/** What both actions hand over: outputs, and the job summary. */
import type { Runner } from '../runtime/runner.ts'
import { describeError } from '../text/system-error.ts'

/** The outputs of a step by name. */
export type Outputs = Readonly<Record<string, string | number>>

/** Sets all outputs of a step. Returns null, or why they could not be written. */
export function deliverOutputs(outputs: Outputs, runner: Runner): string | null {
  try {
    for (const [name, value] of Object.entries(outputs)) runner.setOutput(name, value)
    return null
  } catch (error) {
    return describeError(error)
  }
}

/** Writes the summary. A failure is only a warning, because the work is done. Never rejects. */
export async function deliverSummary(markdown: string, runner: Runner): Promise<void> {
  try {
    await runner.writeSummary(markdown)
  } catch (error) {
    runner.warning(`The job summary could not be written: ${describeError(error)}`)
  }
}
