import * as z from 'zod/mini'
import { quote } from '../text/escape.ts'
import { joinFirst } from '../text/words.ts'

/** Reads an asset as GitHub describes it. */
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
    /** SHA-256, 64 lower-case hex digits; null where GitHub does not know it. */
    const hash = /^sha256:([0-9a-f]{64})$/i.exec(digest ?? '')?.[1]?.toLowerCase() ?? null
    return { id, name, size, hash, isUploaded: state === 'uploaded' }
  }),
)

/** An asset of a release. */
export type Asset = Readonly<z.infer<typeof assetSchema>>

/** The first names, and how many more there are. */
export function listNames(assets: readonly Asset[]): string {
  const names = assets.map(({ name }) => `"${quote(name)}"`)
  return joinFirst(names, 5, { separator: ', ' })
}

/** Reads a release as GitHub describes it. */
export const releaseSchema = z.pipe(
  z.object({
    id: z.number(),
    tag_name: z.string(),
    draft: z.boolean(),
    immutable: z._default(z.boolean(), false),
    target_commitish: z._default(z.string(), ''),
    html_url: z._default(z.string(), ''),
    upload_url: z.string(),
    assets: z._default(z.array(assetSchema), []),
  }),
  z.transform(release => ({
    id: release.id,
    tag: release.tag_name,
    isDraft: release.draft,
    isImmutable: release.immutable,
    /** What the tag of a draft will point to: a branch or a commit. */
    target: release.target_commitish,
    url: release.html_url,
    /** Without its template. */
    uploadUrl: release.upload_url.replace(/\{.*$/, ''),
    assets: release.assets,
  })),
)

/** A release, published or a draft; `url` is for a browser. */
export type Release = Readonly<z.infer<typeof releaseSchema>>

/** Reads what a reference or an annotated tag points to. */
export const gitObjectSchema = z.object({ object: z.object({ sha: z.string(), type: z.string() }) })

/** Reads content that comes as a stream. */
export const bytesSchema = z.custom<AsyncIterable<Uint8Array>>(
  (data: unknown) => typeof data === 'object' && data !== null && Symbol.asyncIterator in data,
)
