/** Plays many schedules: all that leave the ordinary course a few times, then random ones. */
import { createHash } from 'node:crypto'
import { play } from './run.ts'
import { decideAtRandom, exploreAll, numberOf, type Choices, type Decision } from './schedule.ts'

/** What to explore. */
export interface Exploration {
  /** All schedules that leave the ordinary course at most so often are played first. */
  readonly depth: number
  /** How many schedules are played at most. */
  readonly limit: number
  /** First seed of the random schedules. */
  readonly seed: number
  /** Takes each violation; gives whether to go on. */
  readonly onViolation: (found: Violation) => boolean
}

/** A schedule in which something was not as it must be. */
export interface Violation {
  /** Plays it again. */
  readonly number: bigint
  readonly violations: readonly string[]
  readonly story: readonly string[]
  /** How many schedules were played up to this one. */
  readonly played: number
}

/** What was explored. */
export interface Explored {
  readonly played: number
  /** How many of them were all that leave the ordinary course so often. */
  readonly exhaustive: number
  /** How many stories differ. */
  readonly distinct: number
}

/** Explores; see {@link Exploration}. */
export async function explore(options: Exploration): Promise<Explored> {
  const { depth, limit, seed, onViolation } = options
  const stories = new Set<string>()
  let played = 0
  const state = { goesOn: true }
  const playOne = async (choices: Choices): Promise<readonly Decision[] | null> => {
    if (!state.goesOn || played >= limit) return null
    const { violations, story } = await play(choices)
    played += 1
    stories.add(createHash('md5').update(story.join('\n')).digest('base64'))
    if (violations.length > 0) {
      state.goesOn = onViolation({ number: numberOf(choices.taken), violations, story, played })
    }
    return choices.taken
  }
  await exploreAll(depth, playOne)
  const exhaustive = played
  for (let next = seed; state.goesOn && played < limit; next++) await playOne(decideAtRandom(next))
  return { played, exhaustive, distinct: stories.size }
}
