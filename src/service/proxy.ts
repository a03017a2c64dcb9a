import { checkBypass } from '@actions/http-client/lib/proxy'
import { Stop, type Problem } from '../stop.ts'

/**
 * Throws a `Stop` if a call to the URL would go through a proxy that cannot be used; the toolkit would go around some of
 * them. `problems`: by the protocol of the URL. Apart from the transport, as calls to GitHub do without it.
 */
export function checkProxy(url: string, problems: ReadonlyMap<string, Problem>): void {
  const parsed = new URL(url)
  const problem = problems.get(parsed.protocol)
  if (problem !== undefined && !checkBypass(parsed)) throw new Stop(problem)
}
