import { describe, expect, it } from '@jest/globals'
import { readEnvironment } from '../../src/runtime/environment.ts'

const ofRun = {
  GITHUB_SERVER_URL: 'https://ghe.example',
  GITHUB_REPOSITORY: 'octo/app',
  GITHUB_SHA: 'c0ffee',
  GITHUB_REF: '',
  GITHUB_RUN_ID: '7',
  GITHUB_ACTION_REPOSITORY: 'octo/action',
}

describe('the environment', () => {
  it('has the working directory and no source without a runner', () => {
    const { source, ...rest } = readEnvironment({ USERPROFILE: '/me', RUNNER_TEMP: '/t' }, '/w')
    expect(rest).toMatchObject({ workspace: '/w', home: '/me', tempFolder: '/t' })
    expect(rest).toMatchObject({ apiUrl: 'https://api.github.com', docsUrl: 'docs', secrets: [] })
    expect(new Set(Object.values(source))).toEqual(new Set([null]))
  })

  it('has the commit, the run, and the URLs of both, of the docs and for bug reports', () => {
    const { source, reportTo, docsUrl } = readEnvironment(ofRun, '/')
    const app = 'https://ghe.example/octo/app'
    const urls = { commitUrl: `${app}/commit/c0ffee`, runUrl: `${app}/actions/runs/7` }
    const run = { repository: 'octo/app', sha: 'c0ffee', ref: null, runId: '7', runAttempt: null }
    expect(source).toEqual({ ...run, ...urls })
    const action = 'https://ghe.example/octo/action'
    expect([reportTo, docsUrl]).toEqual([`${action}/issues`, `${action}/blob/main/docs`])
    const later = { ...ofRun, GITHUB_RUN_ATTEMPT: '2', GITHUB_ACTION_REF: 'v1' }
    const second = readEnvironment(later, '/')
    expect(second.source.runUrl).toBe(`${app}/actions/runs/7/attempts/2`)
    expect(second.docsUrl).toBe(`${action}/blob/v1/docs`)
    const { source: bare } = readEnvironment({ GITHUB_REPOSITORY: 'octo/app' }, '/')
    expect([bare.commitUrl, bare.runUrl]).toEqual([null, null])
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
    const serviceOf = (changes: NodeJS.ProcessEnv) =>
      readEnvironment({ ...env, ...changes }, '/').artifactService
    expect(serviceOf({ ACTIONS_RESULTS_URL: url })).toEqual(token && { url, token })
    expect(serviceOf({})).toBeNull()
    expect(serviceOf({ ACTIONS_RESULTS_URL: url, ACTIONS_RUNTIME_TOKEN: '' })).toBeNull()
  })

  it.each([
    ['http://me:p%40ss@proxy', ['p%40ss', 'p@ss']],
    ['me:p%zz@proxy', ['p%zz']],
    ['http://me:a@b:c@proxy', ['a@b:c', 'a@b:c']],
    ['socks5://me:p@ss@proxy', ['p@ss', 'p@ss']],
    ['http://me@proxy', []],
    ['http://me:@proxy', []],
    ['http://proxy:3128', []],
  ])('has the password of a proxy as a secret, as written and decoded: %s', (address, all) => {
    for (const name of ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']) {
      expect(readEnvironment({ [name]: address }, '/').secrets).toEqual(all)
    }
  })
})
