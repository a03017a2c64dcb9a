import { tmpdir } from 'node:os'
import type { Source } from './records/record-line.ts'

/** What the action reads from the environment of the runner, beside its inputs. */
export interface Environment {
  readonly workspace: string
  readonly home: string
  readonly tempFolder: string
  readonly source: Source
  /** Passwords of the proxies. */
  readonly secrets: readonly string[]
  /** Where bugs of this action are reported. */
  readonly reportTo: string
}

/** The variables that name a proxy. */
export const proxyVariables = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'] as const

type Variables = Readonly<Record<string, string | undefined>>

/** Reads the environment; `cwd` is the working folder. Pure. */
export function readEnvironment(env: Variables, cwd: string): Environment {
  const server = env['GITHUB_SERVER_URL'] ?? 'https://github.com'
  const action = valueOf(env['GITHUB_ACTION_REPOSITORY'])
  return {
    workspace: valueOf(env['GITHUB_WORKSPACE']) ?? cwd,
    home: valueOf(env['HOME']) ?? valueOf(env['USERPROFILE']) ?? cwd,
    tempFolder: valueOf(env['RUNNER_TEMP']) ?? tmpdir(),
    source: {
      repository: valueOf(env['GITHUB_REPOSITORY']),
      sha: valueOf(env['GITHUB_SHA']),
      ref: valueOf(env['GITHUB_REF']),
      runId: valueOf(env['GITHUB_RUN_ID']),
      runAttempt: valueOf(env['GITHUB_RUN_ATTEMPT']),
      ...links(env),
    },
    secrets: proxyVariables.flatMap(name => proxySecrets(env[name] ?? '')),
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
