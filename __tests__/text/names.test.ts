import { expect, it } from '@jest/globals'
import * as names from '../../src/text/names.ts'

it.each([
  ['notarization-records.jsonl', true, true],
  ['notarization-records-0123456789ab.jsonl', true, true],
  ['notarization-records.jsonl.tmp', true, false],
  ['notarization-records.txt', false, false],
  ['my-notarization-records.jsonl', false, false],
  ['notarization-evidence.md', true, false],
  ['my-notarization-evidence.md', false, false],
])('%s is a file of ours: %s, and holds records: %s', (name, isOurs, hasRecords) => {
  expect([names.isOwnFile(name), names.isRecordsAsset(name)]).toEqual([isOurs, hasRecords])
})

it.each([
  ['a b/c', '<hash>  a b/c\n'],
  ['-', '<hash>  ./-\n'],
  ['a\\b\nc\r', String.raw`\<hash>  a\\b\nc\r` + '\n'],
])('the line of a checksums file for %j is as sha256sum writes it', (name, line) => {
  expect(names.formatChecksum({ name, hash: '<hash>' })).toBe(line)
})

it('names are sorted by code units, and have a base name', () => {
  const sorted = ['Z', 'a', 'a', '\ud83c\udf89', '\uff01']
  expect(sorted.toReversed().sort(names.compareCodeUnits)).toEqual(sorted)
  expect(['a', 'x/a', '/y/x/a'].map(names.baseName)).toEqual(['a', 'a', 'a'])
})
