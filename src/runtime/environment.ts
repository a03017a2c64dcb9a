import { tmpdir } from 'node:os'

/** The commit and run that a registration is for; a value is null if the runner does not provide it. */
export interface Source {
  readonly repository: string | null
  readonly sha: string | null
  readonly ref: string | null
  readonly runId: string | null
  readonly runAttempt: string | null
  readonly commitUrl: string | null
  readonly runUrl: string | null
}

/** What the action reads from the runner's environment in addition to its inputs. */
export interface Environment {
  readonly workspace: string
  /** `RUNNER_TEMP`. */
  readonly tempFolder: string
  /** URL of the GitHub API. */
  readonly apiUrl: string
  /** URL of GitHub for browsers. */
  readonly serverUrl: string
  readonly source: Source
  /** Number of this attempt of the run, from 1. */
  readonly attempt: number
  readonly proxies: NodeJS.ProcessEnv
  /** The token of the artifact service, and passwords in the proxy variables. */
  readonly secrets: readonly string[]
  /** What keeps workflow artifacts; null if this server has no such service. */
  readonly artifactService: { readonly url: string; readonly token: string } | null
  /** Where to report bugs in this action. */
  readonly reportTo: string
  /** URL of this action's `docs` folder at the ref in use; `docs` if unknown. */
  readonly docsUrl: string
}

/** Reads the environment. Pure. */
export function readEnvironment(env: NodeJS.ProcessEnv, cwd: string): Environment {
  const read = (name: string): string | null => {
    const text = env[name] ?? ''
    return text === '' ? null : text
  }
  const serverUrl = read('GITHUB_SERVER_URL') ?? 'https://github.com'
  const action = read('GITHUB_ACTION_REPOSITORY')
  // The action comes from there, whatever server runs the workflow.
  const actionUrl = action && `https://github.com/${action}`
  const actionRef = read('GITHUB_ACTION_REF') ?? 'main'
  const artifactService = readArtifactService(read, serverUrl)
  const secrets = proxyVariables.flatMap(name => proxySecrets(read(name) ?? ''))
  if (artifactService !== null) secrets.push(artifactService.token)
  return {
    workspace: read('GITHUB_WORKSPACE') ?? cwd,
    tempFolder: read('RUNNER_TEMP') ?? tmpdir(),
    apiUrl: read('GITHUB_API_URL') ?? 'https://api.github.com',
    serverUrl,
    source: readSource(read, serverUrl),
    attempt: Number(read('GITHUB_RUN_ATTEMPT') ?? 1),
    proxies: Object.fromEntries(proxyVariables.map(name => [name, env[name]])),
    secrets,
    artifactService,
    reportTo: actionUrl === null ? 'the issues of this action' : `${actionUrl}/issues`,
    docsUrl: actionUrl === null ? 'docs' : `${actionUrl}/blob/${actionRef}/docs`,
  }
}

function readSource(read: (name: string) => string | null, serverUrl: string): Source {
  const repository = read('GITHUB_REPOSITORY')
  const url = repository && `${serverUrl}/${repository}`
  const sha = read('GITHUB_SHA')
  const runId = read('GITHUB_RUN_ID')
  const runAttempt = read('GITHUB_RUN_ATTEMPT')
  const attempt = runAttempt === null ? '' : `/attempts/${runAttempt}`
  return {
    repository,
    sha,
    ref: read('GITHUB_REF'),
    runId,
    runAttempt,
    commitUrl: url && sha && `${url}/commit/${sha}`,
    runUrl: url && runId && `${url}/actions/runs/${runId}${attempt}`,
  }
}

/** The servers that `@actions/artifact` accepts. */
const cloudHosts = /^github\.com$|\.ghe\.com$|\.localhost$/

function readArtifactService(
  read: (name: string) => string | null,
  serverUrl: string,
): Environment['artifactService'] {
  const url = URL.parse(read('ACTIONS_RESULTS_URL') ?? '')
  const token = read('ACTIONS_RUNTIME_TOKEN')
  const isCloud = cloudHosts.test(URL.parse(serverUrl)?.hostname ?? '')
  if (url === null || token === null || !isCloud) return null
  return { url: url.href, token }
}

const proxyVariables = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']

/** Makes proxy addresses without a scheme usable: the libraries that read these variables would ignore some of them. */
export function addProxySchemes(env: NodeJS.ProcessEnv): void {
  for (const name of proxyVariables) {
    const address = env[name]?.trim() ?? ''
    if (address !== '' && !/^[a-z][a-z\d+.-]*:\/\//i.test(address)) env[name] = `http://${address}`
  }
}

/** Returns the password in a proxy address, as written and decoded. */
function proxySecrets(address: string): readonly string[] {
  const [, userInfo = ''] = /^(?:[a-z][a-z\d+.-]*:\/\/)?(.*)@/is.exec(address) ?? []
  const [, password = ''] = /:(.*)/s.exec(userInfo) ?? []
  if (password === '') return []
  try {
    return [password, decodeURIComponent(password)]
  } catch {
    return [password]
  }
}
