import { expect, it } from '@jest/globals'
import { makeWorkspace } from '../support/workspace.ts'
import { checkStopped, FILE, notarize } from './support.ts'

it('all invalid inputs are reported together, and nothing is sent', async () => {
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
  const named = run.annotations.error.map(message => /^input "([a-z-]+)"/i.exec(message)?.[1])
  expect(new Set(named)).toEqual(new Set(Object.keys(wrong)))
  expect(run.visibleLog + run.summary).not.toContain('cus_not_to_be_seen')
  expect(workspace.exists(FILE)).toBe(false)
})
