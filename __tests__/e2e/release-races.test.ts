/** What happens at the same time: other jobs that attach to the release, and a cancel. */
import { describe, expect, it } from '@jest/globals'
import type { OnCall, Route } from '../support/github.ts'
import { startAction } from '../support/runner.ts'
import { makeWorkspace } from '../support/workspace.ts'
import {
  attach,
  attached,
  checkRun,
  EVIDENCE,
  hashesFor,
  hashesOf,
  heldLines,
  namesOf,
  notarizeRelease,
  optionsOf,
  RECORDS,
  startHalfDone,
  startPatientService,
  startRelease,
  TAG,
} from './release-support.ts'
import { startService } from './support.ts'

describe('two jobs that attach to one release', () => {
  it.concurrent.each<[Route, number]>([
    ['get-asset', 2],
    ['upload-asset', 2],
    ['delete-asset', 2],
    ['rename-asset', 1],
  ])(
    'lose no record, when one does all its work while the other is at %s %d',
    async (route, nth) => {
      const service = await startPatientService()
      const github = await startRelease([attached(service, 'held')])
      const notarizeFile = (name: string) =>
        notarizeRelease({
          ...{ github, service, workspace: makeWorkspace({ [name]: name }) },
          inputs: { ...attach, path: name },
        })
      const others: Awaited<ReturnType<typeof notarizeFile>>[] = []
      const hook: OnCall = async call => {
        if (call.route !== route || call.nth !== nth) return
        github.setOnCall(() => undefined)
        others.push(await notarizeFile('second'))
      }
      github.setOnCall(hook)

      const run = await notarizeFile('first')

      expect(run.exitCode).toBe(0)
      expect(others.map(({ exitCode }) => exitCode)).toEqual([0])
      expect(namesOf(github)).toEqual([RECORDS, EVIDENCE])
      expect(hashesOf(heldLines(github))).toEqual(hashesFor('held', 'first', 'second'))
    },
  )

  it.concurrent('keep a line that somebody attached by hand in between', async () => {
    const service = await startPatientService()
    const github = await startHalfDone(service)
    github.setOnCall(call => {
      if (call.route !== 'rename-asset' || call.nth !== 1) return
      github.addAsset(TAG, attached(service, 'by hand'))
    })

    const run = await notarizeRelease({ github, service, inputs: attach })

    expect(run.exitCode).toBe(0)
    expect(hashesOf(heldLines(github))).toEqual(hashesFor('old', 'new', 'by hand'))
    expect(namesOf(github).filter(name => name.startsWith(RECORDS))).toEqual([RECORDS])
  })
})

describe('a cancel while GitHub does not answer', () => {
  it.concurrent.each<[string, Route, number]>([
    ['the release is looked up', 'get-release-by-tag', 1],
    ['an asset is hashed', 'storage', 1],
    ['the release is tried', 'upload-asset', 1],
    ['records are attached', 'upload-asset', 2],
  ])('still ends in time, with outputs and summary: %s', async (_what, route, nth) => {
    const service = await startService()
    const github = await startRelease([{ name: 'a.zip', content: 'a', digest: null }], {
      faults: [{ route, from: nth, fault: { kind: 'silence' } }],
    })
    // The runner kills 10 s after its first signal.
    const { child, finished } = startAction({
      ...optionsOf({ github, service, inputs: attach }),
      timeoutMs: 20_000,
    })
    github.setOnCall(call => {
      if (call.route !== route || call.nth !== nth) return
      child.kill('SIGINT')
      setTimeout(() => child.kill('SIGKILL'), 10_000).unref()
    })

    const run = await finished

    expect(run.signal).toBe(null)
    expect(run.exitCode).toBe(1)
    expect(run.outputs['verdict']).toMatch(nth === 2 ? /^registered$/ : /^(stopped|failed)$/)
    expect(run.summary).toMatch(/^## /)
    expect(service.requests).toHaveLength(nth === 2 ? 2 : 0)
    checkRun(run, { github, service }, true)
  })
})
