/** What the child process does, with the real library and a stand-in for the artifact service. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import type { ChildReply } from '../../src/keep/messages.ts'
import { readZipEntry } from '../../src/keep/zip-entry.ts'
import { startArtifactService, type ArtifactService } from '../support/artifact-service.ts'
import { cleanUp } from '../support/clean-up.ts'
import '../support/realms.ts'
import { makeTemporaryFolder } from '../support/workspace.ts'
import { FILE, makeZip, nameFor } from './support.ts'

const MiB = 1024 * 1024
const own = nameFor('records')

let service: ArtifactService
let performTask: typeof import('../../src/keep/library.ts').performTask
let output: string

beforeAll(async () => {
  service = await startArtifactService()
  Object.assign(process.env, service.env)
  // The library logs requests that fail to what this is when it is imported.
  jest.spyOn(console, 'error').mockReturnValue()
  // The library reads the environment when it is imported.
  ;({ performTask } = await import('../../src/keep/library.ts'))
})

beforeEach(() => {
  service.reset()
  output = ''
  jest.spyOn(process.stdout, 'write').mockImplementation(text => {
    output += String(text)
    return true
  })
})

afterAll(cleanUp)

/** Uploads a file, and checks that no reply shows the token. */
async function upload(): Promise<ChildReply> {
  const folder = makeTemporaryFolder()
  const file = join(folder, FILE)
  writeFileSync(file, 'records')
  const secrets = [service.token]
  const reply = await performTask({ kind: 'upload', folder, secrets, name: own, files: [file] })
  expect(JSON.stringify(reply)).not.toContain(service.token)
  return reply
}

/** Downloads from the artifact service, or through the GitHub API. */
async function download(isByApi = false): Promise<ChildReply> {
  const { token, githubToken } = service
  const secrets = [token, githubToken]
  const repository = { repositoryOwner: 'octo', repositoryName: 'app', workflowRunId: 1 }
  const findBy = isByApi ? { token: githubToken, ...repository } : null
  const folder = makeTemporaryFolder()
  const reply = await performTask({ kind: 'download', folder, secrets, findBy })
  for (const secret of secrets) expect(JSON.stringify(reply)).not.toContain(secret)
  return reply
}

/** Returns the records of each downloaded artifact by its name. */
function recordsIn(reply: ChildReply): Readonly<Record<string, string>> {
  if (reply.kind !== 'downloaded') throw new Error(JSON.stringify(reply))
  const read = (path: string): string => readZipEntry(readFileSync(path), FILE, MiB).toString()
  return Object.fromEntries(reply.artifacts.map(({ name, path }) => [name, read(path)]))
}

describe('an upload', () => {
  it('has the files at its top', async () => {
    const { [own]: zip = Buffer.of() } = await upload().then(() => service.artifacts)
    expect(readZipEntry(zip, FILE, MiB).toString()).toBe('records')
    expect(output).toContain(`::add-mask::${service.token}`)
  })

  it('succeeds if its name is taken, because the same name means the same bytes', async () => {
    service.add(own, makeZip({ [FILE]: 'records' }))
    expect(await upload()).toMatchObject({ kind: 'uploaded', name: own })
  })

  it('has another name if an upload that broke off blocks the first, also its own', async () => {
    service.block(own)
    expect(await upload()).toMatchObject({ kind: 'uploaded', name: `${own}-1` })
    service.reset()
    service.fail('FinalizeArtifact', 403)
    expect(await upload()).toMatchObject({ kind: 'uploaded', name: `${own}-1` })
  })

  it('fails with the status if the service refuses it twice', async () => {
    service.fail('CreateArtifact', 403, 2)
    const why = expect.stringContaining('403')
    expect(await upload()).toEqual({ kind: 'failed', why, cause: 'other' })
  })
})

describe('a download', () => {
  const add = (records: string, name = nameFor(records)): void => {
    service.add(name, makeZip({ [FILE]: records }))
  }

  it.each([false, true])('reads every artifact of ours (by the API: %s)', async isByApi => {
    const second = `${nameFor('second')}-1`
    add('first')
    add('second', second)
    add('other', 'notarization-records-linux')
    add('other', `x-${nameFor('other')}`)
    service.block(nameFor('broken off'))
    const found = { [nameFor('first')]: 'first', [second]: 'second' }
    expect(recordsIn(await download(isByApi))).toEqual(found)
    expect(service.calls.includes('ListArtifacts')).toBe(!isByApi)
  })

  it.each([
    ['ListArtifacts', 403, false, 'other'],
    ['GetSignedArtifactURL', 404, false, 'other'],
    ['list by API', 403, true, 'refused'],
    ['download by API', 404, true, 'other'],
  ] as const)('fails if %s returns %d', async (call, status, isByApi, cause) => {
    add('first')
    // The library repeats a refusal of the API five times.
    service.fail(call, status, 6)
    expect(await download(isByApi)).toMatchObject({ kind: 'failed', cause })
  })

  it('does not begin if artifacts exceed 64 MiB together', async () => {
    add('first')
    service.add(nameFor('large'), makeZip({ [FILE]: 'large' }), 64 * MiB)
    expect(await download()).toMatchObject({ kind: 'failed', cause: 'too-large' })
    expect(service.calls).toEqual(['ListArtifacts'])
  })
})
