import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { openRecordsFile, readRecords } from '../../src/records/store.ts'
import { cleanUp } from '../support/clean-up.ts'
import '../support/realms.ts'
import { hashOf } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { lineOf, SERVICE, stateLineOf } from './entries.ts'

afterAll(cleanUp)

const [one, two, three] = [lineOf(1), lineOf(2), lineOf(3)]

/** Reads a records file with this content, null for none, and the records assets of a release. */
function read(content: string | null, ...assets: readonly string[]) {
  const workspace = makeWorkspace(content === null ? {} : { 'records.jsonl': content })
  const path = workspace.path('records.jsonl')
  const others = assets.map((text, at) => ({ name: `asset-${at}`, bytes: Buffer.from(text) }))
  return { path, store: readRecords({ path, name: 'records.jsonl', others, service: SERVICE }) }
}

describe('the records that a run starts with', () => {
  it.each<[string, string | null, readonly string[], missing: string, known: number[]]>([
    ['a file alone', one + stateLineOf(2), [], '', [1, 2]],
    ['an asset alone', null, [one + stateLineOf(2)], one + stateLineOf(2), [1, 2]],
    ['equal files', one, [one], '', [1]],
    ['several assets', one, [two + one, three + two], two + three, [1, 2, 3]],
    ['a file that has more', one + two, [one], '', [1, 2]],
    ['a file without its last newline', one.trimEnd(), [one + two], two, [1, 2]],
    ['a file with an incomplete line', one + two.slice(0, 50), [two], two, [1, 2]],
  ])('come from the file and every asset: %s', (_, content, assets, missing, known) => {
    const { store } = read(content, ...assets)
    expect(store).toMatchObject({ damage: [], warnings: [] })
    expect(store.missing.toString()).toBe(missing)
    expect([1, 2, 3].filter(number => store.known.find(hashOf(number)))).toEqual(known)
  })

  it('are damaged if any of them is, each under its name', () => {
    expect(read('x\n', one, 'y\n').store.damage).toEqual([
      expect.stringContaining('"records.jsonl", line 1'),
      expect.stringContaining('"asset-1", line 1'),
    ])
  })

  it('leave out the incomplete last line of an asset, with a warning', () => {
    const { store } = read(null, one + two.slice(0, 50))
    const warnings = [expect.stringMatching(/"asset-0" is incomplete and was skipped/)]
    expect(store).toMatchObject({ damage: [], warnings, reading: { tail: 'whole' } })
    expect(store.missing.toString()).toBe(one)
  })

  it('stop the run if the file is there and cannot be read', () => {
    const { path } = read(null)
    mkdirSync(path)
    const query = { path, name: 'records.jsonl', others: [], service: SERVICE }
    expect(() => readRecords(query)).toThrow(
      /"records-path": "records.jsonl" cannot be read.*regular file/,
    )
  })
})

it.each<[string, string | null, readonly string[], hasWork: boolean, after: string | null]>([
  ['for a hash to register', null, [], true, ''],
  ['to complete its last line', one.trimEnd(), [], false, one],
  ['to cut off an incomplete last line', one + two.slice(0, 9), [], false, one],
  ['to add missing lines', one, [two], false, one + two],
  ['not if it has everything', one, [one], false, null],
  ['not if there is nothing', null, [], false, null],
])('the records file is opened %s', async (_, content, assets, hasWork, after) => {
  const { store, path } = read(content, ...assets)
  const file = await openRecordsFile(path, store, hasWork)
  await file?.close()
  expect(file === null).toBe(after === null)
  expect(existsSync(path) ? readFileSync(path, 'utf8') : null).toBe(after ?? content)
  expect(readdirSync(dirname(path)).length).toBeLessThan(2)
})
