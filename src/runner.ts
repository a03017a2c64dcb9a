// Only these parts of the toolkit: its index loads an HTTP client at every start, for tokens that are not used here.
import { issueCommand } from '../node_modules/@actions/core/lib/command.js'
import {
  issueFileCommand,
  prepareKeyValueMessage,
} from '../node_modules/@actions/core/lib/file-command.js'
import { summary } from '../node_modules/@actions/core/lib/summary.js'
import { cut, toLogLine } from './text/escape.ts'

/**
 * What the action tells the runner. Every text is made free of secrets first, then harmless, and cut last, here and for
 * all of them, whoever wrote it.
 */
export interface Runner {
  readonly mask: (line: string) => void
  readonly info: (text: string) => void
  readonly notice: (text: string) => void
  readonly warning: (text: string) => void
  readonly error: (text: string) => void
  /** A value is passed on as it is: JSON is redacted by its structure before. */
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
  for (const name in defaults)
    texts[name] = (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim()
  for (const name of ['API-KEY', 'SUBSCRIPTION', 'GITHUB-TOKEN']) {
    Reflect.deleteProperty(process.env, `INPUT_${name}`)
  }
  return texts
}

/** The real runner; `redact` takes the secrets out of a text. */
export function createRunner(redact: (text: string) => string): Runner {
  const used = { notice: 0, warning: 0, error: 0 }
  const info = (text: string): void => {
    process.stdout.write(`${toLogLine(redact(text))}\n`)
  }
  const annotate = (kind: keyof typeof used) => (text: string) => {
    const line = cut(toLogLine(redact(text)), maxAnnotationLength)
    if (used[kind]++ < maxAnnotations) issueCommand(kind, {}, line)
    else info(`${kind}: ${text}`)
  }
  return {
    info,
    notice: annotate('notice'),
    warning: annotate('warning'),
    error: annotate('error'),
    mask: line => {
      issueCommand('add-mask', {}, line)
    },
    setOutput: (name, value) => {
      if (process.env['GITHUB_OUTPUT']) {
        issueFileCommand('OUTPUT', prepareKeyValueMessage(name, value))
      } else issueCommand('set-output', { name }, value)
    },
    writeSummary: async markdown => {
      // Line by line, as no secret has more than one: to look through all at once takes 30 times its memory.
      await summary.addRaw(markdown.split('\n').map(redact).join('\n')).write()
    },
  }
}
