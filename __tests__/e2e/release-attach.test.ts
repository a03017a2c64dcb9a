/** What goes wrong while records are attached to a release: no record may be lost, and the next run mends it. */
import { describe, expect, it } from '@jest/globals'
import type { Simulator } from '../../simulator/index.ts'
import type { FakeGitHub, GitHubOptions, Route } from '../support/github.ts'
import { startAction } from '../support/runner.ts'
import {
  attach,
  CHECKSUMS,
  completions,
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

/** What goes wrong while records are attached, and whether the new ones had reached the release before. */
interface Broken {
  readonly what: string
  readonly faults: GitHubOptions['faults']
  readonly isUploaded: boolean
}

const status = (code: number, after = false) => ({ kind: 'status', status: code, after }) as const

// The first upload, deletion and download are those of the check before anything is sent, and of the records known.
const persistent: readonly Broken[] = [
  {
    what: 'the assets cannot be listed',
    faults: [{ route: 'list-assets', from: 2, fault: status(500) }],
    isUploaded: false,
  },
  {
    what: 'what the release holds cannot be read',
    faults: [{ route: 'storage', from: 2, fault: { kind: 'cut' } }],
    isUploaded: false,
  },
  {
    what: 'the upload is refused',
    faults: [{ route: 'upload-asset', from: 2, fault: status(403) }],
    isUploaded: false,
  },
  {
    what: 'the upload is answered 502 to the end',
    faults: [{ route: 'upload-asset', from: 2, fault: status(502) }],
    isUploaded: false,
  },
  {
    what: 'the upload is carried out and answered 502',
    faults: [{ route: 'upload-asset', from: 2, fault: status(502, true) }],
    isUploaded: true,
  },
  {
    what: 'the connection breaks after the upload',
    faults: [{ route: 'upload-asset', from: 2, fault: { kind: 'reset', after: true } }],
    isUploaded: true,
  },
  {
    what: 'the old one cannot be deleted',
    faults: [{ route: 'delete-asset', from: 2, fault: status(500) }],
    isUploaded: true,
  },
  {
    what: 'the deletion is refused',
    faults: [{ route: 'delete-asset', from: 2, fault: status(403) }],
    isUploaded: true,
  },
  {
    what: 'the connection breaks before each renaming',
    faults: [{ route: 'rename-asset', fault: { kind: 'reset' } }],
    isUploaded: true,
  },
  {
    what: 'the renaming is refused',
    faults: [{ route: 'rename-asset', fault: status(403) }],
    isUploaded: true,
  },
  {
    what: 'the checksums cannot be uploaded',
    faults: [{ route: 'upload-asset', from: 3, fault: status(500) }],
    isUploaded: true,
  },
]

const passing: readonly Broken[] = (
  [
    ['list-assets', 2, status(500)],
    ['storage', 2, { kind: 'cut' }],
    ['upload-asset', 2, status(503)],
    ['upload-asset', 2, { kind: 'reset', after: true }],
    ['delete-asset', 2, status(500)],
    ['delete-asset', 2, { kind: 'reset', after: true }],
    ['rename-asset', 1, status(502)],
    ['rename-asset', 1, status(502, true)],
    ['rename-asset', 1, { kind: 'reset', after: true }],
    ['rename-asset', 2, status(500)],
  ] as const
).map(([route, nth, fault]) => ({
  what: `${route} ${nth}, ${JSON.stringify(fault)}`,
  faults: [{ route, from: nth, to: nth, fault }],
  isUploaded: true,
}))

function expectAllInOrder(github: FakeGitHub, service: Simulator): void {
  expect(namesOf(github).toSorted()).toEqual(['new.zip', CHECKSUMS, RECORDS, 'old.zip'].toSorted())
  expect(hashesOf(heldLines(github))).toEqual(hashesFor('old', 'new'))
  expect(github.texts(TAG)[CHECKSUMS]).toBe(
    `${sha256('new')}  new.zip\n${sha256('old')}  old.zip\n`,
  )
  expect(completions(service)).toEqual({ [sha256('new')]: 1 })
}

describe('a fault while records are attached', () => {
  it.concurrent.each(persistent)(
    'fails the run, loses no record and is mended by the next run: $what',
    async ({ faults = [], isUploaded }) => {
      const service = await startPatientService()
      const github = await startHalfDone(service)
      github.setFaults(faults)

      const run = await notarizeRelease({ github, service, inputs: attach, failsToAttach: true })

      // The verdict follows the counts alone; the exit code and the error tell of the attaching.
      expect(run.exitCode).toBe(1)
      expect(run.results).toMatchObject({
        ...{ verdict: 'registered', failures: [], 'failed-count': 0, 'registered-count': 2 },
      })
      expect(run.annotations.error).toHaveLength(1)
      expect(run.annotations.error[0]).toMatch(/could not be attached to the release "v1\.2\.3"/)
      expect(hashesOf(linesOf(run.workspace.read(RECORDS)))).toEqual(hashesFor('old', 'new'))
      const held = new Set(hashesOf(heldLines(github)))
      expect([...held].toSorted()).toEqual(isUploaded ? hashesFor('old', 'new') : hashesFor('old'))

      github.setFaults([])
      const machine = isUploaded ? {} : { workspace: run.workspace }
      const next = await notarizeRelease({ github, service, inputs: attach, ...machine })

      expect(next.exitCode).toBe(0)
      expect(next.results['newly-registered-count']).toBe(0)
      expectAllInOrder(github, service)
    },
  )

  it.concurrent.each(passing)('is tried again, and leaves nothing behind: $what', async broken => {
    const service = await startPatientService()
    const github = await startHalfDone(service)
    github.setFaults(broken.faults ?? [])

    const run = await notarizeRelease({ github, service, inputs: attach })

    expect(run.exitCode).toBe(0)
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
