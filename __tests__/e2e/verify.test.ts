/** The verify action compares artifacts with records, also with those that a real run of the main action wrote. */
import { symlinkSync } from 'node:fs'
import { expect, it } from '@jest/globals'
import { lineOf } from '../records/entries.ts'
import { checkFinishedRun, statFiles } from '../support/finished-run.ts'
import { verifyOutputsSchema } from '../support/outputs.ts'
import { runAction } from '../support/runner.ts'
import { sha256 } from '../support/samples.ts'
import { FILE, makeRelease, notarize, startService } from './support.ts'

it('log, outputs and exit code report a match with real records, which are no artifacts, and the service is not called', async () => {
  const service = await startService()
  const release = { 'app.zip': 'app of one', 'lib/core.tgz': 'core' }
  const { workspace } = await notarize({ service, workspace: makeRelease(release) })
  const more = lineOf('more', { service: service.url })
  workspace.write('dist/more', 'more')
  workspace.write('notarization-records-2.jsonl', `${more}{"artifact":"cut`)
  symlinkSync(workspace.path(FILE), workspace.path('dist/link.jsonl'))
  const requests = service.requests.length
  const inputs = { 'base-url': service.url, path: '.', 'require-all': 'true' }
  const env = { https_proxy: 'http://user:pass-word@127.0.0.1:9' }
  // Except the runner's own files.
  const statAll = () =>
    [workspace.root, workspace.temp]
      .flatMap(statFiles)
      .filter(file => !file.includes('_runner_file_'))
  const before = statAll()
  const run = await runAction({ actionFile: 'verify/action.yml', workspace, inputs, env })
  checkFinishedRun(run, run.masks)
  // The action only reads.
  expect(statAll()).toEqual(before)
  const outcome = verifyOutputsSchema.parse(run.outputs)
  expect(outcome).toMatchObject({ verdict: 'matched', 'matched-count': 3 })
  expect(run.lines.filter(line => !line.startsWith('::debug::'))).toEqual([
    '::add-mask::pass-word',
    expect.stringMatching(/^::warning::.*records-2.* is incomplete/),
    `✅ matched: "dist/app.zip" (10 B, ${sha256('app of one')})`,
    `✅ matched: "dist/lib/core.tgz" (4 B, ${sha256('core')})`,
    `✅ matched: "dist/more" (4 B, ${sha256('more')})`,
    `Compared with: 3 records of "${service.url}".`,
    '✅ VERIFIED: 3 of 3 files match their notarization records',
  ])
  expect(service.requests).toHaveLength(requests)
})
