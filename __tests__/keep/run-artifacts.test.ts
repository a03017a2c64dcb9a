/** Finds what earlier attempts kept, with the real library. */
import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, jest } from '@jest/globals'
import { Stop } from '../../src/failure.ts'
import { findRecords } from '../../src/keep/library.ts'
import { RunArtifacts, type KeepHost } from '../../src/keep/run-artifacts.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { Halt } from '../../src/runtime/halt.ts'
import { hostIn } from '../artifacts/host.ts'
import { until } from '../support/until.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { FILE, logSoFar, makeZip, service } from './support.ts'

const MiB = 1024 * 1024

/** Returns the name of the artifact that holds these records. */
function nameFor(records: string | Buffer): string {
  return `notarization-records-1-${hash('sha256', records).slice(0, 12)}`
}

function add(records: string | Buffer, name = nameFor(records)): void {
  service.add(name, makeZip({ 'notarization-evidence.md': '# page', [FILE]: records }))
}

/** Returns the host of a second attempt, which waits `patienceMs` in place of 2 minutes. */
function hostOf(env: NodeJS.ProcessEnv = {}, patienceMs = 60_000): KeepHost {
  const { root, temp } = makeWorkspace()
  const variables = { ...service.env, GITHUB_RUN_ATTEMPT: '2', RUNNER_TEMP: temp, ...env }
  return {
    ...hostIn(root),
    environment: readEnvironment(variables, root),
    clock: { ...systemClock, sleep: (_ms, signal) => systemClock.sleep(patienceMs, signal) },
    // Its timer would outlive the test.
    halt: new Halt({ ...systemClock, sleep: () => new Promise(() => undefined) }),
    findRecords,
  }
}

function open(host = hostOf(), keepRecords = true): Promise<RunArtifacts> {
  return RunArtifacts.open({ keepRecords }, host)
}

/** Returns the messages of the `Stop`. */
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
    expect(records[0]?.name).toBe(`${FILE} of the workflow artifact ${nameFor('first\n')}`)
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
    jest.useRealTimers()
    expect((await opening).records).toHaveLength(1)
  })

  it.each([
    ['on the first attempt', { GITHUB_RUN_ATTEMPT: '1' }, true, /^"Re-run all jobs" hides/],
    ['without a token', { ACTIONS_RUNTIME_TOKEN: '' }, true, /no artifact service$/],
    ['with keep-records: false', {}, false, /^"keep-records" is false$/],
  ])('is nothing %s, without a call', async (_when, env, keepRecords, why) => {
    const { records, whyMissing } = await open(hostOf(env), keepRecords)
    expect([records, service.calls, whyMissing]).toEqual([[], [], expect.stringMatching(why)])
  })
})

describe('the run stops before anything is sent', () => {
  it.each([
    ['the list', 'ListArtifacts', 403],
    ['an artifact', 'GetSignedArtifactURL', 404],
  ] as const)('if the service refuses %s, and says how to go on', async (_what, call, status) => {
    add('a\n')
    service.fail(call, status)
    const [message = ''] = await stopOf()
    expect(message).toMatch(/^input "keep-records": .*re-run the failed jobs.*keep-records: false/)
    expect(message).toContain(String(status))
    expect(message + logSoFar().visibleLog).not.toContain(service.token)
  })

  it.each([
    ['other records than its name says', makeZip({ [FILE]: 'b\n' }), /SHA-256/],
    ['something that is no zip', Buffer.from('a\n'), /not a zip/],
    ['records only outside of it', makeZip({ [`../${FILE}`]: 'a\n' }), /no file notarization/],
  ])('if an artifact holds %s', async (_what, zip, why) => {
    service.add(nameFor('a\n'), zip)
    expect(await stopOf()).toEqual([expect.stringMatching(why)])
  })

  it('if artifacts exceed 64 MiB together, unzipped or as listed', async () => {
    add(Buffer.alloc(33 * MiB, 1))
    expect((await open()).records).toHaveLength(1)
    add(Buffer.alloc(33 * MiB, 2))
    expect(await stopOf()).toEqual([expect.stringMatching(/exceed 64 MiB/)])
    service.calls.length = 0
    service.add(nameFor('a\n'), makeZip({ [FILE]: 'a\n' }), 65 * MiB)
    expect(await stopOf()).toEqual([expect.stringMatching(/exceed 64 MiB/)])
    expect(service.calls).toEqual(['ListArtifacts'])
  })

  it.each(['ListArtifacts', 'GetSignedArtifactURL'] as const)(
    'if an answer does not come within 2 minutes (%s)',
    async call => {
      add('a\n')
      service.fail(call, 'silence')
      expect(await stopOf(hostOf({}, 500))).toEqual([expect.stringMatching(/2 minutes/)])
    },
  )

  it('if the calls would go through a proxy that cannot be used', async () => {
    const results = { ACTIONS_RESULTS_URL: 'https://results.example' }
    const env = { ...results, https_proxy: 'socks5://proxy.example' }
    expect(await stopOf(hostOf(env))).toEqual([expect.stringMatching(/https_proxy/)])
    expect(service.calls).toEqual([])
  })

  it('without a message at a signal', async () => {
    service.fail('ListArtifacts', 'silence')
    const host = hostOf()
    const stopping = stopOf(host)
    await until(() => service.calls.length > 0)
    host.halt.cancel()
    expect(await stopping).toEqual([])
  })
})
