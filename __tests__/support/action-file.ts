import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'

const actionFileSchema = z.looseObject({
  inputs: z.record(z.string(), z.looseObject({ default: z.string().default('') })).default({}),
  outputs: z.record(z.string(), z.unknown()).default({}),
  runs: z.looseObject({ main: z.string() }),
})

/** What the runner reads from an `action.yml`. */
export interface ActionFile {
  /** The script, relative to the file. */
  readonly main: string
  /** Each input with its default: expressions unevaluated, empty if none. */
  readonly inputs: ReadonlyMap<string, string>
  readonly outputs: readonly string[]
}

/** Reads an `action.yml`, with every scalar as text, as the runner does. */
export function readActionFile(file: string): ActionFile {
  const { inputs, outputs, runs } = actionFileSchema.parse(
    parse(readFileSync(file, 'utf8'), { schema: 'failsafe' }),
  )
  const defaults = Object.entries(inputs).map(([name, input]) => [name, input.default] as const)
  return { main: runs.main, outputs: Object.keys(outputs), inputs: new Map(defaults) }
}
