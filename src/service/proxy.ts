import { checkBypass, getProxyUrl } from '@actions/http-client/lib/proxy'
import { Stop } from '../failure.ts'

/**
 * Throws a `Stop` if the address of the proxy for calls to `url` cannot be used: the toolkit would bypass it. `env` has the
 * proxy variables of this process.
 */
export function checkProxy(url: string, env: NodeJS.ProcessEnv): void {
  const target = new URL(url)
  const variable = `${target.protocol.slice(0, -1)}_proxy`
  const name = [variable, variable.toUpperCase()].find(key => (env[key] ?? '') !== '')
  if (name === undefined || checkBypass(target)) return
  const isAddress = URL.canParse(env[name] ?? '')
  if (isAddress && /^https?:$/.test(getProxyUrl(target)?.protocol ?? '')) return
  const message = `the environment variable "${name}" is not a valid proxy address (not shown because it may contain a password)`
  const next = `set an http:// or https:// address, or exempt ${target.hostname} with no_proxy`
  throw new Stop({ input: null, message, next, needs: 'nothing' })
}
