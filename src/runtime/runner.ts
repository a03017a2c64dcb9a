import * as core from '@actions/core'
import { describeError } from '../failure.ts'
import { cut, toLogLine } from '../text/escape.ts'
import { capitalize, toSentence } from '../text/phrases.ts'

/** How the action writes to the log, the outputs and the summary. Texts are redacted, then escaped, then truncated. */
export interface Runner {
  readonly info: (text: string) => void
  readonly group: <T>(title: string, call: () => Promise<T>) => Promise<T>
  /** Warns in the log and in the summary; `docs` is the section of the docs that has more. */
  readonly warning: (text: string, docs?: string) => void
  /** Warns in the log alone: the report will tell how it ended. */
  readonly logWarning: (text: string) => void
  readonly error: (text: string) => void
  /** All warnings so far that the summary repeats. */
  readonly warnings: readonly Note[]
  /** Does not redact: JSON was redacted field by field. */
  readonly setOutput: (name: string, value: string | number) => void
  readonly writeSummary: (markdown: string) => Promise<void>
}

/** A sentence, and where there is more about it. */
export interface Note {
  readonly text: string
  /** A section of the docs, such as `records.md#confirm-a-hash`. */
  readonly docs?: string | undefined
  /** For a browser. */
  readonly link?: { readonly name: string; readonly url: string | null }
}

export const mask = core.setSecret

/** GitHub truncates annotations at 4,096 characters. */
const maxAnnotationLength = 4000

/** The trimmed texts by input name. */
export type RawInputs = Readonly<Record<string, string>>

/** Reads the inputs, and removes them from the environment: some are secret. */
export function readRawInputs(): RawInputs {
  const variables = Object.keys(process.env).filter(name => name.startsWith('INPUT_'))
  const names = variables.map(name => name.slice('INPUT_'.length).toLowerCase())
  const texts = Object.fromEntries(names.map(name => [name, core.getInput(name)]))
  for (const variable of variables) Reflect.deleteProperty(process.env, variable)
  return texts
}

/** Creates the real runner; `redact` replaces the secrets in a text, and `docsUrl` is that of the docs. */
export function createRunner(redact: (text: string) => string, docsUrl: string): Runner {
  const toLine = (text: string): string => toLogLine(redact(text))
  const warn = (text: string): void => {
    core.warning(cut(capitalize(toLine(text)), maxAnnotationLength))
  }
  const warnings: Note[] = []
  return {
    info: text => {
      core.info(toLine(text))
    },
    group: core.group,
    warning: (text, docs) => {
      warnings.push({ text: toSentence(text), docs })
      warn(docs === undefined ? text : `${text}: ${docsUrl}/${docs}`)
    },
    logWarning: warn,
    error: text => {
      core.error(cut(toLine(text), maxAnnotationLength))
    },
    // Redacted on each use: some secrets are only known after the login.
    get warnings() {
      return warnings.map(note => ({ ...note, text: redact(note.text) }))
    },
    setOutput: (name, value) => {
      const path = process.env['GITHUB_OUTPUT'] ?? ''
      // The library would then print a command that the runner ignores.
      if (path === '') throw new Error('GITHUB_OUTPUT is not set')
      try {
        core.setOutput(name, value)
      } catch (error) {
        throw new Error(`"${path}" cannot be written: ${describeError(error)}`)
      }
    },
    writeSummary: async markdown => {
      await core.summary.addRaw(redact(markdown)).write()
    },
  }
}
