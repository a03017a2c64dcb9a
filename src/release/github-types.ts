import * as z from 'zod/mini'
import { quote } from '../text/escape.ts'
import { joinFirst } from '../text/words.ts'

/** Reads an asset from a GitHub answer. */
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

/** An asset of a release. */
export type Asset = Readonly<z.infer<typeof assetSchema>>

/** Lists the names of the first assets, and counts the others. */
export function listNames(assets: readonly Asset[]): string {
  const names = assets.map(({ name }) => `"${quote(name)}"`)
  return joinFirst(names, 5, { separator: ', ' })
}

/** Reads a release from a GitHub answer. */
export const releaseSchema = z.object({
  id: z.number(),
  tag_name: z.string(),
  draft: z.boolean(),
  immutable: z._default(z.boolean(), false),
  /** The branch or commit that the tag of a draft will point to. */
  target_commitish: z._default(z.string(), ''),
  /** For a browser. */
  html_url: z._default(z.string(), ''),
  /** A URI template. */
  upload_url: z.string(),
  assets: z._default(z.array(assetSchema), []),
})

/** A release, published or a draft. */
export type Release = Readonly<z.infer<typeof releaseSchema>>

/** Reads the target of a reference or of an annotated tag. */
export const gitObjectSchema = z.object({ object: z.object({ sha: z.string(), type: z.string() }) })

/** Reads content that arrives as a stream. */
export const bytesSchema = z.custom<AsyncIterable<Uint8Array>>(
  (data: unknown) => typeof data === 'object' && data !== null && Symbol.asyncIterator in data,
)
