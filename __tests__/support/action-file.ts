import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'

const actionFileSchema = z.looseObject({
  inputs: z
    .record(z.string(), z.looseObject({ default: z.string().default('') }).or(z.literal('')))
    .or(z.literal(''))
    .default({}),
  outputs: z.record(z.string(), z.unknown()).default({}),
  runs: z.looseObject({ main: z.string() }),
})

/** What the runner takes from an `action.yml`. */
export interface ActionFile {
  /** The script, relative to the file. */
  readonly main: string
  /** Every declared input with its default, expressions as they stand; empty where there is none. */
  readonly inputs: ReadonlyMap<string, string>
  /** The name of every declared output. */
  readonly outputs: readonly string[]
}

/** Reads an `action.yml`; every scalar is text, as for the runner. Throws when the file is missing or broken. */
export function readActionFile(file: string): ActionFile {
  const { inputs, outputs, runs } = actionFileSchema.parse(
    parse(readFileSync(file, 'utf8'), { schema: 'failsafe' }),
  )
  const declared = Object.entries(inputs === '' ? {} : inputs)
  return {
    main: runs.main,
    outputs: Object.keys(outputs),
    inputs: new Map(
      declared.map(([name, input]) => [name, input === '' ? '' : input.default] as const),
    ),
  }
}
