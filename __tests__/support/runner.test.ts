import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { afterAll, describe, expect, test } from '@jest/globals'
import { z } from 'zod'
import { cleanUp } from './clean-up.ts'
import { parseKeyValues, passOnOutputs } from './command-files.ts'
import { LineSplitter, parseCommand, parseCommands, splitLines } from './commands.ts'
import { applyMasks, toMasks } from './masks.ts'
import { runAction, startAction } from './runner.ts'
import { makeWorkspace } from './workspace.ts'

afterAll(cleanUp)

const actionFile = `
name: fake
inputs:
  api-key:
    description: no default
  base-url:
  concurrency:
    default: 4
  dry-run:
    default: false
  records-path:
    default: records.jsonl
  token:
    default: \${{ github.token }}
  repo name:
    default: of \${{ github.repository }}
runs:
  using: node24
  main: dist/index.js
`

/** Makes a folder with an action of this script (ES module). */
function makeAction(script: string, file = actionFile): string {
  return makeWorkspace({
    'action.yml': file,
    'dist/index.js': script,
    'dist/package.json': '{"type":"module"}',
  }).root
}

describe('the parser of workflow commands', () => {
  test.each([
    ['::error::text', 'error', {}, 'text'],
    [' \t\u00a0::error::after white space', 'error', {}, 'after white space'],
    ['::ERROR FILE=a,line=1::text', 'error', { file: 'a', line: '1' }, 'text'],
    [
      '::warning title=a%3Ab%2Cc%25::x%0Ay%0D%25 %3A',
      'warning',
      { title: 'a:b,c%' },
      'x\ny\r% %3A',
    ],
    ['::notice file=,line==2,=3::text', 'notice', { line: '2' }, 'text'],
    ['::debug::%250A', 'debug', {}, '%0A'],
    ['::group::a::b', 'group', {}, 'a::b'],
    ['anywhere ##[error]text%5D', 'error', {}, 'text]'],
    ['##[error file=a;line=1%3B]text', 'error', { file: 'a', line: '1;' }, 'text'],
    ['::unknown:: ##[warning]text', 'warning', {}, 'text'],
  ])('reads %j', (line, command, properties, message) => {
    expect(parseCommand(line)).toEqual({ command, properties, message })
  })

  test.each([
    ...['text ::error::text', '::error:text', '::unknown::text', '\u200b::error::text', ''],
    ...['##[unknown] ##[error]only the first counts', '##[error text', '# #[error]text'],
  ])('takes %j for plain text', line => {
    expect(parseCommand(line)).toBeUndefined()
  })

  test('ends lines at LF, CRLF and a bare CR, also when the text comes in pieces', () => {
    const [text, lines] = ['a\nb\r\nc\rd\r\r\ne', ['a', 'b', 'c', 'd', '', 'e']]
    const splitter = new LineSplitter()

    expect(splitLines(text)).toEqual(lines)
    expect([...Array.from(text).flatMap(one => splitter.push(one)), ...splitter.flush()]).toEqual(
      lines,
    )
    expect(parseCommands('text\r::error::forged')).toHaveLength(1)
  })

  test('reads nothing between stop-commands and its token', () => {
    const text = '::stop-commands::Token1\n::error::no\n##[error]no\n::token1::\n::error::seen'

    expect(parseCommands(text).map(({ message }) => message)).toEqual(['Token1', 'seen'])
  })
})

test('masks are made of every line of a secret, and hide what they match', () => {
  expect(toMasks('  one \r\n{\n\n two')).toEqual(['one', '{', 'two'])
  expect(applyMasks('x abc y bc z', ['bc', 'abc'])).toBe('x *** y *** z')
})

describe('the reader of the output file', () => {
  test('takes single lines and blocks, the last value of a name', () => {
    const text = 'a=1\n\nb<<EOF\nx=1\n\ny<<z\nEOF\nc<<E\nE\na=2=3\nd<<E\n last\nE'

    expect(parseKeyValues(text)).toEqual({ a: '2=3', b: 'x=1\n\ny<<z', c: '', d: ' last' })
  })

  test.each(['text', '=1', '<<EOF\nEOF', 'a<<\n', 'a<<EOF\n1\n', 'a<<EOF\n1\nEOF \n'])(
    'refuses %j',
    text => {
      expect(() => parseKeyValues(text)).toThrow(/Invalid/)
    },
  )

  test('passes on no output that is empty, has a masked part or is too long', () => {
    const outputs = { a: 'x', b: '', c: 'a secret inside', d: 'x'.repeat(500_000), e: 'y' }

    expect(passOnOutputs(outputs, ['secret'])).toEqual({ a: 'x', e: 'y' })
  })
})

