/** Entry point of the post step: keeps the records of this attempt. It loads nothing if there is nothing to keep. */
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { recordsName } from './artifacts/own-files.ts'
import type * as library from './keep/library.ts'
import { readIfThere, systemDisk } from './records/disk.ts'
import { systemClock } from './runtime/clock.ts'
import { readEnvironment } from './runtime/environment.ts'
import { toLogLine } from './text/escape.ts'
import { describeError } from './text/system-error.ts'

const { env } = process

// The bundler would replace a call of `import`.
const load: (path: string) => typeof library = createRequire(import.meta.url)

/** Keeps the records file if it has a line of this attempt. */
async function keep(): Promise<void> {
  // Empty if not given.
  const keepRecords = env['INPUT_KEEP-RECORDS']?.trim() ?? ''
  const recordsPath = env['INPUT_RECORDS-PATH']?.trim() ?? ''
  if (!/^(|true|True|TRUE)$/.test(keepRecords)) return
  const environment = readEnvironment(env, process.cwd())
  const { runId, runAttempt } = environment.source
  const path = resolve(environment.workspace, recordsPath || recordsName)
  // The text that every line of this attempt has in its source.
  const ofAttempt = JSON.stringify({ runId, runAttempt }).slice(1, -1)
  const records = readIfThere(path, systemDisk)
  if (runAttempt === null || !records.includes(ofAttempt)) return

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
  const state = {
    evidencePath: env['STATE_evidence-path'] ?? '',
    attached: env['STATE_attached'] ?? '',
  }
  const job = { environment, clock: systemClock, signal: ending.signal }
  await load('../keep/index.js').keepRecords(records, state, job)
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
