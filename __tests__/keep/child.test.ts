/** The child process itself, which the bundle `dist/keep` holds. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, it } from '@jest/globals'
import type { UploadTask } from '../../src/keep/messages.ts'
import { startArtifactService, type ArtifactService } from '../support/artifact-service.ts'
import { cleanUp, onCleanUp } from '../support/clean-up.ts'
import { boom, whenListening } from '../support/script.ts'
import { until } from '../support/until.ts'
import { makeTemporaryFolder } from '../support/workspace.ts'
import { FILE, nameFor } from './support.ts'

let service: ArtifactService

beforeEach(async () => {
  service = await startArtifactService()
  service.fail('CreateArtifact', 'silence')
})

afterAll(cleanUp)

/** Starts the process with an upload that gets no response. */
function start(nodeArguments: readonly string[] = []): ChildProcess {
  const script = new URL('../../src/keep/child.ts', import.meta.url)
  const env = { ...service.env, PATH: process.env['PATH'] }
  const execArgv = ['--no-warnings', ...nodeArguments]
  const child = fork(script, { env, execArgv, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  onCleanUp(() => child.kill('SIGKILL'))
  const folder = makeTemporaryFolder()
  const files = [join(folder, FILE)]
  writeFileSync(join(folder, FILE), 'records')
  const secrets = [service.token]
  const task: UploadTask = { kind: 'upload', folder, secrets, name: nameFor('records'), files }
  child.send(task)
  return child
}

it('outlives a signal, and ends with its parent process', async () => {
  const child = start()
  await until(() => service.calls.length > 0)
  child.kill('SIGINT')
  child.kill('SIGTERM')
  child.disconnect()
  expect(await once(child, 'exit')).toEqual([0, null])
})

it('replies to an error that nothing caught, and ends', async () => {
  const child = start(whenListening('uncaughtException', boom))
  const replies: unknown[] = []
  child.on('message', message => replies.push(message))
  await once(child, 'close')
  expect(replies).toEqual([{ kind: 'failed', why: 'boom', cause: 'other' }])
})
