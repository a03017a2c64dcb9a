/** The records of earlier releases, so that a file that did not change is not charged again. */
import * as z from 'zod/mini'
import { problemAt, Stop } from '../failure.ts'
import type { NotarizeInputs } from '../inputs/notarize-inputs.ts'
import { waysOfInput, type FoundRecords } from '../records/lines.ts'
import type { Host } from '../runtime/outside.ts'
import { quote } from '../text/escape.ts'
import { compareCodeUnits } from '../text/names.ts'
import { joinFirst, pluralize } from '../text/phrases.ts'
import { releaseRemedies } from './octokit.ts'
import { assetSchema, readFromGitHub, toStop } from './release.ts'

/** How many releases with records are read, and how many bytes of records, as they are listed. */
const maxReleases = 20
const maxRecordsBytes = 64 * 1024 * 1024

const earlierInput = 'earlier-releases'
const instead = `set "${earlierInput}" to false`
const ofGitHub = Object.entries(releaseRemedies).map(([reason, remedy]) => {
  return [reason, { ...remedy, hint: `otherwise, ${instead}` }] as const
})
const remedies = { ...Object.fromEntries(ofGitHub), 'asset-changed': waysOfInput[earlierInput] }

const listedSchema = z.discriminatedUnion('draft', [
  z.object({ draft: z.literal(true) }),
  z.object({
    draft: z.literal(false),
    tag_name: z.string(),
    published_at: z.string(),
    assets: z.array(assetSchema),
  }),
])

/**
 * Reads the records of the 20 newest published releases that have any, among the first 100 listed; the newest release comes
 * last. Returns of each file only the lines with one of the hashes, which are in lower case. Leaves out the release of
 * `release-tag`, which is read anyway. Returns nothing if the input is false. Rejects with a `Stop`.
 */
export async function readEarlierRecords(
  hashes: ReadonlySet<string>,
  { earlierReleases, releaseTag, githubToken }: NotarizeInputs,
  host: Host,
): Promise<readonly FoundRecords[]> {
  if (!earlierReleases) return []
  const query = { input: earlierInput, what: 'the list of releases', remedies, githubToken }
  return readFromGitHub(query, host, async reader => {
    // Few per page, because all assets are included.
    const listed = await reader.list(listedSchema, 'releases', { per_page: 25, maxItems: 100 })
    const published = listed.filter(release => !release.draft)
    published.sort((a, b) => compareCodeUnits(b.published_at, a.published_at))
    const others = published.filter(({ tag_name }) => tag_name !== releaseTag)
    const releases = others.map(({ tag_name: tag, assets }) => {
      const records = assets.filter(({ hasRecords }) => hasRecords)
      return { tag, records: records.map(asset => ({ ...asset, tag })) }
    })
    const newest = releases.filter(({ records }) => records.length > 0).slice(0, maxReleases)
    const without = releases.filter(({ records }) => records.length === 0)
    const tags = without.map(({ tag }) => tag)
    host.runner.info(`Releases without records: ${joinFirst(tags, maxReleases) || 'none'}`)

    // The same digest means the same lines.
    const assets = newest.toReversed().flatMap(({ records }) => records)
    const unique = [...new Map(assets.map(asset => [asset.hash ?? asset.id, asset])).values()]
    if (unique.reduce((bytes, { size }) => bytes + size, 0) > maxRecordsBytes) {
      const text = `the records of ${pluralize(newest.length, 'earlier release')} exceed 64 MiB together`
      throw new Stop(problemAt(earlierInput, text, { next: instead }))
    }
    return Array.fromAsync(unique, async (asset): Promise<FoundRecords> => {
      const name = `${asset.name} of the release ${asset.tag}`
      const bytes = await reader.read(asset).catch((error: unknown) => {
        throw toStop(error, { ...query, what: `"${quote(name)}"` })
      })
      return { name, bytes: selectLines(bytes, hashes), input: earlierInput }
    })
  })
}

/**
 * Returns the lines in which one of the hashes stands: other lines that are damaged, or of a newer form, stop no run. They are
 * blank, so that the numbers of lines stay.
 */
function selectLines(bytes: Buffer, hashes: ReadonlySet<string>): Buffer {
  // Latin-1, because a damaged line may have any bytes. Each line keeps its newline: the last one may be incomplete.
  const lines = bytes.toString('latin1').split(/(?<=\n)/)
  const selected = lines.map(line => {
    const found = line.matchAll(/[0-9a-f]{64}/gi)
    return found.some(([digits]) => hashes.has(digits.toLowerCase())) ? line : '\n'
  })
  return Buffer.from(selected.join(''), 'latin1')
}
