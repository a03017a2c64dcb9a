import { appendFileSync, readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from '@jest/globals'
import { openRecordsFile, readRecords, type RecordsQuery } from '../../src/records/store.ts'
import { cleanUp } from '../support/clean-up.ts'
import '../support/realms.ts'
import { hashOf } from '../support/samples.ts'
import { moduleUrl, runScript } from '../support/script.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { lineOf, SERVICE, stateLineOf } from './entries.ts'

afterAll(cleanUp)

/** Reads a records file with this content, and what a release holds. */
function read(
  content: string | null,
  held: string | null = null,
  changes: Partial<RecordsQuery> = {},
) {
  const workspace = makeWorkspace(content === null ? {} : { 'records.jsonl': content })
  const path = workspace.path('records.jsonl')
  const query = { path, name: 'records.jsonl', service: SERVICE, ...changes }
  const store = readRecords({ ...query, held: held === null ? null : Buffer.from(held) })
  const open = (hashes: number) => openRecordsFile(path, hashes, store)
  return { store, path, open, exists: () => workspace.exists('records.jsonl') }
}

describe('the records that a run begins with', () => {
  it.each<[string, string | null, string | null, string, number]>([
    ['a file and a release that lack nothing of each other', lineOf(1), lineOf(1), '', 1],
    ['a release that has more', lineOf(1), lineOf(2) + lineOf(1), lineOf(2), 2],
    ['a file that has more', lineOf(1) + lineOf(2), lineOf(1), '', 2],
    ['a release and no file', null, lineOf(1) + stateLineOf(2), lineOf(1) + stateLineOf(2), 2],
    ['a file and no release', lineOf(1) + stateLineOf(2), null, '', 2],
    ['a file that is open and a release', lineOf(1).trimEnd(), lineOf(1) + lineOf(2), lineOf(2), 2],
  ])('are those of %s', (_, content, held, adopted, known) => {
    const { store } = read(content, held)
    expect(store).toMatchObject({ damage: [], warnings: [] })
    expect(store.adopted.toString()).toBe(adopted)
    expect([1, 2].filter(number => store.known.find(hashOf(number)) !== undefined)).toHaveLength(
      known,
    )
  })

  it('are damaged if either is, each with its name', () => {
    const { store } = read('x\n', 'y\n')
    expect(store.damage).toEqual([
      expect.stringContaining('"records.jsonl", line 1'),
      expect.stringContaining('"the records of the release", line 1'),
    ])
  })

  it('leave out an incomplete line of the release, with a warning', () => {
    const { store } = read(null, lineOf(1) + lineOf(2).slice(0, 50))
    expect(store).toMatchObject({ damage: [], warnings: [expect.stringContaining('incomplete')] })
    expect(store.adopted.toString()).toBe(lineOf(1))
    expect(store.tail.state).toBe('whole')
  })

  it('say how the file of the workspace ends', () => {
    expect(read(lineOf(1) + lineOf(2).slice(0, 50)).store).toMatchObject({
      ...{ warnings: [], damage: [], tail: { state: 'incomplete', goodBytes: lineOf(1).length } },
    })
  })
})

describe('the file is opened', () => {
  it.each<[string, string | null, string | null, number, string]>([
    ['for hashes to register', null, null, 1, ''],
    ['to complete its last line', lineOf(1).trimEnd(), null, 0, lineOf(1)],
    ['to cut an incomplete last line', lineOf(1) + lineOf(2).slice(0, 9), null, 0, lineOf(1)],
    ['to adopt lines', lineOf(1), lineOf(2), 0, lineOf(1) + lineOf(2)],
    ['for more hashes than any disk has room for', lineOf(1), null, 1_000_000_000, lineOf(1)],
  ])('%s', async (_, content, held, hashes, after) => {
    const { open, path } = read(content, held)
    const file = await open(hashes)
    await file?.close()
    expect(file).not.toBeNull()
    expect(readFileSync(path, 'utf8')).toBe(after)
  })

  it('only if there is something to write or to complete', async () => {
    const missing = read(null)
    expect(await missing.open(0)).toBeNull()
    expect(missing.exists()).toBe(false)
    expect(await read(lineOf(1), lineOf(1)).open(0)).toBeNull()
  })
})

it('200,000 lines are read in less than 512 MiB, and each hash is found', () => {
  const path = makeWorkspace().path('records.jsonl')
  const line = lineOf(7)
  for (let start = 0; start < 200_000; start += 1000) {
    const numbers = Array.from({ length: 1000 }, (_, index) => start + index)
    appendFileSync(path, numbers.map(one => line.replaceAll(hashOf(7), hashOf(one))).join(''))
  }
  const query = { path, name: 'records.jsonl', held: null, service: SERVICE }
  const { stdout, stderr } = runScript(
    `
    import { readRecords } from ${JSON.stringify(moduleUrl('src/records/store.ts'))}
    const { known } = readRecords(${JSON.stringify(query)})
    let found = 0
    for (let number = 0; number < 200_000; number++)
      if (known.find(number.toString(16).padStart(64, '0'))?.state === 'registered') found += 1
    console.log(found, process.resourceUsage().maxRSS / 1024)`,
    { maxHeapMib: 256 },
  )
  expect(stderr).toBe('')
  const [found, mib] = stdout.split(' ').map(Number)
  expect(found).toBe(200_000)
  expect(mib).toBeLessThan(512)
})
