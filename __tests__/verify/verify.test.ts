import { expect, it } from '@jest/globals'
import { verifyAction } from '../../src/verify/verify.ts'
import { hostIn } from '../artifacts/host.ts'
import { haltOf, keepReport } from '../report/results.ts'
import { makeLine, toJsonLines } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'

const recorded = toJsonLines([makeLine('https://app.dedit.io', 'a')])
const { root } = makeWorkspace({ 'dist/a': 'a', 'notarization-records.jsonl': recorded })

const nothing = 'matches no file; download the records files first'
const noRecords = `Input "records": "x*" ${nothing}; "y*" ${nothing}`
const noPattern = 'Input "records": it has no pattern; add one'
const noFile = expect.stringMatching(/^Input "path": "x\*" matches no file; correct the pattern/)
const noCommit = 'Input "sha" must be a full commit ID of 40 or 64 hex digits (got "x")'

it.each<[string, Readonly<Record<string, string>>, halt: 'cancelled' | null, readonly unknown[]]>([
  ['matches', {}, null, []],
  ['needs records', { records: 'x*\ny*' }, null, [noRecords]],
  ['needs a pattern for records', { records: '#' }, null, [noPattern]],
  ['needs artifacts', { path: 'x*' }, null, [noFile]],
  ['reports all wrong inputs', { records: '#', sha: 'x' }, null, [noCommit, noPattern]],
  ['stops if it is canceled', {}, 'cancelled', ['The run was canceled']],
])('a run %s', async (_, changes, halted, expected) => {
  const halt = halted === null ? haltOf() : haltOf(halted)
  const inputs = { path: 'dist', ...changes }
  const { exitCode, errors } = await keepReport(runner => {
    return verifyAction.run({ ...hostIn(root), runner, halt }, inputs)
  })
  expect(errors.map(text => text.split('. ')[0])).toEqual(expected)
  expect(exitCode).toBe(errors.length === 0 ? 0 : 1)
})
