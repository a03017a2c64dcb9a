/** The command line and exit codes of all commands in this repository. */
import { writeSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { cleanUp } from '../__tests__/support/clean-up.ts'

/**
 * Reads the command line; `words` are the arguments that are not options. Exits with code 0 after printing the help for
 * `--help`, and with code 2 after one line on stderr for an invalid command line.
 */
export function readCommandLine<const Options extends ParseArgsOptionsConfig>(
  help: string,
  options: Options,
  maxWords = 0,
) {
  if (process.argv.includes('--help')) {
    writeSync(1, help)
    process.exit(0)
  }
  try {
    const { values, positionals: words } = parseArgs({ options, allowPositionals: true })
    if (words.length > maxWords) stopForUsage(`unexpected "${words[maxWords]}"`)
    return { options: values, words }
  } catch (error) {
    // The first sentence names the option; the rest explains how Node parses arguments.
    return stopForUsage(describe(error).replace(/[.\n].*/s, ''))
  }
}

/** Reads an option that is a whole number. Exits with code 2 if it is not. */
export function wholeNumber(name: string, text: string, { min = 0, max = Infinity } = {}): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= min && number <= max) return number
  return stopForUsage(`--${name} must be a whole number from ${min} to ${max}`)
}

/** Prints a usage problem to stderr, and exits with code 2. */
export function stopForUsage(problem: string): never {
  writeSync(2, `${commandName()}: ${problem}; run with --help to see the usage\n`)
  process.exit(2)
}

/**
 * Runs the work of a command, which returns whether it succeeded. The exit code is 1 if it did not, if it throws (with
 * one line on stderr), or if it ends early or by a signal. Temporary files are always removed.
 */
export async function runCommand(work: () => boolean | Promise<boolean>): Promise<void> {
  // Work that ends early must not look like a success.
  process.exitCode = 1
  // `process.exit` removes the temporary folders; the signal alone would not.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  try {
    if (await work()) process.exitCode = 0
  } catch (error) {
    console.error(`${commandName()}: ${describe(error)}`)
    // Servers that the work started would keep the process alive.
    process.exit(1)
  }
  cleanUp()
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function commandName(): string {
  return basename(process.argv[1] ?? 'command').replace(/\.\w+$/, '')
}
