/** What holds for each finished run of either action, whatever it was about; checked by the letter of the contract. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { expect } from '@jest/globals'
import { readActionFile } from './action-file.ts'
import { decodeHtml } from './html.ts'
import { readOutputs, readVerifyOutputs } from './outputs.ts'
import type { Outputs, VerifyOutputs } from './outputs.ts'
import { isOpen, readRecordsText } from './record-lines.ts'
import type { RecordLine, RecordsFile, StateLine } from './record-lines.ts'
import type { ActionRun } from './runner.ts'
import { subscription } from './samples.ts'

const REPOSITORY = resolve(import.meta.dirname, '../..')
const actions = {
  main: readActionFile(join(REPOSITORY, 'action.yml')),
  verify: readActionFile(join(REPOSITORY, 'verify', 'action.yml')),
} as const

/** What the run itself does not show. */
export interface Facts {
  /** What may stand in `::add-mask::` lines and nowhere else. The main action has one at least. */
  readonly secrets?: readonly string[]
  /** It fails whatever the counts say: it was cancelled, or something could not be saved or attached. */
  readonly mustFail?: boolean
  /** Of the verify action: a record without its artifact is a failure. */
  readonly requiresAll?: boolean
}

/** Checks a run that has ended by itself; which action it was is seen from its outputs. */
export function checkFinishedRun(run: ActionRun, facts: Facts = {}): void {
  expect(run).toMatchObject({ timedOut: false, signal: null, stderr: '' })
  expect(run).toMatchObject({ env: '', path: '', state: '' })
  checkLog(run)
  const isVerify = 'matched-count' in run.outputs
  checkOutputNames(run, isVerify)
  if (isVerify) checkVerified(run, facts)
  else checkNotarized(run, facts)
}

// ---- Either action

/** The commands that the actions have a use for; any other one was forged. */
const USED_COMMANDS = ['add-mask', 'debug', 'error', 'group', 'endgroup', 'notice', 'warning']
const STACK = /^\s+at |\bat [^\n]*\.[cm]?[jt]s:\d|node:internal|index\.js:\d|\[object /m
/** Every control character but the line end; a text from outside must not act in a terminal either. */
const CONTROL = /[^\P{Cc}\n]/u

function checkLog(run: ActionRun): void {
  for (const text of [run.stdout, run.summary, ...Object.values(run.outputs)]) {
    expect(text).not.toMatch(STACK)
  }
  expect(run.stdout).not.toMatch(CONTROL)
  expect(USED_COMMANDS).toEqual(expect.arrayContaining(run.commands.map(({ command }) => command)))
  const { error, warning, notice } = run.annotations
  for (const messages of [error, warning, notice]) {
    expect(messages.length).toBeLessThanOrEqual(10)
    for (const message of messages) {
      expect(message).toMatch(/\S/)
      expect(message.length).toBeLessThanOrEqual(4096)
    }
  }
}

/** Each declared output is set and no other one, and the platform hands on all but the empty ones. */
function checkOutputNames(run: ActionRun, isVerify: boolean): void {
  const { outputs } = actions[isVerify ? 'verify' : 'main']
  expect(Object.keys(run.outputs).toSorted()).toEqual([...outputs].toSorted())
  const full = Object.entries(run.outputs).filter(([, value]) => value !== '')
  expect(run.jobOutputs).toEqual(Object.fromEntries(full))
}

function checkSecrets(run: ActionRun, secrets: readonly string[]): void {
  expect(run.masks.filter(mask => mask.length < 6)).toEqual([])
  const said = run.lines.filter(line => !line.startsWith('::add-mask::'))
  const commands = run.commands.filter(({ command }) => command !== 'add-mask')
  const recordsPath = run.outputs['records-path'] ?? ''
  const files = [run.workspace.root, run.workspace.temp].flatMap(filesBelow)
  const places = [
    ['log', said.join('\n')],
    ['commands', commands.map(({ message }) => message).join('\n')],
    ['summary', run.summary],
    ...Object.entries(run.outputs),
    ...[...files, recordsPath].map(file => [basename(file), readIfThere(file)] as const),
  ] as const
  const leaks = secrets.flatMap(formsOf).flatMap(form => {
    return places.flatMap(([place, text]) => (text.includes(form) ? [`${place}: ${form}`] : []))
  })
  expect(leaks).toEqual([])
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString('base64'),
    bytes.toString('base64url'),
  ]
}

