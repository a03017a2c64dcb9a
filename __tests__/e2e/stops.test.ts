/** Runs that stop before anything is sent, and a records file that is truncated. */
import { expect, it } from '@jest/globals'
import { makeLine, toJsonLines } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { checkStopped, FILE, makeLetters, notarize, startService } from './support.ts'

it('all invalid inputs are reported together', async () => {
  const wrong = {
    'api-key': '',
    'base-url': 'http://notary.example/api/v2',
    path: 'dist/**\nreleases/*.zip',
    checksums: 'sums.txt',
    subscription: '[{"customer":"cus_not_to_be_seen"}]',
    'max-attempts': '0',
  }
  const workspace = makeWorkspace({ 'sums.txt': 'this is no checksum\nnor is this\n' })
  const run = await notarize({ workspace, inputs: wrong })
  checkStopped(run)
  const named = run.annotations.error.map(message => /^input "([a-z-]+)"/.exec(message)?.[1])
  expect(new Set(named)).toEqual(new Set(Object.keys(wrong)))
  expect(run.visibleLog + run.summary).not.toContain('cus_not_to_be_seen')
  expect(workspace.exists(FILE)).toBe(false)
})

it('a damaged line of the records file stops the run, and the file stays unchanged', async () => {
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

it('an incomplete last line is cut off with a warning, even if nothing is left to register', async () => {
  const service = await startService()
  const whole = toJsonLines([makeLine(service.url, 'a')])
  const workspace = makeLetters('a')
  workspace.write(FILE, `${whole}{"artifact":"d`)
  const run = await notarize({ service, workspace })
  const warning = expect.stringMatching(/last line of ".*records.jsonl" is incomplete.*cut off/)
  expect(run.annotations.warning).toEqual([warning])
  expect(workspace.read(FILE)).toBe(whole)
  expect(service.requests).toEqual([])
})
