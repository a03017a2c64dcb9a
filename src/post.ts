/** Entry point of the post step: keeps the records that main did not come to keep. Loads nothing if there are none. */
import { resolve } from 'node:path'
import { describeError } from './failure.ts'
import { readState, tellKept, tellOnlyInLog, wholeLines, whyNoService } from './keep/state.ts'
import { readRegularFile } from './records/disk.ts'
import { readEnvironment, type Environment } from './runtime/environment.ts'
import { systemClock } from './runtime/outside.ts'
import { toLogLine } from './text/escape.ts'
import { recordsName } from './text/names.ts'

const { env } = process

// A separate bundle. The bundler would copy a literal path raw, without its imports.
const childPath = '../keep/index.js'

/** Returns an input, which is empty if it is not given. */
function readInput(name: string): string {
  return env[`INPUT_${name}`]?.trim() ?? ''
}

/** Keeps the records file if main did not, and says what main left and nothing has any more. */
async function keep(): Promise<void> {
  if (!/^(|true|True|TRUE)$/.test(readInput('KEEP-RECORDS'))) return
  if (/^(true|True|TRUE)$/.test(readInput('DRY-RUN'))) return
  const environment = readEnvironment(env, process.cwd())
  const path = resolve(environment.workspace, readInput('RECORDS-PATH') || recordsName)
  const records = readOrNothing(path)
  const run = { source: environment.source, isForRelease: readInput('RELEASE-TAG') !== '' }
  const { isDue, isLost } = readState(env['STATE_records'] ?? '', records, run)
  if (isLost) {
    warn(
      `Records of this run may be lost: it ended early, and something removed or changed "${path}" before this step could keep the records. Restore the file if you can; otherwise, files that this run registered are charged again.`,
    )
  }
  if (isDue) await keepLate(records, environment)
}

async function keepLate(records: Buffer, environment: Environment): Promise<void> {
  const ending = new AbortController()
  process.on('uncaughtException', error => {
    ending.abort(error)
  })
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      ending.abort(new Error('the job was canceled'))
    })
  }
  try {
    if (environment.artifactService === null) throw new Error(whyNoService)
    const { createWorkflowArtifacts } = await import('./keep/workflow-artifacts.ts')
    const artifacts = createWorkflowArtifacts(new URL(childPath, import.meta.url))
    const call = { environment, clock: systemClock, signal: ending.signal }
    const evidencePath = env['STATE_evidence-path'] ?? ''
    log(tellKept(await artifacts.keep({ records, evidencePath }, call)))
  } catch (error) {
    const only = tellOnlyInLog(describeError(error))
    const how = `${environment.docsUrl}/records.md#save-lines-from-the-log`
    warn(`${only} Save them, and give them to a new run, or you are charged again: ${how}`)
    wholeLines(records).forEach(log)
  }
}

/** Returns the bytes of the records file; nothing if it cannot be read, which is not for this step to report. */
function readOrNothing(path: string): Buffer {
  try {
    return readRegularFile(path)
  } catch {
    return Buffer.alloc(0)
  }
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
