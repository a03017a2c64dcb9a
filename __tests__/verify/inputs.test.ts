/** Inputs that only the verify action has; shared inputs are tested with the notarize action. */
import { expect, it } from '@jest/globals'
import { readVerifyInputs } from '../../src/inputs/verify-inputs.ts'

it('the verify action reads all its inputs', () => {
  const token = 'a token that is wrong'
  const others = { 'require-all': 'TRUE', 'base-url': 'https://Notary.example/x/' }
  const rawInputs = { path: 'dist', records: 'a\nb', 'github-token': token, ...others }
  const { inputs, keys } = readVerifyInputs(rawInputs)
  const read = { records: 'a\nb', requireAll: true, baseUrl: 'https://notary.example/x' }
  expect(inputs).toMatchObject({ ...read, showSummary: true })
  expect(keys).toEqual([token])
})

it.each<[Readonly<Record<string, string>>, RegExp]>([
  [{ path: '' }, /"path" is empty, and so are "checksums" and "release-tag"/],
  [{ path: '', 'release-tag': 'v1' }, /"github-token" is empty, but "release-tag" needs it/],
])('the inputs %j have one problem', (changes, message) => {
  const { problems } = readVerifyInputs({ path: 'dist', ...changes })
  expect(problems.map(problem => problem.message)).toEqual([expect.stringMatching(message)])
})
