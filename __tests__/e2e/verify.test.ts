/** The verify action compares artifacts with records that real runs of the main action wrote. */
import { symlinkSync } from 'node:fs'
import { beforeAll, expect, it } from '@jest/globals'
import type { Simulator } from '../../simulator/index.ts'
import { job } from '../support/runner-environment.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'
import {
  FILE,
  makeLine,
  makeRelease,
  notarize,
  readSummary,
  sha256,
  startService,
  toJsonLines,
} from './support.ts'
import { statesOf, verify, type VerifyScenario } from './verify-support.ts'

/** Names, FIFOs and signals as POSIX has them. */
const onPosix = process.platform === 'win32' ? it.skip : it

const one = { 'app.zip': 'app of one', 'lib/core.tgz': 'core', empty: '' }
const two = { 'app.zip': 'app of two', 'extra.bin': 'extra' }
const commitTwo = 'c0ffee0000000000000000000000000000000002'

/** What runs of the main action for two commits recorded. */
const records = { one: '', two: '', checksums: '' }
let service: Simulator

beforeAll(async () => {
  service = await startService()
  const first = makeRelease(one)
  const run = await notarize({ service, workspace: first })
  records.one = first.read(FILE)
  records.checksums = run.checksums
  const second = makeRelease(two)
  await notarize({ service, workspace: second, env: { GITHUB_SHA: commitTwo } })
  records.two = second.read(FILE)
})

/** A workspace with these files below `dist`, and records. */
function makeDeploy(files: Readonly<Record<string, string>>, lines = records.one): Workspace {
  const workspace = makeRelease(files)
  workspace.write(FILE, lines)
  return workspace
}

/** Verifies with the service of this file, as a loopback address must be named. */
const verifyHere = (scenario: VerifyScenario) =>
  verify({ ...scenario, inputs: { 'base-url': service.url, ...scenario.inputs } })

const requireAll = { 'require-all': 'true' } as const

it('what matches is said in log, outputs, summary and exit code, and the service is not called', async () => {
  const requests = service.requests.length
  const run = await verifyHere({ workspace: makeDeploy(one), inputs: requireAll })
  const hash = sha256('app of one')
  const record = service.registered.get(hash)
  const artifact = 'dist/app.zip'
  expect(run.outcome).toMatchObject({ verdict: 'matched', 'matched-count': 3 })
  expect(run.outcome.results?.[0]).toEqual({
    artifact,
    size: 10,
    hash,
    state: 'matched',
    recorded: { artifact, hash, service: service.url, sha: job.sha, record },
    message: '',
  })
  expect(readSummary(run.summary).verdict).toMatch(/VERIFIED: 3 of 3 artifacts match/)
  expect(run.lines).toContain(`matched: "dist/empty" (0 B, ${sha256('')})`)
  expect(run.lines).toContain(`Compared with 3 records of "${service.url}"`)
  expect(run.annotations).toEqual({ error: [], warning: [], notice: [] })
  expect(service.requests).toHaveLength(requests)
})

it('checksums of the main action need no files here', async () => {
  const workspace = makeWorkspace({ sums: records.checksums, [FILE]: records.one })
  const inputs = { path: '', checksums: 'sums', ...requireAll }
  expect((await verifyHere({ workspace, inputs })).outcome['matched-count']).toBe(3)
})

it('all records files of the default pattern count, and are no artifacts', async () => {
  const workspace = makeDeploy({ ...one, 'extra.bin': 'extra' })
  workspace.write('notarization-records-2.jsonl', records.two)
  symlinkSync(workspace.path(FILE), workspace.path('dist/link.jsonl'))
  const run = await verifyHere({ workspace, inputs: { path: '.', sha: commitTwo } })
  expect(statesOf(run)).toEqual(
    ['app.zip', 'empty', 'extra.bin', 'lib/core.tgz'].map(name => `dist/${name} matched`),
  )
  // All others are of the first commit, and say so.
  expect(run.outcome.results?.filter(({ message }) => message === '')).toHaveLength(1)
})

it.each<[string, Readonly<Record<string, string>>, readonly RegExp[]]>([
  [
    'inputs are wrong, and patterns match nothing or are none',
    { path: 'dist\nbuild/*', checksums: 'sums', records: 'a/../b', 'require-all': 'yes' },
    [/"require-all"/, /"path": .*"build\/\*"/, /"checksums": .*"sums"/, /"records": /],
  ],
  ['there are no records', { records: 'gone' }, [/"records": "gone" matches no file/]],
  ['the records are excluded', { records: `!${FILE}` }, [/"records": .*give a pattern/]],
])('the run stops when %s', async (_, inputs, messages) => {
  const run = await verifyHere({ workspace: makeDeploy(one), inputs })
  expect(run.outcome.verdict).toBe('stopped')
  expect(run.annotations.error).toEqual(messages.map(text => expect.stringMatching(text)))
  expect(run.summary.match(/<li>/g)).toHaveLength(messages.length)
})

onPosix('a run that is cancelled while it hashes is no success, and says why', async () => {
  // Small ones are hashed in one turn of the event loop.
  const names = Array.from({ length: 1_500 }, (_, index) => `file ${index}`)
  const lines = toJsonLines(names.map(name => makeLine(service.url, name)))
  const run = await verifyHere({
    workspace: makeDeploy(Object.fromEntries(names.map(name => [name, name])), lines),
    inputs: { 'github-token': 'ghs_0123456789abcdef' },
    mustFail: true,
    onStart: child => {
      // The first line masks the token.
      child.stdout.once('data', () => child.kill('SIGINT'))
    },
  })
  expect(run.outcome.verdict).toBe('stopped')
  expect(run.annotations.error.at(-1)).toMatch(/cancelled/)
})
