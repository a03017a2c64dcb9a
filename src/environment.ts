import { tmpdir } from 'node:os'
import type { Problem } from './stop.ts'

/** The commit and run that a registration is made for, from the environment of the runner. */
export interface Source {
  readonly repository: string | null
  readonly sha: string | null
  readonly ref: string | null
  readonly runId: string | null
  readonly runAttempt: string | null
  readonly commitUrl: string | null
  readonly runUrl: string | null
}

/** The source as it may be published: `redact` takes the secrets out of each text. */
export function redactSource(source: Source, redact: (text: string) => string): Source {
  const clean = (text: string | null): string | null => (text === null ? null : redact(text))
  return {
    repository: clean(source.repository),
    sha: clean(source.sha),
    ref: clean(source.ref),
    runId: clean(source.runId),
    runAttempt: clean(source.runAttempt),
    commitUrl: clean(source.commitUrl),
    runUrl: clean(source.runUrl),
  }
}

/** What the action reads from the environment of the runner, beside its inputs. */
export interface Environment {
  readonly workspace: string
  readonly home: string
  readonly tempFolder: string
  /** Address of the GitHub API. */
  readonly apiUrl: string
  readonly source: Source
  /** Passwords of the proxies. */
  readonly secrets: readonly string[]
  /**
   * Proxies that cannot be used, by the protocol of the calls that go through them (`https:`, `http:`). The toolkit
   * would go around some of them in silence: stop before a call to a URL that `no_proxy` does not exempt.
   */
  readonly proxyProblems: ReadonlyMap<string, Problem>
  /** Where bugs of this action are reported. */
  readonly reportTo: string
}

/** The variables that name the proxy for the calls of a protocol; the first that is not empty counts. */
const proxyVariables = {
  'https:': ['https_proxy', 'HTTPS_PROXY'],
  'http:': ['http_proxy', 'HTTP_PROXY'],
} as const

const allProxyVariables = Object.values(proxyVariables).flat()

type Variables = Readonly<Record<string, string | undefined>>

/** Reads the environment; `cwd` is the working folder. Pure. */
export function readEnvironment(env: Variables, cwd: string): Environment {
  const server = env['GITHUB_SERVER_URL'] ?? 'https://github.com'
  const action = valueOf(env['GITHUB_ACTION_REPOSITORY'])
  return {
    workspace: valueOf(env['GITHUB_WORKSPACE']) ?? cwd,
    home: valueOf(env['HOME']) ?? valueOf(env['USERPROFILE']) ?? cwd,
    tempFolder: valueOf(env['RUNNER_TEMP']) ?? tmpdir(),
    apiUrl: valueOf(env['GITHUB_API_URL']) ?? 'https://api.github.com',
    source: {
      repository: valueOf(env['GITHUB_REPOSITORY']),
      sha: valueOf(env['GITHUB_SHA']),
      ref: valueOf(env['GITHUB_REF']),
      runId: valueOf(env['GITHUB_RUN_ID']),
      runAttempt: valueOf(env['GITHUB_RUN_ATTEMPT']),
      ...links(env),
    },
    secrets: allProxyVariables.flatMap(name => proxySecrets(env[name] ?? '')),
    proxyProblems: new Map(
      (['https:', 'http:'] as const).flatMap(protocol => {
        const problem = proxyProblem(env, protocol)
        return problem === null ? [] : [[protocol, problem] as const]
      }),
    ),
    reportTo: action === null ? 'the issues of this action' : `${server}/${action}/issues`,
  }
}

/** Links to the commit and the run, on the server of the run. */
function links(env: Variables): Pick<Source, 'commitUrl' | 'runUrl'> {
  const [server, repository, sha, runId] = [
    ...['GITHUB_SERVER_URL', 'GITHUB_REPOSITORY', 'GITHUB_SHA', 'GITHUB_RUN_ID'],
  ].map(name => valueOf(env[name]))
  if (!server || !repository) return { commitUrl: null, runUrl: null }
  const attempt = valueOf(env['GITHUB_RUN_ATTEMPT'])
  const home = `${server}/${repository}`
  return {
    commitUrl: sha ? `${home}/commit/${sha}` : null,
    runUrl: runId
      ? `${home}/actions/runs/${runId}${attempt === null ? '' : `/attempts/${attempt}`}`
      : null,
  }
}

function valueOf(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text
}

/** The variables of proxies that are written as `name:port`, as the URLs that are meant: the toolkit reads a scheme there. */
export function completeProxies(env: Variables): Readonly<Record<string, string>> {
  return Object.fromEntries(
    allProxyVariables.flatMap(name => {
      const address = env[name] ?? ''
      return address === '' || address.includes('://') ? [] : [[name, `http://${address}`]]
    }),
  )
}

/**
 * Why the proxy for calls of a protocol cannot be used; null if it can, or if there is none. The address is not shown:
 * it may hold a password.
 */
export function proxyProblem(env: Variables, protocol: 'https:' | 'http:'): Problem | null {
  const name = proxyVariables[protocol].find(variable => valueOf(env[variable]) !== null)
  if (name === undefined) return null
  const address = completeProxies(env)[name] ?? env[name] ?? ''
  const url = URL.parse(address)
  const isUsable =
    url !== null && /^https?:$/.test(url.protocol) && isDecodable(url.username + url.password)
  if (isUsable) return null
  const [, scheme] = /^\s*([a-z][a-z0-9+.-]*):\/\//i.exec(address) ?? []
  const isOther = scheme !== undefined && !/^https?$/i.test(scheme)
  const what = isOther ? `has the scheme "${scheme}"` : 'is no URL'
  return {
    input: null,
    message: `the address of the proxy in the environment variable "${name}" ${what} (it is not shown, as it may hold a password); give an http:// or https:// address, or exempt the host with no_proxy`,
  }
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** The password in a proxy address, as it stands there, decoded, and as it is sent (with the user). */
function proxySecrets(address: string): readonly string[] {
  const [, userInfo = ''] = /^(?:[a-z]+:\/\/)?(.*)@/is.exec(address) ?? []
  const at = userInfo.indexOf(':')
  if (at === -1 || at === userInfo.length - 1) return []
  const password = userInfo.slice(at + 1)
  return [password, decoded(password), userInfo, decoded(userInfo)]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
