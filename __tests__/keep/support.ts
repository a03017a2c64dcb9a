/** A stand-in for the artifact service of each test, and what the library logs meanwhile. */
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeEach, jest } from '@jest/globals'
import { startArtifactService, type ArtifactService } from '../support/artifact-service.ts'
import { cleanUp } from '../support/clean-up.ts'
import { readLog, type StepLog } from '../support/commands.ts'
import '../support/realms.ts'

export const FILE = 'notarization-records.jsonl'

export let service: ArtifactService
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

/** Returns the log of the test so far. */
export function logSoFar(): StepLog {
  return readLog(output)
}

/** Makes a zip of deflated files. Nothing in it says how large they are. */
export function makeZip(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const locals: Buffer[] = []
  const heads: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const deflated = deflateRawSync(content)
    const local = Buffer.alloc(30 + name.length)
    local.writeUInt16LE(name.length, 26)
    local.write(name, 30)
    const head = Buffer.alloc(46 + name.length)
    head.writeUInt32LE(deflated.length, 20)
    head.writeUInt16LE(name.length, 28)
    head.writeUInt32LE(offset, 42)
    head.write(name, 46)
    locals.push(local, deflated)
    heads.push(head)
    offset += local.length + deflated.length
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(heads.length, 10)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, ...heads, end])
}
