import { tmpdir } from 'node:os'
import type { Problem } from './stop.ts'

type SourceField = 'repository' | 'sha' | 'ref' | 'runId' | 'runAttempt' | 'commitUrl' | 'runUrl'

/** The commit and run that a registration is made for; null where the environment of the runner does not say. */
export type Source = Readonly<Record<SourceField, string | null>>

/** The source as it may be published: `redact` takes the secrets out of each text. */
export function redactSource<Field extends string>(
  source: Readonly<Record<Field, string | null>>,
  redact: (text: string) => string,
): Readonly<Record<Field, string | null>> {
  const clean: Record<Field, string | null> = { ...source }
  for (const field in source) {
    const text = source[field]
    if (text !== null) clean[field] = redact(text)
  }
  return clean
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

type Variables = Readonly<Record<string, string | undefined>>

/** Reads the environment, with complete proxies; `cwd` is the working folder. Pure. */
export function readEnvironment(env: Variables, cwd: string): Environment {
  const action = valueOf(env['GITHUB_ACTION_REPOSITORY'])
  const server = valueOf(env['GITHUB_SERVER_URL'])
  return {
    workspace: valueOf(env['GITHUB_WORKSPACE']) ?? cwd,
    home: valueOf(env['HOME']) ?? valueOf(env['USERPROFILE']) ?? cwd,
    tempFolder: valueOf(env['RUNNER_TEMP']) ?? tmpdir(),
    apiUrl: valueOf(env['GITHUB_API_URL']) ?? 'https://api.github.com',
    source: readSource(env, server),
    secrets: proxyVariables.flatMap(({ names }) =>
      names.flatMap(name => proxySecrets(env[name] ?? '')),
    ),
    proxyProblems: findProxyProblems(env),
    reportTo:
      action === null
        ? 'the issues of this action'
        : `${server ?? 'https://github.com'}/${action}/issues`,
  }
}

function readSource(env: Variables, server: string | null): Source {
  const repository = valueOf(env['GITHUB_REPOSITORY'])
  const sha = valueOf(env['GITHUB_SHA'])
  const runId = valueOf(env['GITHUB_RUN_ID'])
  const runAttempt = valueOf(env['GITHUB_RUN_ATTEMPT'])
  const home = server === null || repository === null ? null : `${server}/${repository}`
  const attempt = runAttempt === null ? '' : `/attempts/${runAttempt}`
  return {
    ...{ repository, sha, ref: valueOf(env['GITHUB_REF']), runId, runAttempt },
    commitUrl: home === null || sha === null ? null : `${home}/commit/${sha}`,
    runUrl: home === null || runId === null ? null : `${home}/actions/runs/${runId}${attempt}`,
  }
}

function valueOf(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text
}

/** The variables that name the proxy for the calls of a protocol; the first that is not empty counts. */
const proxyVariables = [
  { protocol: 'https:', names: ['https_proxy', 'HTTPS_PROXY'] },
  { protocol: 'http:', names: ['http_proxy', 'HTTP_PROXY'] },
] as const

/** The variables of proxies that are written as `name:port`, as the URLs that are meant: the toolkit reads a scheme there. */
export function completeProxies(env: Variables): Readonly<Record<string, string>> {
  const completed: Record<string, string> = {}
  for (const name of proxyVariables.flatMap(({ names }) => names)) {
    const address = env[name] ?? ''
    if (address !== '' && !address.includes('://')) completed[name] = `http://${address}`
  }
  return completed
}

function findProxyProblems(env: Variables): ReadonlyMap<string, Problem> {
  const problems = new Map<string, Problem>()
  for (const { protocol, names } of proxyVariables) {
    const name = names.find(variable => valueOf(env[variable]) !== null)
    const why = name === undefined ? null : unusable(env[name] ?? '')
    if (name === undefined || why === null) continue
    const message = `the address of the proxy in the environment variable "${name}" ${why} (it is not shown, as it may hold a password); give an http:// or https:// address, or exempt the host with no_proxy`
    problems.set(protocol, { input: null, message })
  }
  return problems
}

/** Why the address of a proxy cannot be used; null if it can. */
function unusable(address: string): string | null {
  const url = URL.parse(address)
  const isHttp = url !== null && /^https?:$/.test(url.protocol)
  if (isHttp && decode(url.username + url.password) !== null) return null
  const [, scheme = 'http'] = /^\s*([a-z][a-z0-9+.-]*):\/\//i.exec(address) ?? []
  return /^https?$/i.test(scheme) ? 'is no URL' : `has the scheme "${scheme}"`
}

/** The password in a proxy address, as it stands there, decoded, and as it is sent (with the user). */
function proxySecrets(address: string): readonly string[] {
  const [, userInfo = ''] = /^(?:[a-z]+:\/\/)?(.*)@/is.exec(address) ?? []
  const [, password = ''] = /:(.*)/s.exec(userInfo) ?? []
  if (password === '') return []
  return [password, userInfo].flatMap(text => [text, decode(text) ?? text])
}

/** Null if it has what is no percent encoding. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
