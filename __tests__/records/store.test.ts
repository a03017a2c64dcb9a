import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { openRecordsFile, readRecords } from '../../src/records/store.ts'
import { cleanUp } from '../support/clean-up.ts'
import '../support/realms.ts'
import { hashOf } from '../support/samples.ts'
import { moduleUrl, runScript } from '../support/script.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { lineOf, SERVICE, stateLineOf } from './entries.ts'

afterAll(cleanUp)

/** Reads a records file with this content, and what a release holds; null is no file. */
function read(content: string | null, held: string | null = null) {
  const workspace = makeWorkspace(content === null ? {} : { 'records.jsonl': content })
  const path = workspace.path('records.jsonl')
  const query = { path, name: 'records.jsonl', service: SERVICE }
  const store = readRecords({ ...query, held: held === null ? null : Buffer.from(held) })
  const known = [1, 2].filter(number => store.known.find(hashOf(number)) !== undefined)
  return { store, known, path, open: (hashes: number) => openRecordsFile(path, hashes, store) }
}

describe('the records that a run begins with', () => {
  it.each<[string, string | null, string | null, string, number]>([
    ['a file and a release that lack nothing of each other', lineOf(1), lineOf(1), '', 1],
    ['a release that has more', lineOf(1), lineOf(2) + lineOf(1), lineOf(2), 2],
    ['a file that has more', lineOf(1) + lineOf(2), lineOf(1), '', 2],
    ['a release and no file', null, lineOf(1) + stateLineOf(2), lineOf(1) + stateLineOf(2), 2],
    ['a file and no release', lineOf(1) + stateLineOf(2), null, '', 2],
    ['a file that is open and a release', lineOf(1).trimEnd(), lineOf(1) + lineOf(2), lineOf(2), 2],
  ])('are those of %s', (_, content, held, adopted, count) => {
    const { store, known } = read(content, held)
    expect(store).toMatchObject({ damage: [], warnings: [] })
    expect(store.adopted.toString()).toBe(adopted)
    expect(known).toHaveLength(count)
  })

  it('are damaged if either is, each with its name', () => {
    expect(read('x\n', 'y\n').store.damage).toEqual([
      expect.stringContaining('"records.jsonl", line 1'),
      expect.stringContaining('"the records of the release", line 1'),
    ])
  })

  it('leave out an incomplete line: that of the release with a warning, that of the file when it is opened', () => {
    const text = lineOf(1) + lineOf(2).slice(0, 50)
    const ofRelease = read(null, text).store
    expect(ofRelease).toMatchObject({ damage: [], tail: { state: 'whole' } })
    expect(ofRelease.warnings).toEqual([expect.stringContaining('incomplete')])
    expect(ofRelease.adopted.toString()).toBe(lineOf(1))
    const tail = { state: 'incomplete', goodBytes: lineOf(1).length }
    expect(read(text).store).toMatchObject({ warnings: [], damage: [], tail })
  })
})

const good = lineOf(1)

it.each<[string, string | null, string | null, number, string | null]>([
  ['for hashes to register', null, null, 1, ''],
  ['to complete its last line', good.trimEnd(), null, 0, good],
  ['to cut an incomplete last line', good + lineOf(2).slice(0, 9), null, 0, good],
  ['to cut its only line', good.slice(0, 10), null, 0, ''],
  ['to adopt lines', good, lineOf(2), 0, good + lineOf(2)],
  ['to complete it and adopt', good.trimEnd(), lineOf(2), 0, good + lineOf(2)],
  ['to cut it and adopt', good + lineOf(3).slice(0, 9), lineOf(2), 0, good + lineOf(2)],
  ['for more hashes than any disk has room for', good, null, 1_000_000_000, good],
  ['not for nothing', null, null, 0, null],
  ['not if it has all', good, good, 0, null],
])('the file is opened %s', async (_, content, held, hashes, after) => {
  const { open, path } = read(content, held)
  const file = await open(hashes)
  expect(file === null).toBe(after === null)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : null
  expect(text).toBe(after ?? content)
  await file?.append(lineOf(5))
  await file?.close()
  if (file !== null) expect(readFileSync(path, 'utf8')).toBe(`${text ?? ''}${lineOf(5)}`)
  expect(readdirSync(dirname(path))).toEqual(text === null ? [] : ['records.jsonl'])
})

it('200,000 lines are read in less than 512 MiB, and the hash of any is found', () => {
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
    for (let number = 0; number < 200_000; number += 10)
      if (known.find(number.toString(16).padStart(64, '0'))?.state === 'registered') found += 1
    console.log(found, process.resourceUsage().maxRSS / 1024)`,
    { maxHeapMib: 256 },
  )
  expect(stderr).toBe('')
  const [found, mib] = stdout.split(' ').map(Number)
  expect(found).toBe(20_000)
  expect(mib).toBeLessThan(512)
})
