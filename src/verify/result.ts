import { recordOf } from '../records/reading.ts'
import type { Secrets } from '../secrets.ts'
import { formatTime } from '../text/time.ts'
import { baseName } from '../text/words.ts'
import { isOfCommit, type Verified } from './compare.ts'

/** One artifact or record without secrets: an entry of the output `results`, and what log and summary show. */
export type VerifyResult = ReturnType<typeof makeResult>

/** See {@link VerifyResult}; reads the whole record. */
export function makeResult(one: Verified, secrets: Secrets) {
  const redact = (text: string): string => secrets.redactText(text)
  const { artifact, size, hash, state, recorded } = one
  const head = {
    artifact: redact(artifact),
    size,
    hash: hash === null ? null : redact(hash),
    state,
  }
  if (recorded === null) return { ...head, recorded: null, message: redact(one.why) }
  const { record } = secrets.redact(recordOf(recorded).record)
  const known = {
    ...{ artifact: redact(recorded.artifact), hash: redact(recorded.hash) },
    ...{ service: redact(recorded.service), record },
    sha: recorded.sha === null ? null : redact(recorded.sha),
  }
  const time = formatTime(record['creationDate'])
  const when = `registered${time === '–' ? '' : ` at ${time} UTC`} with the service "${known.service}"`
  const messages = {
    matched: '',
    altered: `the records have its name with another hash, ${known.hash}, ${when}`,
    missing: `${when}, but no artifact here has its hash`,
    unknown: '',
  }
  return { ...head, recorded: known, message: messages[state] }
}

/** What a reader of a match must know: that its record has another name, or is of another commit. Empty if neither. */
export function noteMatch(
  { artifact, state, recorded }: Pick<Verified | VerifyResult, 'artifact' | 'state' | 'recorded'>,
  sha: string | null,
): string {
  if (state !== 'matched' || recorded === null) return ''
  const isNamed = baseName(recorded.artifact) === baseName(artifact)
  return [
    ...(isNamed ? [] : [`recorded under another name, "${recorded.artifact}"`]),
    ...(isOfCommit(recorded, sha)
      ? []
      : [`recorded for another commit, ${recorded.sha ?? 'none'}`]),
  ].join('; ')
}
