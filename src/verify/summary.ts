import {
  breakable,
  code,
  formatExamples,
  formatNotes,
  formatPage,
  formatReasonItems,
  sentence,
  type ReasonItem,
  type Row,
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
  const reasons = [...Map.groupBy(shown, ({ reason }) => reason)].flatMap(
    ([reason, group]): readonly ReasonItem[] => {
      if (reason === null) return []
      const names = group.slice(0, maxExamples).map(one => code(describe(one).artifact))
      const title = `${counted(group.length, 'artifact')} ${reason}: ${formatExamples(names, group.length)}`
      return [{ title, answers: advice[reason] }]
    },
  )
  return formatPage({
    verdict,
    head: [
      ...[`<p>${sentence(checkedAgainst)}</p>`, ''],
      ...formatReasonItems('Do not deploy.', reasons),
      ...formatNotes([...warnings, ...(noted === 0 ? [] : [elsewhere])]),
    ],
    table: {
      titles: ['Registered at (UTC)', 'Service', 'Blockchain'],
      rows: shown.values().map(one => rowOf(describe(one), sha)),
      total: shown.length,
      elsewhere: 'the output <code>results</code>, or the file named above, has all',
    },
    foot: ['A match proves agreement with the records file, not who wrote that file.'],
  })
}

const maxExamples = 3

function rowOf(result: VerifyResult, sha: string | null): Row {
  const { artifact: name, size, hash, state, recorded, message } = result
  const note = noteMatch(result, sha)
  const sign = `${state === 'matched' ? '✅' : '❌'}&nbsp;${state}`
  const isMatch = state === 'matched' && recorded !== null
  return {
    state: note === '' ? sign : `${sign}<br>${breakable(note)}`,
    artifact: { name, size, hash },
    details: isMatch
      ? [
          formatTime(recorded.record['creationDate']),
          ...[code(recorded.service), code(recorded.record['blockchainType'])],
        ]
      : breakable(message, maxMessageLength),
  }
}

/** What everything with the same reason means, and what to do about it. */
const advice: Readonly<Record<Reason, ReasonItem['answers']>> = {
  altered: {
    'What it means:': 'The records know the name, with other bytes than these.',
    'What to do:':
      'Find out who changed the bytes after the notarization. If that was a step of yours, notarize what you publish; else treat it as tampered with.',
  },
  missing: {
    'What it means:': 'It was notarized, and nothing here has its bytes.',
    'What to do:':
      'Look for it in the job that should have handed it on; with records of several releases in one file, give the input sha.',
  },
  'that could not be hashed': {
    'What it means:': 'Nothing is known of its bytes.',
    'What to do:': 'Correct what the table says, then run the job again.',
  },
  'without a record': {
    'What it means:': 'No record that counts has its bytes or its name.',
    'What to do:':
      'Check that these are the records of this release, whole and of the right service; if the patterns match more than was notarized, narrow them.',
  },
  'with problems in the record': {
    'What it means:':
      'The answer of the service contradicted the request, so that this is no proof.',
    'What to do:': 'Ask the service what became of the hash.',
  },
  'without a record, but sent': {
    'What it means:':
      'A run sent it and read no answer, so that it may be registered all the same.',
    'What to do:':
      'Run the job that notarizes again with the same records file, or look the hash up at the service; then verify again.',
  },
}
