/** What every command of this repository shares: its options, and how it ends. */
import { writeSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { z } from 'zod'
import { cleanUp } from '../__tests__/support/clean-up.ts'

/** A whole number, as the text of an option. */
export function wholeNumber({ min = 0, max = Number.MAX_SAFE_INTEGER } = {}) {
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`
  const message = `must be a whole number ${range}`
  const digits = z.string().regex(/^\d+$/, message).transform(Number)
  return digits.pipe(z.number().min(min, message).max(max, message))
}

/**
 * Reads the command line: a field of the schema is an option, a boolean one without a value; `words` are no options.
 * Prints the help for `--help` and ends with exit code 0; ends with one line on stderr and exit code 2 for anything that
 * is wrong.
 */
export function readCommandLine<Schema extends z.ZodObject>(
  help: string,
  schema: Schema,
  maxWords = 0,
): { readonly options: z.output<Schema>; readonly words: readonly string[] } {
  const options: NonNullable<ParseArgsConfig['options']> = { help: { type: 'boolean' } }
  for (const [name, field] of Object.entries<z.core.$ZodType>(schema.shape)) {
    const { type } = z.toJSONSchema(field, { io: 'input' })
    options[name] = { type: type === 'boolean' ? type : 'string', multiple: type === 'array' }
  }
  const { values, positionals: words } = parseOrStop(options)
  if (values['help'] === true) {
    writeSync(1, help)
    process.exit(0)
  }
  if (words.length > maxWords) stopForUsage(`unexpected "${words[maxWords] ?? ''}"`)
  const read = schema.safeParse(values)
  if (read.success) return { options: read.data, words }
  const [issue] = read.error.issues
  return stopForUsage(`--${String(issue?.path[0])} ${issue?.message ?? 'is wrong'}`)
}

function parseOrStop(options: NonNullable<ParseArgsConfig['options']>) {
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    // The first sentence names the option; the others explain how Node reads arguments.
    return stopForUsage(
      describe(error)
        .replace(/[.\n].*/s, '')
        .replaceAll("'", '"'),
    )
  }
}

/** Ends with what is wrong with the usage on stderr, and exit code 2. */
export function stopForUsage(problem: string): never {
  writeSync(2, `${commandName()}: ${problem}; run with --help to see the usage\n`)
  process.exit(2)
}

/**
 * Does the work of a command; it resolves to whether all is well. Exit code 1 with one line on stderr if it throws, and
 * also if it ends early. What is temporary is removed however it ends. A signal ends the process, unless the work
 * handles signals.
 */
export async function runCommand(
  work: () => boolean | Promise<boolean>,
  { handlesSignals = false } = {},
): Promise<void> {
  // Until the end says otherwise: work that ends too early must not look like a success.
  process.exitCode = 1
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // An exit removes the temporary folders; a bare signal would leave them.
    if (!handlesSignals) process.once(signal, () => process.exit(1))
  }
  try {
    if (await work()) process.exitCode = 0
  } catch (error) {
    console.error(`${commandName()}: ${describe(error)}`)
  } finally {
    cleanUp()
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function commandName(): string {
  return basename(process.argv[1] ?? 'command').replace(/\.\w+$/, '')
}
