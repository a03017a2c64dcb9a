import { expect, it } from '@jest/globals'
import { moduleUrl, runScript } from '../support/script.ts'

it('texts are redacted, escaped and truncated, in this order, and at most ten of a kind are annotations', () => {
  const { stdout, stderr } = runScript(`
    import { createRunner, readRawInputs } from ${JSON.stringify(moduleUrl('src/runtime/runner.ts'))}
    const names = ['api-key', 'subscription', 'github-token', 'path']
    for (const name of names) process.env['INPUT_' + name.toUpperCase()] = ' ' + name + ' '
    const texts = readRawInputs(names)
    const runner = createRunner(text => text.replaceAll('s3cret\\n', '***'))
    runner.info(JSON.stringify([texts, Object.keys(process.env).filter(name => name.startsWith('INPUT_'))]))
    runner.info('::error::a ##[error]b\\rc s3cret\\n')
    runner.error('x'.repeat(5000) + 's3cret\\n')
    for (let count = 1; count <= 11; count++) runner.warning('50% ' + count + ' s3cret\\n' + 'y')
    runner.notice('n')
    for (let count = 2; count <= 11; count++) runner.error('e')`)
  expect(stderr).toBe('')
  const lines = stdout.split('\n')
  const texts = { 'api-key': 'api-key', subscription: 'subscription', path: 'path' }
  expect(JSON.parse(lines[0] ?? '')).toEqual([
    { ...texts, 'github-token': 'github-token' },
    ['INPUT_PATH'],
  ])
  expect(lines[1]).toBe(String.raw`\u003a:error::a \u0023#[error]b\u000dc ***`)
  expect(lines[2]).toMatch(/^::error::x{4000}… \[cut, 5003 characters\]$/)
  expect(lines[3]).toBe('::warning::50%25 1 ***y')
  expect(lines.slice(12, 16)).toEqual([
    '::warning::50%25 10 ***y',
    'warning: 50% 11 ***y',
    '::notice::n',
    '::error::e',
  ])
  expect(lines.slice(-3)).toEqual(['::error::e', 'error: e', ''])
})
