/** The command line and exit codes of all commands in this repository. */
import { writeSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { z } from 'zod'
import { cleanUp } from '../__tests__/support/clean-up.ts'

/** The schema of an option that is a whole number. */
export function wholeNumber({ min = 0, max = Number.MAX_SAFE_INTEGER } = {}) {
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`
  const message = `must be a whole number ${range}`
  const digits = z.string().regex(/^\d+$/, message).transform(Number)
  return digits.pipe(z.number().min(min, message).max(max, message))
}

/**
 * Reads the command line. Each field of the schema is an option; `words` are the other arguments. Exits with code 0
 * after printing the help for `--help`, and with code 2 after one line on stderr for an invalid command line.
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
    // The first sentence names the option; the rest explains how Node parses arguments.
    return stopForUsage(
      describe(error)
        .replace(/[.\n].*/s, '')
        .replaceAll("'", '"'),
    )
  }
}

/** Prints a usage problem to stderr, and exits with code 2. */
export function stopForUsage(problem: string): never {
  writeSync(2, `${commandName()}: ${problem}; run with --help to see the usage\n`)
  process.exit(2)
}

/**
 * Runs the work of a command, which returns whether it succeeded. The exit code is 1 if it did not, if it throws (with
 * one line on stderr) or if it ends early. Temporary files are always removed. A signal ends the process unless
 * `handlesSignals` is set.
 */
export async function runCommand(
  work: () => boolean | Promise<boolean>,
  { handlesSignals = false } = {},
): Promise<void> {
  // Work that ends early must not look like a success.
  process.exitCode = 1
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // `process.exit` removes the temporary folders; the signal alone would not.
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
