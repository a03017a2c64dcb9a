/** Checks what must hold for every finished run of either action, by the rules of README.md and docs/. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { expect } from '@jest/globals'
import { readActionFile } from './action-file.ts'
import { outputsSchema, verifyOutputsSchema } from './outputs.ts'
import { readRecordsText, type RecordsFile } from './record-lines.ts'
import type { ActionRun } from './runner.ts'
import { subscription } from './samples.ts'

/**
 * Checks a run that exited on its own. Its outputs tell which action it was. `secrets` may appear only in `::add-mask::`
 * lines; `mustFail` means that the run fails regardless of its counts.
 */
export function checkFinishedRun(run: ActionRun, secrets: readonly string[], mustFail = false) {
  expect(run).toMatchObject({ signal: null, stderr: '', otherCommands: '' })
  checkLog(run)
  checkSecrets(run, secrets)
  const isVerify = 'matched-count' in run.outputs
  const file = resolve(import.meta.dirname, '../..', isVerify ? 'verify/action.yml' : 'action.yml')
  expect(new Set(Object.keys(run.outputs))).toEqual(new Set(readActionFile(file).outputs))
  // The runner drops an output with a masked part.
  const texts = Object.values(run.outputs).join('')
  expect(run.masks.filter(mask => texts.includes(mask))).toEqual([])
  if (isVerify) checkVerified(run)
  else checkNotarized(run, mustFail)
}

/** The commands that the actions use. Any other command was forged. */
const usedCommands = ['add-mask', 'debug', 'endgroup', 'error', 'group', 'notice', 'warning']
const stack = /^\s+at |\bat [^\n]*\.[cm]?[jt]s:\d|node:internal|index\.js:\d|\[object /m
/** Control characters except the newline: untrusted text must not act in a terminal either. */
const control = /[^\P{Cc}\n]/u

function checkLog({ commands, annotations, ...run }: ActionRun): void {
  const untrusted = [run.stdout, run.summary, ...Object.values(run.outputs)]
  expect(untrusted.filter(text => stack.test(text))).toEqual([])
  expect(run.stdout + run.summary).not.toMatch(control)
  expect(usedCommands).toEqual(expect.arrayContaining(commands.map(({ command }) => command)))
  for (const messages of Object.values(annotations)) {
    expect(messages.length).toBeLessThanOrEqual(10)
    for (const message of messages) expect(message).toMatch(/^\S.{0,4095}$/)
  }
}

function checkSecrets(run: ActionRun, secrets: readonly string[]): void {
  expect(run.masks.filter(mask => mask.length < 6)).toEqual([])
  // File names stay exact in the checksums file, or it would prove nothing.
  const files = [run.workspace.root, run.workspace.temp]
    .flatMap(filesBelow)
    .filter(file => basename(file) !== 'notarization-checksums.txt')
  const places = {
    log: run.lines.filter(line => !line.startsWith('::add-mask::')).join('\n'),
    summary: run.summary,
    ...run.outputs,
    ...Object.fromEntries(files.map(file => [file, readIfPresent(file)])),
  }
  const forms = secrets.flatMap(formsOf)
  const leaks = Object.entries(places).filter(([, text]) => forms.some(form => text.includes(form)))
  expect(leaks).toEqual([])
}

/** Returns a secret in the forms that the runner masks. */
export function formsOf(secret: string): readonly string[] {
  const base64 = [0, 1, 2].map(offset => {
    const bytes = Buffer.from(secret).subarray(offset)
    // Without the last digits, which depend on what follows.
    return bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64')
  })
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), ...base64]
}

/** Checks that exit code, annotations and the summary agree. */
function checkEnding(run: ActionRun, isGreen: boolean, rowCount: number): void {
  expect(run.exitCode).toBe(isGreen ? 0 : 1)
  if (isGreen) expect(run.annotations.error).toEqual([])
  // The reader of a red step looks at the end of the log first.
  else expect(run.commands.at(-1)?.command).toBe('error')
  if (run.summary === '') return
  expect(run.summary).toMatch(isGreen ? /^## (?!❌).+\n/u : /^## ❌.+\n/u)
  expect(run.summary).toMatch(/^## .+\n\n<p><b>(?:Compared with:|Cost:.*<br><b>Next run:)/)
  expect(run.summary.match(/<tr><td/g) ?? []).toHaveLength(rowCount)
}

function checkNotarized(run: ActionRun, mustFail: boolean): void {
  const outputs = outputsSchema.parse(run.outputs)
  const { verdict, 'failed-count': failed } = outputs
  // Masking a part of what belongs to a record would drop the whole output.
  const exempt = [subscription.id, String(subscription.userId), subscription.planId]
  expect(run.masks.filter(mask => exempt.some(text => text.includes(mask)))).toEqual([])

  for (const list of [outputs.records ?? [], outputs.failures]) {
    const names = list.map(({ artifact }) => artifact)
    expect(names).toEqual(names.toSorted())
  }
  const hasFailed = verdict === 'stopped' || failed > 0
  checkEnding(run, !hasFailed && !mustFail, outputs['artifact-count'])
  if (hasFailed && verdict !== 'stopped') expect(run.annotations.error).toHaveLength(1)
}

/** Returns the records file of a run. */
export function readRecordsFile({ outputs }: ActionRun): RecordsFile {
  return readRecordsText(readIfPresent(outputs['records-path'] ?? ''))
}

function checkVerified(run: ActionRun): void {
  const { verdict, results, ...counts } = verifyOutputsSchema.parse(run.outputs)
  if (verdict === 'stopped') expect([results, ...Object.values(counts)]).toEqual([[], 0, 0, 0, 0])
  const total = Object.values(counts).reduce((sum, count) => sum + count)
  expect(results?.length ?? total).toBe(total)
  checkEnding(run, verdict === 'matched', total)
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/** Returns the text of a file; empty if it is missing. */
function readIfPresent(file: string): string {
  return isFile(file) ? readFileSync(file, 'utf8') : ''
}

/** Lists all files below a folder with what a write changes. */
export function statFiles(folder: string): readonly string[] {
  return filesBelow(folder).map(file => {
    const { size, mtimeMs, ino } = statSync(file)
    return `${file} ${size} ${mtimeMs} ${ino}`
  })
}

/** Returns all files below a folder, except names that are not UTF-8. */
function filesBelow(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.map(name => join(folder, name)).filter(isFile)
}
