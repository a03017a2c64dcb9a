import { tmpdir } from 'node:os'
import { unescape } from 'node:querystring'
import * as z from 'zod/mini'

const sourceValue = z._default(z.nullable(z.string()), null)

/** The commit and run that a registration is for; a value is null if the runner does not provide it. */
export const sourceSchema = z.object({
  repository: sourceValue,
  sha: sourceValue,
  ref: sourceValue,
  runId: sourceValue,
  runAttempt: sourceValue,
  commitUrl: sourceValue,
  runUrl: sourceValue,
})

export type Source = Readonly<z.infer<typeof sourceSchema>>

/** The servers that `@actions/artifact` accepts. */
const cloudHosts = /^github\.com$|\.ghe\.com$|\.localhost$/

const proxyVariables = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']

/** What the action reads from the runner's environment in addition to its inputs. */
export interface Environment {
  readonly workspace: string
  /** `RUNNER_TEMP`. */
  readonly tempFolder: string
  readonly apiUrl: string
  /** URL of GitHub for browsers. */
  readonly serverUrl: string
  /** Whether the server is GitHub: Gitea and Forgejo have other APIs and other addresses of runs. */
  readonly isGitHub: boolean
  readonly source: Source
  /** Number of this attempt of the run, from 1. */
  readonly attempt: number
  readonly proxies: NodeJS.ProcessEnv
  /** The token of the artifact service; empty if there is none. */
  readonly runtimeToken: string
  readonly passwords: readonly string[]
  /** URL of the service that keeps workflow artifacts; null if this server has none that can be used. */
  readonly artifactService: string | null
  readonly reportTo: string
  /** URL of this action's `docs` folder at the ref in use; `docs` if unknown. */
  readonly docsUrl: string
}

export function readEnvironment(env: NodeJS.ProcessEnv, cwd: string): Environment {
  // An empty variable is as good as none.
  const variables = Object.fromEntries(Object.entries(env).filter(([, text]) => text !== ''))
  const {
    GITHUB_WORKSPACE: workspace = cwd,
    RUNNER_TEMP: tempFolder = tmpdir(),
    GITHUB_API_URL: apiUrl = 'https://api.github.com',
    GITHUB_SERVER_URL: serverUrl = 'https://github.com',
    GITEA_ACTIONS: gitea,
    GITHUB_REPOSITORY: repository,
    GITHUB_SHA: sha,
    GITHUB_REF: ref,
    GITHUB_RUN_ID: runId,
    GITHUB_RUN_ATTEMPT: runAttempt = '1',
    GITHUB_ACTION_REPOSITORY: action,
    GITHUB_ACTION_REF: actionRef = 'main',
    ACTIONS_RESULTS_URL: resultsUrl = '',
    ACTIONS_RUNTIME_TOKEN: runtimeToken = '',
  } = variables
  const isGitHub = gitea !== 'true'
  const url = repository && `${serverUrl}/${repository}`
  const commitUrl = url && sha && `${url}/commit/${sha}`
  const runPage = url && runId && `${url}/actions/runs/${runId}/attempts/${runAttempt}`
  const runUrl = isGitHub ? runPage : null
  const isCloud = cloudHosts.test(URL.parse(serverUrl)?.hostname ?? '')
  const canKeep = isCloud && runtimeToken !== '' && URL.canParse(resultsUrl)
  // The action comes from there, whatever server runs the workflow.
  const actionUrl = action && `https://github.com/${action}`
  // As in a URL, and decoded.
  const passwords = proxyVariables.flatMap(name => {
    const { password = '' } = URL.parse(env[name] ?? '') ?? {}
    return [password, unescape(password)]
  })
  return {
    workspace,
    tempFolder,
    apiUrl,
    serverUrl,
    isGitHub,
    source: sourceSchema.parse({ repository, sha, ref, runId, runAttempt, commitUrl, runUrl }),
    attempt: Number(runAttempt),
    proxies: Object.fromEntries(proxyVariables.map(name => [name, env[name]])),
    runtimeToken,
    passwords,
    artifactService: canKeep ? resultsUrl : null,
    reportTo: actionUrl === undefined ? 'the issues of this action' : `${actionUrl}/issues`,
    docsUrl: actionUrl === undefined ? 'docs' : `${actionUrl}/blob/${actionRef}/docs`,
  }
}

/** Makes proxy addresses without a scheme usable: the libraries that read these variables would ignore some of them. */
export function addProxySchemes(env: NodeJS.ProcessEnv): void {
  for (const name of proxyVariables) {
    const address = env[name]?.trim() ?? ''
    if (address !== '' && !/^[a-z][a-z\d+.-]*:\/\//i.test(address)) env[name] = `http://${address}`
  }
}
