import { expect, it } from '@jest/globals'
import { readInputs } from '../src/inputs/notarize-inputs.ts'
import type { Artifact } from '../src/outcome.ts'
import { combineArtifacts, describePlan, makePlan, type PlanInput } from '../src/plan.ts'
import { Ledger } from '../src/records/ledger.ts'
import type { Release } from '../src/release/release.ts'
import { hostIn } from './artifacts/host.ts'
import { AT, doubtLineOf, lineOf, SERVICE } from './records/entries.ts'
import { artifactOf, hashOf, makeRecord, source, unreadOf } from './support/samples.ts'

type Texts = Readonly<{ inputs?: Record<string, string>; records?: string }>
type Setup = Partial<Omit<PlanInput, 'inputs' | 'ledger'>> & Texts

/** Makes a plan; `records` is the text of the records file. */
function plan(artifacts: readonly Artifact[], setup: Setup = {}) {
  const { inputs = {}, records = '', ...rest } = setup
  const host = hostIn('/')
  const disk = { ...host.disk, read: () => Buffer.from(records) }
  const file = { path: '/records.jsonl', name: 'records.jsonl', others: [] }
  const ledger = new Ledger({ ...file, service: SERVICE, source }, { ...host, disk })
  const read = { inputs: readInputs(inputs).inputs, ledger }
  return makePlan({ counts: [], release: null, ...rest, ...read, artifacts })
}

/** What stops the run, with what it needs and what to do, and what it warns about. */
function told({ problems, warnings }: ReturnType<typeof plan>): readonly string[] {
  const stops = problems.map(({ needs, message, next, hint }) => {
    return `${needs}: ${[message, next, hint ?? []].flat().join('; ')}`
  })
  return [...stops, ...warnings]
}

/** An artifact whose size differs from the size in the record of its hash. */
const a1 = { ...artifactOf('a', 1), size: 5 }
const [b2, c3] = [artifactOf('b', 2), artifactOf('c', 3)]
const sha = '1'.repeat(40)
const commits = { tagCommit: sha, runCommit: sha, source }
const lists = { artifacts: [], counts: [], records: [] }
const release: Release = { tag: 'v1', isDraft: false, url: 'page', ...commits, ...lists }

it('more distinct hashes than max-registrations stop the run, but only warn in a dry run', () => {
  const artifacts = [a1, b2, c3, artifactOf('d', 3)]
  const sums = Array.from({ length: 50 }, () => '"SUMS" matches 1 entry')
  const counts = ['"dist/**" matches 4 files', ...sums]
  const toldWith = (max: string, dryRun = 'false', records = ''): readonly string[] => {
    const inputs = { 'max-registrations': max, 'dry-run': dryRun }
    return told(plan(artifacts, { inputs, counts, records }))
  }
  expect(toldWith('3')).toEqual([])
  expect(toldWith('1', 'false', lineOf(1) + lineOf(2))).toEqual([])
  const matched = `"dist/**" matches 4 files, ${'"SUMS" matches 1 entry, '.repeat(49)}and 1 more`
  const message = `input "max-registrations" is 2, but 3 registrations are left (${matched}): "a", "b", "c", and 1 more`
  const next = 'decide whether you want to be charged for 3 registrations'
  const hint = 'if you do, set "max-registrations" to 3 or more; if not, correct the patterns'
  expect(toldWith('2')).toEqual([`workflow: ${message}; ${next}; ${hint}`])
  expect(toldWith('2', 'true')).toEqual([message])
  expect(toldWith('0', 'true', lineOf(1) + lineOf(2)).join()).toContain('1 registration is left (')
})

const other = '2'.repeat(40)
const moved = `workflow: input "release-tag": the tag "v1" points to the commit ${other} now, but this run is for ${sha}; find out who moved the tag, and notarize the commit that you release`
const gone =
  'nothing: input "release-tag": the tag "v1" of this run was deleted; push the tag again'
const empty =
  'nothing: input "release-tag": the release "v1" has no assets to notarize; upload the assets first'
it.each<[string, Partial<Release>, problems: readonly string[], artifacts?: readonly Artifact[]]>([
  ['a tag that moved', { tagCommit: other }, [moved]],
  ['no tag that moved in a run for another ref', { tagCommit: other, runCommit: null }, []],
  ['a tag that is gone', { tagCommit: null }, [gone]],
  ['no tag that a draft will create', { tagCommit: null, isDraft: true }, []],
  ['that there are no assets', {}, [empty], []],
])('the guards of a release report %s', (_, changes, problems, artifacts = [a1]) => {
  expect(told(plan(artifacts, { release: { ...release, ...changes } }))).toEqual(problems)
})

it('the plan has the outcome of each artifact, and counts what is left to register', () => {
  const artifacts = [a1, b2, c3, artifactOf('d', 3), unreadOf('e')]
  const made = plan(artifacts, { records: lineOf(1) + doubtLineOf(1) + doubtLineOf(3) })
  const record = makeRecord(hashOf(1))
  const inDoubt = { outcome: { state: 'planned', lastDoubtAt: AT } }
  expect(made.artifacts).toMatchObject([
    { name: 'a', size: 5, outcome: { state: 'registered', from: 'records-file', record } },
    { name: 'b', outcome: { state: 'planned', lastDoubtAt: null } },
    inDoubt,
    inDoubt,
    unreadOf('e'),
  ])
  expect(describePlan(made.artifacts)).toBe(
    '5 artifacts found, 2 distinct hashes left to register, 1 of them sent earlier, without a record',
  )
  expect(describePlan(plan([b2]).artifacts)).toBe(
    '1 artifact found, 1 distinct hash left to register',
  )
})

it('all problems are reported together', () => {
  const facts = { ...release, runCommit: 'f00d' }
  const artifacts = [a1, b2, artifactOf('a', 2, 'checksums')]
  const inputs = { 'max-registrations': '1' }
  const { problems } = plan(artifacts, { inputs, release: facts, records: 'x\n' })
  const guards = ['release-tag', 'checksums', 'records-path', 'max-registrations']
  expect(problems.map(({ input }) => input)).toEqual(guards)
})

const listed = artifactOf('a', 1, 'checksums')
const file = artifactOf('a', 1)
const broken = unreadOf('a')

it.each<readonly [string, readonly Artifact[], readonly Artifact[]]>([
  ['one artifact with the size of the file, if their hash is the same', [listed, file], [file]],
  ['a failure, if the file could not be read', [listed, broken], [broken]],
])('artifacts with the same name are combined to %s', (_, artifacts, combined) => {
  expect(combineArtifacts(artifacts)).toEqual({ combined, problems: [] })
  expect(combineArtifacts(artifacts.toReversed())).toEqual({ combined, problems: [] })
})

it.each([
  ['two hashes', file],
  ['two checksums and an unreadable file', broken],
])('artifacts with the same name are an input error if they have %s', (_, first) => {
  const inputs = [first, listed, artifactOf('a', 2, 'checksums')]
  const artifacts = Array.from('abcde', name => inputs.map(artifact => ({ ...artifact, name })))
  const { combined, problems } = combineArtifacts(artifacts.flat())
  expect(combined).toEqual(Array.from('abcde', name => ({ ...first, name })))
  const why = `has two hashes, ${hashOf(1)} and ${hashOf(2)}; `
  const message = `input "checksums": "a" ${why}"b" ${why}"c" ${why}and 2 more`
  const next = 'create the checksums again from the files to notarize'
  expect(problems).toMatchObject([{ input: 'checksums', message, next }])
})
