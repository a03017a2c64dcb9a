import { describe, expect, it } from '@jest/globals'
import type { Result } from '../../src/outcome.ts'
import { Halt, notSaved } from '../../src/register/halt.ts'
import { Secrets } from '../../src/secrets.ts'
import { endedWith, failedAs, plannedAs, registeredAs, reportAll } from './results.ts'

const outputsOf = ({ outputs }: Awaited<ReturnType<typeof reportAll>>) =>
  Object.fromEntries(outputs)

describe('the outputs', () => {
  it('are all set, after a partial failure', async () => {
    const reported = await reportAll(
      endedWith(registeredAs('a'), registeredAs('b', {}, 'records-file'), failedAs('c')),
    )
    expect(outputsOf(reported)).toMatchObject({
      ...{ verdict: 'partial', 'artifact-count': 3, 'registered-count': 2 },
      ...{ 'newly-registered-count': 1, 'failed-count': 1 },
      'records-path': '/work/records.jsonl',
      'checksums-path': '/tmp/checksums.txt',
    })
    expect(JSON.parse(String(reported.outputs.get('records')))).toHaveLength(2)
    expect(JSON.parse(String(reported.outputs.get('failures')))).toHaveLength(1)
  })

  it('are all set when nothing was sent for wrong inputs', async () => {
    const reported = await reportAll({
      kind: 'stopped',
      problems: [{ input: 'path', message: 'input "path" is wrong' }],
      checksumsPath: '',
    })
    expect(outputsOf(reported)).toEqual({
      ...{ verdict: 'stopped', records: '[]', failures: '[]' },
      ...{ 'artifact-count': 0, 'registered-count': 0, 'newly-registered-count': 0 },
      ...{ 'failed-count': 0, 'records-path': '/work/records.jsonl', 'checksums-path': '' },
    })
    expect(reported.exitCode).toBe(1)
  })

  it('of a dry run have no records, no registered ones and only what was not hashed as failures', async () => {
    const reported = await reportAll(
      endedWith(
        plannedAs('a'),
        registeredAs('b', {}, 'records-file'),
        plannedAs('c', 'held'),
        failedAs('d', 'unreadable'),
      ),
      { isDryRun: true },
    )
    expect(outputsOf(reported)).toMatchObject({
      ...{ verdict: 'dry-run', records: '[]', 'artifact-count': 4, 'registered-count': 0 },
      ...{ 'newly-registered-count': 0, 'failed-count': 1 },
    })
    expect(reported.exitCode).toBe(1)
  })

  it('leave out records that the platform would not take, with a warning that names where they are', async () => {
    const reported = await reportAll(endedWith(registeredAs('a', { x: 'y'.repeat(300_000) })))
    expect(reported.outputs.get('records')).toBe('')
    expect(reported.warnings).toEqual([expect.stringContaining('records-path')])
    expect(reported.exitCode).toBe(0)
  })

  it('that cannot be written fail the run, and the summary is written all the same', async () => {
    const reported = await reportAll(endedWith(registeredAs('a')), { broken: 'outputs' })
    expect(reported.exitCode).toBe(1)
    expect(reported.errors).toHaveLength(1)
    expect(reported.summaries).toHaveLength(1)
  })
})

describe('the summary', () => {
  it('is written once, and only if it is wanted', async () => {
    expect((await reportAll(endedWith(registeredAs('a')))).summaries).toHaveLength(1)
    const without = await reportAll(endedWith(registeredAs('a')), { showSummary: false })
    expect(without.summaries).toEqual([])
  })

  it('that cannot be written is a warning: the run did its work', async () => {
    const reported = await reportAll(endedWith(registeredAs('a')), { broken: 'summary' })
    expect(reported.exitCode).toBe(0)
    expect(reported.warnings).toHaveLength(1)
  })
})

