import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parse } from 'yaml'
import { z } from 'zod'
import { readVerifyInputs, verifyDefaults, type VerifyInputName } from '../../src/verify/inputs.ts'
import { readActionFile } from '../support/action-file.ts'

const folder = join(import.meta.dirname, '..', '..')
const actionFile = join(folder, 'verify', 'action.yml')

type Given = Partial<Record<VerifyInputName, string>>

/** Reads inputs that are right, with some of them replaced. */
function read(changed: Given): ReturnType<typeof readVerifyInputs> {
  return readVerifyInputs({ ...verifyDefaults, path: 'dist', ...changed })
}

/** The messages of all problems; each must name its input. */
function messagesOf(changed: Given): readonly string[] {
  const { problems } = read(changed)
  for (const { input, message } of problems) {
    expect(message.startsWith(`input "${input ?? ''}" `)).toBe(true)
  }
  return problems.map(({ message }) => message)
}

const sha1 = '6dcb09b5b57875f334f61aebed695e2e4193db5e'
const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

describe('the inputs of the verify action', () => {
  it('have the defaults of verify/action.yml, and no other names', () => {
    const { inputs } = readActionFile(actionFile)
    // What only the runner can evaluate is empty here.
    const defaults = [...inputs].map(([name, text]) => [name, text.startsWith('${{') ? '' : text])
    expect({ ...verifyDefaults }).toEqual(Object.fromEntries(defaults))
  })

  it('are these eight, and none is a secret of the notarization service', () => {
    expect(Object.keys(verifyDefaults)).toEqual([
      'path',
      'checksums',
      'release-tag',
      'records',
      'sha',
      'require-all',
      'show-summary',
      'github-token',
    ])
  })

  it('are each described in one sentence, as are the outputs', () => {
    const described = z.record(z.string(), z.looseObject({ description: z.string() }))
    const { inputs, outputs } = z
      .looseObject({ inputs: described, outputs: described })
      .parse(parse(readFileSync(actionFile, 'utf8')))
    expect(Object.keys(inputs)).toEqual(Object.keys(verifyDefaults))
    expect(Object.keys(outputs).toSorted()).toEqual([
      'altered-count',
      'matched-count',
      'missing-count',
      'results',
      'unknown-count',
      'verdict',
    ])
    for (const { description } of [...Object.values(inputs), ...Object.values(outputs)]) {
      expect(description).toMatch(/^[A-Z][^\n]+\.$/)
    }
  })

  it('are read as they are given', () => {
    const { inputs, problems } = read({
      path: 'dist/*\n!dist/*.map',
      checksums: 'SHA256SUMS',
      'release-tag': 'v1.2.3',
      records: 'records/*.jsonl',
      sha: sha1,
      'require-all': 'true',
      'show-summary': 'false',
      'github-token': 'ghs_0123456789',
    })
    expect(problems).toEqual([])
    expect(inputs).toEqual({
      path: 'dist/*\n!dist/*.map',
      checksums: 'SHA256SUMS',
      releaseTag: 'v1.2.3',
      records: 'records/*.jsonl',
      isDefaultRecords: false,
      sha: sha1,
      requireAll: true,
      showSummary: false,
      githubToken: 'ghs_0123456789',
    })
  })

  it.each(['', ' ', '\n', '\t \n'])('are their defaults when they are given as %j', blank => {
    const { inputs, problems } = read({
      checksums: blank,
      'release-tag': blank,
      records: blank,
      sha: blank,
      'require-all': blank,
      'show-summary': blank,
      'github-token': blank,
    })
    expect(problems).toEqual([])
    expect(inputs).toEqual({
      path: 'dist',
      checksums: '',
      releaseTag: null,
      records: 'notarization-records.jsonl',
      isDefaultRecords: true,
      sha: null,
      requireAll: false,
      showSummary: true,
      githubToken: '',
    })
  })

  it.each<[Given]>([
    [{ path: 'dist' }],
    [{ path: '', checksums: 'SHA256SUMS' }],
    [{ path: '', 'release-tag': 'v1', 'github-token': 'token' }],
    [{ path: 'dist', checksums: 'SHA256SUMS', 'release-tag': 'v1', 'github-token': 'token' }],
  ])('need one source of artifacts, as in %j', changed => {
    expect(messagesOf(changed)).toEqual([])
  })

  it('without any source of artifacts name the three that there are', () => {
    const [message, ...more] = messagesOf({ path: '' })
    expect(more).toEqual([])
    expect(message).toMatch(/"path" is empty .*"checksums".*"release-tag".*at least one/)
  })

  it.each([
    ['true', true],
    ['True', true],
    ['TRUE', true],
    ['false', false],
    ['False', false],
    ['FALSE', false],
    ['  true\n', true],
  ])('take %j as a boolean', (text, value) => {
    const { inputs, problems } = read({ 'require-all': text, 'show-summary': text })
    expect({ ...inputs, problems }).toMatchObject({
      requireAll: value,
      showSummary: value,
      problems: [],
    })
  })

  it.each(['yes', '1', 'tRUE', 'true false', 'null', '${{ inputs.all }}'])(
    'take %j as no boolean, and say what was given',
    text => {
      expect(messagesOf({ 'require-all': text, 'show-summary': text })).toEqual([
        `input "require-all" must be true or false (got "${text}")`,
        `input "show-summary" must be true or false (got "${text}")`,
      ])
    },
  )

  it.each([sha1, sha1.toUpperCase(), sha256, sha256.toUpperCase(), ` ${sha1}\n`])(
    'take %j as a commit, in lower case',
    text => {
      expect(read({ sha: text })).toMatchObject({
        inputs: { sha: text.trim().toLowerCase() },
        problems: [],
      })
    },
  )

  it.each([
    sha1.slice(1),
    `${sha1}0`,
    sha256.slice(1),
    `${sha256}0`,
    'main',
    'v1.2.3',
    'HEAD',
    `sha1:${sha1}`,
    `${sha1} ${sha1}`,
    `${sha1}\n${sha1}`,
    sha1.replace('6', 'g'),
  ])('take %j as no commit, and say what one is', text => {
    const [message = '', ...more] = messagesOf({ sha: text })
    expect(more).toEqual([])
    expect(message).toContain('whole commit id of 40 or 64 hex digits (got "')
    expect(message).not.toContain('\n')
  })

  it.each(['v 1', 'v1\nv2', 'refs/tags/v1', 'v1\u0007'])('take %j as no tag', tag => {
    const messages = messagesOf({ 'release-tag': tag, 'github-token': 'token' })
    expect(messages).toHaveLength(1)
    expect(messages[0]).toMatch(/^input "release-tag" must be (one tag|the tag alone)/)
  })

  it('need a token for a release, and for nothing else', () => {
    expect(messagesOf({ 'github-token': '' })).toEqual([])
    const [message, ...more] = messagesOf({ 'release-tag': 'v1', 'github-token': '' })
    expect(more).toEqual([])
    expect(message).toMatch(/^input "github-token" is empty, and "release-tag" needs it/)
  })

  it('never say the token, also when it is wrong', () => {
    const token = 'ghs_secret one\nghs_secret_two'
    expect(messagesOf({ 'github-token': token })).toEqual([
      'input "github-token" must be one line without white space',
    ])
  })

  it('are all checked at once, one problem each', () => {
    const { problems } = readVerifyInputs({
      ...verifyDefaults,
      sha: 'main',
      'require-all': 'all',
      'show-summary': 'no',
      'github-token': 'a b',
    })
    expect(problems.map(({ input }) => input)).toEqual([
      'path',
      'sha',
      'require-all',
      'show-summary',
      'github-token',
    ])
  })
})

