import { checkBypass, getProxyUrl } from '@actions/http-client/lib/proxy'
import type { Problem } from '../failure.ts'

/**
 * Checks the address of the proxy for calls to `url`; null if it is usable or there is none. `env` has the proxy variables
 * of this process. The toolkit would bypass a proxy whose address it cannot read.
 */
export function proxyProblem(url: string, env: NodeJS.ProcessEnv): Problem | null {
  const target = new URL(url)
  const variable = `${target.protocol.slice(0, -1)}_proxy`
  const name = [variable, variable.toUpperCase()].find(key => (env[key] ?? '') !== '')
  if (name === undefined || checkBypass(target)) return null
  const isAddress = URL.canParse(env[name] ?? '')
  if (isAddress && /^https?:$/.test(getProxyUrl(target)?.protocol ?? '')) return null
  const message = `the environment variable "${name}" is not a valid proxy address (not shown because it may contain a password)`
  const next = `set an http:// or https:// address, or exempt ${target.hostname} with no_proxy`
  return { input: null, message, next, needs: 'nothing' }
}
