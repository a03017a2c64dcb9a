import {
  breakable,
  code,
  formatNotes,
  formatReasonItems,
  formatTable,
  idCode,
  maxSummaryBytes,
  sentence,
  sizeCell,
  tableRow,
  type ReasonItem,
} from '../report/page.ts'
import { maxMessageLength } from '../text/escape.ts'
import { formatTime } from '../text/time.ts'
import { baseName, counted } from '../text/words.ts'
import { isOfCommit, type Unknown, type Verified } from './compare.ts'
import type { RecordHead } from './records.ts'

/** What is wrong with an artifact or a record, in words; empty if nothing is. A clause without a full stop. */
export function explain(one: Verified): string {
  switch (one.state) {
    case 'matched':
      return ''
    case 'altered':
      return `it has the hash ${one.hash ?? ''}, but the records have this name with the hash ${one.recorded.hash}, ${formatWhen(one.recorded)}`
    case 'missing':
      return `${formatWhen(one.recorded)}, but no artifact here has its hash`
    case 'unknown':
      return one.why
  }
}

function formatWhen({ service, read }: RecordHead): string {
  const time = formatTime(read().record['creationDate'])
  return `registered${time === '–' ? '' : ` at ${time} UTC`} with the service "${service}"`
}

/** What a reader of a match must know: that its record has another name, or is of another commit. Empty if neither. */
export function noteMatch({ name, state, recorded }: Verified, sha: string | null): string {
  if (state !== 'matched') return ''
  const { artifact } = recorded
  const isNamed = baseName(artifact) === baseName(name)
  return [
    ...(isNamed ? [] : [`recorded under another name, "${artifact}"`]),
    ...(isOfCommit(recorded, sha)
      ? []
      : [`recorded for another commit, ${recorded.sha ?? 'none'}`]),
  ].join('; ')
}

/** The job summary of a verification: the verdict, why not to deploy, then what is wrong first. */
export function formatVerifySummary(input: {
  /** The first line. */
  readonly verdict: string
  /** Artifacts and missing records, the worst first. */
  readonly shown: readonly Verified[]
  readonly sha: string | null
  /** How many records counted, and of which service. */
  readonly checkedAgainst: string
  readonly warnings: readonly string[]
  /** Takes the secrets out; asked for what is shown only. */
  readonly clean: (one: Verified) => Verified
}): string {
  const { verdict, shown, sha, checkedAgainst, warnings, clean } = input
  const noted = shown.filter(one => noteMatch(one, sha) !== '').length
  const match = noted === 1 ? 'matches' : 'match'
  const elsewhere = `${counted(noted, 'artifact')} ${match} a record of another name or commit; the table says which`
  const groups = Map.groupBy(shown, one => (one.state === 'unknown' ? one.kind : one.state))
  const reasons = [...groups].flatMap(([kind, group]) =>
    kind === 'matched' ? [] : [reasonItem(advice[kind], group, clean)],
  )
  const head = [
    ...[`## ${verdict}`, '', `<p>${sentence(checkedAgainst)}</p>`, ''],
    ...formatReasonItems('Do not deploy.', reasons),
    ...formatNotes([...warnings, ...(noted === 0 ? [] : [elsewhere])]),
  ]
  const note = 'A match proves agreement with the records file, not who wrote that file.'
  const table = formatTable({
    titles,
    rows: shown.values().map(one => rowOf(clean(one), sha)),
    total: shown.length,
    maxBytes: maxSummaryBytes - Buffer.byteLength([...head, note].join('\n')),
    elsewhere: 'the output <code>results</code>, or the file named above, has all',
  })
  return [...head, ...table, note, ''].join('\n')
}

const titles = [
  ...['State', 'Artifact', 'Size', 'SHA-256'],
  ...['Registered at (UTC)', 'Service', 'Blockchain'],
]

function rowOf(one: Verified, sha: string | null): string {
  const { name, size, hash, state, recorded } = one
  const note = noteMatch(one, sha)
  const sign = `${state === 'matched' ? '✅' : '❌'}&nbsp;${state}`
  const cells = [
    ...[note === '' ? sign : `${sign}<br>${breakable(note)}`, code(name), sizeCell(size)],
    hash === null ? '–' : idCode(hash),
  ]
  if (state !== 'matched') {
    return tableRow(cells, { html: breakable(explain(one), maxMessageLength), span: 3 })
  }
  const { service, record } = recorded.read()
  const registered = [formatTime(record['creationDate']), code(service)]
  return tableRow([...cells, ...registered, code(record['blockchainType'])])
}

const maxExamples = 3

/** What to say about everything with the same reason: the title for one and for many, and two sentences. */
interface Advice {
  readonly title: readonly [one: string, many: string]
  readonly meaning: string
  readonly remedy: string
}

function reasonItem(
  { title, meaning, remedy }: Advice,
  group: readonly Verified[],
  clean: (one: Verified) => Verified,
): ReasonItem {
  const names = group.slice(0, maxExamples).map(one => code(clean(one).name))
  const left = group.length - names.length
  const more = left > 0 ? ` and ${left} more` : ''
  return {
    title: `${counted(group.length, ...title)}: ${names.join(', ')}${more}`,
    answers: { 'What it means:': meaning, 'What to do:': remedy },
  }
}

const advice: Readonly<Record<Unknown['kind'] | 'altered' | 'missing', Advice>> = {
  altered: {
    title: ['artifact is altered', 'artifacts are altered'],
    meaning: 'The records know the name, with other bytes than these.',
    remedy:
      'Find out who changed the bytes after the notarization. If that was a step of yours, notarize what you publish; else treat it as tampered with.',
  },
  missing: {
    title: ['recorded artifact is missing', 'recorded artifacts are missing'],
    meaning: 'It was notarized, and nothing here has its bytes.',
    remedy:
      'Look for it in the job that should have handed it on; with records of several releases in one file, give the input sha.',
  },
  'not hashed': {
    title: ['artifact could not be hashed', 'artifacts could not be hashed'],
    meaning: 'Nothing is known of its bytes.',
    remedy: 'Correct what the table says, then run the job again.',
  },
  'no record': {
    title: ['artifact has no record', 'artifacts have no record'],
    meaning: 'No record that counts has its bytes or its name.',
    remedy:
      'Check that these are the records of this release, whole and of the right service; if the patterns match more than was notarized, narrow them.',
  },
  'record with problems': {
    title: ['artifact has a record with problems', 'artifacts have records with problems'],
    meaning: 'The answer of the service contradicted the request, so that this is no proof.',
    remedy: 'Ask the service what became of the hash.',
  },
  'sent without an answer': {
    title: ['artifact has no record, but was sent', 'artifacts have no record, but were sent'],
    meaning: 'A run sent it and read no answer, so that it may be registered all the same.',
    remedy:
      'Run the job that notarizes again with the same records file, or look the hash up at the service; then verify again.',
  },
}
