/** Keeps records, with the real library and a stand-in for the artifact service. `e2e/keep.test.ts` runs the post step. */
import { join } from 'node:path'
import { afterAll, beforeEach, expect, it, jest } from '@jest/globals'
import { keepRecords, type KeepTask } from '../../src/keep/keep-records.ts'
import { readZipEntry } from '../../src/keep/zip-entry.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { startArtifactService, type ArtifactService } from '../support/artifact-service.ts'
import { cleanUp } from '../support/clean-up.ts'
import { readLog } from '../support/commands.ts'
import '../support/realms.ts'
import { makeWorkspace } from '../support/workspace.ts'

const file = 'notarization-records.jsonl'
const line = '{"artifact":"a"}'
const cutOff = '{"artifact":"b'
let service: ArtifactService
let output: string

beforeEach(async () => {
  service = await startArtifactService()
  Object.assign(process.env, service.env)
  output = ''
  jest.spyOn(process.stdout, 'write').mockImplementation(text => {
    output += String(text)
    return true
  })
})

afterAll(cleanUp)

async function keep(changes: Partial<KeepTask> = {}): Promise<void> {
  const { root, temp } = makeWorkspace()
  await keepRecords({
    records: Buffer.from(`${line}\n${cutOff}`),
    evidencePath: '',
    attached: '',
    runAttempt: '1',
    environment: readEnvironment({ ...service.env, RUNNER_TEMP: temp }, root),
    clock: systemClock,
    signal: new AbortController().signal,
    ...changes,
  })
}

it('keeps every byte, even if the evidence page is gone', async () => {
  await keep({ evidencePath: join(makeWorkspace().root, 'gone.md') })
  const [zip = Buffer.alloc(0)] = Object.values(service.artifacts)
  expect(readZipEntry(zip, file, 1000).toString()).toBe(`${line}\n${cutOff}`)
})

it('gives up after 2 minutes, and prints what is a line', async () => {
  service.fail('CreateArtifact', 'silence')
  const waits: number[] = []
  const sleep = (ms: number): Promise<void> => {
    waits.push(ms)
    return Promise.resolve()
  }
  await keep({ clock: { ...systemClock, sleep } })
  const { annotations, lines } = readLog(output, [])
  expect(waits).toEqual([120_000])
  expect(annotations.warning).toEqual([expect.stringMatching(/more than 2 minutes/)])
  expect(lines.filter(text => text.startsWith('{'))).toEqual([line])
  expect(lines.indexOf('::endgroup::')).toBeLessThan(lines.indexOf(line))
})
