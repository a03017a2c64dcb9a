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
