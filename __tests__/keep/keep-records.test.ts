/** Keeps records, with the real library; `e2e/keep.test.ts` runs the whole post step. */
import { expect, it } from '@jest/globals'
import { keepRecords } from '../../src/keep/library.ts'
import { readZipEntry } from '../../src/keep/zip-entry.ts'
import { systemClock, type Clock } from '../../src/runtime/clock.ts'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { FILE, service } from './support.ts'

const text = '{"artifact":"a"}\n{"artifact":"b'

async function keep(evidencePath: string, clock: Clock): Promise<void> {
  const { root, temp } = makeWorkspace()
  const variables = { ...service.env, RUNNER_TEMP: temp, GITHUB_RUN_ATTEMPT: '3' }
  const { signal } = new AbortController()
  const job = { environment: readEnvironment(variables, root), clock, signal }
  await keepRecords(Buffer.from(text), evidencePath, job)
}

it('keeps every byte, even if the evidence page is gone, and another step is writing a line', async () => {
  await keep('/gone.md', systemClock)
  const [[name, zip] = ['', Buffer.alloc(0)]] = Object.entries(service.artifacts)
  expect(name).toMatch(/^notarization-records-3-/)
  expect(readZipEntry(zip, FILE, 1000).toString()).toBe(text)
})

it('gives up after 2 minutes', async () => {
  service.fail('CreateArtifact', 'silence')
  const waits: number[] = []
  const sleep = (ms: number): Promise<void> => {
    waits.push(ms)
    return Promise.resolve()
  }
  await expect(keep('', { ...systemClock, sleep })).rejects.toThrow('more than 2 minutes')
  expect(waits).toEqual([120_000])
})
