import { isFailed } from '../outcome.ts'
import { maxMessageLength, quote } from '../text/escape.ts'
import { formatSize, pluralize } from '../text/format.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import { formatFault, referTo } from './faults.ts'
import type { ShownArtifact } from './page.ts'
import { stateOf } from './states.ts'
import type { Judgement } from './verdict.ts'

/** Maximum number of lines before the verdict at the end of the log. */
const maxLines = 100

/** Formats the end of the log, before the verdict: the steps, then each artifact. */
export function formatLog({ ranked, steps, template, docsUrl }: Judgement): readonly string[] {
  const lines = steps.map((step, index) => {
    return `${index + 1}. ${formatFault(step)} See ${docsUrl}/${step.page}`
  })
  const shown = ranked.slice(0, maxLines - lines.length)
  for (const artifact of shown) {
    const { sign, words } = stateOf(artifact.outcome)
    const parts = [formatArtifact(`${sign} ${words}`, artifact)]
    if (isFailed(artifact)) {
      const { code, detail, registered } = artifact.outcome.failure
      const url = fillVerificationUrl(template, { hash: artifact.hash, record: {} })
      if (registered === 'unknown' && url !== undefined) parts.push(`look-up: ${url}`)
      parts.push(code, quote(detail, maxMessageLength), referTo(artifact, steps))
    }
    lines.push(parts.filter(part => part !== '').join('; '))
  }
  const rest = ranked.length - shown.length
  if (rest > 0) lines.push(`and ${pluralize(rest, 'more artifact')}, see the job summary`)
  return lines
}

/** Formats an artifact for the log of either action. */
export function formatArtifact(state: string, { name, size, hash }: ShownArtifact): string {
  return `${state}: "${quote(name)}" (${formatSize(size)}, ${hash ?? 'not hashed'})`
}
