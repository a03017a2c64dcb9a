import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'

const actionFileSchema = z.looseObject({
  inputs: z.record(z.string(), z.looseObject({ default: z.string().default('') })).default({}),
  outputs: z.record(z.string(), z.unknown()).default({}),
  runs: z.looseObject({ main: z.string(), post: z.string().default('') }),
})

/**
 * Reads an `action.yml` as the runner does, with every scalar as text: the scripts, relative to the file (`post` is empty if
 * there is none); each input with its default (expressions unevaluated, empty if none); and the names of the outputs.
 */
export function readActionFile(file: string) {
  const { inputs, outputs, runs } = actionFileSchema.parse(
    parse(readFileSync(file, 'utf8'), { schema: 'failsafe' }),
  )
  const defaults = Object.entries(inputs).map(([name, input]) => [name, input.default] as const)
  const { main, post } = runs
  return { main, post, outputs: Object.keys(outputs), inputs: new Map(defaults) }
}
