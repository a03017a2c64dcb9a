/** What only the verify action has, or connects itself; what both actions share is tested with the first. */
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import {
  readVerifyInputs,
  verifyInputNames,
  type VerifyInputs,
} from '../../src/inputs/verify-inputs.ts'
import { readActionFile } from '../support/action-file.ts'

const actionFile = join(import.meta.dirname, '..', '..', 'verify', 'action.yml')

type Given = Readonly<Record<string, string>>

/** Reads valid inputs, with some of them replaced. */
function read(changed: Given): ReturnType<typeof readVerifyInputs> {
  return readVerifyInputs({ path: 'dist', ...changed })
}

const sha1 = '6dcb09b5b57875f334f61aebed695e2e4193db5e'
const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

describe('the inputs of the verify action', () => {
  it('have the defaults of verify/action.yml, in its order, and no other names', () => {
    const { inputs } = readActionFile(actionFile)
    // Only the runner can evaluate an expression.
    const defaults = new Map<string, string>()
    for (const [name, text] of inputs) defaults.set(name, text.startsWith('${{') ? '' : text)
    expect(verifyInputNames).toEqual([...inputs.keys()])
    expect(readVerifyInputs(Object.fromEntries(defaults))).toEqual(readVerifyInputs({}))
  })

  it.each<[Given, Partial<VerifyInputs>]>([
    [{}, { records: 'notarization-records*.jsonl', baseUrl: null, sha: null, requireAll: false }],
    [{ records: 'a\nb' }, { records: 'a\nb' }],
    [
      { 'release-tag': 'v1', 'github-token': 'token' },
      { releaseTag: 'v1', githubToken: 'token' },
    ],
    [{ 'require-all': 'TRUE' }, { requireAll: true }],
    [{ 'show-summary': 'false' }, { showSummary: false }],
    [{ sha: sha1.toUpperCase() }, { sha: sha1 }],
    [{ sha: sha256 }, { sha: sha256 }],
    [{ 'base-url': 'https://Notary.example/x/' }, { baseUrl: 'https://notary.example/x' }],
  ])('%j are read', (given, expected) => {
    const { usable, problems } = read(given)
    expect(problems).toEqual([])
    expect(usable).toMatchObject(expected)
  })

  it.each<[Given, RegExp]>([
    [{ path: '' }, /"path" is empty, and so are "checksums" and "release-tag"/],
    [{ 'require-all': 'tRUE' }, /"require-all" must be true or false \(got "tRUE"\)$/],
    [{ 'release-tag': 'refs/tags/v1', 'github-token': 'x' }, /"release-tag" must be the tag/],
    [{ 'release-tag': 'v1' }, /"github-token" is empty, but "release-tag" needs it/],
    [{ 'base-url': 'http://notary.example' }, /"base-url" must start with https/],
    ...[sha1.slice(1), `${sha1}0`, 'main', sha1.replace('6', 'g')].map((sha): [Given, RegExp] => [
      { sha },
      /"sha" must be a whole commit id of 40 or 64 hex digits \(got ".+"\)$/i,
    ]),
  ])('%j are wrong, and one message says why', (given, message) => {
    expect(read(given).problems.map(one => one.message)).toEqual([expect.stringMatching(message)])
  })

  it('give a wrong token as a secret, too', () => {
    expect(read({ 'github-token': 'secret token' }).secrets).toEqual(['secret token'])
  })
})
