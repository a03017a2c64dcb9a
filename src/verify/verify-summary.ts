import {
  breakable,
  code,
  docsLink,
  formatNotes,
  formatPage,
  formatReasonItems,
  sentence,
  type ReasonItem,
  type Row,
} from '../report/page.ts'
import type { Secrets } from '../runtime/secrets.ts'
import { maxMessageLength } from '../text/escape.ts'
import { fieldText, timeText } from '../text/field.ts'
import { counted } from '../text/words.ts'
import type { Verified } from './compare.ts'

/** What the job summary of a verification shows. */
export interface VerifyPage {
  /** The first line. */
  readonly verdict: string
  /** Artifacts and missing records, the worst first. */
  readonly shown: readonly Verified[]
  /** How many records of which service these were compared with. */
  readonly checkedAgainst: string
  readonly warnings: readonly string[]
  /** Address of the docs; null if not known. */
  readonly docsUrl: string | null
  /** Replaced in what the records say; the rest has none any more. */
  readonly secrets: Secrets
}

const advice = {
  altered:
    'Find out what changed it after it was notarized. If that was a step of yours, notarize the final file; otherwise treat it as tampered with.',
  unknown:
    'See the table. Where no record has it, check that the records files are those of this release and that the patterns match only what was notarized.',
  missing:
    'Check the job that passes the files on. If the records are of several releases, give the input "sha".',
} as const

/** The job summary of a verification: the verdict, why not to deploy, then the table. */
export function formatVerifySummary(page: VerifyPage): string {
  const { verdict, shown, checkedAgainst, warnings, docsUrl, secrets } = page
  const reasons: ReasonItem[] = []
  for (const [state, group] of Map.groupBy(shown, one => one.state)) {
    if (state === 'matched') continue
    const title = `${counted(group.length, 'artifact')} ${state}`
    reasons.push({ title, answers: { 'What to do:': advice[state] } })
  }
  const isPlain = ({ state, message }: Verified): boolean => state === 'matched' && message === ''
  return formatPage({
    verdict,
    head: [
      `<p>${sentence(`Compared with ${checkedAgainst}`)}</p>`,
      '',
      ...formatReasonItems('Do not deploy.', reasons),
      ...formatNotes(warnings),
    ],
    table: {
      titles: ['Registered at (UTC)', 'Blockchain'],
      rows: shown.values().map(one => formatRow(one, secrets)),
      total: shown.length,
      plainCount: shown.filter(isPlain).length,
      elsewhere: 'the output <code>results</code> lists all if they fit',
    },
    foot: [
      `A match proves agreement with the records file, not who wrote that file. More: ${docsLink(docsUrl, 'verify.md#what-is-left-to-trust')}`,
    ],
  })
}

function formatRow(one: Verified, secrets: Secrets): Row {
  const { artifact, size, hash, state, recorded, message } = one
  const sign = `${state === 'matched' ? '✅' : '❌'}&nbsp;${state}`
  const verificationUrl = state === 'matched' ? recorded?.verificationUrl : null
  const row = { artifact: { name: artifact, size, hash, verificationUrl } }
  if (state !== 'matched') {
    return { ...row, state: sign, details: breakable(message, maxMessageLength) }
  }
  const { creationDate, blockchainType } = recorded?.record ?? {}
  const texts = [timeText(creationDate), fieldText(blockchainType)]
  const details = texts.map(text => code(secrets.redactText(text)))
  return { ...row, state: message === '' ? sign : `${sign}<br>${breakable(message)}`, details }
}
