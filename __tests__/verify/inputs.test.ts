/** What only the verify action has, or wires itself; what both actions share is tested with the first. */
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { readVerifyInputs, verifyDefaults, type VerifyInputName } from '../../src/verify/inputs.ts'
import { readActionFile } from '../support/action-file.ts'

const actionFile = join(import.meta.dirname, '..', '..', 'verify', 'action.yml')

type Given = Partial<Record<VerifyInputName, string>>

/** Reads inputs that are right, with some of them replaced. */
function read(changed: Given): ReturnType<typeof readVerifyInputs> {
  return readVerifyInputs({ ...verifyDefaults, path: 'dist', ...changed })
}

const sha1 = '6dcb09b5b57875f334f61aebed695e2e4193db5e'
const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const release = { 'release-tag': 'v1', 'github-token': 'token1' } as const

const asDefault = {
  ...{ path: 'dist', checksums: '', records: 'notarization-records.jsonl', showSummary: true },
  ...{ releaseTag: null, baseUrl: null, sha: null, requireAll: false, githubToken: '' },
} as const

const blank = (text: string): Given => ({
  ...Object.fromEntries(Object.keys(verifyDefaults).map(name => [name, text])),
  path: 'dist',
})

describe('the inputs of the verify action', () => {
  it('have the defaults of verify/action.yml, in its order, and no other names', () => {
    const { inputs } = readActionFile(actionFile)
    // What only the runner can evaluate is empty here.
    const defaults = [...inputs].map(([name, text]) => [name, text.startsWith('${{') ? '' : text])
    expect(Object.entries(verifyDefaults)).toEqual(defaults)
  })

  it.each<[Given, Partial<Record<keyof typeof asDefault, unknown>>]>([
    [blank(''), {}],
    [blank('\t \n'), {}],
    [
      { path: 'dist/*\n!dist/*.map', checksums: 'SHA256SUMS', records: 'records/*.jsonl' },
      { path: 'dist/*\n!dist/*.map', checksums: 'SHA256SUMS', records: 'records/*.jsonl' },
    ],
    [
      { path: '', ...release },
      { path: '', releaseTag: 'v1', githubToken: 'token1' },
    ],
    [{ 'require-all': ' TRUE\n' }, { requireAll: true }],
    [{ 'show-summary': 'false' }, { showSummary: false }],
    [{ sha: ` ${sha1.toUpperCase()}\n` }, { sha: sha1 }],
    [{ sha: sha256.toUpperCase() }, { sha: sha256 }],
    [{ 'base-url': 'https://Notary.example/x/' }, { baseUrl: 'https://notary.example/x' }],
  ])('%j are read', (given, expected) => {
    const { inputs, usable, problems } = read(given)
    expect(problems).toEqual([])
    expect({ ...inputs, ...usable }).toEqual({ ...asDefault, ...expected })
  })

  it.each<[Given, RegExp]>([
    [{ 'require-all': 'tRUE' }, /"require-all" must be true or false \(got "tRUE"\)$/],
    ...[
      ...[sha1.slice(1), `${sha1}0`, sha256.slice(1), `${sha256}0`, 'main'],
      ...[`sha1:${sha1}`, `${sha1}\n${sha1}`, sha1.replace('6', 'g')],
    ].map((sha): [Given, RegExp] => [
      { sha },
      /"sha" must be a whole commit id of 40 or 64 hex digits \(got ".+"\)$/,
    ]),
    [{ ...release, 'release-tag': 'refs/tags/v1' }, /"release-tag" must be the tag alone/],
    [{ 'release-tag': 'v1' }, /"github-token" is empty, and "release-tag" needs it/],
  ])('%j are wrong, and one line says why', (given, message) => {
    const { inputs, problems } = read(given)
    expect(inputs).toBeNull()
    expect(problems).toEqual([
      { input: expect.any(String), message: expect.stringMatching(message) },
    ])
    expect(problems[0]?.message).not.toContain('\n')
  })
})

describe('whatever text is given', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom(sha1, sha256, 'true', 'dist/**', 'v1', '::error::x', '##[error]x', '\0', '\r'),
    fc.constant('x'.repeat(5000)),
  )

  it('never throws; each problem names one input, in one line that does nothing in the log', () => {
    const any = fc.dictionary(fc.constantFrom(...Object.keys(verifyDefaults)), text)
    fc.assert(
      fc.property(any, given => {
        const { inputs, problems } = readVerifyInputs({ ...verifyDefaults, ...given })
        expect(inputs === null).toBe(problems.length > 0)
        for (const { input, message } of problems) {
          expect(Object.keys(verifyDefaults)).toContain(input)
          expect(message.startsWith(`input "${input}" `)).toBe(true)
          expect(message).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u)
          expect(message.length).toBeLessThan(1500)
        }
        expect(new Set(problems.map(({ input }) => input)).size).toBe(problems.length)
        // A wrong commit must not turn into "any commit" unnoticed.
        if (inputs !== null)
          expect(inputs.sha ?? '').toBe((given['sha'] ?? '').trim().toLowerCase())
      }),
      { numRuns: 500, seed: 7 },
    )
  })
})
