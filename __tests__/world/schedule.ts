/** The decisions of a schedule: the digits of one number, which replays it. */
interface Decision {
  readonly choice: number
  readonly of: number
}

export interface Choices {
  /** Chooses one of this many options; 0 is the usual one. */
  readonly choose: (of: number) => number
  readonly taken: readonly Decision[]
}

/** Keeps the decisions in `taken`, except those between fewer than two options. */
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

/** Returns a generator of numbers from 0 to 1, always the same ones for a seed (mulberry32). */
function makeRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Yields schedules without end that deviate from the usual course at random, with a probability that depends on the seed. */
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
  /** The first decisions of each schedule; all later ones are 0. */
  const open: (readonly number[])[] = [[]]
  while (open.length > 0) {
    const first = open.pop() ?? []
    const { choose, taken } = decideBy((_, at) => first[at] ?? 0)
    yield { choose, taken }
    if (first.filter((choice, at) => at > 0 && choice > 0).length === depth) continue
    for (const [at, { of }] of [...taken.entries()].slice(first.length).reverse()) {
      const before = taken.slice(0, at).map(({ choice }) => choice)
      for (let choice = of - 1; choice > 0; choice--) open.push([...before, choice])
    }
  }
}
