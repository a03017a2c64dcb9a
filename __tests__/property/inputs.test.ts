import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { inputDefaults, readInputs, type RawInputs } from '../../src/inputs.ts'

const nowMs = Date.UTC(2026, 0, 15)
const needed = { 'api-key': 'key-1', 'base-url': 'https://notary.example' } as const
const runs = { numRuns: 500, seed: 11 } as const

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('true', 'https://notary.example', '{"id":"sub_1"}', 'e30=', '7', '\ufeff', '\0'),
)
const anyInputs: fc.Arbitrary<Partial<RawInputs>> = fc.dictionary(
  fc.constantFrom(...Object.keys(inputDefaults)),
  text,
)

const read = (given: Partial<RawInputs>) => readInputs({ ...inputDefaults, ...given }, nowMs)

/** Text that stands nowhere in a message of the action. */
const secret = fc.stringMatching(/^[0-9a-f]{24}$/).map(hex => `zq_${hex}`)

describe('readInputs', () => {
  it('never throws, and each problem names its input and does nothing in the log', () => {
    fc.assert(
      fc.property(anyInputs, given => {
        const { problems, warnings, notices } = read(given)
        for (const { input, message } of problems) {
          expect(Object.keys(inputDefaults)).toContain(input)
          expect(message.startsWith(`input "${input ?? ''}" `)).toBe(true)
        }
        expect(new Set(problems.map(one => one.input)).size).toBe(problems.length)
        const said = [...problems.map(one => one.message), ...warnings, ...notices]
        for (const message of said) {
          expect(message).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u)
          expect(message.length).toBeLessThan(1500)
        }
      }),
      runs,
    )
  })

  it('never says a secret, whatever else is wrong, and gives each of them to be masked', () => {
    const inSubscription = fc.record({
      sessionId: secret,
      customer: secret,
      latestInvoice: secret,
      defaultPaymentMethod: secret,
      id: fc.constantFrom('sub_1', null, 7),
      status: fc.constantFrom('active', 'past_due', 5),
      canceledAt: fc.constantFrom(0, 1, 'x'),
      currentPeriodEnd: fc.constantFrom(0, 1, 1.5),
    })
    const encode = fc.constantFrom(
      (json: string) => json,
      (json: string) => Buffer.from(json).toString('base64'),
      (json: string) => `${Buffer.from(json).toString('base64').slice(0, 40)}\n`,
      (json: string) => json.slice(0, -1),
      (json: string) => `[${json}]`,
    )
    const login = fc.tuple(secret, secret, fc.constantFrom('', '/', '/api/v2', '/?a=b', '#c', ' '))
    fc.assert(
      fc.property(
        anyInputs,
        secret,
        inSubscription,
        encode,
        login,
        (given, key, fields, encoded, [user, password, end]) => {
          const subscription = encoded(JSON.stringify(fields))
          const url = `https://${user}:${password}@notary.example${end}`
          const inputs = { ...given, 'api-key': key, subscription, 'base-url': url }
          const { problems, warnings, notices, secrets } = read(inputs)
          const said = [...problems.map(one => one.message), ...warnings, ...notices].join('\n')
          expect(said).not.toContain('zq_')
          expect(said).not.toContain(subscription.slice(0, 40))
          expect(secrets).toContain(key)
          expect(problems.map(one => one.input)).toContain('base-url')
          if (!problems.some(one => one.message.includes('JSON'))) {
            const { sessionId, customer, latestInvoice, defaultPaymentMethod } = fields
            expect(secrets).toEqual(
              expect.arrayContaining([sessionId, customer, latestInvoice, defaultPaymentMethod]),
            )
          }
        },
      ),
      runs,
    )
  })

  it('brings every base-url that it takes to a form that stays, is safe and has no slash at its end', () => {
    let taken = 0
    const address = fc
      .record({
        scheme: fc.constantFrom('https://', 'https://', 'HTTPS://', 'http://', 'https:', 'ftp://'),
        host: fc.oneof(
          fc.domain(),
          fc.ipV4(),
          fc.ipV6().map(ip => `[${ip}]`),
          fc.constantFrom('localhost', 'LOCALHOST', '127.0.0.1', '127.1', '[::1]', '', 'a b'),
        ),
        port: fc.constantFrom('', '', ':443', ':8443', ':80', ':70000'),
        path: fc.oneof(
          fc.webPath(),
          fc.constantFrom('/', '//', '/a/', '/a/../', '/./', '/api/v2', '/%2F/', '/a//', '/é/'),
        ),
        end: fc.constantFrom('', '', '', '/', '?', '#', '?a', '#a'),
      })
      .map(({ scheme, host, port, path, end }) => `${scheme}${host}${port}${path}${end}`)
    const readUrl = (url: string) => read({ path: '.', 'dry-run': 'true', 'base-url': url })
    fc.assert(
      fc.property(address, url => {
        const { inputs, problems } = readUrl(url)
        if (problems.length > 0) return
        taken++
        const normal = inputs?.baseUrl ?? ''
        expect(readUrl(normal)).toMatchObject({ problems: [], inputs: { baseUrl: normal } })
        expect(normal).toMatch(
          /^(https:\/\/|http:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?(\/|$))/,
        )
        expect(normal).not.toMatch(/\/$|[\s?#\\]|^[^/]*\/\/[^/]*@|\/api\/v2(\/|$)/i)
      }),
      runs,
    )
    expect(taken).toBeGreaterThan(50)
  })

  it('reads a subscription alike as JSON, base64, base64url and wrapped base64', () => {
    const fields = fc.record(
      {
        id: fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant(null)),
        sessionId: fc.string({ unit: 'grapheme' }),
        customer: fc.string(),
        userId: fc.integer(),
        canceledAt: fc.oneof(fc.integer(), fc.boolean(), fc.constant(null)),
        status: fc.oneof(fc.constant('active'), fc.string()),
        currentPeriodEnd: fc.integer(),
        unknown: fc.jsonValue({ maxDepth: 3 }),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fields, fc.integer({ min: 1, max: 90 }), (data, width) => {
        const json = JSON.stringify(data)
        const base64 = Buffer.from(json).toString('base64')
        const readData = (subscription: string) => read({ ...needed, path: '.', subscription })
        const plain = readData(json)
        expect(plain.problems).toEqual([])
        expect(plain.inputs).toMatchObject({ way: { subscription: { id: data.id ?? null, json } } })
        expect(readData(base64)).toEqual(plain)
        expect(readData(base64.replace(/=+$/, ''))).toEqual(plain)
        expect(readData(Buffer.from(json).toString('base64url'))).toEqual(plain)
        const wrapped = readData(base64.replace(new RegExp(`.{${width}}(?=.)`, 'g'), '$&\n'))
        expect(wrapped.inputs).toEqual(plain.inputs)
        expect(wrapped.secrets).toEqual(plain.secrets)
        const warnings = base64.length > width ? 1 : 0
        expect(wrapped.warnings).toHaveLength(plain.warnings.length + warnings)
      }),
      runs,
    )
  })
})
