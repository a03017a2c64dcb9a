/** What both actions hand over: outputs, summary, files, and the report of a run that stopped. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Stop, type Problem } from '../failure.ts'
import type { NamedHash } from '../records/evidence.ts'
import type { Host } from '../runtime/host.ts'
import type { Runner } from '../runtime/runner.ts'
import { formatChecksum } from '../text/names.ts'
import { toSentence } from '../text/phrases.ts'
import { describeError } from '../text/system-error.ts'
import { explainHalt, explainRun, tellRerun, type Fault } from './faults.ts'
import { docsLink, formatList, formatPage, sentence } from './page.ts'

/** The outputs of a step by name. */
export type Outputs = Readonly<Record<string, string | number>>

/** Sets all outputs of a step. Returns what went wrong; `cost` says what that means for the cost. */
export function deliverOutputs(outputs: Outputs, runner: Runner, cost: string): readonly Fault[] {
  try {
    for (const [name, value] of Object.entries(outputs)) runner.setOutput(name, value)
    return []
  } catch (error) {
    const explanation = {
      cause: 'the outputs could not be written',
      detail: describeError(error),
      remedy: 'on a self-hosted runner, free disk space',
      rerun: 'failed-jobs',
    } as const
    return [explainRun(explanation, cost, 'failures.md#registered-but-the-run-is-red')]
  }
}

/** Writes the summary. A failure is only a warning, because the work is done. Never rejects. */
export async function deliverSummary(markdown: string, runner: Runner): Promise<void> {
  try {
    await runner.writeSummary(markdown)
  } catch (error) {
    runner.warning(`The job summary could not be written (${describeError(error)})`)
  }
}

/** Writes a checksums file. Returns its absolute path, or '' without checksums. Throws a `Stop`. */
export async function writeChecksumsFile(
  checksums: readonly NamedHash[],
  tempFolder: string,
): Promise<string> {
  if (checksums.length === 0) return ''
  try {
    const text = checksums.map(formatChecksum).join('')
    return await writeTemporary(tempFolder, 'notarization-checksums.txt', text)
  } catch (error) {
    const message = `the checksums file could not be written to RUNNER_TEMP: ${describeError(error)}; free disk space or fix the permissions, then re-run the failed jobs`
    throw new Stop({ input: null, message })
  }
}

/** Writes a file to a new folder below `tempFolder`. Returns its absolute path. */
export async function writeTemporary(
  tempFolder: string,
  name: string,
  text: string,
): Promise<string> {
  const path = join(await mkdtemp(join(tempFolder, 'notarization-')), name)
  await writeFile(path, text)
  return path
}

const maxErrors = 10
const maxStopMessageLength = 4000

/**
 * Reports a run that stopped before anything was sent or compared: an error for each input, at most ten, and a summary.
 * `nothing` is a clause that says what was not done; `page` is that of the docs. Never rejects.
 */
export async function reportStop(
  problems: readonly Problem[],
  host: Host,
  run: {
    readonly verdict: string
    readonly nothing: string
    readonly page: string
    readonly outputs: Outputs
    readonly showSummary: boolean
  },
): Promise<1> {
  const { verdict, nothing, page, outputs, showSummary } = run
  const { runner, secrets, halt, environment } = host
  const clean = (text: string): string => toSentence(secrets.redactLine(text))
  const ofInputs = [...Map.groupBy(problems, ({ input }) => input)]
  const texts = ofInputs.map(([, group]) => {
    return [clean(group.map(({ message }) => message).join('; '))]
  })
  const faults = [...explainHalt(halt, nothing), ...deliverOutputs(outputs, runner, nothing)]
  const ofRun = faults.map(({ what, remedy }) => {
    return [clean(what.join(': ')), clean(remedy), tellRerun(faults)]
  })
  if (showSummary) {
    const items = [...texts, ...ofRun].map(parts => {
      return parts.map(text => sentence(text, maxStopMessageLength)).join(' ')
    })
    const list = formatList(`<b>${sentence(nothing)}</b>`, items)
    const more = `<p>More: ${docsLink(environment.docsUrl, page)}</p>`
    await deliverSummary(formatPage(verdict, [...list, more]), runner)
  }
  const left = ofInputs.slice(maxErrors - ofRun.length - 1).map(([input]) => `"${input}"`)
  if (left.length > 1) texts.splice(-left.length, left.length, [`Also wrong: ${left.join(', ')}.`])
  for (const [what, ...remedy] of [...texts, ...ofRun]) {
    runner.error([what, toSentence(nothing), ...remedy].join(' '))
  }
  return 1
}
