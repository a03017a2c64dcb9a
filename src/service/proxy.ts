import { checkBypass } from '@actions/http-client/lib/proxy'
import type { Problem } from '../failure.ts'
import type { Variables } from '../runtime/environment.ts'

/**
 * What is wrong with the address of the proxy that a call to `url` would use; null if nothing is, or if it uses none. The
 * toolkit would bypass some proxies with a wrong address. The message never shows it, as it may hold a password.
 */
export function proxyProblem(url: string, env: Variables): Problem | null {
  const target = new URL(url)
  const names =
    target.protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', 'HTTP_PROXY']
  const name = names.find(variable => (env[variable] ?? '') !== '')
  if (name === undefined || checkBypass(target) || isUsable(env[name] ?? '')) return null
  const message = `the environment variable "${name}" has no usable proxy address (it is not shown, as it may hold a password); give an http:// or https:// address, or exempt ${target.hostname} with no_proxy`
  return { input: null, message }
}

function isUsable(address: string): boolean {
  const proxy = URL.parse(address)
  if (proxy === null || !/^https?:$/.test(proxy.protocol)) return false
  try {
    decodeURIComponent(proxy.username + proxy.password)
    return true
  } catch {
    return false
  }
}
