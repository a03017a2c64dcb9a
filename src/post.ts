/** Entry point of the post step: keeps the records of this attempt. It loads nothing if there is nothing to keep. */
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { recordsName } from './artifacts/own-files.ts'
import { loadLibrary } from './keep/load-library.ts'
import { systemClock } from './runtime/clock.ts'
import { readEnvironment } from './runtime/environment.ts'
import { toLogLine } from './text/escape.ts'
import { describeError } from './text/system-error.ts'

const { env } = process

/** Returns an input as the runner gives it; empty for its default. */
function readInput(name: string): string {
  return (env[`INPUT_${name}`] ?? '').trim()
}

/** Keeps the records file if it has a line of this attempt. */
async function keep(): Promise<void> {
  const isKeeping = /^(|true|True|TRUE)$/.test(readInput('KEEP-RECORDS'))
  const isDryRun = /^(true|True|TRUE)$/.test(readInput('DRY-RUN'))
  const environment = readEnvironment(env, process.cwd())
  const { runId, runAttempt } = environment.source
  const path = resolve(environment.workspace, readInput('RECORDS-PATH') || recordsName)
  if (!isKeeping || isDryRun || runAttempt === null) return
  if (!(statSync(path, { throwIfNoEntry: false })?.isFile() ?? false)) return
  const records = readFileSync(path)
  // The text that every line of this attempt has in its source.
  if (!records.includes(JSON.stringify({ runId, runAttempt }).slice(1, -1))) return

  const ending = new AbortController()
  process.on('uncaughtException', error => {
    ending.abort(error)
  })
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      ending.abort(new Error('the job was canceled'))
    })
  }
  // Deprecation warnings about dependencies are noise in the log.
  process.noDeprecation = true
  await loadLibrary('../keep/index.js').keepRecords({
    records,
    evidencePath: env['STATE_evidence-path'] ?? '',
    attached: env['STATE_attached'] ?? '',
    runAttempt,
    environment,
    clock: systemClock,
    signal: ending.signal,
  })
}

// Main has reported an old Node. Whatever happens here, the job does not fail for it.
if (Number(process.versions.node.split('.')[0]) >= 24) {
  void keep()
    .catch((error: unknown) => {
      const why = toLogLine(describeError(error))
      process.stdout.write(`::warning::The records were not kept as a workflow artifact: ${why}\n`)
    })
    .then(() => {
      // Ends calls that hang, once the log is written.
      process.stdout.write('', () => process.exit(0))
    })
}