/** The exit code, the annotations and the first line of the summary say the same. */
function checkEnding(run: ActionRun, { isGreen }: { readonly isGreen: boolean }): void {
  expect(run.exitCode).toBe(isGreen ? 0 : 1)
  if (isGreen) expect(run.annotations.error).toEqual([])
  // So that the reason is found where the reader of a red step looks first.
  else expect(run.commands.at(-1)?.command).toBe('error')
  if (run.summary !== '')
    expect(run.summary).toMatch(isGreen ? /^## (?!❌).+\n/u : /^## (?!✅).+\n/u)
}

/** The markup that a summary may have; what is left without it must be text. */
const OUR_TAGS =
  /<\/?(table|tr|td|th|code|b|a|p|ol|ul|li|details|summary)>|<br>|<wbr>|<code title="[^"<>]*">|<th align="left">|<td colspan="\d">|<a href="https?:\/\/[^"<>\s]+">/g

/** Commands to paste: no markup acts in them. */
const FENCED = /^```\w+\n.*?^```\n/gms

function checkSummary(run: ActionRun, rowCount: number): void {
  expect(run.summaryBytes).toBeLessThan(1024 * 1024)
  expect(run.summary).not.toMatch(CONTROL)
  if (run.summary === '') return
  const { rows } = readSummary(run.summary)
  const text = run.summary.replaceAll(FENCED, '').replaceAll(OUR_TAGS, '')
  expect(text).not.toMatch(/[<>]/)
  const [, left = '0'] = /([\d,]+) more artifacts? (?:is|are) not shown/.exec(run.summary) ?? []
  expect(rows.length + Number(left.replaceAll(',', ''))).toBe(rowCount)
}

/** A list that does not fit is left out, and a warning names the file that has it. */
function checkList(run: ActionRun, name: string, { isLeftOut }: { readonly isLeftOut: boolean }) {
  const text = run.outputs[name] ?? ''
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(120_000)
  expect(text === '').toBe(isLeftOut)
  if (isLeftOut) expect(run.annotations.warning.join('\n')).toMatch(/records-path|\//)
}

function sorted<T extends { readonly artifact: string }>(entries: readonly T[]): T[] {
  return entries.toSorted((a, b) =>
    a.artifact < b.artifact ? -1 : a.artifact > b.artifact ? 1 : 0,
  )
}

// ---- The main action

function checkNotarized(run: ActionRun, { secrets = [], mustFail = false }: Facts): void {
  const outputs = readOutputs(run)
  const { verdict, 'failed-count': failed } = outputs
  expect(secrets).not.toEqual([])
  checkSecrets(run, secrets)
  // A mask that is a part of what belongs to a record would take the whole output with it.
  const kept = [subscription.id, String(subscription.userId), subscription.planId]
  expect(run.masks.filter(mask => kept.some(text => text.includes(mask)))).toEqual([])

  checkCounts(outputs, run)
  const hasFailed = verdict === 'stopped' || (failed > 0 && verdict !== 'deferred')
  checkEnding(run, { isGreen: !hasFailed && !mustFail })
  if (hasFailed && verdict !== 'stopped' && !mustFail) expect(run.annotations.error).toHaveLength(1)
  if (verdict === 'deferred' && !mustFail) expect(run.annotations.warning).not.toEqual([])
  checkSummary(run, outputs['artifact-count'])
  checkChecksums(run, outputs)
  checkEvidence(run, outputs)
  if (verdict !== 'stopped') checkRecordsFile(run, outputs)
}

const nothingRegistered = { registered: 0, newly: 0, records: [] }

function checkCounts({ verdict, records, failures, ...counts }: Outputs, run: ActionRun): void {
  const total = counts['artifact-count']
  const registered = counts['registered-count']
  const newly = counts['newly-registered-count']
  const failed = counts['failed-count']
  const isOffline = verdict === 'stopped' || verdict === 'dry-run'
  if (isOffline) expect({ registered, newly, records }).toEqual(nothingRegistered)
  if (verdict === 'stopped') expect({ total, failed }).toEqual({ total: 0, failed: 0 })
  if (verdict === 'dry-run') expect(total).toBeGreaterThanOrEqual(failed)
  else expect(total).toBe(registered + failed)
  if (verdict === 'deferred') {
    expect(failed).toBeGreaterThan(0)
    expect(failures.filter(({ code }) => code !== 'unavailable')).toEqual([])
  } else if (!isOffline) expect(verdict).toBe(verdictOf({ total, failed, registered }))
  expect(newly).toBeLessThanOrEqual(registered)
  checkList(run, 'records', { isLeftOut: records === null })
  if (records !== null) {
    expect(records).toHaveLength(registered)
    expect(records.filter(({ from }) => from === 'this-run')).toHaveLength(newly)
    expect(records).toEqual(sorted(records))
  }
  const { length } = run.outputs['failures'] ?? ''
  expect(length).toBeLessThanOrEqual(50_000)
  expect(failures).toEqual(sorted(failures))
  expect(failures.length).toBeLessThanOrEqual(failed)
  // Cut only where the next entry would not have fitted.
  if (failures.length < failed) expect(length).toBeGreaterThan(45_000)
}

function verdictOf(counts: Readonly<Record<'total' | 'failed' | 'registered', number>>): string {
  if (counts.total === 0) return 'nothing-found'
  if (counts.failed === 0) return 'registered'
  return counts.registered === 0 ? 'failed' : 'partial'
}

function checkChecksums(run: ActionRun, { 'checksums-path': path }: Outputs): void {
  if (path === '') return
  expect(path.startsWith(run.workspace.temp)).toBe(true)
  for (const line of readIfThere(path).split('\n').slice(0, -1)) {
    expect(line).toMatch(/^\\?[0-9a-f]{64} {2}.+$/s)
  }
}

function checkEvidence(run: ActionRun, { 'evidence-path': path, ...outputs }: Outputs): void {
  if (outputs['registered-count'] > 0) expect(path).not.toBe('')
  if (path === '') return
  expect(path.startsWith(run.workspace.temp)).toBe(true)
  const page = readIfThere(path)
  expect(page).toMatch(/\S/)
  expect(page.length).toBeLessThanOrEqual(120_000)
}

function checkRecordsFile(run: ActionRun, { records, failures, ...outputs }: Outputs): void {
  const names = filesBelow(run.workspace.root).map(file => basename(file))
  expect(names.filter(name => name.startsWith('.records-probe'))).toEqual([])
  // What could not be saved is in the log instead.
  const printed = run.lines.filter(line => line.startsWith('{"artifact":'))
  const lines = [...readIfThere(outputs['records-path']).split('\n'), ...printed]
  for (const { hash, from, record, unansweredTries } of records ?? []) {
    const own = lines.filter(
      line => line.includes(`"hash":"${hash}"`) && line.includes('"record":'),
    )
    expect(own.length).toBeGreaterThanOrEqual(1)
    if (from === 'records-file') continue
    const written = readRecordsText(`${own.at(-1) ?? ''}\n`).records
    expect(written).toMatchObject([{ hash, record }])
    expect(written[0]?.unansweredTries).toBe(unansweredTries)
  }
  if (outputs.verdict === 'dry-run') return
  for (const { hash, code, registered } of failures) {
    // What cannot be saved any more cannot be settled either.
    if (hash === null || code === 'not-saved' || code === 'record-mismatch') continue
    const own = lines.filter(line => line.includes(`"hash":"${hash}"`))
    const file = readRecordsText(own.map(line => `${line}\n`).join(''))
    const hasOpen = file.states.some(line => isOpen(file, line))
    expect([hash, hasOpen]).toEqual([hash, registered === 'unknown'])
  }
}

/** The record lines of the records file, each by the letter of the contract. */
export function readLines(run: ActionRun): readonly RecordLine[] {
  return readWholeRecordsFile(run).records
}

/** The state lines of the records file, read likewise. */
export function readStateLines(run: ActionRun): readonly StateLine[] {
  return readWholeRecordsFile(run).states
}

/** The file must end with a line end. */
function readWholeRecordsFile(run: ActionRun): RecordsFile {
  const file = readRecordsText(readIfThere(run.outputs['records-path'] ?? ''))
  expect(file.rest).toBe('')
  return file
}

// ---- The verify action

const BAD_STATES = ['altered', 'unknown', 'missing'] as const

function checkVerified(run: ActionRun, facts: Facts): void {
  const { secrets = [], mustFail = false, requiresAll = false } = facts
  const outputs = readVerifyOutputs(run)
  const { verdict, results, ...counts } = outputs
  checkSecrets(run, secrets)
  // However much there is, a log stays readable.
  expect(run.lines.length).toBeLessThan(130)
  const bad = BAD_STATES.filter(
    name => counts[`${name}-count`] > 0 && (name !== 'missing' || requiresAll),
  )
  if (verdict === 'stopped') {
    expect(results).toEqual([])
    expect(Object.values(counts)).toEqual([0, 0, 0, 0])
  } else {
    expect(verdict).toBe(bad[0] ?? 'matched')
    expect(counts['matched-count'] + bad.length).toBeGreaterThan(0)
    expect(run.annotations.error).toHaveLength((bad.length > 0 ? 1 : 0) + (mustFail ? 1 : 0))
  }
  checkEnding(run, { isGreen: verdict === 'matched' && !mustFail })
  checkList(run, 'results', { isLeftOut: results === null })
  checkResults(outputs, requiresAll)

  checkSummary(run, rowCountOf(outputs, requiresAll))
  if (run.summary === '') return
  expect(run.summary).toMatch(verdict === 'matched' ? /^## ✅ VERIFIED: / : /^## ❌ NOT VERIFIED: /)
  if (verdict !== 'stopped') expect(run.summary).toContain('not who wrote that file')
}

/** An altered artifact and the record that it is altered from are one row; where the results are cut nobody can count those. */
function rowCountOf({ results, ...counts }: VerifyOutputs, requiresAll: boolean): number {
  const artifacts = counts['matched-count'] + counts['altered-count'] + counts['unknown-count']
  if (!requiresAll) return artifacts
  const alteredFrom = new Set(
    results?.filter(({ state }) => state === 'altered').map(({ recorded }) => recorded?.hash),
  )
  const absent = results?.filter(
    ({ state, hash }) => state === 'missing' && !alteredFrom.has(hash ?? ''),
  )
  return artifacts + (absent?.length ?? counts['missing-count'])
}

function checkResults({ results, ...counts }: VerifyOutputs, requiresAll: boolean): void {
  if (results === null) return
  for (const state of ['matched', ...BAD_STATES] as const) {
    const isListed = state !== 'missing' || requiresAll
    const listed = results.filter(result => result.state === state)
    expect(listed).toHaveLength(isListed ? counts[`${state}-count`] : 0)
  }
  const artifacts = results.filter(({ state }) => state !== 'missing')
  const missing = results.filter(({ state }) => state === 'missing')
  expect(results).toEqual([...sorted(artifacts), ...sorted(missing)])
  for (const { state, hash, recorded, message } of results) {
    expect(message === '').toBe(state === 'matched')
    expect(recorded === null).toBe(state === 'unknown')
    if (recorded === null) continue
    expect(recorded.hash === hash).toBe(state !== 'altered')
    expect(String(recorded.record['hash']).toLowerCase()).toBe(recorded.hash)
  }
}

// ---- What a run left

/** A job summary as its reader sees it. */
export interface Summary {
  /** The first line. */
  readonly verdict: string
  readonly titles: readonly string[]
  /** The texts of the cells, entities decoded. */
  readonly rows: readonly (readonly string[])[]
  /** The block to paste into a shell, its fence included; empty if there is none. */
  readonly shell: string
}

/** Reads a job summary. */
export function readSummary(text: string): Summary {
  const [table = ''] = /<table>.*<\/table>/s.exec(text) ?? []
  const [titles = [], ...rows] = [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) =>
      decodeHtml(cell.replaceAll(/<\/?(code|b|a)( (href|title)="[^"]*")?>/g, '')),
    ),
  )
  const [shell = ''] = /^```sh\n.*?^```\n/ms.exec(text) ?? []
  return { verdict: text.split('\n')[0] ?? '', titles, rows, shell }
}

/** Larger files are what a test hashes, not what a run wrote. */
const MAX_READ_BYTES = 64 * 1024 * 1024

function readIfThere(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false })
  const isRead = stats?.isFile() === true && stats.size <= MAX_READ_BYTES
  return isRead ? readFileSync(file, 'utf8') : ''
}

/** All files below a folder; a name that is not UTF-8 leads nowhere. */
export function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true })
  const found = entries
    .map(entry => ({ entry, path: join(folder, entry.name) }))
    .filter(({ path }) => existsSync(path))
  return found.flatMap(({ entry, path }) =>
    entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [],
  )
}
