import { describe, expect, it } from '@jest/globals'
import { completeProxies, readEnvironment, redactSource } from '../src/environment.ts'

describe('a proxy', () => {
  it.each([
    'http://proxy.example:3128',
    'https://proxy.example',
    'proxy.example:3128',
    'http://user:p%40ss@[::1]:8080/',
    'HTTP://proxy.example',
  ])('can be used: %s', address => {
    const env = { https_proxy: address }
    expect(readEnvironment({ ...env, ...completeProxies(env) }, '/').proxyProblems.size).toBe(0)
  })

  it.each([
    ['socks5://10.0.0.1:1080', 'has the scheme "socks5"'],
    ['socks5h://user:s3cret@10.0.0.1', 'has the scheme "socks5h"'],
    ['ftp://proxy.example', 'has the scheme "ftp"'],
    ['http://', 'is no URL'],
    ['http://proxy.example:port', 'is no URL'],
    ['http://user:s3cret@proxy:99999', 'is no URL'],
    ['https://s3cret%zz@proxy.example', 'is no URL'],
    ['proxy example', 'is no URL'],
    [' ', 'is no URL'],
  ])('cannot be used, and is not shown: %j', (address, what) => {
    const { proxyProblems } = readEnvironment({ https_proxy: address }, '/')
    const { message = '' } = proxyProblems.get('https:') ?? {}
    expect(message).toContain(`"https_proxy" ${what}`)
    expect(message).not.toMatch(/s3cret|10\.0|example/)
  })

  it('is the first that is not empty, for the protocol of the call', () => {
    const env = { https_proxy: '', HTTPS_PROXY: 'socks5://x', http_proxy: 'http://x' }
    const { proxyProblems } = readEnvironment(env, '/')
    expect([...proxyProblems.keys()]).toEqual(['https:'])
    expect(proxyProblems.get('https:')?.message).toContain('"HTTPS_PROXY"')
  })

  it('without a scheme is one of http', () => {
    const env = { https_proxy: 'proxy:3128', HTTP_PROXY: 'http://x', http_proxy: '' }
    expect(completeProxies(env)).toEqual({ https_proxy: 'http://proxy:3128' })
  })

  it.each([
    ['http://me:p%40ss@proxy', ['p%40ss', 'p@ss', 'me:p%40ss', 'me:p@ss']],
    ['me:p%zz@proxy', ['p%zz', 'p%zz', 'me:p%zz', 'me:p%zz']],
    ['http://me@proxy', []],
    ['http://me:@proxy', []],
  ])(
    'has its password among the secrets, as it is written and as it is sent: %s',
    (address, all) => {
      expect(readEnvironment({ http_proxy: address }, '/').secrets).toEqual(all)
    },
  )
})

describe('the environment', () => {
  it('without a runner has a working folder, and no source', () => {
    const { source, ...found } = readEnvironment({ USERPROFILE: '/me', RUNNER_TEMP: '/t' }, '/w')
    expect(found).toMatchObject({
      ...{ workspace: '/w', home: '/me', tempFolder: '/t', apiUrl: 'https://api.github.com' },
      reportTo: 'the issues of this action',
    })
    expect(new Set(Object.values(source))).toEqual(new Set([null]))
  })

  it('has links for what a run says of itself, without its secrets', () => {
    const env = {
      ...{ GITHUB_SERVER_URL: 'https://ghe.example', GITHUB_REPOSITORY: 'octo/s3cret' },
      ...{ GITHUB_SHA: 'c0ffee', GITHUB_REF: '', GITHUB_RUN_ID: '7' },
      GITHUB_ACTION_REPOSITORY: 'octo/action',
    }
    const { source, reportTo } = readEnvironment(env, '/')
    expect(redactSource(source, text => text.replace('s3cret', '***'))).toEqual({
      ...{ repository: 'octo/***', sha: 'c0ffee', ref: null, runId: '7', runAttempt: null },
      commitUrl: 'https://ghe.example/octo/***/commit/c0ffee',
      runUrl: 'https://ghe.example/octo/***/actions/runs/7',
    })
    expect(reportTo).toBe('https://ghe.example/octo/action/issues')
  })
})
