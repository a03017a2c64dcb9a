import type { Dispatcher, ProxyAgent as RealAgent } from 'undici'

type ProxyOptions = ConstructorParameters<typeof RealAgent>[0]

/**
 * Stands for `undici` in the bundle (`scripts/build.ts`): the toolkit imports that package on every start, but only the
 * GitHub API through a proxy needs it. Loading it late makes each start a third shorter.
 */
export class ProxyAgent {
  readonly #options: ProxyOptions
  #real: Promise<Dispatcher> | null = null

  constructor(options: ProxyOptions) {
    this.#options = options
  }

  /** The real agent. */
  async load(): Promise<Dispatcher> {
    this.#real ??= import('undici/index.js').then(
      ({ default: undici }) => new undici.ProxyAgent(this.#options),
    )
    return this.#real
  }
}

type FetchOptions = Omit<RequestInit, 'dispatcher'> & { readonly dispatcher?: ProxyAgent }

/** As `fetch` of `undici`: through a proxy with that package, else with the one that Node has built in. */
export async function fetch(url: string, options: FetchOptions = {}): Promise<unknown> {
  const { dispatcher, ...rest } = options
  if (dispatcher === undefined) return globalThis.fetch(url, rest)
  const { default: undici } = await import('undici/index.js')
  return Reflect.apply(undici.fetch, undefined, [
    url,
    { ...rest, dispatcher: await dispatcher.load() },
  ])
}
