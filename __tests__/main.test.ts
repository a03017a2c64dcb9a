/** What `main.ts` joins, which `followed/` and `world/` do not show. */
import assert from 'node:assert'
import { expect, it } from '@jest/globals'
import { runNotarize } from '../src/main.ts'
import { readEnvironment } from '../src/runtime/environment.ts'
import { systemDisk } from '../src/records/disk.ts'
import type { Host } from '../src/runtime/outside.ts'
import { Secrets } from '../src/runtime/secrets.ts'
import { hostIn } from './artifacts/host.ts'
import { lineOf, SERVICE } from './records/entries.ts'
import { createKeeper } from './report/results.ts'
import { makeRecord, sha256, source } from './support/samples.ts'
import { makeWorkspace } from './support/workspace.ts'

const key = 'key-0123456789'
const record = makeRecord(sha256('a'), { signer: key })

/** Runs the action for a file that is registered already, unless other `inputs` are given. */
async function run(outside: (host: Host) => Partial<Host> = () => ({}), changes = {}) {
  const records = `${lineOf('a', { record })}{"artifact":`
  const files = { 'of-file': 'a', [`${key}.zip`]: 'b', 'r.jsonl': records }
  const { root, temp } = makeWorkspace(files)
  const ofRun = { GITHUB_REPOSITORY: 'octocat/app', GITHUB_REF: 'refs/heads/a-branch' }
  const server = { GITHUB_SERVER_URL: 'https://github.com', https_proxy: 'http://u:pass-word@p' }
  const artifacts = { ACTIONS_RESULTS_URL: 'http://r.example', ACTIONS_RUNTIME_TOKEN: 'runtime' }
  const variables = { RUNNER_TEMP: temp, ...ofRun, ...server, ...artifacts }
  const environment = readEnvironment(variables, root)
  const { runner, reported } = createKeeper()
  const masked: string[] = []
  const secrets = new Secrets(line => masked.push(line))
  const base = { ...hostIn(root), environment, runner, secrets }
  const host = { ...base, ...outside(base) }
  const link = `https://x.example/{hash}?k=${key}`
  const ofKey = { 'api-key': key, 'base-url': SERVICE, 'verification-url': link }
  // What stands in these names and addresses is no secret.
  const parts = ['octocat', 'a-branch', 'notary', 'of-file', 'x.example']
  const subscription = JSON.stringify({ id: 'sub_1', customer: parts })
  const inputs = { ...ofKey, subscription, path: 'of-file', 'records-path': 'r.jsonl', ...changes }
  return { masked, ...reported(await runNotarize(host, inputs)) }
}

const dropped =
  'The last line of "r.jsonl" is incomplete and is dropped: a run was stopped while writing it'

it('a secret in a record of an earlier run or in a link is replaced, and passwords are masked', async () => {
  const { exitCode, masked, outputs, summary, warnings } = await run()
  expect([exitCode, masked]).toEqual([0, [key, 'runtime', 'pass-word']])
  const url = `https://x.example/${sha256('a')}?k=***`
  expect(outputs['records']).toMatch(/"signer":"\*\*\*"/)
  expect(outputs['records']).toContain(`"verificationUrl":"${url}"`)
  expect(summary).toContain('✅ NOTARIZED: 1 of 1 file registered')
  expect(warnings[0]).toBe(dropped)
})

it('a key in the name of a file is replaced, too, and the records file is no artifact', async () => {
  const { log } = await run(undefined, { path: '*', 'dry-run': 'true' })
  expect(log[0]).toBe('2 artifacts found, 1 distinct hash left to register')
  expect(log.join('\n')).toContain('🔎 would be registered: "***.zip" (1 B, ')
})

it('the page shows how to compare files if the evidence page was kept', async () => {
  const keep = () => Promise.resolve({ name: 'kept', url: null })
  const keeping = (host: Host) => ({ workflowArtifacts: { ...host.workflowArtifacts, keep } })
  const kept = await run(keeping)
  expect(kept.log).toContain('The records are kept in the workflow artifact kept')
  expect(kept.warnings).toEqual([dropped])
  const shown = /: workflow artifact <code>kept<.*Compare downloaded/s
  const disk = { ...systemDisk, write: () => assert.fail('no space') }
  const unwritten = await run(host => {
    // The line is of this run, so it is kept without a page.
    return { ...keeping(host), disk, environment: { ...host.environment, source } }
  })
  const pages = [kept, unwritten, await run()].map(({ summary }) => shown.test(summary))
  expect(pages).toEqual([true, false, false])
})

it('a run that stops before it registers has no files for later steps', async () => {
  // The proxy is not one of this process.
  const { errors, outputs } = await run(undefined, { path: '*.zip' })
  expect(errors[0]).toMatch(/^Nothing was sent\. The environment variable "https_proxy" is not /)
  const paths = ['checksums-path', 'predicate-path', 'evidence-path'].map(name => outputs[name])
  expect([outputs['verdict'], ...paths]).toEqual(['stopped', '', '', ''])
})

it.each([
  [1, 'Nothing was sent', 'Re-run the failed jobs.'],
  [2, 'This attempt sent nothing', 'Re-run the failed jobs, not all jobs.'],
])('attempt %d without a folder to write to says so, and how to run again', async (...row) => {
  const [attempt, sent, again] = row
  const ofRelease = { path: '', 'release-tag': 'v1', 'github-token': 'token-of-github' }
  const { errors, summary } = await run(({ environment }) => {
    return { environment: { ...environment, attempt, tempFolder: '/dev/null/x' } }
  }, ofRelease)
  expect(errors).toEqual([
    `${sent}. Nothing can be written below "/dev/null/x": not a directory (ENOTDIR). Make sure that the user of the runner can write to RUNNER_TEMP.`,
  ])
  // Nothing else is tried, such as reading the release.
  expect(summary.match(/<li>.*(?=<\/b>)/g)).toEqual([
    '<li><b>Make sure that the user of the runner can write to RUNNER_TEMP.',
    `<li><b>${again}`,
  ])
})

it('a summary that cannot be written is a warning', async () => {
  const writeSummary = () => Promise.reject(new Error('no space'))
  const { exitCode, warnings } = await run(({ runner }) => ({
    runner: { ...runner, writeSummary },
  }))
  const unwritten = 'The job summary could not be written: no space'
  expect([exitCode, warnings.slice(0, 2)]).toEqual([0, [dropped, unwritten]])
})
