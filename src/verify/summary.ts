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
import { counted } from '../text/words.ts'
import type { Reason, Verified } from './compare.ts'
import { noteMatch, type VerifyResult } from './result.ts'

/** The job summary of a verification: the verdict, why not to deploy, then what is wrong first. */
export function formatVerifySummary(input: {
  /** The first line. */
  readonly verdict: string
  /** Artifacts and missing records, the worst first. */
  readonly shown: readonly Verified[]
  readonly sha: string | null
  /** How many records counted, and of which service; a sentence. */
  readonly checkedAgainst: string
  readonly warnings: readonly string[]
  /** Asked for what is shown only. */
  readonly describe: (one: Verified) => VerifyResult
}): string {
  const { verdict, shown, sha, checkedAgainst, warnings, describe } = input
  const noted = shown.filter(one => noteMatch(one, sha) !== '').length
  const match = noted === 1 ? 'matches' : 'match'
  const elsewhere = `${counted(noted, 'artifact')} ${match} a record of another name or commit; the table says which`
  const groups = Map.groupBy(shown, ({ reason }) => reason)
  const reasons = [...groups].flatMap(([reason, group]): readonly ReasonItem[] => {
    if (reason === null) return []
    const [meaning, remedy] = advice[reason]
    const names = group.slice(0, maxExamples).map(one => code(describe(one).artifact))
    const left = group.length - names.length
    const more = left > 0 ? ` and ${left} more` : ''
    return [
      {
        title: `${counted(group.length, 'artifact')} ${reason}: ${names.join(', ')}${more}`,
        answers: { 'What it means:': meaning, 'What to do:': remedy },
      },
    ]
  })
  const head = [
    ...[`## ${verdict}`, '', `<p>${sentence(checkedAgainst)}</p>`, ''],
    ...formatReasonItems('Do not deploy.', reasons),
    ...formatNotes([...warnings, ...(noted === 0 ? [] : [elsewhere])]),
  ]
  const note = 'A match proves agreement with the records file, not who wrote that file.'
  const table = formatTable({
    titles,
    rows: shown.values().map(one => rowOf(describe(one), sha)),
    total: shown.length,
    maxBytes: maxSummaryBytes - Buffer.byteLength([...head, note].join('\n')),
    elsewhere: 'the output <code>results</code>, or the file named above, has all',
  })
  return [...head, ...table, note, ''].join('\n')
}

const maxExamples = 3

const titles = [
  ...['State', 'Artifact', 'Size', 'SHA-256'],
  ...['Registered at (UTC)', 'Service', 'Blockchain'],
]

function rowOf(result: VerifyResult, sha: string | null): string {
  const { artifact, size, hash, state, recorded, message } = result
  const note = noteMatch(result, sha)
  const sign = `${state === 'matched' ? '✅' : '❌'}&nbsp;${state}`
  const cells = [
    ...[note === '' ? sign : `${sign}<br>${breakable(note)}`, code(artifact), sizeCell(size)],
    hash === null ? '–' : idCode(hash),
  ]
  if (state !== 'matched' || recorded === null) {
    return tableRow(cells, { html: breakable(message, maxMessageLength), span: 3 })
  }
  const { service, record } = recorded
  const registered = [formatTime(record['creationDate']), code(service)]
  return tableRow([...cells, ...registered, code(record['blockchainType'])])
}

/** What everything with the same reason means, and what to do about it. */
const advice: Readonly<Record<Reason, readonly [meaning: string, remedy: string]>> = {
  altered: [
    'The records know the name, with other bytes than these.',
    'Find out who changed the bytes after the notarization. If that was a step of yours, notarize what you publish; else treat it as tampered with.',
  ],
  missing: [
    'It was notarized, and nothing here has its bytes.',
    'Look for it in the job that should have handed it on; with records of several releases in one file, give the input sha.',
  ],
  'that could not be hashed': [
    'Nothing is known of its bytes.',
    'Correct what the table says, then run the job again.',
  ],
  'without a record': [
    'No record that counts has its bytes or its name.',
    'Check that these are the records of this release, whole and of the right service; if the patterns match more than was notarized, narrow them.',
  ],
  'with problems in the record': [
    'The answer of the service contradicted the request, so that this is no proof.',
    'Ask the service what became of the hash.',
  ],
  'without a record, but sent': [
    'A run sent it and read no answer, so that it may be registered all the same.',
    'Run the job that notarizes again with the same records file, or look the hash up at the service; then verify again.',
  ],
}
