import { expect, it } from '@jest/globals'
import { readRecords, type FoundRecords } from '../../src/records/found.ts'
import { lineOf } from './entries.ts'

const file = (input: FoundRecords['input'], text: string): FoundRecords => {
  return { name: `${input}.jsonl`, bytes: Buffer.from(text), input }
}

it('a damaged file is a problem with what to do, nothing of it is used, and the lines of others count', () => {
  const { problems, warnings, lines } = readRecords([
    file('records-path', lineOf(1) + 'x\n'.repeat(300)),
    file('keep-records', 'x\n'),
    file('release-tag', `${lineOf(2)}x\n`),
    file('earlier-releases', 'x\n'),
    file('records', 'x\n'),
    file('records', lineOf(3) + lineOf(4).slice(0, 30)),
  ])
  expect(problems).toMatchSnapshot()
  const why = 'is incomplete and was dropped: a run was stopped while writing it'
  expect(warnings).toEqual([`The last line of "records.jsonl" ${why}`])
  expect(Array.from(lines.keys(), text => `${text}\n`)).toEqual([lineOf(3)])
})
