import { readFileSync } from 'node:fs'
import { afterAll, expect, it } from '@jest/globals'
import { writeChecksumsFile } from '../../src/report/deliver.ts'
import { cleanUp } from '../support/clean-up.ts'
import { hashOf } from '../support/samples.ts'
import { makeTemporaryFolder } from '../support/workspace.ts'

afterAll(cleanUp)

const artifacts = [
  { name: 'a', hash: hashOf(1) },
  { name: 'b', hash: null },
]

it('the checksums file has what was hashed', async () => {
  const path = await writeChecksumsFile(artifacts, makeTemporaryFolder())
  expect(readFileSync(path, 'utf8')).toBe(`${hashOf(1)}  a\n`)
})

it('no checksums file is written when nothing was hashed', async () => {
  expect(await writeChecksumsFile(artifacts.slice(1), '/none')).toBe('')
})

it('a checksums file that cannot be written stops the run', async () => {
  await expect(writeChecksumsFile(artifacts, '/none')).rejects.toMatchObject({
    name: 'Stop',
    problems: [{ input: null, message: expect.stringContaining('RUNNER_TEMP') }],
  })
})
