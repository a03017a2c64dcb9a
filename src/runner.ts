import * as core from '@actions/core'
import { cut, toLogLine } from './report/escape.ts'

/** What the action tells the runner. Every text is made harmless and free of secrets here, whoever wrote it. */
export interface Runner {
  readonly mask: (line: string) => void
  readonly info: (text: string) => void
  readonly notice: (text: string) => void
  readonly warning: (text: string) => void
  readonly error: (text: string) => void
  readonly setOutput: (name: string, value: string | number) => void
  readonly writeSummary: (markdown: string) => Promise<void>
}

/** The platform shows so many annotations of a kind per step, and cuts each at 4,096 characters. */
const maxAnnotations = 10
const maxAnnotationLength = 4000

/** Reads the inputs that `defaults` names as texts, and takes all secrets out of the environment. */
export function readRawInputs<Name extends string>(
  defaults: Readonly<Record<Name, string>>,
): Readonly<Record<Name, string>> {
  const texts: Record<Name, string> = { ...defaults }
  for (const name in defaults) texts[name] = core.getInput(name)
  for (const name of ['API-KEY', 'SUBSCRIPTION', 'GITHUB-TOKEN']) {
    Reflect.deleteProperty(process.env, `INPUT_${name}`)
  }
  return texts
}

/** The real runner; `redact` takes the secrets out of a text. */
export function createRunner(redact: (text: string) => string): Runner {
  const used = { notice: 0, warning: 0, error: 0 }
  const info = (text: string): void => {
    core.info(toLogLine(redact(text)))
  }
  const annotate = (kind: keyof typeof used, text: string): void => {
    if (used[kind]++ < maxAnnotations) core[kind](cut(toLogLine(redact(text)), maxAnnotationLength))
    else info(`${kind}: ${text}`)
  }
  return {
    mask: line => {
      core.setSecret(line)
    },
    info,
    notice: text => {
      annotate('notice', text)
    },
    warning: text => {
      annotate('warning', text)
    },
    error: text => {
      annotate('error', text)
    },
    setOutput: (name, value) => {
      core.setOutput(name, value)
    },
    writeSummary: async markdown => {
      await core.summary.addRaw(redact(markdown)).write()
    },
  }
}
