/** docs/failures.md shows messages as a user sees them: those of real runs, and of the few failures that none can have. */
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { statusFault } from '../../simulator/index.ts'
import type { SimulatorOptions } from '../../simulator/index.ts'
import { hashFiles } from '../../src/artifacts/hash.ts'
import { isHashed } from '../../src/artifacts/artifact.ts'
import { bugFailure, failureCodes } from '../../src/failure.ts'
import type { Failure } from '../../src/failure.ts'
import { cancelledFailure, notSavedFailure } from '../../src/halt.ts'
import { failed } from '../../src/outcome.ts'
import { groupReasons } from '../../src/report/explain.ts'
import { startService } from '../e2e/support.ts'
import { readOutputs } from '../support/outputs.ts'
import { runAction } from '../support/runner.ts'
import {
  API_KEY,
  makeLine,
  makeStateLine,
  subscriptionText,
  toJsonLines,
} from '../support/samples.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { section } from './page.ts'

interface Scenario {
  readonly inputs?: Readonly<Record<string, string>>
  readonly service?: SimulatorOptions
  /** Lines of the records file, for the service with this URL. */
  readonly lines?: (url: string) => readonly unknown[]
}

const complete = (status: number): SimulatorOptions => ({
  faults: [{ endpoint: 'completion', fault: statusFault(status, { body: {} }) }],
})
const html = { body: '<!doctype html><title>Not here</title>' }
const before = (url: string): readonly unknown[] => [makeLine(url, 'x'), makeLine(url, 'y')]

const scenarios: readonly Scenario[] = [
  { inputs: { 'api-key': 'key_that_nobody_knows' } },
  { service: { faults: [{ endpoint: 'login', fault: statusFault(404, html) }] } },
  { service: complete(402) },
  { service: complete(501), inputs: { concurrency: '1' } },
  { service: complete(503), inputs: { path: 'dist/a' } },
  { service: complete(409), lines: url => [...before(url), makeStateLine(url, 'a')] },
  {
    inputs: { 'retry-unanswered': 'false' },
    lines: url => [...before(url), makeStateLine(url, 'a')],
  },
  { lines: url => [...before(url), makeLine(url, 'a', { problems: ['signed is true'] })] },
  { service: { record: (_, record) => ({ ...record, status: 'not_registered' }) } },
  {
    inputs: { 'request-registration': 'true' },
    service: {
      faults: [
        { endpoint: 'request', fault: statusFault(409, { body: {} }) },
        { endpoint: 'completion', fault: statusFault(404, { body: {} }) },
      ],
    },
  },
]

/** All messages of a run that notarizes six files, `a` to `f`, of which the first is in the records file. */
async function messagesOf({ inputs = {}, service = {}, lines }: Scenario): Promise<string[]> {
  const { url } = await startService(service)
  const files = Object.fromEntries(
    ['a', 'b', 'c', 'd', 'e', 'f'].map(name => [`dist/${name}`, name]),
  )
  const records = lines === undefined ? '' : toJsonLines(lines(url))
  const run = await runAction({
    workspace: makeWorkspace({ ...files, 'notarization-records.jsonl': records }),
    inputs: {
      ...{ 'api-key': API_KEY, 'base-url': url, subscription: subscriptionText, path: 'dist' },
      'verification-url': 'https://notary.example.com/{hash}',
      ...inputs,
    },
  })
  return readOutputs(run).failures.map(({ message }) => message)
}

/** What no run can be made to say on every machine. */
async function otherMessages(): Promise<string[]> {
  const [unreadable, changed] = await hashFiles(
    ['missing', '.'].map(name => {
      return { name, absolutePath: makeWorkspace().path(name), source: 'path' } as const
    }),
    new AbortController().signal,
  )
  const failures: readonly (Failure | undefined)[] = [
    ...[unreadable, changed].map(one =>
      one === undefined || isHashed(one) ? undefined : one.failure,
    ),
    ...[cancelledFailure, notSavedFailure],
    bugFailure('x is undefined', 'https://github.com/octo/app/issues'),
  ]
  const unknown = { name: 'a', size: null, hash: null }
  const facts = { recordsPath: 'notarization-records.jsonl', periodEndedMs: null }
  const { explain } = groupReasons([], facts)
  return failures.map(failure =>
    failure === undefined ? '' : explain({ ...unknown, outcome: failed(failure) }),
  )
}

const shown = failureCodes.flatMap(code => {
  const blocks = section('docs/failures.md', `### ${code}`).matchAll(/^```text\n(.*?)\n```$/gms)
  return [...blocks].flatMap(([, text = '']) => text.split('\n')).map(text => [code, text] as const)
})
const messages: string[] = []

beforeAll(async () => {
  for (const scenario of scenarios) messages.push(...(await messagesOf(scenario)))
  messages.push(...(await otherMessages()))
}, 60_000)
afterAll(cleanUp)

it.each(shown)('%s: %s', (_, text) => {
  const parts = text.split('…').map(part => RegExp.escape(part))
  const wanted = new RegExp(`^${parts.join('.+')}$`)
  expect(messages.filter(one => wanted.test(one)).length > 0 ? [] : messages).toEqual([])
})
