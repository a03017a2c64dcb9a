import type * as z from 'zod/mini'
import { problemWith, type Problem } from '../failure.ts'

/** The inputs of an action, read by its schema. */
export interface InputTexts<Name extends string, Values> {
  /** Trimmed; an empty one is its default. */
  readonly texts: Readonly<Record<Name, string>>
  /** The values, defaults in place of the wrong ones: a run with wrong inputs still names all problems and reports them. */
  readonly usable: Values
  /** Everything that is wrong with an input by itself. */
  readonly problems: readonly Problem[]
}

/**
 * Reads all inputs at once by a schema, whose fields have the names of the inputs in camel case. Each default must be
 * valid by itself.
 */
export function readTexts<Name extends string, Values>(
  schema: z.ZodMiniType<Values>,
  defaults: Readonly<Record<Name, string>>,
  given: Readonly<Record<Name, string>>,
): InputTexts<Name, Values> {
  const texts: Record<Name, string> = { ...defaults }
  for (const name in defaults) texts[name] = given[name].trim() || defaults[name]
  const { data, error } = schema.safeParse(fieldsOf(texts))
  const problems = (error?.issues ?? []).map(({ path, message }) =>
    problemWith(inputOf(String(path[0])), message),
  )
  const valid: Record<Name, string> = { ...texts }
  for (const name in defaults) {
    if (problems.some(({ input }) => input === name)) valid[name] = defaults[name]
  }
  return { texts, usable: data ?? schema.parse(fieldsOf(valid)), problems }
}

function fieldsOf(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const camelCase = (name: string): string =>
    name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [camelCase(name), text]))
}

function inputOf(field: string): string {
  return field.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
}

/** The inputs that both actions have. */
export interface SharedTexts {
  readonly path: string
  readonly checksums: string
  readonly 'release-tag': string
  readonly 'github-token': string
}

/** What both actions need: something to look at, and a token for a release. */
export function findSharedNeeds(texts: SharedTexts): readonly Problem[] {
  const { path, checksums, 'release-tag': tag, 'github-token': token } = texts
  const problems: Problem[] = []
  if (path + checksums + tag === '') problems.push(problemWith('path', nothingNamed))
  if (tag !== '' && token === '') problems.push(problemWith('github-token', tokenNeeded))
  return problems
}

const nothingNamed =
  'is empty, and so are "checksums" and "release-tag"; give at least one of them, one pattern per line'
const tokenNeeded = 'is empty, but "release-tag" needs it; leave it out to use the token of the job'
