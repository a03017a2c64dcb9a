import { expect, it, jest } from '@jest/globals'
import { createRunner, readRawInputs } from '../../src/runtime/runner.ts'

it('inputs are trimmed, and secret ones are removed from the environment', () => {
  const inputs = { 'api-key': 'k', subscription: 's', 'github-token': 't', path: 'p' }
  for (const [name, text] of Object.entries(inputs)) {
    process.env[`INPUT_${name.toUpperCase()}`] = ` ${text} `
  }
  expect(readRawInputs(Object.keys(inputs))).toEqual(inputs)
  expect(Object.keys(process.env).filter(name => name.startsWith('INPUT_'))).toEqual(['INPUT_PATH'])
})

it('texts are redacted, escaped and truncated, in this order, and at most ten of a kind are annotations', () => {
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  const runner = createRunner(text => text.replaceAll('s3cret\n', '***'))
  runner.info('::error::a ##[error]b\rc s3cret\n')
  runner.error(`${'x'.repeat(5000)}s3cret\n`)
  for (let count = 1; count <= 11; count++) runner.warning(`50% ${count} s3cret\ny`)
  for (let count = 1; count <= 11; count++) runner.notice('n')
  for (let count = 2; count <= 11; count++) runner.error('e')
  const lines = write.mock.calls
    .map(([text]) => text)
    .join('')
    .split('\n')
  write.mockRestore()
  expect(runner.warnings).toHaveLength(11)
  expect(runner.warnings[0]).toBe('50% 1 ***y')
  expect(lines[0]).toBe(String.raw`\u003a:error::a \u0023#[error]b\u000dc ***`)
  expect(lines[1]).toMatch(/^::error::x{4000}… \[cut, 5003 characters\]$/)
  expect(lines[2]).toBe('::warning::50%25 1 ***y')
  expect(lines.slice(11, 13)).toEqual(['::warning::50%25 10 ***y', 'warning: 50% 11 ***y'])
  expect(lines.slice(22, 25)).toEqual(['::notice::n', 'notice: n', '::error::e'])
  expect(lines.slice(-3)).toEqual(['::error::e', 'error: e', ''])
})
