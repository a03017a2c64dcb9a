/** Plays many schedules: all that leave the ordinary course a few times, then random ones. */
import { hash } from 'node:crypto'
import { play, type Played } from './run.ts'
import { decideAtRandom, exploreAll, numberOf, type Choices, type Decision } from './schedule.ts'

/** What to explore. */
export interface Exploration {
  /** All schedules that leave the ordinary course at most so often are played first. */
  readonly depth: number
  /** How many schedules are played at most. */
  readonly limit: number
  /** First seed of the random schedules. */
  readonly seed: number
}

/** A schedule in which something was not as it must be. */
interface Violation extends Played {
  /** Plays it again. */
  readonly number: bigint
}

/** What was explored. */
export interface Explored {
  readonly played: number
  /** How many of them were all that leave the ordinary course so often. */
  readonly exhaustive: number
  /** How many stories differ. */
  readonly distinct: number
  /** The first schedule with a violation, which ends the exploration; null for none. */
  readonly violation: Violation | null
}

/** Explores; see {@link Exploration}. */
export async function explore({ depth, limit, seed }: Exploration): Promise<Explored> {
  // Nobody reads the stacks of errors that are part of a schedule.
  Error.stackTraceLimit = 0
  const stories = new Set<string>()
  let played = 0
  let violation: Violation | null = null
  const playOne = async (choices: Choices): Promise<readonly Decision[] | null> => {
    if (violation !== null || played >= limit) return null
    const { violations, story } = await play(choices)
    played += 1
    stories.add(hash('md5', story.join('\n'), 'base64'))
    if (violations.length > 0) violation = { number: numberOf(choices.taken), violations, story }
    return choices.taken
  }
  await exploreAll(depth, playOne)
  const exhaustive = played
  for (let next = seed; (await playOne(decideAtRandom(next))) !== null; next++);
  return { played, exhaustive, distinct: stories.size, violation }
}
