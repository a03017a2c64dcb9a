import { afterAll, expect, it } from '@jest/globals'
import { verifyAction } from '../../src/verify/verify.ts'
import { hostIn } from '../artifacts/host.ts'
import { haltOf, keepReport } from '../report/results.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeLine, toJsonLines } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'

afterAll(cleanUp)

const recorded = toJsonLines([makeLine('https://app.dedit.io', 'a')])
const { root } = makeWorkspace({ 'dist/a': 'a', 'notarization-records.jsonl': recorded })

it.each<[string, Readonly<Record<string, string>>, halt: 'cancelled' | null, error: RegExp]>([
  ['matches', {}, null, /^$/],
  ['needs records', { records: 'x*.jsonl' }, null, /"x\*\.jsonl" matches no file; download the/],
  ['needs a pattern for records', { records: '#' }, null, /"records": it has no pattern; add/],
  ['reports all wrong inputs', { records: '#', sha: 'x' }, null, /"sha" .*\n.*"records"/],
  [
    'stops if it is canceled',
    {},
    'cancelled',
    /^The run was canceled\. .* No artifact was verified/,
  ],
])('a run %s', async (_, changes, halted, error) => {
  const halt = halted === null ? haltOf() : haltOf(halted)
  const inputs = { path: 'dist', ...changes }
  const { exitCode, errors } = await keepReport(runner => {
    return verifyAction.run({ ...hostIn(root), runner, halt }, inputs)
  })
  expect(errors.join('\n')).toMatch(error)
  expect(exitCode).toBe(errors.length === 0 ? 0 : 1)
})
