/** The decisions of a schedule: the digits of one number, by which it is played again. */
import { makeRandom } from '../support/random.ts'

/** One decision. */
export interface Decision {
  readonly choice: number
  readonly of: number
}

/** Makes decisions. */
export interface Choices {
  /** One of so many options; 0 is the ordinary course of events. */
  readonly choose: (of: number) => number
  /** The decisions so far. */
  readonly taken: readonly Decision[]
}

/** Decides by a function; a decision between fewer than two options is none. */
function decideBy(pick: (of: number, at: number) => number): Choices {
  const taken: Decision[] = []
  const choose = (of: number): number => {
    if (of < 2) return 0
    const choice = pick(of, taken.length)
    taken.push({ choice, of })
    return choice
  }
  return { choose, taken }
}

/** Decides by the digits of a number. */
export function decideByNumber(number: bigint): Choices {
  let rest = number
  return decideBy(of => {
    const choice = Number(rest % BigInt(of))
    rest /= BigInt(of)
    return choice
  })
}

/** The number whose digits are these decisions. */
export function numberOf(taken: readonly Decision[]): bigint {
  return taken.reduceRight((number, { choice, of }) => number * BigInt(of) + BigInt(choice), 0n)
}

/** Leaves the ordinary course at each decision but the first with a chance that differs from seed to seed. */
export function decideAtRandom(seed: number): Choices {
  const random = makeRandom(seed)
  const chance = [0.03, 0.07, 0.15, 0.4][Math.floor(random() * 4)] ?? 0.1
  return decideBy((of, at) => {
    if (at === 0) return Math.floor(random() * of)
    return random() < chance ? 1 + Math.floor(random() * (of - 1)) : 0
  })
}

/** A schedule that leaves the ordinary course at these decisions only. */
type Deviations = readonly { readonly at: number; readonly choice: number }[]

/**
 * Plays all schedules that leave the ordinary course at most `depth` times, each once; the first decision, which chooses
 * the scenario, does not count. `play` plays one and gives its decisions; it may end the exploration by giving null.
 */
export async function exploreAll(
  depth: number,
  play: (choices: Choices) => Promise<readonly Decision[] | null>,
): Promise<void> {
  const open: Deviations[] = [[]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const deviations = new Map(next.map(({ at, choice }) => [at, choice]))
    const taken = await play(decideBy((_, at) => deviations.get(at) ?? 0))
    if (taken === null) return
    if (next.filter(({ at }) => at > 0).length === depth) continue
    const from = (next.at(-1)?.at ?? -1) + 1
    for (let at = taken.length - 1; at >= from; at--) {
      const { of } = taken[at] ?? { of: 0 }
      for (let choice = of - 1; choice > 0; choice--) open.push([...next, { at, choice }])
    }
  }
}
