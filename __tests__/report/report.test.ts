import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { isFailed } from '../../src/outcome.ts'
import { maxRecordsBytes } from '../../src/report/outputs.ts'
import type { CompletedRun, RunEnd } from '../../src/report/report.ts'
import { cleanUp } from '../support/clean-up.ts'
import { decodeHtml } from '../support/html.ts'
import { hashOf, sha256 } from '../support/samples.ts'
import { cases, failing, failureNamed, failures, runFailures } from './cases.ts'
import { endedWith, failedAs, haltOf, registeredAs, reportAll, stoppedBy } from './results.ts'
import type { ReportChanges, Reported } from './results.ts'

afterAll(cleanUp)

/** A step of a summary: its texts, and the first sentence of what happened. */
type Step = Readonly<Record<'cause' | 'what' | 'cost' | 'next', string>>

function stepsOf(summary: string): readonly Step[] {
  const text = decodeHtml(summary.replaceAll(/<(?!wbr)[^>]*>/g, ''))
  const step = /What happened: (.*?)Registered or charged\? (.*?)Next: (.*?) More: /g
  return [...text.matchAll(step)].map(([, what = '', cost = '', next = '']) => {
    return { cause: what.split(/(?<=\.) /)[0] ?? '', what, cost, next }
  })
}

/** How a summary says to run again, after all steps; empty if it does not. */
function rerunOf(summary: string): string {
  const [, text = ''] = /<p><b>(Then (?:re-run|start).*?)<\/b><\/p>/.exec(summary) ?? []
  return decodeHtml(text)
}

const titles = {
  registered: /NOTARIZED/,
  partial: /PARTLY NOTARIZED/,
  failed: /NOT (?:NOTARIZED|CONFIRMED)/,
  'nothing-found': /NOTHING NOTARIZED/,
  'dry-run': /DRY RUN, nothing was sent/,
}

