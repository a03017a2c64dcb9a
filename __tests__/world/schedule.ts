/** The decisions of a schedule: the digits of one number, which replays it. */
import { makeRandom } from '../support/random.ts'

interface Decision {
  readonly choice: number
  readonly of: number
}

/** Makes decisions. */
export interface Choices {
  /** Chooses one of this many options; 0 is the usual one. */
  readonly choose: (of: number) => number
  /** The decisions so far. */
  readonly taken: readonly Decision[]
}

/** A decision between fewer than two options does not count. */
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

/** Returns the number whose digits are these decisions. */
export function numberOf(taken: readonly Decision[]): bigint {
  return taken.reduceRight((number, { choice, of }) => number * BigInt(of) + BigInt(choice), 0n)
}

/** Yields schedules without end that deviate from the usual course at random, each with another chance. */
export function* randomSchedules(firstSeed: number): Generator<Choices> {
  for (let seed = firstSeed; ; seed++) {
    const random = makeRandom(seed)
    const chance = [0.03, 0.07, 0.15, 0.4][Math.floor(random() * 4)] ?? 0.1
    yield decideBy((of, at) => {
      if (at === 0) return Math.floor(random() * of)
      return random() < chance ? 1 + Math.floor(random() * (of - 1)) : 0
    })
  }
}

/**
 * Yields all schedules that deviate from the usual course at most `depth` times, each once; the first decision, which
 * chooses the scenario, does not count. Each schedule must be played before the next one is taken.
 */
export function* allSchedules(depth: number): Generator<Choices> {
  const open: (readonly { readonly at: number; readonly choice: number }[])[] = [[]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const deviations = new Map(next.map(({ at, choice }) => [at, choice]))
    const choices = decideBy((_, at) => deviations.get(at) ?? 0)
    yield choices
    if (next.filter(({ at }) => at > 0).length === depth) continue
    const from = (next.at(-1)?.at ?? -1) + 1
    for (let at = choices.taken.length - 1; at >= from; at--) {
      const { of } = choices.taken[at] ?? { of: 0 }
      for (let choice = of - 1; choice > 0; choice--) open.push([...next, { at, choice }])
    }
  }
}
