/** SIGKILL to a real process. `__tests__/world` explores every order of kills, signals and answers. */
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { findUnsettled, isMaybeChargedAgain, readRecordsText } from '../support/record-lines.ts'
import { runAction, type StepProcess } from '../support/runner.ts'
import { API_KEY, sha256, subscriptionText } from '../support/samples.ts'
import { FILE, makeLetters, notarize, startService } from './support.ts'

/** Each run is killed when this many of its completions have arrived. */
const kills = [1, 3, 6]
const letters = 'abcdefghijkl'

it('what a killed run has sent is in the records file, and later runs account for it', async () => {
  const workspace = makeLetters(letters)
  const readFile = () => readRecordsText(workspace.exists(FILE) ? workspace.read(FILE) : '')
  let onCompletion = (): void => undefined
  const early: string[] = []
  const service = await startService({
    repeat: 'accept',
    latencyMs: ({ endpoint }) => (endpoint === 'completion' ? 25 : 0),
    faults: ({ endpoint, hash = '' }) => {
      if (endpoint !== 'completion') return undefined
      if (findUnsettled(readFile(), { service: service.url, hash }).length === 0) early.push(hash)
      onCompletion()
      return undefined
    },
  })
  const inputs = { 'api-key': API_KEY, 'base-url': service.url, subscription: subscriptionText }
  for (const [index, count] of kills.entries()) {
    let arrived = 0
    const onStart = (child: StepProcess): void => {
      onCompletion = () => {
        arrived += 1
        if (arrived === count) child.kill('SIGKILL')
      }
    }
    const env = { GITHUB_RUN_ATTEMPT: String(index + 1) }
    const options = { workspace, inputs: { ...inputs, path: 'dist' }, env, onStart }
    expect((await runAction(options)).signal).toBe('SIGKILL')
    // The service still processes what the process has sent.
    await delay(100)
    const file = readFile()
    for (const hash of service.completionCounts.keys()) {
      const isOpen = findUnsettled(file, { service: service.url, hash }).length > 0
      expect(isOpen || file.records.some(line => line.hash === hash)).toBe(true)
    }
  }
  onCompletion = () => undefined

  const last = await notarize({ service, workspace, env: { GITHUB_RUN_ATTEMPT: '4' } })
  expect(last.results).toMatchObject({ verdict: 'registered', 'registered-count': letters.length })
  expect(early).toEqual([])
  const twice = [...service.completionCounts].filter(([, count]) => count > 1)
  expect(twice.length).toBeGreaterThan(0)
  const file = readFile()
  const unsaid = Array.from(letters, sha256).filter(hash => {
    const isTwice = twice.some(([other]) => other === hash)
    return isTwice && !isMaybeChargedAgain(file, { service: service.url, hash })
  })
  expect(unsaid).toEqual([])
})
