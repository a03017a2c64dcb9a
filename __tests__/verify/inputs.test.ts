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
