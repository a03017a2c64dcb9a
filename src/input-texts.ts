import type * as z from 'zod/mini'
import type { Secrets } from './secrets.ts'
import { problemWith, type Problem } from './stop.ts'

/**
 * Reads all inputs at once by a schema, whose fields have the names of the inputs in camel case. Each default must be
 * right by itself.
 */
export function readTexts<Name extends string, Values>(
  schema: z.ZodMiniType<Values>,
  defaults: Readonly<Record<Name, string>>,
  given: Readonly<Record<Name, string>>,
) {
  const texts: Record<Name, string> = { ...defaults }
  for (const name in defaults) texts[name] = given[name].trim() || defaults[name]
  const { data, error } = schema.safeParse(fieldsOf(texts))
  const problems = (error?.issues ?? []).map(({ path, message }) =>
    problemWith(inputOf(String(path[0])), message),
  )
  const right: Record<Name, string> = { ...texts }
  for (const name in defaults)
    if (problems.some(({ input }) => input === name)) right[name] = defaults[name]
  return {
    /** Trimmed; an empty one is its default. */
    texts,
    /** The values, those by default in place of the wrong ones: what a run with wrong inputs goes by all the same. */
    usable: data ?? schema.parse(fieldsOf(right)),
    /** Everything that is wrong with an input by itself. */
    problems,
  }
}

function fieldsOf(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const camelCase = (name: string): string =>
    name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [camelCase(name), text]))
}

function inputOf(field: string): string {
  return field.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
}

/** What both actions need: something to look at, and a token for a release. */
export function sharedNeeds(
  texts: Readonly<Record<'path' | 'checksums' | 'release-tag' | 'github-token', string>>,
): readonly Problem[] {
  const { path, checksums, 'release-tag': tag, 'github-token': token } = texts
  return [
    path + checksums + tag === '' && problemWith('path', nothingNamed),
    tag !== '' && token === '' && problemWith('github-token', tokenNeeded),
  ].filter(problem => problem !== false)
}

const nothingNamed =
  'is empty and so are "checksums" and "release-tag"; give at least one of them, one pattern a line'
const tokenNeeded = 'is empty, and "release-tag" needs it; leave it out to use the token of the job'

const secretInputs: ReadonlySet<string> = new Set(['api-key', 'subscription', 'github-token'])

/** What a reading of inputs gives, whatever the action. */
interface Reading {
  /** Null if anything is wrong. */
  readonly inputs: object | null
  readonly problems: readonly Problem[]
  /** Must be masked before anything is said. */
  readonly secrets: readonly string[]
  /** Values that must stay readable. */
  readonly spared: readonly string[]
}

/**
 * Masks all secrets, with those that come from elsewhere (`others`), then reads the inputs. Inputs are shown in messages,
 * and stand in records and requests: only the secret ones may hold a secret. Any other one that does is a problem, and
 * is read as empty, so that no part of it is shown.
 */
export function maskAndRead<Name extends string, Given extends Reading>(
  given: Readonly<Record<Name, string>>,
  read: (texts: Readonly<Record<Name, string>>) => Given,
  { secrets, others }: { readonly secrets: Secrets; readonly others: readonly string[] },
): Given {
  const found = read(given)
  secrets.spare(found.spared)
  secrets.add([...found.secrets, ...others])
  const clean: Record<Name, string> = { ...given }
  const leaks: Problem[] = []
  for (const name in given) {
    if (secretInputs.has(name) || !secrets.isIn(given[name])) continue
    clean[name] = ''
    leaks.push(problemWith(name, leak))
  }
  const reading = read(clean)
  return leaks.length === 0 ? reading : { ...reading, inputs: null, problems: leaks }
}

const leak =
  'contains the value of a secret (it is not shown); logs and records would publish it, so leave it out'
