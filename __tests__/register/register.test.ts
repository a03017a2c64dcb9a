import { describe, expect, it } from '@jest/globals'
import { sampleTime } from '../support/samples.ts'
import { failureIn, makeArtifacts, respond, TestRun, wordsOf } from '../service/support.ts'

const once = { 'max-attempts': '1', concurrency: '1' }

it.each([1, 7, 64])('at most %d registrations run at a time', async limit => {
  let [now, most] = [0, 0]
  const complete = async () => {
    most = Math.max(most, ++now)
    await new Promise(setImmediate)
    now -= 1
    return respond(404, {})
  }
  const run = new TestRun({ complete }, { concurrency: `${limit}` })
  await run.register(makeArtifacts(20))
  expect([most, run.count('complete')]).toEqual([Math.min(limit, 20), 20])
})

it('registrations that have started are finished, even if the run ends', async () => {
  const complete = (nth: number) => {
    if (nth > 1) return respond(404, {})
    throw new Error('something broke')
  }
  const run = new TestRun({ complete }, { concurrency: '2' })
  const artifacts = await run.register(makeArtifacts(3))
  expect(wordsOf(artifacts)).toEqual(['internal-error/unknown', 'refused/no', 'internal-error/no'])
  expect(failureIn(artifacts).observed).toContain('something broke')
})

it('a bug outside a registration loses no outcome, and says of the rest that nobody knows', async () => {
  const run = new TestRun('', { concurrency: '1' })
  run.onSend = () => void run.waits.push(10_000)
  run.onLog = line => {
    if (line.startsWith('registering')) throw new Error('something broke')
  }
  const artifacts = await run.register(makeArtifacts(3))
  const lost = 'internal-error/unknown'
  expect(wordsOf(artifacts)).toEqual(['registered', lost, lost])
  expect(failureIn(artifacts).observed).toBe('something broke')
  expect(run.isClosed).toBe(true)
})

describe('a run', () => {
  const requested = { ...once, 'request-registration': 'true' }
  it.each<[string, replies: string, inputs: object, sent: number, word: string]>([
    ['after five without a good response', 'complete 503', once, 5, 'unavailable/no'],
    ['after five outages and unpaid hashes', 'complete 503 402 429 503 403', once, 5, 'refused/no'],
    ['after five forbidden requests', 'request 403', requested, 0, 'request-refused/no'],
    ['after five with others between', 'complete 503 503 404 503 503 402', once, 6, 'refused/no'],
    ['that lacks the key', 'complete 401', once, 2, 'login-refused/no'],
  ])('starts no further hash %s', async (_, replies, inputs, sent, word) => {
    const run = new TestRun(replies, { ...inputs })
    expect(wordsOf(await run.register(makeArtifacts(8))).slice(-2)).toEqual([word, word])
    expect(run.count('complete')).toBe(sent)
  })

  it.each([
    ['after four without a good response', 'complete 503 503 503 503 good 402 402 402 402 good'],
    ['after refusals of single hashes', 'complete 404'],
    ['after records that contradict their requests', 'complete useless'],
  ])('continues %s', async (_, replies) => {
    const run = new TestRun(replies, once)
    await run.register(makeArtifacts(12))
    expect(run.count('complete')).toBe(12)
  })

  it('logs its progress, with the failures if there are any', async () => {
    const run = new TestRun('complete 429+60 good 404 429+60 good', { concurrency: '1' })
    await run.register(makeArtifacts(4))
    const progress = run.logged.filter(line => line.startsWith('registering'))
    expect(progress).toEqual([
      expect.stringMatching(/: 1 of 4, \d/),
      expect.stringMatching(/: 3 of 4, 1 failed, \d/),
    ])
  })

  it('says why it stopped, and which hash an earlier run has sent', async () => {
    const run = new TestRun('complete 503', once)
    const artifacts = [...makeArtifacts(6), ...makeArtifacts(7, sampleTime).slice(6)]
    const ended = (await run.register(artifacts)).slice(-2)
    expect(wordsOf(ended)).toEqual(['unavailable/no', 'unavailable/unknown'])
    const observed = [ended.slice(0, 1), ended].map(some => failureIn(some).observed)
    const since = 'an earlier run sent it on 2026-01-31 12:00:00 UTC'
    expect(observed[0]).toMatch(/^not tried[^;]*$/)
    expect(observed[1]).toMatch(new RegExp(`^not tried.*; ${since}`))
  })
})
