/** Lists and records files that are very large: read whole, and in less memory than any runner has. */
import { describe, expect, it } from '@jest/globals'
import { makeWorkspace } from '../support/workspace.ts'
import { hashOf, makeRecord } from '../support/samples.ts'
import { checkStopped, makeLine, notarize, startService } from './support.ts'
import type { CheckedRun, Scenario } from './support.ts'

const MIB = 1024 * 1024
const maxPeakMib = 512

/** Runs, and gives what the process had in memory at most. */
async function measure(scenario: Scenario): Promise<{ run: CheckedRun; peakMib: number }> {
  const atExit = `
    import { readFileSync } from 'node:fs'
    process.on('exit', () => {
      const peakKib = process.platform === 'linux'
        ? /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]
        : process.resourceUsage().maxRSS
      console.log('PEAK ' + peakKib)
    })`
  const nodeArguments = ['--import', `data:text/javascript,${encodeURIComponent(atExit)}`]
  const run = await notarize({ ...scenario, nodeArguments, timeoutMs: 110_000 })
  const [, peakKib = ''] = /^PEAK (\d+)$/m.exec(run.stdout) ?? []
  return { run, peakMib: Number(peakKib) / 1024 }
}

/** Lines up to so many bytes, each made of its number; gives how many there are. */
function fill(bytes: number, lineOf: (number: number) => string): { text: Buffer; count: number } {
  const text = Buffer.alloc(bytes)
  let end = 0
  let count = 0
  for (let line = lineOf(0); end + line.length <= bytes; line = lineOf(count)) {
    end += text.write(line, end, 'latin1')
    count++
  }
  return { text: text.subarray(0, end), count }
}

describe('a checksums file', () => {
  const lineOf = (number: number): string =>
    `${hashOf(number)}  folder-of-a-large-mirror/${`${number}`.padStart(160, '0')}.bin\n`

  it('of 64 MiB is read whole in less than 512 MiB', async () => {
    const { text, count } = fill(64 * MIB, lineOf)
    const workspace = makeWorkspace({ SUMS: text })
    const inputs = { path: '', checksums: 'SUMS', 'dry-run': 'true' }
    const { run, peakMib } = await measure({ workspace, inputs })

    expect(count).toBeGreaterThan(250_000)
    expect(run.results).toMatchObject({ verdict: 'dry-run', 'artifact-count': count })
    expect(run.files.readChecksums()?.length).toBe(text.length)
    expect(peakMib).toBeGreaterThan(64)
    expect(peakMib).toBeLessThan(maxPeakMib)
  }, 120_000)

  it('that is larger stops the run', async () => {
    const workspace = makeWorkspace({ SUMS: Buffer.alloc(64 * MIB + 1, '\n') })
    const inputs = { path: '', checksums: 'SUMS', 'base-url': 'https://notary.example' }
    const run = await notarize({ workspace, inputs })

    checkStopped(run)
    expect(run.annotations.error).toEqual([expect.stringContaining('larger than 64 MiB')])
  })
})

it('a records file of 200,000 lines is known whole in less than 512 MiB', async () => {
  const service = await startService()
  const [head = '', middle = '', tail = ''] = JSON.stringify(
    makeLine(service.url, '', { hash: 'HASH', record: makeRecord('HASH') }),
  ).split('HASH')
  const lineOf = (number: number): string =>
    `${head}${hashOf(number)}${middle}${hashOf(number)}${tail}\n`
  const lines = 200_000
  const { text, count } = fill(lines * lineOf(0).length, lineOf)
  // Every tenth is an artifact of this run.
  const names = Array.from({ length: lines / 10 }, (_, at) => `${hashOf(at * 10)}  ${at}.bin\n`)
  const workspace = makeWorkspace({ 'notarization-records.jsonl': text, SUMS: names.join('') })
  const inputs = { path: '', checksums: 'SUMS' }
  const { run, peakMib } = await measure({ service, workspace, inputs })

  expect(count).toBe(lines)
  expect(run.results).toMatchObject({
    verdict: 'registered',
    'registered-count': names.length,
    'newly-registered-count': 0,
  })
  expect(service.requests).toEqual([])
  expect(workspace.read(run.results['evidence-path'])).toContain('200000 registrations')
  expect(peakMib).toBeGreaterThan(text.length / MIB)
  expect(peakMib).toBeLessThan(maxPeakMib)
}, 120_000)
