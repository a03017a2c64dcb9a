import { expect, it } from '@jest/globals'
import { hashOf } from '../support/samples.ts'
import { artifact, compare, record, reportOf, unread } from './samples.ts'

it('the output results has the artifacts and what is recorded of them, sorted by name', async () => {
  const artifacts = [artifact('a', 1), artifact('b', 9), unread('c'), artifact('y', 1)]
  const entries = [record('b', 3), record('d', 4), record('y', 1)]
  const { outputs } = await reportOf(compare(artifacts, entries, true))
  const { hash, service, source, record: recorded } = record('b', 3)
  const sha = source.sha
  expect(JSON.parse(String(outputs['results']))).toMatchObject([
    { artifact: 'a', state: 'matched', message: 'Its record is under another name, "y".' },
    { artifact: 'b', size: 9, recorded: { artifact: 'b', hash, service, record: recorded, sha } },
    { artifact: 'c', state: 'unknown', size: null, hash: null, recorded: null },
    { artifact: 'y', size: 1, state: 'matched', message: '' },
    { artifact: 'd', state: 'missing', hash: hashOf(4) },
  ])
})

it('equal advice is one step with the first three reasons and names', async () => {
  const numbers = [4, 5, 6, 7]
  const artifacts = numbers.map(number => artifact(`${number}.zip`, number))
  const entries = numbers.map(n => record(`${n}.zip`, n, { service: `https://${n}.example` }))
  const { summary } = await reportOf(compare(artifacts, entries))
  expect(summary.match(/<li>.*/g)).toEqual([
    expect.stringMatching(/4\.example.*5\.example.*6\.example\..*6\.zip.*, and 1 more</),
  ])
})

it('more than 50 plain matches are folded, but no match with a note', async () => {
  const artifacts = Array.from({ length: 52 }, (_, index) => artifact(`file-${index}`, index))
  const named = artifacts.slice(1).map(({ name }, index) => record(name, index + 1))
  const { summary } = await reportOf(compare(artifacts, [record('other', 0), ...named]))
  const parts = summary.split('<details>')
  expect(parts.map(part => part.match(/<tr><td>/g)?.length)).toEqual([1, 51, undefined])
})

it('results over 120,000 bytes are left empty with a warning', async () => {
  const artifacts = Array.from({ length: 500 }, (_, index) => artifact(`${index}`, index))
  const { outputs, warnings } = await reportOf(compare(artifacts, []))
  const text = 'The output "results" is empty, because it would exceed 120,000 bytes'
  expect([outputs['results'], warnings]).toEqual(['', [text]])
})
