/** The verify action compares artifacts with records that real runs of the main action wrote. */
import { symlinkSync } from 'node:fs'
import { beforeAll, describe, expect, it } from '@jest/globals'
import type { Simulator } from '../../simulator/index.ts'
import { job } from '../support/runner-environment.ts'
import { makeWorkspace, type Workspace } from '../support/workspace.ts'
import {
  FILE,
  makeLine,
  makeRecord,
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

describe('what is compared with the records', () => {
  it('matches, and log, outputs, summary and exit code say so', async () => {
    const run = await verifyHere({ workspace: makeDeploy(one), inputs: requireAll })

    expect(run.outcome).toMatchObject({ verdict: 'matched', 'matched-count': 3 })
    expect(run.outcome.results?.[0]).toEqual({
      artifact: 'dist/app.zip',
      size: 10,
      hash: sha256('app of one'),
      state: 'matched',
      recorded: {
        artifact: 'dist/app.zip',
        hash: sha256('app of one'),
        service: service.url,
        sha: job.sha,
        record: service.registered.get(sha256('app of one')),
      },
      message: '',
    })
    expect(readSummary(run.summary).verdict).toMatch(/VERIFIED: 3 of 3 artifacts match/)
    expect(run.lines).toContain(`matched: "dist/empty" (0 B, ${sha256('')})`)
    expect(run.lines).toContain(`Compared with 3 records of "${service.url}"`)
    expect(run.annotations).toEqual({ error: [], warning: [], notice: [] })
  })

  it('may be checksums of the main action, which need no files here', async () => {
    const workspace = makeWorkspace({ sums: records.checksums, [FILE]: records.one })
    const inputs = { path: '', checksums: 'sums', ...requireAll }
    const run = await verifyHere({ workspace, inputs })
    expect(statesOf(run)).toEqual(
      Object.keys(one)
        .toSorted()
        .map(name => `dist/${name} matched`),
    )
  })

  it('is compared with all records files of the default pattern, which are no artifacts', async () => {
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

  it('never leads to the service, a proxy or GitHub', async () => {
    const requests = service.requests.length
    const run = await verifyHere({
      workspace: makeDeploy(one),
      inputs: { 'github-token': 'ghs_tokenThatIsNotNeeded' },
      env: { https_proxy: service.url, http_proxy: service.url, GITHUB_API_URL: service.url },
    })
    expect(run.masks).toEqual(['ghs_tokenThatIsNotNeeded'])
    expect(service.requests).toHaveLength(requests)
  })
})

describe('wrong inputs and unusable records stop the run', () => {
  it.each<[string, Readonly<Record<string, string>>, readonly RegExp[]]>([
    [
      'inputs are wrong, and patterns match nothing or are none',
      { path: 'dist\nbuild/*', checksums: 'sums', records: 'a/../b', 'require-all': 'yes' },
      [/"require-all"/, /"path": .*"build\/\*"/, /"checksums": .*"sums"/, /"records": /],
    ],
    ['there are no records', { records: 'gone' }, [/"records": "gone" matches no file/]],
    ['the records are excluded', { records: `!${FILE}` }, [/"records": .*give a pattern/]],
    ['the records are damaged', { records: 'bad' }, [/"records": "bad", line 2 is not valid JSON/]],
  ])('when %s', async (_, inputs, messages) => {
    const workspace = makeDeploy(one)
    workspace.write('bad', `${records.two.split('\n')[0] ?? ''}\ngarbage\n`)
    const run = await verifyHere({ workspace, inputs })
    expect(run.outcome.verdict).toBe('stopped')
    expect(run.annotations.error).toEqual(messages.map(text => expect.stringMatching(text)))
    expect(run.summary.match(/<li>/g)).toHaveLength(messages.length)
  })

  it('when a name has two hashes', async () => {
    const workspace = makeDeploy({ 'app.zip': 'app of one' })
    workspace.write('sums', `${sha256('evil')}  dist/app.zip\n`)
    const run = await verifyHere({ workspace, inputs: { checksums: 'sums' } })
    expect(run.annotations.error).toEqual([expect.stringContaining(sha256('evil'))])
  })
})

onPosix('hostile text is exact in the outputs and does nothing elsewhere', async () => {
  const names = [
    '::error::forged',
    '##[error]forged',
    'a%0A::warning::b',
    'line\n::error::forged',
    'cr\r::set-output name=verdict::matched',
    'esc\u001b[2J\u0007bell',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1)) | `code` | @octocat',
    '\u202egnp.exe\u200b',
    ' leading and trailing ',
  ]
  const lines = names.map(name => {
    const record = makeRecord(sha256(name), { blockchainType: name, creationDate: name })
    return makeLine(service.url, name, { artifact: name, record })
  })
  // Every third is as it was, every third is changed, and every third is not there.
  const files = names.flatMap((name, index) =>
    index % 3 === 2 ? [] : [[name, index % 3 === 0 ? name : 'evil'] as const],
  )
  const workspace = makeDeploy(Object.fromEntries(files), toJsonLines(lines))
  const run = await verifyHere({ workspace, inputs: requireAll })

  expect(run.masks).toEqual([])
  const states = files.map(([name], at) => `dist/${name} ${at % 2 === 0 ? 'matched' : 'altered'}`)
  expect(statesOf(run).slice(0, files.length).toSorted()).toEqual(states.toSorted())
  expect(run.outcome['missing-count']).toBe(names.length - Math.ceil(names.length / 3))
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
