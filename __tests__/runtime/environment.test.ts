import { tmpdir } from 'node:os'
import { describe, expect, it } from '@jest/globals'
import { addProxySchemes, readEnvironment } from '../../src/runtime/environment.ts'

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
  it('has the pages of a run on its server, but for Gitea and Forgejo', () => {
    const [app, action] = ['https://ghe.example/octo/app', 'https://github.com/octo/action']
    const urls = { commitUrl: `${app}/commit/c0ffee`, runUrl: `${app}/actions/runs/7/attempts/2` }
    expect(readEnvironment(ofRun, '/w')).toMatchObject({
      isGitHub: true,
      source: urls,
      attempt: 2,
      reportTo: `${action}/issues`,
      docsUrl: `${action}/blob/v1/docs`,
    })
    const gitea = readEnvironment({ ...ofRun, GITEA_ACTIONS: 'true' }, '/w')
    expect(gitea).toMatchObject({ isGitHub: false, source: { ...urls, runId: '7', runUrl: null } })
  })

  it('has defaults, and no page of what is missing or empty', () => {
    const names = [...Object.keys(ofRun), 'GITHUB_WORKSPACE', 'RUNNER_TEMP']
    const empty = Object.fromEntries(names.map(name => [name, '']))
    expect(readEnvironment(empty, '/w')).toEqual(readEnvironment({}, '/w'))
    expect(readEnvironment({}, '/w').docsUrl).toBe('docs')
    const parts = { GITHUB_REPOSITORY: 'octo/app', GITHUB_ACTION_REPOSITORY: 'octo/action' }
    expect(readEnvironment(parts, '/w')).toMatchObject({
      workspace: '/w',
      tempFolder: tmpdir(),
      apiUrl: 'https://api.github.com',
      source: { repository: 'octo/app', sha: null, commitUrl: null, runUrl: null },
      attempt: 1,
      docsUrl: 'https://github.com/octo/action/blob/main/docs',
    })
    const { source } = readEnvironment({ ...parts, GITHUB_RUN_ID: '7' }, '/')
    expect(source.runUrl).toBe('https://github.com/octo/app/actions/runs/7/attempts/1')
  })

  const url = 'https://results.example/'
  it.each<[string | null, server: string, results?: string, token?: string]>([
    [url, 'https://github.com'],
    [url, 'https://Octo.GHE.com'],
    [url, 'http://github.localhost:8080'],
    [null, 'https://github.com.example'],
    [null, 'https://octo.ghe.com.example'],
    [null, 'https://github.localhost.example'],
    [null, 'https://notgithub.com'],
    [null, 'https://github.com', ''],
    [null, 'https://github.com', 'results.example'],
    [null, 'https://github.com', url, ''],
  ])('has the artifact service %s on %s', (service, server, results = url, token = 'token') => {
    const env = { ACTIONS_RUNTIME_TOKEN: token, ACTIONS_RESULTS_URL: results }
    const read = readEnvironment({ ...env, GITHUB_SERVER_URL: server }, '/')
    expect(read).toMatchObject({ artifactService: service, runtimeToken: token })
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
    ['me:a://b@proxy', 'http://me:a://b@proxy'],
    ['', ''],
  ])('reads the proxy address %j as %j', (address, read) => {
    const env = { https_proxy: address, HTTP_PROXY: address, OTHER: address }
    addProxySchemes(env)
    expect(env).toEqual({ https_proxy: read, HTTP_PROXY: read, OTHER: address })
  })
})
