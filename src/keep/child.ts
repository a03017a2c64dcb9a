/** Entry point of the bundle `dist/keep`: a process that performs one task with `@actions/artifact`, replies, and exits. */
import { failTask, performTask } from './library.ts'
import { isTask, type ChildReply } from './messages.ts'

const write = process.stdout.write.bind(process.stdout)

/** Ends whatever the library leaves behind, once the log is written. */
function reply(message: ChildReply): void {
  process.send?.(message, undefined, undefined, () => {
    write('', () => process.exit())
  })
}

/** Replaces secrets in what the library logs, such as responses in the debug log. */
function redactLog(secrets: readonly string[]): void {
  process.stdout.write = (text: string | Uint8Array) => {
    let line = text.toString()
    const isMask = line.startsWith('::add-mask::')
    for (const secret of secrets) if (!isMask) line = line.replaceAll(secret, '***')
    return write(line)
  }
}

// The log reader may disconnect.
process.stdout.on('error', () => undefined)
// The parent process ends this one, after a signal too.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit())
process.once('message', (task: unknown) => {
  if (!isTask(task)) return
  redactLog(task.secrets)
  process.on('uncaughtException', error => {
    reply(failTask(error, task))
  })
  void performTask(task).then(reply)
})
