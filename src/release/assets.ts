import * as z from 'zod/mini'
import { quote } from '../text/escape.ts'
import { joinFirst } from '../text/words.ts'

/** Reads an asset from an answer of GitHub. */
export const assetSchema = z.pipe(
  z.object({
    id: z.number(),
    name: z.string(),
    /** Bytes. */
    size: z.number(),
    digest: z.nullish(z.string()),
    state: z.string(),
  }),
  z.transform(({ id, name, size, digest, state }) => {
    /** SHA-256, 64 lower-case hex digits; null if GitHub does not know it. */
    const hash = /^sha256:([0-9a-f]{64})$/i.exec(digest ?? '')?.[1]?.toLowerCase() ?? null
    return { id, name, size, hash, isUploaded: state === 'uploaded' }
  }),
)

/** An asset of a release. One that is not uploaded is an unfinished upload. */
export type Asset = Readonly<z.infer<typeof assetSchema>>

/** Reads a release from an answer of GitHub. */
export const releaseSchema = z.object({
  id: z.number(),
  tag_name: z.string(),
  draft: z.boolean(),
  /** Missing on a server that does not know it. */
  immutable: z._default(z.boolean(), false),
  /** The branch or commit that the tag of a draft will point to. */
  target_commitish: z._default(z.string(), ''),
  /** For a browser. */
  html_url: z._default(z.string(), ''),
  /** A URI template with the parameter `name`. */
  upload_url: z.string(),
})

/** A release, published or a draft. */
export type ReleaseAnswer = Readonly<z.infer<typeof releaseSchema>>

/** Lists the names of the first assets, and counts the others. */
export function listNames(assets: readonly Asset[]): string {
  const names = assets.map(({ name }) => `"${quote(name)}"`)
  return joinFirst(names, 5, { separator: ', ' })
}