describe('the exit code', () => {
  it.each<[string, 0 | 1, readonly Result[]]>([
    ['all are registered', 0, [registeredAs('a'), registeredAs('b', {}, 'records-file')]],
    ['nothing was found, and that is allowed', 0, []],
    ['one failed', 1, [registeredAs('a'), failedAs('b')]],
    ['all failed', 1, [failedAs('a')]],
  ])('when %s is %d', async (_, exitCode, results) => {
    const reported = await reportAll(endedWith(...results))
    expect(reported.exitCode).toBe(exitCode)
    expect(reported.errors).toHaveLength(exitCode)
  })

  it('of a dry run is 0 unless something could not be hashed', async () => {
    const dry = { isDryRun: true }
    expect((await reportAll(endedWith(plannedAs('a')), dry)).exitCode).toBe(0)
    expect((await reportAll(endedWith(failedAs('a', 'changed')), dry)).exitCode).toBe(1)
  })

  it('of a run that was cancelled is 1 even if all are registered, and the error says so', async () => {
    const halt = new Halt()
    halt.cancel()
    const reported = await reportAll(endedWith(registeredAs('a')), { halt })
    expect(reported).toMatchObject({ exitCode: 1, errors: [expect.stringContaining('cancelled')] })
    expect(reported.outputs.get('verdict')).toBe('registered')
  })

  it('of a run with a record that was not saved is 1 even if all are registered, and the error says so', async () => {
    const halt = new Halt()
    halt.stop(notSaved)
    const reported = await reportAll(endedWith(registeredAs('a')), { halt })
    expect(reported).toMatchObject({
      exitCode: 1,
      errors: [expect.stringContaining('could not be saved')],
    })
    expect(reported.errors[0]).not.toContain('cancelled')
  })

  it.each(['before', 'after'])(
    'of a run that was cancelled %s a record could not be saved is told with both reasons',
    async when => {
      const halt = new Halt()
      if (when === 'before') halt.cancel()
      halt.stop(notSaved)
      if (when === 'after') halt.cancel()
      const { errors } = await reportAll(endedWith(registeredAs('a')), { halt })
      expect(errors).toEqual([expect.stringContaining('cancelled')])
      expect(errors).toEqual([expect.stringContaining('could not be saved')])
    },
  )

  it('comes with one error, whatever came together', async () => {
    const halt = new Halt()
    halt.stop(notSaved)
    halt.cancel()
    const { errors } = await reportAll(endedWith(registeredAs('a'), failedAs('b')), { halt })
    expect(errors).toHaveLength(1)
    expect(errors[0]).toContain('1 of 2 artifacts failed')
  })
})

describe('the errors of a run that was stopped', () => {
  it('are one for each input, all its problems in one', async () => {
    const { errors } = await reportAll({
      kind: 'stopped',
      problems: [
        { input: 'path', message: 'first of path' },
        { input: 'api-key', message: 'of the key' },
        { input: 'path', message: 'second of path' },
      ],
      checksumsPath: '',
    })
    expect(errors).toEqual(['first of path; second of path', 'of the key'])
  })
})

describe('secrets', () => {
  it('are in nothing that is reported', async () => {
    const secrets = new Secrets(() => undefined)
    secrets.add(['top-secret-value'])
    const reported = await reportAll(
      endedWith(
        registeredAs('a', { note: 'has top-secret-value', creationDate: 1 }, 'records-file'),
        failedAs('b', 'refused', 'no', `${'x'.repeat(990)}top-secret-value`),
      ),
      { secrets },
    )
    const all = JSON.stringify([reported, [...reported.outputs]])
    expect(all).not.toMatch(/top-s/)
    expect(all).toContain('has ***')
    expect(reported.outputs.get('records')).toContain('"redacted":["/note"]')
  })
})

describe('a run that passes although the service was away', () => {
  const away: Result = {
    ...failedAs('b'),
    outcome: {
      ...{ state: 'failed', code: 'unavailable', registered: 'no', message: 'away' },
      isDeferrable: true,
    },
  }
  const warn = { ifServiceUnavailable: 'warn' } as const

  it('is deferred, with a warning', async () => {
    const reported = await reportAll(endedWith(registeredAs('a'), away), warn)
    expect(reported).toMatchObject({ exitCode: 0, errors: [] })
    expect(reported.warnings).toHaveLength(1)
    expect(reported.outputs.get('verdict')).toBe('deferred')
  })

  it('does not pass with another failure, in another mood, or after a signal', async () => {
    expect((await reportAll(endedWith(away, failedAs('c', 'refused')), warn)).exitCode).toBe(1)
    expect((await reportAll(endedWith(away))).exitCode).toBe(1)
    const halt = new Halt()
    halt.cancel()
    expect((await reportAll(endedWith(away), { ...warn, halt })).exitCode).toBe(1)
  })
})
