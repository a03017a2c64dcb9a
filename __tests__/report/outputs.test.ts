import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from '@jest/globals'
import { writeChecksumsFile } from '../../src/report/deliver.ts'
import { maxRecordsBytes } from '../../src/report/outputs.ts'
import { cleanUp } from '../support/clean-up.ts'
import { hashOf } from '../support/samples.ts'
import { makeTemporaryFolder } from '../support/workspace.ts'
import { before, endedWith, failedAs, registeredAs, reportAll } from './results.ts'

afterAll(cleanUp)

const outputsOf = async (...given: Parameters<typeof reportAll>) => {
  const { outputs } = await reportAll(...given)
  return { records: String(outputs['records']), failures: String(outputs['failures']) }
}

describe('the outputs records and failures', () => {
  it('have an entry for each artifact, with its fields in their order, and leave out what says nothing', async () => {
    const results = [
      failedAs('a'),
      registeredAs('b', { extra: [1] }),
      { ...registeredAs('c', { paymentId: 'p' }, before), size: null },
      registeredAs('d', { payload: '***' }, { redacted: ['/payload'], unansweredTries: 2 }),
      { ...failedAs('e', { code: 'unreadable', remedy: 'allow it' }), size: null, hash: null },
    ]
    const verificationUrl = 'https://x.example/{hash}'
    const { records, failures } = await outputsOf(endedWith(...results), { verificationUrl })
    const url = `"verificationUrl":"https://x.example/${hashOf(1)}"`
    expect(records).toBe(
      `[{"artifact":"b","size":7,"hash":"${hashOf(1)}","from":"this-run","record":{"extra":[1]},${url}},` +
        `{"artifact":"c","size":null,"hash":"${hashOf(1)}","from":"records-file","record":{"paymentId":"p"},${url}},` +
        `{"artifact":"d","size":7,"hash":"${hashOf(1)}","from":"this-run","record":{"payload":"***"},"redacted":["/payload"],${url},"unansweredTries":2}]`,
    )
    const message =
      'the service is away; this run did not register it, and nothing was spent for it'
    expect(failures).toBe(
      `[{"artifact":"a","size":7,"hash":"${hashOf(2)}","code":"unavailable","registered":"no","message":"${message}; try later"},` +
        `{"artifact":"e","size":null,"hash":null,"code":"unreadable","registered":"no","message":"${message}; allow it"}]`,
    )
  })

  it('are whole up to 120,000 bytes of UTF-8, and cut to whole entries of 50,000 characters', async () => {
    const ending = (padding: string) =>
      endedWith(registeredAs('a', { description: padding }), failedAs('b'), failedAs(padding))
    const empty = await outputsOf(ending(''))
    const bytes = maxRecordsBytes - Buffer.byteLength(empty.records)
    const wide = '漢'.repeat(Math.floor(bytes / 3)) + 'x'.repeat(bytes % 3)
    expect(Buffer.byteLength((await outputsOf(ending(wide))).records)).toBe(maxRecordsBytes)
    expect((await outputsOf(ending(`${wide}x`))).records).toBe('')
    const long = 'x'.repeat(50_000 - empty.failures.length)
    expect((await outputsOf(ending(long))).failures).toHaveLength(50_000)
    expect(JSON.parse((await outputsOf(ending(`${long}x`))).failures)).toHaveLength(1)
  })

  it('cut a long message visibly', async () => {
    const { failures } = await outputsOf(endedWith(failedAs('a', { what: 'x'.repeat(100_000) })))
    expect(failures.length).toBeLessThan(1500)
    expect(failures).toMatch(/cut, 100\d\d\d characters/)
  })
})

describe('the checksums file', () => {
  const artifacts = [
    { name: 'a', hash: hashOf(1) },
    { name: 'b', hash: null },
  ]

  it('has what was hashed, and is not there when nothing was', async () => {
    const path = await writeChecksumsFile(artifacts, makeTemporaryFolder())
    expect(readFileSync(path, 'utf8')).toBe(`${hashOf(1)}  a\n`)
    expect(await writeChecksumsFile(artifacts.slice(1), '/none')).toBe('')
  })

  it('stops the run when it cannot be written', async () => {
    await expect(writeChecksumsFile(artifacts, '/none')).rejects.toMatchObject({
      name: 'Stop',
      problems: [{ input: null, message: expect.stringContaining('RUNNER_TEMP') }],
    })
  })
})
