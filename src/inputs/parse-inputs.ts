import type * as z from 'zod/mini'
import { problemWith, type Problem } from '../failure.ts'
import type { RawInputs } from '../runtime/runner.ts'

/** The inputs of an action, read by its schema. */
export interface ParsedInputs<Values> {
  /** The values, defaults in place of the wrong ones: a run with wrong inputs still names all problems and reports them. */
  readonly usable: Values
  /** Everything that is wrong with an input by itself. */
  readonly problems: readonly Problem[]
}

/** The names of the inputs that a schema reads. */
export function inputNames({ shape }: { readonly shape: object }): readonly string[] {
  return Object.keys(shape).map(nameOf)
}

/** The name of an input: `base-url` for the field `baseUrl`. */
function nameOf(field: string): string {
  return field.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
}

/** Reads all inputs at once by a schema that has a field with a valid default for each. An empty text is the default. */
export function parseInputs<Values>(
  schema: z.ZodMiniType<Values> & { readonly shape: object },
  given: RawInputs,
): ParsedInputs<Values> {
  const texts: Record<string, string> = {}
  for (const field of Object.keys(schema.shape)) {
    const text = given[nameOf(field)] ?? ''
    if (text !== '') texts[field] = text
  }
  const problems: Problem[] = []
  for (const { path, message } of schema.safeParse(texts).error?.issues ?? []) {
    const field = String(path[0])
    problems.push(problemWith(nameOf(field), message))
    Reflect.deleteProperty(texts, field)
  }
  return { usable: schema.parse(texts), problems }
}

const nothingNamed =
  'is empty, and so are "checksums" and "release-tag"; give at least one of them, one pattern per line'
const tokenNeeded = 'is empty, but "release-tag" needs it; leave it out to use the token of the job'

/** What both actions need: something to look at, and a token for a release. */
export function checkShared(given: RawInputs): readonly Problem[] {
  const { path = '', checksums = '', 'release-tag': tag = '', 'github-token': token = '' } = given
  const problems: Problem[] = []
  if (path + checksums + tag === '') problems.push(problemWith('path', nothingNamed))
  if (tag !== '' && token === '') problems.push(problemWith('github-token', tokenNeeded))
  return problems
}
