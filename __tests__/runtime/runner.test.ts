import { expect, it, jest } from '@jest/globals'
import { createRunner, readRawInputs } from '../../src/runtime/runner.ts'

it('inputs are trimmed, and removed from the environment', () => {
  const inputs = { 'api-key': 'k', subscription: 's', 'github-token': 't', path: 'p' }
  for (const [name, text] of Object.entries(inputs)) {
    process.env[`INPUT_${name.toUpperCase()}`] = ` ${text} `
  }
  expect(readRawInputs()).toEqual(inputs)
  expect(Object.keys(process.env).filter(name => name.startsWith('INPUT_'))).toEqual([])
})

it('texts are redacted, escaped and truncated, in this order', () => {
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  const runner = createRunner(text => text.replaceAll('s3cret\n', '***'), 'https://docs')
  runner.info('::error::a ##[error]b\rc s3cret\n')
  runner.error(`${'x'.repeat(5000)}s3cret\n`)
  runner.warning('now 50% s3cret\ny')
  runner.warning('see this', 'x.md#y')
  runner.logWarning('later told')
  const lines = write.mock.calls.flat().join('').split('\n')
  write.mockRestore()
  const [now, seen] = [{ text: 'Now 50% ***y.' }, { text: 'See this.', docs: 'x.md#y' }]
  expect(runner.warnings).toEqual([now, seen])
  expect(lines[0]).toBe(String.raw`\u003a:error::a \u0023#[error]b\u000dc ***`)
  expect(lines[1]).toMatch(/^::error::x{4000}… \[cut, 5003 characters\]$/)
  expect(lines.slice(2)).toEqual([
    '::warning::Now 50%25 ***y',
    '::warning::See this: https://docs/x.md#y',
    '::warning::Later told',
    '',
  ])
})

it('a summary that cannot be written rejects', async () => {
  process.env['GITHUB_STEP_SUMMARY'] = import.meta.dirname
  await expect(createRunner(text => text, '').writeSummary('x')).rejects.toThrow('EISDIR')
})

it.each([
  ['', /^GITHUB_OUTPUT is not set$/],
  [
    import.meta.dirname,
    /^"\S+runtime" cannot be written: illegal operation on a directory \(EISDIR\)$/,
  ],
])('outputs that cannot be written say so, with the path: %j', (path, message) => {
  process.env['GITHUB_OUTPUT'] = path
  expect(() => {
    createRunner(text => text, '').setOutput('verdict', 'x')
  }).toThrow(message)
})
