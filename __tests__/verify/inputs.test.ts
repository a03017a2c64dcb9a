/** Inputs that only the verify action has; shared inputs are tested with the notarize action. */
import { expect, it } from '@jest/globals'
import { readVerifyInputs } from '../../src/inputs/verify-inputs.ts'

const sha1 = '6dcb09b5b57875f334f61aebed695e2e4193db5e'
const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

it('the verify action reads all its inputs', () => {
  const token = 'a token that is wrong'
  const others = { 'require-all': 'TRUE', 'base-url': 'https://Notary.example/x/', sha: sha256 }
  const rawInputs = { path: 'dist', records: 'a\nb', 'github-token': token, ...others }
  const { inputs, secrets } = readVerifyInputs(rawInputs)
  const read = { records: 'a\nb', requireAll: true, baseUrl: 'https://notary.example/x' }
  expect(inputs).toMatchObject({ ...read, sha: sha256, showSummary: true })
  expect(secrets).toEqual([token])
  expect(readVerifyInputs({ sha: sha1.toUpperCase() }).inputs.sha).toBe(sha1)
})

it.each<[Readonly<Record<string, string>>, RegExp]>([
  [{ path: '' }, /"path" is empty, and so are "checksums" and "release-tag"/],
  [{ 'release-tag': 'v1' }, /"github-token" is empty, but "release-tag" needs it/],
  [{ sha: sha1.slice(1) }, /"sha" must be a full commit ID of 40 or 64 hex digits/],
  [{ sha: `${sha1}0` }, /"sha" must be/],
  [{ sha: sha1.replace('6', 'g') }, /"sha" must be/],
])('the inputs %j have one problem', (changes, message) => {
  const { problems } = readVerifyInputs({ path: 'dist', ...changes })
  expect(problems.map(problem => problem.message)).toEqual([expect.stringMatching(message)])
})
