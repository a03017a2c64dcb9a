import { describe, expect, it } from '@jest/globals'
import { completeProxies, proxyProblem, readEnvironment } from '../src/environment.ts'

describe('a proxy', () => {
  it.each([
    'http://proxy.example:3128',
    'https://proxy.example',
    'proxy.example:3128',
    'http://user:p%40ss@[::1]:8080/',
    'HTTP://proxy.example',
  ])('can be used: %s', address => {
    expect(proxyProblem({ https_proxy: address }, 'https:')).toBeNull()
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
    const problem = proxyProblem({ https_proxy: address }, 'https:')
    expect(problem?.message).toContain(`"https_proxy" ${what}`)
    expect(problem?.message).not.toMatch(/s3cret|10\.0|example/)
  })

  it('is the first that is not empty, for the protocol of the call', () => {
    const env = { https_proxy: '', HTTPS_PROXY: 'socks5://x', http_proxy: 'http://x' }
    expect(proxyProblem(env, 'https:')?.message).toContain('"HTTPS_PROXY"')
    expect(proxyProblem(env, 'http:')).toBeNull()
    expect(proxyProblem({}, 'https:')).toBeNull()
    expect([...readEnvironment(env, '/').proxyProblems.keys()]).toEqual(['https:'])
  })

  it('without a scheme is one of http', () => {
    const env = { https_proxy: 'proxy:3128', HTTP_PROXY: 'http://x', http_proxy: '' }
    expect(completeProxies(env)).toEqual({ https_proxy: 'http://proxy:3128' })
  })

  it('has its password among the secrets, as it is written and as it is sent', () => {
    const { secrets } = readEnvironment({ https_proxy: 'http://me:p%40ss@proxy' }, '/')
    expect(secrets).toEqual(['p%40ss', 'p@ss', 'me:p%40ss', 'me:p@ss'])
  })
})
