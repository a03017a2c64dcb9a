import { describe, expect, it } from '@jest/globals'
import type { Result } from '../../src/outcome.ts'
import {
  countResults,
  decideExitCode,
  decideVerdict,
  formatVerdict,
} from '../../src/report/verdict.ts'
import { failedAs, registeredAs } from './results.ts'

const good = registeredAs('a')
const bad = failedAs('b')
const away = failedAs('c', { isDeferrable: true })
const trouble = { short: 'it rains', what: 'w', aftermath: 'a', remedy: 'r', page: 'p' }
const modes = {
  run: { dryRun: false, ifServiceUnavailable: 'error' },
  patient: { dryRun: false, ifServiceUnavailable: 'warn' },
  dry: { dryRun: true, ifServiceUnavailable: 'error' },
} as const

describe('verdict, exit code and sign', () => {
  it.each<[string, keyof typeof modes, readonly Result[], verdict: string, 0 | 1, sign: string]>([
    ['nothing', 'run', [], 'nothing-found', 0, '⚠️'],
    ['all registered', 'run', [good], 'registered', 0, '✅'],
    ['one failed', 'run', [good, bad], 'partial', 1, '❌'],
    ['all failed', 'run', [bad], 'failed', 1, '❌'],
    ['an outage', 'run', [good, away], 'partial', 1, '❌'],
    ['an outage that may pass', 'patient', [good, away], 'deferred', 0, '⚠️'],
    ['an outage of all that may pass', 'patient', [away], 'deferred', 0, '⚠️'],
    ['an outage and a refusal', 'patient', [good, away, bad], 'partial', 1, '❌'],
    ['a dry run', 'dry', [good], 'dry-run', 0, '🔎'],
    ['a dry run of nothing', 'dry', [], 'dry-run', 0, '🔎'],
    ['a dry run with an unreadable file', 'dry', [good, bad], 'dry-run', 1, '❌'],
  ])('of %s agree, and trouble beside the artifacts makes any run fail', (_, mode, ...row) => {
    const [results, expected, exitCode, sign] = row
    const counts = countResults(results)
    const verdict = decideVerdict(counts, modes[mode])
    expect(verdict).toBe(expected)
    expect(decideExitCode(verdict, counts, [])).toBe(exitCode)
    expect(formatVerdict(verdict, counts, [])).toMatch(new RegExp(`^${sign} `, 'u'))
    expect(decideExitCode(verdict, counts, [trouble])).toBe(1)
    expect(formatVerdict(verdict, counts, [trouble])).toMatch(/^❌ .*it rains/)
  })
})
