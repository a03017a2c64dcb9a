import type * as z from 'zod/mini'
import { problemWith, type Problem } from '../failure.ts'
import type { RawInputs } from '../runtime/runner.ts'

/** The inputs of an action, read with its schema. */
export interface ParsedInputs<Inputs> {
  /** Defaults replace invalid values, so the run can still find and report other problems. */
  readonly inputs: Inputs
  readonly problems: readonly Problem[]
}

/** Returns the names of the inputs that a schema reads. */
export function inputNames({ shape }: { readonly shape: object }): readonly string[] {
  return Object.keys(shape).map(nameOf)
}

/** Returns the name of an input: `base-url` for the field `baseUrl`. */
function nameOf(field: string): string {
  return field.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
}

/** Checks each input by itself. Every field of the schema has a valid default, which replaces an empty text. */
export function parseInputs<Inputs>(
  schema: z.ZodMiniType<Inputs> & { readonly shape: object },
  rawInputs: RawInputs,
): ParsedInputs<Inputs> {
  const texts: Record<string, string> = {}
  for (const field of Object.keys(schema.shape)) {
    const text = rawInputs[nameOf(field)] ?? ''
    if (text !== '') texts[field] = text
  }
  const problems: Problem[] = []
  for (const { path, message } of schema.safeParse(texts).error?.issues ?? []) {
    const field = String(path[0])
    problems.push(problemWith(nameOf(field), message))
    Reflect.deleteProperty(texts, field)
  }
  return { inputs: schema.parse(texts), problems }
}

/** Checks what both actions need: something to look at, and a token for a release. */
export function checkShared(rawInputs: RawInputs): readonly Problem[] {
  const { path = '', checksums = '', 'release-tag': tag = '' } = rawInputs
  const problems: Problem[] = []
  if (path + checksums + tag === '') problems.push(problemWith('path', nothingNamed))
  if (tag !== '' && (rawInputs['github-token'] ?? '') === '') {
    problems.push(problemWith('github-token', tokenNeeded))
  }
  return problems
}

const nothingNamed =
  'is empty, and so are "checksums" and "release-tag"; set at least one of them, one pattern per line'
const tokenNeeded = 'is empty, but "release-tag" needs it; omit it to use the token of the job'
