import { tmpdir } from 'node:os'
import { describe, expect, it } from '@jest/globals'
import { addProxySchemes, readEnvironment } from '../../src/runtime/environment.ts'

const nothing = { repository: null, sha: null, ref: null, runId: null, runAttempt: null }
const defaults = {
  workspace: '/w',
  tempFolder: tmpdir(),
  apiUrl: 'https://api.github.com',
  serverUrl: 'https://github.com',
  isGitHub: true,
  source: { ...nothing, commitUrl: null, runUrl: null },
  attempt: 1,
  proxies: {},
  runtimeToken: '',
  passwords: Array(8).fill(''),
  artifactService: null,
  reportTo: 'the issues of this action',
  docsUrl: 'docs',
}
const ofRun = {
  GITHUB_API_URL: 'https://ghe.example/api/v3',
  GITHUB_SERVER_URL: 'https://ghe.example',
  GITHUB_REPOSITORY: 'octo/app',
  GITHUB_SHA: 'c0ffee',
  GITHUB_REF: 'refs/heads/main',
  GITHUB_RUN_ID: '7',
  GITHUB_RUN_ATTEMPT: '2',
  GITHUB_ACTION_REPOSITORY: 'octo/action',
  GITHUB_ACTION_REF: 'v1',
}

describe('the environment', () => {
  it('has defaults without a runner, and for empty variables', () => {
    const names = [...Object.keys(ofRun), 'GITHUB_WORKSPACE', 'RUNNER_TEMP']
    const empty = Object.fromEntries(names.map(name => [name, '']))
    for (const env of [{}, empty]) expect(readEnvironment(env, '/w')).toEqual(defaults)
  })

  it('has what the runner provides', () => {
    const folders = { GITHUB_WORKSPACE: '/work', RUNNER_TEMP: '/t' }
    const proxies = { https_proxy: 'http://a', HTTPS_PROXY: 'http://b', http_proxy: 'http://c' }
    const [app, action] = ['https://ghe.example/octo/app', 'https://github.com/octo/action']
    const run = { repository: 'octo/app', sha: 'c0ffee', ref: 'refs/heads/main', runId: '7' }
    const urls = { commitUrl: `${app}/commit/c0ffee`, runUrl: `${app}/actions/runs/7/attempts/2` }
    expect(readEnvironment({ ...ofRun, ...folders, ...proxies, OTHER: 'x' }, '/w')).toEqual({
      ...defaults,
      workspace: '/work',
      tempFolder: '/t',
      apiUrl: 'https://ghe.example/api/v3',
      serverUrl: 'https://ghe.example',
      source: { ...run, runAttempt: '2', ...urls },
      attempt: 2,
      proxies,
      reportTo: `${action}/issues`,
      docsUrl: `${action}/blob/v1/docs`,
    })
  })

  it('has no URL of what is missing', () => {
    const parts = { GITHUB_REPOSITORY: 'octo/app', GITHUB_ACTION_REPOSITORY: 'octo/action' }
    const { source, docsUrl } = readEnvironment(parts, '/')
    expect(source).toEqual({ ...defaults.source, repository: 'octo/app' })
    expect(docsUrl).toBe('https://github.com/octo/action/blob/main/docs')
    const { runUrl } = readEnvironment({ ...parts, GITHUB_RUN_ID: '7' }, '/').source
    expect(runUrl).toBe('https://github.com/octo/app/actions/runs/7')
  })

  it('has no page of a run on Gitea and Forgejo', () => {
    const { isGitHub, source } = readEnvironment({ ...ofRun, GITEA_ACTIONS: 'true' }, '/')
    expect(isGitHub).toBe(false)
    const commitUrl = 'https://ghe.example/octo/app/commit/c0ffee'
    expect(source).toMatchObject({ runId: '7', runUrl: null, commitUrl })
  })

  it.each([
    ['token', 'https://github.com'],
    ['token', 'https://Octo.GHE.com'],
    ['token', 'http://github.localhost:8080'],
    [null, 'https://github.example'],
    [null, 'https://notgithub.com'],
  ])('has the artifact service with the token %s on %s', (token, server) => {
    const url = 'https://results.example/'
    const env = { GITHUB_SERVER_URL: server, ACTIONS_RUNTIME_TOKEN: 'token' }
    const read = (changes: NodeJS.ProcessEnv) => readEnvironment({ ...env, ...changes }, '/')
    const { artifactService, runtimeToken } = read({ ACTIONS_RESULTS_URL: url })
    expect(artifactService).toBe(token && url)
    expect(runtimeToken).toBe('token')
    expect(read({}).artifactService).toBeNull()
    expect(read({ ACTIONS_RESULTS_URL: 'results.example' }).artifactService).toBeNull()
    const withoutToken = read({ ACTIONS_RESULTS_URL: url, ACTIONS_RUNTIME_TOKEN: '' })
    expect(withoutToken.artifactService).toBeNull()
  })

  it.each([
    ['http://me:p%40ss@proxy', ['p%40ss', 'p@ss']],
    ['http://me:p%zz@proxy', ['p%zz', 'p%zz']],
    ['http://me:a@b:c@proxy', ['a%40b%3Ac', 'a@b:c']],
    ['socks5://me:p@ss@proxy', ['p%40ss', 'p@ss']],
    ['http://me@proxy', []],
    ['http://me:@proxy', []],
    ['http://proxy:3128', []],
  ])('has the password of a proxy as a secret, as in a URL and decoded: %s', (address, all) => {
    for (const name of ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']) {
      const { proxies, passwords } = readEnvironment({ [name]: address }, '/')
      const found = passwords.filter(text => text !== '')
      expect([proxies, found]).toEqual([{ [name]: address }, all])
    }
  })

  it.each([
    ['127.0.0.1:3128', 'http://127.0.0.1:3128'],
    [' me:p4ss%21word@proxy:3128 ', 'http://me:p4ss%21word@proxy:3128'],
    ['HTTPS://proxy', 'HTTPS://proxy'],
    ['socks5://proxy', 'socks5://proxy'],
    ['', ''],
  ])('reads the proxy address %j as %j', (address, read) => {
    const env = { https_proxy: address, HTTP_PROXY: address, OTHER: address }
    addProxySchemes(env)
    expect(env).toEqual({ https_proxy: read, HTTP_PROXY: read, OTHER: address })
  })
})
