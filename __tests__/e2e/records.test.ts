/** What the end of a records file means for a run. */
import { expect, it } from '@jest/globals'
import { checkStopped, FILE, makeLetters, makeLine, notarize } from './support.ts'
import { startService, toJsonLines, trafficOf } from './support.ts'

it('an incomplete last line is cut off with a warning, also if nothing is left to register', async () => {
  const service = await startService()
  const whole = toJsonLines([makeLine(service.url, 'a')])
  const workspace = makeLetters('a')
  workspace.write(FILE, `${whole}{"artifact":"d`)
  const run = await notarize({ service, workspace })
  const warning = expect.stringMatching(/last line of ".*records.jsonl" is incomplete.*cut off/)
  expect(run.annotations.warning).toEqual([warning])
  expect(workspace.read(FILE)).toBe(whole)
  expect(trafficOf(service)).toEqual([])
})

it('a damaged line stops the run, and the file stays byte for byte', async () => {
  const service = await startService()
  const text = `${toJsonLines([makeLine(service.url, 'good')])}notes of somebody`
  const workspace = makeLetters('a')
  workspace.write(FILE, text)
  const run = await notarize({ service, workspace })
  checkStopped(run, service)
  expect(run.annotations.error).toEqual([
    expect.stringMatching(`^input "records-path".*"${FILE}", line 2 .*restore the file`),
  ])
  expect(workspace.read(FILE)).toBe(text)
})
