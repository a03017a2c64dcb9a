import { isFailed } from '../outcome.ts'
import { maxMessageLength, quote } from '../text/escape.ts'
import { formatSize } from '../text/size.ts'
import { fillVerificationUrl } from '../text/verification-url.ts'
import { pluralize } from '../text/words.ts'
import { explain, formatFault, numberArtifacts, type Fault } from './faults.ts'
import type { ShownArtifact } from './page.ts'
import { stateOf, states } from './states.ts'
import type { Judgement } from './verdict.ts'

/** Maximum number of lines before the verdict at the end of the log. */
const maxLines = 100

/** Formats the end of the log, before the verdict: the steps, then each artifact. */
export function formatLog({ ranked, steps, template, docsUrl }: Judgement): readonly string[] {
  const lines = steps.map((step, index) => {
    return `${index + 1}. ${titleOf(step)}${formatFault(step)} See ${docsUrl}/${step.page}`
  })
  const numbers = numberArtifacts(steps)
  const shown = ranked.slice(0, maxLines - lines.length)
  for (const artifact of shown) {
    const { hash, outcome } = artifact
    const state = stateOf(outcome)
    const parts = [formatArtifact(`${state.sign} ${state.words}`, artifact)]
    const url = fillVerificationUrl(template, { hash, record: {} })
    if (state === states.unsure && url !== undefined) parts.push(`look it up at ${url}`)
    if (isFailed(artifact)) {
      const { failure } = artifact.outcome
      const number = numbers.get(artifact)
      const seen = failure.detail === '' ? '' : `${quote(failure.detail, maxMessageLength)}; `
      parts.push(
        number === undefined ? formatFault(explain(failure)) : `${seen}see ${number} above`,
      )
    }
    lines.push(parts.join('; '))
  }
  const rest = ranked.length - shown.length
  if (rest > 0) lines.push(`and ${pluralize(rest, 'more artifact')}, see the job summary`)
  return lines
}

/** Formats state, number, code and status of the artifacts that a step is about. */
function titleOf({ artifacts }: Fault): string {
  const [first] = artifacts
  if (first === undefined) return ''
  const { code, status } = first.outcome.failure
  const { sign, words } = stateOf(first.outcome)
  const answer = status === null ? code : `${code}, HTTP ${status}`
  return `${sign} ${words} (${pluralize(artifacts.length, 'artifact')}; ${answer}): `
}

/** Formats an artifact for the log of either action. */
export function formatArtifact(state: string, { name, size, hash }: ShownArtifact): string {
  return `${state}: "${quote(name)}" (${formatSize(size)}, ${hash ?? 'not hashed'})`
}
