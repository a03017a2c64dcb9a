/** What a run says when not all went well, and the limits of outputs and summary. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { z } from 'zod'
import { readActionFile } from '../support/action-file.ts'
import {
  checkStopped,
  checkTraffic,
  makeLine,
  makeRelease,
  notarize,
  readLines,
  readSummary,
  sha256,
  startService,
  toJsonLines,
} from './support.ts'

const FILE = 'notarization-records.jsonl'

describe('a failure', () => {
  it('of some is in counts, failures, log and summary, and what succeeded is kept', async () => {
    const service = await startService({ requested: ['a', 'c'].map(sha256) })
    const workspace = makeRelease({ a: 'a', b: 'b', c: 'c' })
    const run = await notarize({ service, workspace })

    checkTraffic(service, { hashes: ['a', 'b', 'c'].map(sha256) })
    const hash = sha256('b')
    expect(run.results).toMatchObject({
      verdict: 'partial',
      records: [{ artifact: 'dist/a' }, { artifact: 'dist/c' }],
      failures: [{ artifact: 'dist/b', size: 1, hash, code: 'refused', registered: 'no' }],
      'newly-registered-count': 2,
      'failed-count': 1,
    })
    const { message } = run.results.failures[0] ?? { message: '' }
    expect(message).toMatch(/404.*hash was never requested/)
    // A refusal may mean that an earlier run has paid already.
    expect(message).toMatch(/an earlier run whose records file is not here may have registered it/)
    expect(run.annotations).toEqual({
      error: [expect.stringMatching(/1 of 3 .*dist\/b.*refused.*404/)],
      warning: [],
      notice: [],
    })
    const kept = readLines(run).map(({ artifact }) => artifact)
    expect(kept.sort()).toEqual(['dist/a', 'dist/c'])

    const { verdict, rows, shell } = readSummary(run.summary)
    expect(verdict).toMatch(/2 of 3 .*2 newly registered, 0 known before.*1 failed/)
    expect(rows.map(row => row[1])).toEqual(['dist/b', 'dist/a', 'dist/c'])
    expect(rows[0]).toEqual([
      expect.stringContaining('not registered'),
      ...['dist/b', '1 B', hash],
      expect.stringMatching(/refused.*404/),
    ])
    expect(shell).toContain('sha256sum -c')
    expect(shell).not.toContain(hash)
    expect(run.summary).toContain(FILE)
    expect(run.visibleLog).toMatch(/FAILED.*dist\/b/)
  })

  it('of the login is that of each artifact left: what was known is registered all the same', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a', b: 'b', c: 'c' })
    workspace.write(FILE, toJsonLines([makeLine(service.url, 'a')]))
    const apiKey = 'key_live_of_somebody_else'
    const run = await notarize({ service, workspace, inputs: { 'api-key': apiKey } })

    checkTraffic(service, { hashes: [], logins: 1, apiKey })
    expect(run.masks).toContain(apiKey)
    expect(run.results).toMatchObject({
      verdict: 'partial',
      failures: ['dist/b', 'dist/c'].map(artifact => ({
        ...{ artifact, code: 'login-refused', registered: 'no' },
      })),
      'registered-count': 1,
      'newly-registered-count': 0,
    })
    expect(run.annotations.error).toEqual([
      expect.stringMatching(/2 of 3 .*login-refused.*401.*api-key/),
    ])
    // Nothing was asked for them, so nothing had to be written.
    expect(workspace.read(FILE)).toBe(toJsonLines([makeLine(service.url, 'a')]))
  })
})

describe('the job summary', () => {
  it.each([
    ['is not set', undefined],
    ['names a file that is missing', '/nonexistent/summary.md'],
  ])('costs only a warning where GITHUB_STEP_SUMMARY %s', async (_, value) => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    const run = await notarize({ service, workspace, env: { GITHUB_STEP_SUMMARY: value } })

    expect(run.results.verdict).toBe('registered')
    expect(run.annotations.warning).toEqual([expect.stringMatching(/summary/)])
  })

  it('is added to, as other steps of ours may have written before', async () => {
    const service = await startService()
    const workspace = makeRelease({ a: 'a' })
    workspace.write('summary.md', '# Of the step before\n')
    const env = { GITHUB_STEP_SUMMARY: workspace.path('summary.md') }
    await notarize({ service, workspace, env })

    expect(workspace.read('summary.md')).toMatch(/^# Of the step before\n## .*1 of 1/)
  })
})

describe('action.yml', () => {
  const described = z.record(z.string(), z.looseObject({ description: z.string() }))
  const action = z
    .looseObject({ inputs: described, outputs: described })
    .parse(parse(readFileSync('action.yml', 'utf8')))

  it('describes each input and output in one sentence', () => {
    const all = [...Object.entries(action.inputs), ...Object.entries(action.outputs)]
    // A full stop in the middle would begin a second sentence.
    const isSentence = (text: string) =>
      /^[A-Z][^\n]{10,}\.$/.test(text) && !/[.!?]\s+[A-Z]/.test(text)
    expect(all.filter(([, { description }]) => !isSentence(description))).toEqual([])
  })

  it('has the defaults that the bundle uses when every input is empty', async () => {
    const defaults = readActionFile('action.yml').inputs
    const empty = Object.fromEntries(
      [...defaults.keys()]
        .filter(name => !['api-key', 'base-url', 'subscription', 'path'].includes(name))
        .map(name => [name, '']),
    )
    const count = Number(defaults.get('max-registrations'))
    const contents = Array.from({ length: count }, (_, at) => `${at}`)
    const service = await startService({ latencyMs: 10 })
    const workspace = makeRelease(Object.fromEntries(contents.map(content => [content, content])))
    const run = await notarize({ service, workspace, inputs: empty })

    checkTraffic(service, { hashes: contents.map(sha256) })
    expect(service.maxInFlight).toBe(Number(defaults.get('concurrency')))
    expect(run.results['records-path']).toBe(workspace.path(defaults.get('records-path') ?? ''))
    expect(run.summary).not.toBe('')

    workspace.write('dist/one more', 'one more')
    workspace.write(FILE, '')
    const stopped = await notarize({ workspace, inputs: { ...empty, 'base-url': service.url } })
    checkStopped(stopped)
    expect(service.requests).toHaveLength(1 + count)
    expect(stopped.annotations.error[0]).toMatch(new RegExp(`max-registrations.*\\b${count}\\b`))
  })
})
