/** The release as storage of the evidence, whole: the next machine knows it, and no fault, cancel or death loses a record. */
import { describe, expect, it } from '@jest/globals'
import type { Route } from '../support/github.ts'
import type { StepProcess } from '../support/runner.ts'
import { assetsOf, heldLines, notarizeRelease, startRelease, TAG } from './release-support.ts'
import { FILE, makeLine, sha256, startService, toJsonLines } from './support.ts'

const PAGE = 'notarization-evidence.md'

/** A release with an artifact whose record is attached, and a new one. */
async function startHalfDone() {
  const service = await startService({ repeat: 'accept' })
  const held = toJsonLines([makeLine(service.url, 'old')])
  const github = await startRelease(assetsOf({ 'old.zip': 'old', 'new.zip': 'new', [FILE]: held }))
  return { service, github, held }
}

describe('evidence', () => {
  it('is attached, and enough for a new machine to send nothing', async () => {
    const { service, github, held } = await startHalfDone()

    const run = await notarizeRelease({ github, service })

    expect(run.results).toMatchObject({ verdict: 'registered', 'newly-registered-count': 1 })
    const texts = github.texts(TAG)
    const records = run.workspace.read(FILE)
    const [name = ''] = Object.keys(texts).filter(asset => texts[asset] === records)
    expect(name).toBe(`notarization-records-${sha256(records).slice(0, 12)}.jsonl`)
    expect(texts[FILE]).toBe(held)
    expect(records.startsWith(held)).toBe(true)
    expect(texts[PAGE]).toBe(run.workspace.read(run.results['evidence-path']))
    expect(texts[PAGE]).toContain(`${sha256('new')}  new.zip\n${sha256('old')}  old.zip\n`)
    expect(run.summary).toContain(`/${PAGE}`)

    const requests = service.requests.length
    const again = await notarizeRelease({ github, service })
    expect(again.results.records?.map(({ from }) => from)).toEqual(['records-file', 'records-file'])
    expect(service.requests).toHaveLength(requests)
    expect(github.texts(TAG)).toEqual(texts)

    // Published by now, with all there is.
    github.release(TAG).immutable = true
    expect((await notarizeRelease({ github, service })).results.verdict).toBe('registered')
  })

  it('that cannot be attached is in the log, whole, and the next run completes it', async () => {
    const { service, github } = await startHalfDone()
    // The first upload is that of the check.
    const refused = { kind: 'status', status: 403 } as const
    github.faults = [{ route: 'upload-asset', from: 2, fault: refused }]

    const run = await notarizeRelease({ github, service, mustFail: true })

    expect(run.results).toMatchObject({ verdict: 'registered', 'registered-count': 2 })
    expect(run.annotations.error).toEqual([expect.stringMatching(/could not be attached to/)])
    const printed = run.lines.filter(line => line.startsWith('{"artifact"'))
    const lines = run.workspace.read(FILE).split('\n').slice(0, -1)
    expect(printed).toEqual(lines.slice(1))
    expect(run.summary).toMatch(/HTTP 403[^]*this job&#39;s machine/)

    github.faults = []
    const next = await notarizeRelease({ github, service, workspace: run.workspace })
    expect(next.results['newly-registered-count']).toBe(0)
    expect(new Set(heldLines(github))).toEqual(new Set(lines))
  })
})

describe('a cancel while GitHub does not answer', () => {
  it.concurrent.each<[string, Route, number, string]>([
    ['the release is looked up', 'get-release-by-tag', 1, 'stopped'],
    ['an asset is hashed', 'storage', 1, 'stopped'],
    ['the release is tried', 'upload-asset', 1, 'stopped'],
    ['records are attached', 'upload-asset', 2, 'registered'],
  ])('still ends in time, with outputs and summary: %s', async (_what, route, nth, verdict) => {
    const service = await startService()
    const github = await startRelease([{ name: 'a.zip', content: 'a', digest: null }], {
      faults: [{ route, from: nth, fault: { kind: 'silence' } }],
    })
    let child: StepProcess | undefined
    const onStart = (started: StepProcess): void => {
      child = started
    }
    github.onCall = call => {
      if (call.route !== route || call.nth !== nth) return
      child?.kill('SIGINT')
      // As the runner does.
      setTimeout(() => child?.kill('SIGKILL'), 10_000).unref()
    }

    const run = await notarizeRelease({ github, service, onStart, mustFail: true })

    expect(run.results.verdict).toBe(verdict)
    expect(run.annotations.error).toEqual([expect.stringMatching(/cancelled/)])
    const printed = run.lines.filter(line => line.startsWith('{"artifact"'))
    expect(printed).toHaveLength(verdict === 'registered' ? 2 : 0)
    expect(service.requests).toHaveLength(verdict === 'registered' ? 2 : 0)
  })
})
