/** The command line and exit codes of all commands in this repository. */
import { basename } from 'node:path'
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { cleanUp } from '../__tests__/support/clean-up.ts'

const commandName = basename(process.argv[1] ?? 'command').replace(/\.\w+$/, '')

/**
 * Reads the command line; `words` are the arguments that are not options. Exits with code 0 after printing the help for
 * `--help`, and with code 2 after one line on stderr for an invalid command line.
 */
export function readCommandLine<const Options extends ParseArgsOptionsConfig>(
  help: string,
  options: Options,
  allowPositionals = false,
) {
  if (process.argv.includes('--help')) {
    console.log(help)
    process.exit(0)
  }
  try {
    const { values, positionals: words } = parseArgs({ options, allowPositionals })
    return { options: values, words }
  } catch (error) {
    // The first sentence names the option; the rest explains how Node parses arguments.
    return stopForUsage(describe(error).replace(/[.\n].*/s, ''))
  }
}

/** Prints a usage problem to stderr, and exits with code 2. */
export function stopForUsage(problem: string): never {
  console.error(`${commandName}: ${problem}; run with --help to see the usage`)
  process.exit(2)
}

/**
 * Runs the work of a command, which returns whether it succeeded. The exit code is not 0 if it did not, throws (with one
 * line on stderr), never ends, or is ended by a signal. Temporary files are always removed.
 */
export async function runCommand(work: () => boolean | Promise<boolean>): Promise<void> {
  // The signal alone would leave temporary folders.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  try {
    process.exitCode = (await work()) ? 0 : 1
  } catch (error) {
    console.error(`${commandName}: ${describe(error)}`)
    // Servers that the work started would keep the process alive.
    process.exit(1)
  }
  cleanUp()
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
