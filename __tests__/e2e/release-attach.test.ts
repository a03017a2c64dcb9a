/** What goes wrong while evidence is attached to a release: no record may be lost, and the next run finishes it. */
import { describe, expect, it } from '@jest/globals'
import type { Simulator } from '../../simulator/index.ts'
import type { FakeGitHub, Route } from '../support/github.ts'
import { startAction } from '../support/runner.ts'
import {
  attach,
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
  startHalfDone,
  startPatientService,
  TAG,
} from './release-support.ts'
import { sha256 } from './support.ts'

function expectAllInOrder(github: FakeGitHub, service: Simulator): void {
  expect(namesOf(github).toSorted()).toEqual(
    ['new.zip', CHECKSUMS, EVIDENCE, RECORDS, 'old.zip'].toSorted(),
  )
  expect(hashesOf(heldLines(github))).toEqual(hashesFor('old', 'new'))
  expect(github.texts(TAG)[CHECKSUMS]).toBe(
    `${sha256('new')}  new.zip\n${sha256('old')}  old.zip\n`,
  )
  expect(completions(service)).toEqual({ [sha256('new')]: 1 })
}

describe('a fault while records are attached', () => {
  it.concurrent('fails the run, says so first, and is finished by the next run', async () => {
    const service = await startPatientService()
    const github = await startHalfDone(service)
    // The first upload is that of the check before anything is sent.
    const fault = { kind: 'status', status: 403 } as const
    github.setFaults([{ route: 'upload-asset', from: 2, fault }])

    const run = await notarizeRelease({ github, service, inputs: attach, failsToAttach: true })

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
    const next = await notarizeRelease({
      github,
      service,
      inputs: attach,
      workspace: run.workspace,
    })

    expect(next.exitCode).toBe(0)
    expect(next.results['newly-registered-count']).toBe(0)
    expectAllInOrder(github, service)
  })

  it.concurrent.each<[Route, number]>([
    ['delete-asset', 2],
    ['rename-asset', 1],
    ['upload-asset', 3],
  ])('is even the death of the process: before %s %d', async (route, nth) => {
    const service = await startPatientService()
    const github = await startHalfDone(service)
    const { child, finished } = startAction(optionsOf({ github, service, inputs: attach }))
    github.setOnCall(async call => {
      if (call.route !== route || call.nth !== nth) return
      child.kill('SIGKILL')
      await finished
    })

    const run = await finished
    github.setOnCall(() => undefined)

    expect(run.signal).toBe('SIGKILL')
    expect(new Set(hashesOf(heldLines(github)))).toEqual(new Set(hashesFor('old', 'new')))
    const next = await notarizeRelease({ github, service, inputs: attach })

    expect(next.exitCode).toBe(0)
    expectAllInOrder(github, service)
  })
})
