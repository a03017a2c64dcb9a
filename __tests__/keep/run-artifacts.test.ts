/** Finds what earlier attempts kept, with the real library and a stand-in for the artifact service. */
import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { Stop } from '../../src/failure.ts'
import { findRecords } from '../../src/keep/find-records.ts'
import { RunArtifacts, type KeepHost } from '../../src/keep/run-artifacts.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { readEnvironment, type Variables } from '../../src/runtime/environment.ts'
import { Halt } from '../../src/runtime/halt.ts'
import { hostIn } from '../artifacts/host.ts'
import { startArtifactService, type ArtifactService } from '../support/artifact-service.ts'
import { cleanUp } from '../support/clean-up.ts'
import { readLog } from '../support/commands.ts'
import '../support/realms.ts'
import { until } from '../support/until.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { makeZip } from './zips.ts'

const file = 'notarization-records.jsonl'
const MiB = 1024 * 1024
let service: ArtifactService
let output: string

beforeEach(async () => {
  service = await startArtifactService()
  Object.assign(process.env, service.env)
  output = ''
  jest.spyOn(process.stdout, 'write').mockImplementation(text => {
    output += String(text)
    return true
  })
})

afterEach(() => {
  jest.useRealTimers()
})

afterAll(cleanUp)

/** Returns the name of the artifact that holds these records. */
function nameFor(records: string | Buffer): string {
  return `notarization-records-1-${hash('sha256', records).slice(0, 12)}`
}

function add(records: string | Buffer, name = nameFor(records)): void {
  service.add(
    name,
    makeZip([
      ['notarization-evidence.md', '# page'],
      [file, records],
    ]),
  )
}

/** Returns the host of a second attempt, which waits `patienceMs` in place of 2 minutes. */
function hostOf(env: Variables = {}, patienceMs = 60_000): KeepHost {
  const { root, temp } = makeWorkspace()
  const host = hostIn(root)
  const variables = { ...service.env, GITHUB_RUN_ATTEMPT: '2', RUNNER_TEMP: temp, ...env }
  return {
    ...host,
    // Its timer would outlive the test.
    halt: new Halt({ ...systemClock, sleep: () => new Promise(() => undefined) }),
    environment: readEnvironment(variables, root),
    clock: { ...systemClock, sleep: (_ms, signal) => systemClock.sleep(patienceMs, signal) },
    findRecords,
  }
}

async function open(host = hostOf(), keepRecords = true): Promise<RunArtifacts> {
  return RunArtifacts.open({ keepRecords }, host)
}

/** Opens, and returns the messages of the `Stop`. */
async function stopOf(host = hostOf()): Promise<readonly string[]> {
  const error: unknown = await open(host).catch((thrown: unknown) => thrown)
  if (!(error instanceof Stop)) throw new Error('The run was not stopped')
  return error.problems.map(({ message }) => message)
}

describe('what is found', () => {
  it('is the records file of each artifact of ours, under a second name too', async () => {
    add('first\n')
    add('second\n', `${nameFor('second\n')}-1`)
    add('other\n', 'notarization-records-linux')
    add('other\n', `x-${nameFor('other\n')}`)
    service.block(nameFor('broken off\n'))
    const { records, whyMissing } = await open()
    expect(records.map(({ bytes }) => bytes.toString())).toEqual(['first\n', 'second\n'])
    expect(records[0]?.name).toBe(`${file} of the workflow artifact ${nameFor('first\n')}`)
    expect(whyMissing).toBe('"Re-run all jobs" hides what earlier attempts kept')
  })

  it('is downloaded again if the connection breaks', async () => {
    add('first\n')
    service.fail('GET', 'cut')
    // The library waits 30 s for the rest, and then 5 s.
    jest.useFakeTimers()
    const opening = open()
    while (service.calls.filter(call => call === 'GET').length < 2) {
      await jest.advanceTimersByTimeAsync(100)
      await setImmediate()
    }
    expect((await opening).records).toHaveLength(1)
  })

  it.each([
    ['on the first attempt', { GITHUB_RUN_ATTEMPT: '1' }, true, /^"Re-run all jobs" hides/],
    ['with keep-records: false', {}, false, /^"keep-records" is false$/],
    ['without a token', { ACTIONS_RUNTIME_TOKEN: '' }, true, /no artifact service$/],
    ['without an address', { ACTIONS_RESULTS_URL: '' }, true, /no artifact service$/],
    ['on another server', { GITHUB_SERVER_URL: 'https://ghe.example' }, true, /no artifact/],
  ])('is nothing %s, without a call', async (_when, env, keepRecords, whyMissing) => {
    add('first\n')
    const found = await open(hostOf(env), keepRecords)
    expect([found.records, service.calls]).toEqual([[], []])
    expect(found.whyMissing).toMatch(whyMissing)
  })
})

describe('the run stops before anything is sent', () => {
  it('if the service refuses the list, and says how to go on, without the token', async () => {
    service.fail('ListArtifacts', 403)
    const [message] = await stopOf()
    expect(message).toMatch(/^input "keep-records": nothing was sent: .*403.*\*\*\*/)
    expect(message).toMatch(/re-run the failed jobs.*keep-records: false/)
    expect(message).not.toContain(service.token)
    expect(readLog(output, []).visibleLog).not.toContain(service.token)
  })

  it.each([
    [
      'that is not signed',
      () => {
        service.fail('GetSignedArtifactURL', 404)
        add('a\n')
      },
      /404/,
    ],
    [
      'with other records than its name says',
      () => {
        add('b\n', nameFor('a\n'))
      },
      /SHA-256/,
    ],
    [
      'that is no zip',
      () => {
        service.add(nameFor('a\n'), Buffer.from('a\n'))
      },
      /not a zip/,
    ],
    [
      'with only a path to elsewhere',
      () => {
        service.add(nameFor('a\n'), makeZip([[`../${file}`, 'a\n']]))
      },
      /has no file/,
    ],
    [
      'of more than 64 MiB',
      () => {
        add(Buffer.alloc(65 * MiB))
      },
      /exceed 64 MiB/,
    ],
    [
      'of more than 64 MiB with the others',
      () => {
        add(Buffer.alloc(40 * MiB, 1))
        add(Buffer.alloc(40 * MiB, 2))
      },
      /exceed 64 MiB/,
    ],
    [
      'listed as larger than 64 MiB',
      () => {
        service.add(nameFor('a\n'), makeZip([[file, 'a\n']]), 65 * MiB)
      },
      /exceed/,
    ],
  ])('for an artifact %s', async (_which, prepare, why) => {
    prepare()
    expect(await stopOf()).toEqual([expect.stringMatching(why)])
  })

  it.each(['ListArtifacts', 'GetSignedArtifactURL'] as const)(
    'if an answer does not come within 2 minutes (%s)',
    async call => {
      add('a\n')
      service.fail(call, 'silence')
      expect(await stopOf(hostOf({}, 500))).toEqual([expect.stringMatching(/2 minutes/)])
    },
  )

  it('without a message at a signal', async () => {
    service.fail('ListArtifacts', 'silence')
    const host = hostOf()
    const stopping = stopOf(host)
    await until(() => service.calls.length > 0)
    host.halt.cancel()
    expect(await stopping).toEqual([])
  })
})
