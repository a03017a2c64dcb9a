import { expect, it } from '@jest/globals'
import { makeWorkspace } from '../support/workspace.ts'
import { checkStopped, FILE, notarize } from './support.ts'

it('wrong inputs are reported at once, in at most ten errors', async () => {
  const wrong = {
    'api-key': '',
    'base-url': 'http://notary.example/api/v2',
    path: 'dist/**\nreleases/*.zip',
    checksums: 'sums.txt',
    subscription: '[{"customer":"cus_not_to_be_seen"}]',
    'if-no-files-found': 'complain',
    'max-attempts': '0',
    concurrency: '65',
    'timeout-seconds': 'soon',
    'show-summary': 'yes',
    'max-registrations': '-1',
  }
  const workspace = makeWorkspace({ 'sums.txt': 'this is no checksum\nnor is this\n' })
  const run = await notarize({ workspace, inputs: wrong })
  checkStopped(run)
  const named = run.annotations.error.map(message => /^input "([a-z-]+)"/.exec(message)?.[1])
  expect(Object.keys(wrong)).toEqual(expect.arrayContaining(named.slice(0, 9)))
  expect(run.annotations.error.at(-1)).toBe('2 more inputs are wrong')
  expect(run.visibleLog + run.summary).not.toContain('cus_not_to_be_seen')
  expect(workspace.exists(FILE)).toBe(false)
})
