import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'

const actionFileSchema = z.looseObject({
  inputs: z.record(z.string(), z.looseObject({ default: z.string().default('') })).default({}),
  outputs: z.record(z.string(), z.unknown()).default({}),
  runs: z.looseObject({ main: z.string() }),
})

/**
 * Reads an `action.yml` as the runner does, with every scalar as text: the script, relative to the file; each input with its
 * default (expressions unevaluated, empty if none); and the names of the outputs.
 */
export function readActionFile(file: string) {
  const content: unknown = parse(readFileSync(file, 'utf8'), { schema: 'failsafe' })
  const { inputs, outputs, runs } = actionFileSchema.parse(content)
  const defaults = Object.entries(inputs).map(([name, input]) => [name, input.default] as const)
  return { main: runs.main, outputs: Object.keys(outputs), inputs: new Map(defaults) }
}
