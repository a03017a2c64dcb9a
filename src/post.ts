/** Entry point of the post step: keeps the records of this attempt. It loads nothing if there is nothing to keep. */
import { hash } from 'node:crypto'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { recordsName } from './text/names.ts'
import type * as library from './keep/library.ts'
import { readIfThere, systemDisk } from './records/disk.ts'
import { systemClock } from './runtime/clock.ts'
import { readEnvironment } from './runtime/environment.ts'
import { toLogLine } from './text/escape.ts'
import { parseJsonObject } from './text/json.ts'
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
  if (!records.includes(ofAttempt)) return

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
  try {
    if (environment.artifactService === null) throw new Error('this server has no artifact service')
    const job = { environment, clock: systemClock, signal: ending.signal }
    const evidencePath = env['STATE_evidence-path'] ?? ''
    const name = await load('../keep/index.js').keepRecords(records, evidencePath, job)
    log(`The records are kept in the workflow artifact ${name}`)
  } catch (error) {
    reportNotKept(records, describeError(error))
  }
}

/** Prints the records, unless the release had all lines of the file when main saved its digest. */
function reportNotKept(records: Buffer, why: string): void {
  const failure = `The records could not be kept as a workflow artifact (${why})`
  if (env['STATE_attached'] === hash('sha256', records)) {
    log(`${failure}, but the release has all of them`)
    return
  }
  warn(
    `${failure}. Outside this machine, only this log has them, in the lines below: a later run that does not find these lines in its records file registers and charges again what they record`,
  )
  // Another step may still be writing the last line.
  const lines = records.toString().split('\n')
  for (const line of lines) if (parseJsonObject(line) !== undefined) log(line)
}

function log(text: string): void {
  process.stdout.write(`${toLogLine(text)}\n`)
}

function warn(text: string): void {
  process.stdout.write(`::warning::${toLogLine(text).replaceAll('%', '%25')}\n`)
}

// Main has reported an old Node. Whatever happens here, the job does not fail for it.
if (Number(process.versions.node.split('.')[0]) >= 24) {
  void keep()
    .catch((error: unknown) => {
      warn(`The records were not kept as a workflow artifact: ${describeError(error)}`)
    })
    .then(() => {
      // Ends calls that hang, once the log is written.
      process.stdout.write('', () => process.exit(0))
    })
}