describe('readVerifyInputs', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom(sha1, sha256, 'true', 'dist/**', 'v1', '::error::x', '##[error]x', '\0', '\r'),
    fc.constant('x'.repeat(5000)),
  )
  const anyInputs = fc.dictionary(fc.constantFrom(...Object.keys(verifyDefaults)), text)

  it('never throws, and each problem names one input, in one line that does nothing in the log', () => {
    fc.assert(
      fc.property(anyInputs, given => {
        const { inputs, problems } = readVerifyInputs({ ...verifyDefaults, ...given })
        for (const { input, message } of problems) {
          expect(Object.keys(verifyDefaults)).toContain(input)
          expect(message.startsWith(`input "${input ?? ''}" `)).toBe(true)
          expect(message).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u)
          expect(message.length).toBeLessThan(1500)
        }
        expect(new Set(problems.map(({ input }) => input)).size).toBe(problems.length)
        // A wrong commit must not turn into "any commit" unnoticed.
        const isShaGiven = (given['sha'] ?? '').trim() !== ''
        const hasShaProblem = problems.some(({ input }) => input === 'sha')
        expect(inputs.sha !== null || hasShaProblem).toBe(isShaGiven)
        expect(inputs.sha ?? sha1).toMatch(/^([0-9a-f]{40}|[0-9a-f]{64})$/)
      }),
      { numRuns: 500, seed: 7 },
    )
  })

  it('gives patterns as they are, but for white space around them', () => {
    fc.assert(
      fc.property(text, text, (path, records) => {
        const { inputs } = readVerifyInputs({ ...verifyDefaults, path, records })
        expect(inputs.path).toBe(path.trim())
        expect(inputs.records).toBe(records.trim() || verifyDefaults.records)
        expect(inputs.isDefaultRecords).toBe(inputs.records === verifyDefaults.records)
      }),
      { numRuns: 300, seed: 8 },
    )
  })
})
