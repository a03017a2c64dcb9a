/** What goes wrong while evidence is attached: faults, death, other jobs, a cancel. No record may be lost. */
import { describe, expect, it } from '@jest/globals'
import type { Simulator } from '../../simulator/index.ts'
import type { FakeGitHub, Route } from '../support/github.ts'
import { startAction } from '../support/runner.ts'
import { makeWorkspace } from '../support/workspace.ts'
import {
  assetsOf,
  attach,
  attached,
  checkRun,
  CHECKSUMS,
  completions,
  EVIDENCE,
  hashesFor,
  hashesOf,
  heldLines,
  linesOf,
  namesOf,
  notarizeRelease,
  optionsOf,
  RECORDS,
  startPatientService,
  startRelease,
  TAG,
} from './release-support.ts'
import { sha256, startService } from './support.ts'

/** A release with an old artifact, whose record is attached, and a new one. */
async function startHalfDone() {
  const service = await startPatientService()
  const github = await startRelease([
    ...assetsOf({ 'old.zip': 'old', 'new.zip': 'new', [CHECKSUMS]: `${sha256('old')}  old.zip\n` }),
    attached(service, 'old'),
  ])
  return { github, service, inputs: attach }
}

interface Place {
  readonly github: FakeGitHub
  readonly service: Simulator
}

function expectAllInOrder({ github, service }: Place): void {
  const names = ['new.zip', CHECKSUMS, EVIDENCE, RECORDS, 'old.zip']
  expect(namesOf(github).toSorted()).toEqual(names)
  expect(hashesOf(heldLines(github))).toEqual(hashesFor('old', 'new'))
  expect(github.texts(TAG)[CHECKSUMS]).toBe(
    `${sha256('new')}  new.zip\n${sha256('old')}  old.zip\n`,
  )
  expect(completions(service)).toEqual({ [sha256('new')]: 1 })
}

/** Does something once, at the nth call of a route, before anything is done with it. */
function at({ github }: Place, [route, nth]: readonly [Route, number], act: () => unknown): void {
  github.setOnCall(async call => {
    if (call.route !== route || call.nth !== nth) return
    github.setOnCall(() => undefined)
    await act()
  })
}

describe('while records are attached', () => {
  it.concurrent('a fault fails the run, says so first, and the next run finishes it', async () => {
    const scenario = await startHalfDone()
    const { github } = scenario
    // The first upload is that of the check before anything is sent.
    const fault = { kind: 'status', status: 403 } as const
    github.setFaults([{ route: 'upload-asset', from: 2, fault }])

    const run = await notarizeRelease({ ...scenario, failsToAttach: true })

    // The verdict follows the counts alone; exit code, error and summary say what is missing.
    expect(run.exitCode).toBe(1)
    expect(run.results).toMatchObject({
      ...{ verdict: 'registered', failures: [], 'failed-count': 0, 'registered-count': 2 },
    })
    expect(run.annotations.error).toHaveLength(1)
    expect(run.annotations.error[0]).toMatch(/could not be attached to the release "v1\.2\.3"/)
    expect(run.summary.split('\n')[0]).toContain('not attached')
    expect(hashesOf(linesOf(run.workspace.read(RECORDS)))).toEqual(hashesFor('old', 'new'))
    expect(hashesOf(heldLines(github))).toEqual(hashesFor('old'))

    github.setFaults([])
    const next = await notarizeRelease({ ...scenario, workspace: run.workspace })

    expect(next.exitCode).toBe(0)
    expect(next.results['newly-registered-count']).toBe(0)
    expectAllInOrder(scenario)
  })

  it.concurrent.each<[Route, number]>([
    ['delete-asset', 2],
    ['rename-asset', 1],
    ['upload-asset', 3],
  ])('even the death of the process loses none: before %s %d', async (...moment) => {
    const scenario = await startHalfDone()
    const { child, finished } = startAction(optionsOf(scenario))
    at(scenario, moment, async () => {
      child.kill('SIGKILL')
      await finished
    })

    const run = await finished

    expect(run.signal).toBe('SIGKILL')
    const held = new Set(hashesOf(heldLines(scenario.github)))
    expect(held).toEqual(new Set(hashesFor('old', 'new')))
    const next = await notarizeRelease(scenario)
    expect(next.exitCode).toBe(0)
    expectAllInOrder(scenario)
  })

  it.concurrent.each<[Route, number]>([
    ['get-asset', 2],
    ['upload-asset', 2],
    ['delete-asset', 2],
    ['rename-asset', 1],
  ])('another job may do all its work: at %s %d', async (...moment) => {
    const service = await startPatientService()
    const github = await startRelease([attached(service, 'held')])
    const notarizeFile = (name: string) =>
      notarizeRelease({
        ...{ github, service, workspace: makeWorkspace({ [name]: name }) },
        inputs: { ...attach, path: name },
      })
    const others: Awaited<ReturnType<typeof notarizeFile>>[] = []
    at({ github, service }, moment, async () => others.push(await notarizeFile('second')))

    const run = await notarizeFile('first')

    expect([run, ...others].map(({ exitCode }) => exitCode)).toEqual([0, 0])
    expect(namesOf(github)).toEqual([RECORDS, EVIDENCE])
    expect(hashesOf(heldLines(github))).toEqual(hashesFor('held', 'first', 'second'))
    for (const name of ['held', 'first', 'second'])
      expect(github.texts(TAG)[EVIDENCE]).toContain(sha256(name))
  })

  it.concurrent('a line that somebody attaches by hand in between is kept', async () => {
    const scenario = await startHalfDone()
    const { github, service } = scenario
    at(scenario, ['rename-asset', 1], () => {
      github.addAsset(TAG, attached(service, 'by hand'))
    })

    const run = await notarizeRelease(scenario)

    expect(run.exitCode).toBe(0)
    expect(hashesOf(heldLines(github))).toEqual(hashesFor('old', 'new', 'by hand'))
    expect(namesOf(github).filter(name => name.startsWith(RECORDS))).toEqual([RECORDS])
  })
})

describe('a cancel while GitHub does not answer', () => {
  it.concurrent.each<[string, Route, number, verdict: string]>([
    ['the release is looked up', 'get-release-by-tag', 1, 'stopped'],
    ['an asset is hashed', 'storage', 1, 'stopped'],
    ['the release is tried', 'upload-asset', 1, 'stopped'],
    ['records are attached', 'upload-asset', 2, 'registered'],
  ])('still ends in time, with outputs and summary: %s', async (_what, route, nth, verdict) => {
    const service = await startService()
    const github = await startRelease([{ name: 'a.zip', content: 'a', digest: null }], {
      faults: [{ route, from: nth, fault: { kind: 'silence' } }],
    })
    // The runner kills 10 s after its first signal.
    const options = optionsOf({ github, service, inputs: attach })
    const { child, finished } = startAction({ ...options, timeoutMs: 20_000 })
    at({ github, service }, [route, nth], () => {
      child.kill('SIGINT')
      setTimeout(() => child.kill('SIGKILL'), 10_000).unref()
    })

    const run = await finished

    expect(run.signal).toBe(null)
    expect(run.exitCode).toBe(1)
    const { results } = checkRun(run, { github, service, failsToAttach: true })
    expect(results.verdict).toBe(verdict)
    expect(run.summary).toMatch(/^## /)
    expect(service.requests).toHaveLength(verdict === 'registered' ? 2 : 0)
  })
})
