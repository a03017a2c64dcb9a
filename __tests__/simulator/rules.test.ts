/** What the service accepts and refuses (docs/service.md). A simulator that accepted more would hide bugs in the action. */
import { afterEach, expect, it } from '@jest/globals'
import { DEFAULT_API_KEY, exampleSubscription, startSimulator } from '../../simulator/index.ts'
import type { Simulator, SimulatorOptions } from '../../simulator/index.ts'

const HASH = 'ab'.repeat(32)
const OTHER_HASH = 'cd'.repeat(32)

let simulator: Simulator
afterEach(() => simulator.close())

interface Call {
  readonly method: string
  readonly path: string
  /** By default, JSON and a valid token. */
  readonly headers?: Record<string, string>
  readonly body: string | null
}

const post = (path: string, body: object): Call => {
  return { method: 'POST', path: `/api/v2/${path}`, body: JSON.stringify(body) }
}
const complete = (hash: string, changes = {}): Call =>
  post(`registration/${hash}/forfait`, { ...exampleSubscription, ...changes })
const ask = (hash: string, changes = {}): Call => {
  const flags = { custody: 'false', signed: 'false', status: 'not_registered' }
  const body = { blockchainType: 'ALGORAND', description: 'a test', hash, ...flags, ...changes }
  return post('registration/?subscription=true', body)
}

const valid = {
  login: post('auth/login', { apiKey: DEFAULT_API_KEY }),
  completion: complete(HASH),
  request: ask(HASH),
  active: { method: 'GET', path: '/api/v2/payment/subscription/active', body: null },
} as const

async function send({ path, ...call }: Call) {
  const { url, tokens } = simulator
  const json = { 'content-type': 'application/json' }
  await fetch(url + valid.login.path, { ...valid.login, headers: json })
  const headers = { ...json, authorization: `Bearer ${tokens.at(-1) ?? ''}` }
  const answer = await fetch(url + path, { headers, redirect: 'manual', ...call })
  return { status: answer.status, body: await answer.text() }
}

type Kind = keyof typeof valid
const posts = ['login', 'completion', 'request'] as const
const all = [...posts, 'active'] as const
const allowed = (authorization: string) => ({ headers: { authorization } })
const typed = (type: string) => ({ headers: { 'content-type': type } })
const at = (path: string) => ({ path })
const query = (text: string) => at(`/api/v2/registration/${text}`)
const asked = (changes: object) => ({ body: ask(HASH, changes).body })
const paid = (changes: object) => ({ body: complete(HASH, changes).body })

it.each<[status: number, what: string, kinds: readonly Kind[], calls: readonly Partial<Call>[]]>([
  [200, 'a valid call', all, [{}]],
  [400, 'a body that is not JSON', posts, [{ body: '{' }, { body: '' }]],
  [401, 'a wrong token', all.slice(1), ['Bearer a.b.c', 'Basic x'].map(allowed)],
  [401, 'a wrong key', ['login'], [{ body: '{"apiKey":"nope"}' }]],
  [404, 'another path', all, ['/api/v1/auth/login', '//api/v2/auth/login'].map(at)],
  [404, 'another ending', ['completion'], [at(`${valid.completion.path}/`)]],
  [404, 'another query', ['active'], [at(`${valid.active.path}?x=1`)]],
  [404, 'another method', all, [{ method: 'PUT' }]],
  [415, 'another type', ['login'], ['text/json', 'application/jsonp', ''].map(typed)],
  [422, 'another form of JSON', posts, [{ body: '[]' }, { body: '{}' }]],
  [200, 'listed types', ['completion'], [{ id: null }, { x: [1] }].map(paid)],
  [422, 'other types', ['completion'], [{ userId: '4' }, { created: 'now' }].map(paid)],
  [400, 'another query', ['request'], ['', '?subscription=true&x'].map(query)],
  [200, 'other spellings', ['request'], [{ custody: false }, { hash: 'AB'.repeat(32) }].map(asked)],
  [422, 'other values', ['request'], [{ custody: true }, { hash: 'ab' }, { x: 1 }].map(asked)],
])('%d is the answer to %s: %j', async (status, _, kinds, changes) => {
  simulator = await startSimulator({ requested: 'any', repeat: 'accept' })
  for (const kind of kinds) {
    for (const change of changes) {
      const answer = await send({ ...valid[kind], ...change })
      expect({ change, status: answer.status }).toEqual({ change, status })
    }
  }
})

const { completion: first, request: asksFirst } = valid
const second = complete(OTHER_HASH)

it.each<[string, SimulatorOptions, readonly Call[], readonly number[]]>([
  ['nothing requested', {}, [first, asksFirst, first, second], [404, 200, 200, 404]],
  ['requested before', { requested: [HASH] }, [first, second, asksFirst], [200, 404, 409]],
  ['any', { requested: 'any' }, [second, asksFirst, asksFirst], [200, 200, 409]],
  ['repeats', { requested: 'any' }, [first, first], [200, 409]],
  ['repeats accepted', { repeat: 'accept' }, [asksFirst, asksFirst, first], [200, 200, 200]],
  ['no subscription', { activeSubscription: null }, [valid.active, asksFirst], [404, 402]],
])('the state of the service decides: %s', async (_what, options, calls, statuses) => {
  simulator = await startSimulator(options)
  const seen: number[] = []
  for (const call of calls) seen.push((await send(call)).status)
  expect(seen).toEqual(statuses)
})