/** Checks what holds for every report, and that exit code, first line and annotations agree. */
async function check(end: RunEnd, changes: ReportChanges = {}): Promise<void> {
  const reported = await reportAll(end, changes)
  const { exitCode, summary, errors, warnings, log } = reported
  expect(summary.startsWith('## ❌ ')).toBe(exitCode === 1)
  expect(summary.match(/^#/gm)).toHaveLength(1)
  expect(errors.length > 0).toBe(exitCode === 1)
  for (const text of [...errors, ...warnings]) {
    expect(text.length).toBeLessThan(375)
    expect(text).not.toMatch(/^\s|[\n\r]/)
  }
  for (const text of errors) expect(text.split(/\. (?=[A-Z])/).length).toBeLessThan(5)
  const all = [summary, ...errors, ...warnings, ...log].join('\n')
  expect(all).not.toMatch(/run the job again|start again|cancel now|undefined/i)
  if (end.kind === 'stopped') expect(reported.outputs['verdict']).toBe('stopped')
  else checkCompleted(end, reported, changes.isFull)
}

/** Checks that every failure has one next step, the same everywhere, that no step tells a cause twice, and that how to run again is said once. */
function checkCompleted({ artifacts }: CompletedRun, reported: Reported, isFull = false): void {
  const { exitCode, outputs, summary, errors, log } = reported
  const steps = stepsOf(summary)
  expect(steps.length > 0).toBe(exitCode === 1)
  expect(summary.match(/<b>Next:/g)?.length ?? 0).toBe(steps.length)
  expect(new Set(steps.map(({ cause, cost }) => cause + cost)).size).toBe(steps.length)
  for (const [index, { what, cost, next }] of steps.entries()) {
    const sentences = what.split(/(?<=\.) /)
    expect(new Set(sentences).size).toBe(sentences.length)
    expect(log[index]).toContain(`${what} ${cost} ${next}`)
  }
  expect(errors).toHaveLength(exitCode)
  const rerun = rerunOf(summary)
  expect(summary.match(/Then (?:re-run|start)/g)?.length ?? 0).toBe(rerun === '' ? 0 : 1)
  expect(log.includes(rerun)).toBe(rerun !== '')
  if (steps.length === 1) expect(errors[0]?.endsWith(rerun)).toBe(true)
  for (const { next } of steps) expect(next).not.toMatch(/re-run the failed|start a new run/)
  const [first] = steps
  if (first !== undefined) expect(errors[0]?.toLowerCase()).toContain(first.next.toLowerCase())
  expect(summary.split('\n')[0]).toBe(`## ${log.at(-1) ?? ''}`)
  if (isFull) return

  const { verdict, 'registered-count': registered, 'artifact-count': total } = outputs
  const [, title] = Object.entries(titles).find(([name]) => name === verdict) ?? []
  expect(summary).toMatch(title ?? 'a verdict')
  if (/^(?:registered|partial|failed)$/.test(String(verdict))) {
    expect(summary).toContain(`${registered} of ${total} artifact`)
  }
  const listed: unknown = JSON.parse(String(outputs['failures']))
  expect(listed).toHaveLength(artifacts.filter(isFailed).length)
  for (const { message } of z.array(z.object({ message: z.string() })).parse(listed)) {
    const isTold = ({ cause, cost, next }: Step): boolean =>
      message.startsWith(cause) && message.endsWith(`${cost} ${next} ${rerun}`.trim())
    expect([message, steps.some(isTold)]).toEqual([message, true])
  }
}

it.each([...cases])('all reports of a run agree: %s', async (_, [end, changes]) => {
  await check(end, changes)
})

const all = [...failures.values()]

it.each([...failures])('it may fail in any other way, too: %s', async (_, failure) => {
  for (const other of all.slice(all.indexOf(failure))) {
    // Only one failure can end a run.
    if (!failure.endsRun || !other.endsRun) await check(failing(failure, other))
  }
  for (const [end, changes] of Object.values(runFailures)) {
    await check({ ...end, artifacts: failing(failure).artifacts }, changes)
  }
})

it('what keeps a re-run from paying again is the first step', async () => {
  const names = ['login-401', 'record-mismatch', 'unavailable-open']
  const end = failing(...names.map(failureNamed))
  const { summary } = await reportAll(end, { halt: haltOf('cancelled', 'unsaved') })
  const causes = stepsOf(summary).map(({ cause }) => cause)
  const urgent = [/unavailable/, /only in the log/]
  const others = [/contradicts/, /API key/, /canceled/]
  expect(causes).toEqual([...urgent, ...others].map(text => expect.stringMatching(text)))
})

it('how to run again is said once, and the look-up is all there is to do without a release', async () => {
  const inRelease = { inputs: { releaseTag: 'v1' } }
  const pageOf = async (names: readonly string[], changes?: ReportChanges) => {
    const { summary } = await reportAll(failing(...names.map(failureNamed)), changes)
    return [stepsOf(summary)[0]?.next, rerunOf(summary)]
  }
  expect(await pageOf(['unavailable'])).toEqual([
    'Look up the hash: if found, that is the proof; if not, wait until the service is available again.',
    expect.stringMatching(/^Then re-run the failed jobs, but only if something is left/),
  ])
  expect(await pageOf(['unavailable'], inRelease)).toEqual([
    expect.stringContaining('if found, upload its record to the release; if not, wait'),
    'Then re-run the failed jobs.',
  ])
  const [, both] = await pageOf(['completion-402', 'unreadable'])
  expect(both).toMatch(/^Then start a new run\b/)
  expect((await pageOf(['record-mismatch']))[1]).toBe('')
})

it('failures with one cause and one remedy are one step with the first three of what was seen', async () => {
  const seen = ['a one', 'a two', 'a three', 'a four', 'a one']
  const artifacts = seen.map((detail, index) => failedAs(`file-${index}`, { detail }))
  const { summary, log } = await reportAll(endedWith(...artifacts))
  const steps = stepsOf(summary)
  expect(steps.map(({ what }) => what)).toEqual([
    expect.stringMatching(/A one\. A two\. A three\.$/),
  ])
  expect(summary).toContain('<code>file-2</code>, and 2 more<br>')
  expect(log.filter(line => line.endsWith('; see 1 above'))).toHaveLength(5)
})

it('a run that stops has one error per input, and at most ten', async () => {
  const problems = ['one', 'two'].map(message => ({ input: 'path', message }))
  const few = await reportAll({ kind: 'stopped', problems, checksumsPath: '' })
  expect(few.errors).toEqual([expect.stringMatching(/^One; two\. Nothing was/)])
  const many = await reportAll(stoppedBy(...Array.from({ length: 12 }, () => 'wrong')))
  expect(many.errors).toHaveLength(10)
  expect(many.errors[9]).toContain('3 more inputs')
})

it('the log has every artifact, failures first', async () => {
  const many = Array.from({ length: 150 }, (_, index) => registeredAs(`file-${index}`))
  const { log } = await reportAll(endedWith(...many, failedAs('z')))
  expect(log).toHaveLength(154)
  expect(log[2]).toMatch(/not registered: "z" \(7 B, [0-9a-f]{64}\); unavailable; see 1 above$/)
  const causes = Array.from({ length: 21 }, (_, index) =>
    failedAs(`f-${index}`, { cause: `${index}` }),
  )
  const { summary, log: last } = await reportAll(endedWith(...causes))
  expect(stepsOf(summary)).toHaveLength(20)
  expect(last.at(-2)).toMatch(/"f-20" .* see the output "failures"$/)
})

describe('the outputs records and failures', () => {
  it('have an entry for each artifact, without secrets or empty fields', async () => {
    const hash = hashOf(1)
    const artifacts = [
      { ...registeredAs('b', { extra: [1] }, { from: 'records-file' }), size: null, hash },
      registeredAs('c', { payload: 'has top-secret' }, { maybeChargedAgain: true }),
      { ...failedAs('d', { code: 'unreadable' }), size: null, hash: null },
    ]
    const { outputs } = await reportAll(endedWith(...artifacts), {
      inputs: { verificationUrl: 'https://x.example/{hash}' },
      secrets: ['top-secret'],
    })
    const [b, c] = [hash, sha256('c')].map(digits => {
      return { hash: digits, verificationUrl: `https://x.example/${digits}` }
    })
    expect(JSON.parse(String(outputs['records']))).toEqual([
      { ...b, artifact: 'b', size: null, from: 'records-file', record: { extra: [1] } },
      {
        ...c,
        artifact: 'c',
        size: 7,
        from: 'this-run',
        record: { payload: 'has ***' },
        maybeChargedAgain: true,
      },
    ])
    const d = { artifact: 'd', size: null, hash: null, code: 'unreadable', registered: 'no' }
    expect(JSON.parse(String(outputs['failures']))).toEqual([
      { ...d, message: expect.stringMatching(/^The service is down\. .* failed jobs\.$/) },
    ])
    const counts = { 'registered-count': 2, 'newly-registered-count': 1, 'failed-count': 1 }
    expect(outputs).toMatchObject({ 'artifact-count': 3, ...counts })
    const dry = await reportAll(endedWith(...artifacts), { inputs: { dryRun: true } })
    const none = { records: '[]', 'registered-count': 0, 'newly-registered-count': 0 }
    expect(dry.outputs).toMatchObject({ ...none, 'failed-count': 1, 'evidence-path': '' })
  })

  it('have at most 120,000 bytes of UTF-8 or no entry, and as many entries as fit in 50,000 characters', async () => {
    const outputsOf = async (padding: string) => {
      const artifacts = [registeredAs('a', { text: padding }), failedAs('b'), failedAs(padding)]
      const { outputs, warnings } = await reportAll(endedWith(...artifacts))
      const [records, listed] = [String(outputs['records']), String(outputs['failures'])]
      return { records, listed, warnings }
    }
    const empty = await outputsOf('')
    const bytes = maxRecordsBytes - Buffer.byteLength(empty.records)
    const wide = '漢'.repeat(Math.floor(bytes / 3)) + 'x'.repeat(bytes % 3)
    expect(Buffer.byteLength((await outputsOf(wide)).records)).toBe(120_000)
    const long = await outputsOf(`${wide}x`)
    expect(long.records).toBe('')
    expect(long.warnings).toEqual([expect.stringContaining('"records-path"')])
    const name = 'x'.repeat(50_000 - empty.listed.length)
    expect((await outputsOf(name)).listed).toHaveLength(50_000)
    expect(JSON.parse((await outputsOf(`${name}x`)).listed)).toHaveLength(1)
  })
})

it('the evidence page has the checksums of the run, and the post step learns what is done', async () => {
  const good = endedWith(registeredAs('dist/a'))
  const { outputs, state } = await reportAll(good)
  const file = String(outputs['evidence-path'])
  expect(readFileSync(file, 'utf8')).toMatch(/^[0-9a-f]{64} {2}a$/m)
  expect(state).toEqual({ 'evidence-path': file })
  const attachment = { tag: 'v1', failure: null, warnings: [], hasAllLines: true }
  const attached = await reportAll({ ...good, attachment })
  expect(attached.state['attached']).toMatch(/^[0-9a-f]{64}$/)
  for (const changes of [{ recordsPath: '/none/records.jsonl' }, { tempFolder: '/none' }]) {
    const lacking = await reportAll(good, changes)
    expect([lacking.outputs['evidence-path'], lacking.warnings.length]).toEqual(['', 1])
  }
})

it('no report shows a secret, even where a text is truncated', async () => {
  const secret = 'top-"secret"-value'
  const cause = `${'x'.repeat(990)}${secret}`
  const record = { note: secret, blockchainType: secret, creationDate: secret }
  const artifacts = [
    registeredAs(`${secret}.zip`, record),
    failedAs(`${secret}.msi`, { cause, detail: secret, remedy: secret }),
  ]
  const explanation = { cause: secret, detail: secret, remedy: secret, rerun: null }
  const attachment = { tag: secret, failure: explanation, warnings: [secret], hasAllLines: false }
  const end = { ...endedWith(...artifacts), attachment }
  const changes = { secrets: [secret], warned: [secret], inputs: { verificationUrl: secret } }
  for (const ending of [end, stoppedBy(secret)]) {
    const { warnings, errors, log, ...rest } = await reportAll(ending, changes)
    // The runner redacts the log later, so no text may be truncated within a secret.
    const clean = [...warnings, ...errors, ...log].map(text => text.replaceAll(secret, '***'))
    expect(JSON.stringify([clean, rest])).not.toMatch(/top-|-value/)
  }
})
