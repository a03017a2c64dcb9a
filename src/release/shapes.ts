import * as z from 'zod/mini'

/** Reads a release as GitHub describes it. */
export const releaseSchema = z.pipe(
  z.object({
    id: z.number(),
    tag_name: z.string(),
    draft: z.boolean(),
    immutable: z.optional(z.boolean()),
    upload_url: z.string(),
  }),
  z.transform(({ id, tag_name: tag, draft: isDraft, immutable: isImmutable, upload_url }) => ({
    ...{ id, tag, isDraft, isImmutable: isImmutable ?? false },
    /** Without its template, as servers other than GitHub have none. */
    uploadUrl: upload_url.replace(/\{.*$/, ''),
  })),
)

/** A release, published or a draft. */
export type Release = Readonly<z.infer<typeof releaseSchema>>

/** Reads an asset as GitHub describes it. */
export const assetSchema = z.pipe(
  z.object({
    id: z.number(),
    name: z.string(),
    size: z.number(),
    digest: z.nullish(z.string()),
    state: z.string(),
    browser_download_url: z.string(),
  }),
  z.transform(({ id, name, size, digest, state, browser_download_url: url }) => ({
    ...{ id, name, size, url, isUploaded: state === 'uploaded' },
    /** SHA-256, 64 lower-case hex digits; null where GitHub does not know it. */
    hash: /^sha256:([0-9a-f]{64})$/i.exec(digest ?? '')?.[1]?.toLowerCase() ?? null,
  })),
)

/** An asset of a release; `size` is bytes, `url` is for a browser. */
export type Asset = Readonly<z.infer<typeof assetSchema>>

/** Reads what a reference or an annotated tag points to. */
export const gitObjectSchema = z.object({ object: z.object({ sha: z.string(), type: z.string() }) })

/** Reads content that comes as a stream. */
export const bytesSchema = z.custom<AsyncIterable<Uint8Array>>(
  (data: unknown) => typeof data === 'object' && data !== null && Symbol.asyncIterator in data,
)