describe('a run', () => {
  const printEnvironment = 'console.log(JSON.stringify({ cwd: process.cwd(), env: process.env }))'

  test('gives the action a clean environment and every declared input', async () => {
    const workspace = makeWorkspace()
    const run = await runAction({
      workspace,
      actionFolder: makeAction(printEnvironment),
      inputs: { 'api-key': 'key', concurrency: '', 'dry-run': undefined },
      env: { EXTRA: '1', GITHUB_JOB: undefined },
    })

    const { cwd, env } = z
      .object({ cwd: z.string(), env: z.record(z.string(), z.string()) })
      .parse(JSON.parse(run.stdout))
    expect(cwd).toBe(workspace.root)
    expect(env).toMatchObject({
      'INPUT_API-KEY': 'key',
      'INPUT_BASE-URL': '',
      INPUT_CONCURRENCY: '',
      'INPUT_DRY-RUN': 'false',
      INPUT_TOKEN: '',
      INPUT_REPO_NAME: 'of octo/app',
      GITHUB_WORKSPACE: workspace.root,
      RUNNER_TEMP: workspace.temp,
      EXTRA: '1',
    })
    const foreign = /^(PATH|HOME|SystemRoot|USERPROFILE|CI|EXTRA|(GITHUB|RUNNER|INPUT)_.+)$/
    expect(Object.keys(env).filter(name => !foreign.test(name))).toEqual([])
    expect(env).not.toHaveProperty('GITHUB_JOB')
  })

  test('refuses an input that the action does not declare', () => {
    const actionFolder = makeAction('')

    expect(() => startAction({ actionFolder, inputs: { 'api-kye': '' } })).toThrow('"api-kye"')
  })

  test('collects what the action leaves behind', async () => {
    const run = await runAction({
      actionFolder: makeAction(`
        import { appendFileSync, writeFileSync } from 'node:fs'
        const { env } = process
        appendFileSync(env.GITHUB_OUTPUT, 'verdict=failed\\nrecords<<E\\n["s3cret!"]\\nE\\nrecords-path=records.jsonl\\n')
        appendFileSync(env.GITHUB_OUTPUT, 'checksums-path=' + env.RUNNER_TEMP + '/sums\\n')
        appendFileSync(env.GITHUB_STEP_SUMMARY, '# Sümmary')
        appendFileSync(env.GITHUB_STATE, 'a=b')
        writeFileSync('records.jsonl', '{"a":1}\\n{"a":2}\\n')
        writeFileSync(env.RUNNER_TEMP + '/sums', 'sums')
        console.log('before s3cret!\\n::add-mask::s3cret!\\nafter s3cret!')
        console.log('::debug::d\\n::group::g\\n::error title=t::e s3cret!\\n::warning::w')
        console.error('::notice::n')
        process.exitCode = 3
      `),
      secrets: ['of the workflow'],
    })

    expect(run).toMatchObject({
      exitCode: 3,
      signal: null,
      timedOut: false,
      masks: ['of the workflow', 's3cret!'],
      annotations: { error: ['e s3cret!'], warning: ['w'], notice: ['n'] },
      outputs: { verdict: 'failed', records: '["s3cret!"]' },
      summary: '# Sümmary',
      summaryBytes: 10,
      state: 'a=b',
      env: '',
      path: '',
    })
    expect(run.visibleLog.split('\n').filter(line => !line.includes('[notice]'))).toEqual([
      'before s3cret!',
      'after ***',
      '##[group]g',
      '##[error]e ***',
      '##[warning]w',
      '',
    ])
    expect(Object.keys(run.jobOutputs)).toEqual(['verdict', 'records-path', 'checksums-path'])
    expect(run.files.readRecords()).toEqual([{ a: 1 }, { a: 2 }])
    expect(run.files.readChecksums()).toBe('sums')
  })

  test('takes signals at any moment, and is killed when its time is up', async () => {
    const deadline = new AbortController()
    const { child, finished } = startAction({
      actionFolder: makeAction(`
        process.on('SIGINT', () => console.log('::notice::stopping'))
        setInterval(() => undefined, 1000)
        console.log('ready')
      `),
      deadline: deadline.signal,
    })
    await once(child.stdout, 'data')
    child.kill('SIGINT')
    await once(child.stdout, 'data')
    deadline.abort()

    expect(await finished).toMatchObject({
      ...{ exitCode: null, signal: 'SIGKILL', timedOut: true },
      annotations: { notice: ['stopping'] },
    })
  })

  test('leaves nothing behind after the clean-up', async () => {
    const { root } = makeWorkspace({ 'a/b.txt': new Uint8Array([1]) })
    const { child, finished } = startAction({
      actionFolder: makeAction('setInterval(() => undefined, 1000)'),
    })
    const ended = finished.catch(() => undefined)
    cleanUp()
    await ended

    expect(existsSync(root)).toBe(false)
    expect(child.signalCode).toBe('SIGKILL')
  })
})
