/** Plays many schedules: all with a few deviations from the usual course, then random ones. */
import { hash } from 'node:crypto'
import { play, type Played } from './run.ts'
import { allSchedules, numberOf, randomSchedules, type Choices } from './schedule.ts'

interface Exploration {
  /** Maximum deviations of the schedules that are played first. */
  readonly depth: number
  /** Maximum number of schedules. */
  readonly limit: number
  /** First seed of the random schedules. */
  readonly seed: number
}

/**
 * Plays schedules up to the first violation; `distinct` is the number of different stories, and `unknown` how many charges a run
 * did not know of, by cause.
 */
export async function explore({ depth, limit, seed }: Exploration) {
  // Nobody reads the stack traces of planned errors.
  Error.stackTraceLimit = 0
  const stories = new Set<string>()
  const unknown: Record<string, number> = {}
  let played = 0
  let violation: (Played & { readonly number: bigint }) | null = null
  for (const choices of schedules(depth, seed)) {
    const end = await play(choices)
    const { violations, story } = end
    for (const cause of end.unknown) unknown[cause] = (unknown[cause] ?? 0) + 1
    played += 1
    stories.add(hash('md5', story.join('\n'), 'base64'))
    if (violations.length > 0) violation = { ...end, number: numberOf(choices.taken) }
    if (violation !== null || played === limit) break
  }
  return { played, distinct: stories.size, unknown, violation }
}

function* schedules(depth: number, seed: number): Generator<Choices> {
  yield* allSchedules(depth)
  yield* randomSchedules(seed)
}
