/** Plays many schedules: all with a few deviations from the usual course, then random ones. */
import { hash } from 'node:crypto'
import { play, type Played } from './run.ts'
import { allSchedules, numberOf, randomSchedules, type Choices } from './schedule.ts'

/** What to explore. */
interface Exploration {
  /** Maximum deviations of the schedules that are played first. */
  readonly depth: number
  /** Maximum number of schedules. */
  readonly limit: number
  /** First seed of the random schedules. */
  readonly seed: number
}

/** The result of an exploration. */
interface Explored {
  readonly played: number
  /** How many of them were all schedules with a few deviations. */
  readonly exhaustive: number
  /** The number of different stories. */
  readonly distinct: number
  /** The first schedule with a violation, which ends the exploration; null if none. */
  readonly violation: (Played & { readonly number: bigint }) | null
}

export async function explore({ depth, limit, seed }: Exploration): Promise<Explored> {
  // Nobody reads the stack traces of planned errors.
  Error.stackTraceLimit = 0
  const stories = new Set<string>()
  let played = 0
  let violation: Explored['violation'] = null
  const playAll = async (schedules: Iterable<Choices>): Promise<void> => {
    for (const choices of schedules) {
      if (violation !== null || played >= limit) return
      const { violations, story } = await play(choices)
      played += 1
      stories.add(hash('md5', story.join('\n'), 'base64'))
      if (violations.length > 0) violation = { number: numberOf(choices.taken), violations, story }
    }
  }
  await playAll(allSchedules(depth))
  const exhaustive = played
  await playAll(randomSchedules(seed))
  return { played, exhaustive, distinct: stories.size, violation }
}
