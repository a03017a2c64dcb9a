/** The branches of `src` that no schedule takes. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'

const rangeSchema = z.object({ startOffset: z.number(), endOffset: z.number(), count: z.number() })
const coverageSchema = z.object({
  result: z.array(
    z.object({
      url: z.string(),
      functions: z.array(z.object({ ranges: z.array(rangeSchema) })),
    }),
  ),
})

/** The modules that are explored. */
const explored =
  /\/src\/(plan|(register|records)\/(?!disk|evidence)[\w-]+|service\/(?!transport|proxy|error-text)[\w/-]+|release\/(attach|upload|contents|open|api|github-error))\.ts$/

/** Reads what `NODE_V8_COVERAGE` left in a folder: for each module its counts, and the lines of branches never taken. */
export function readBranches(folder: string): readonly string[] {
  const files = readdirSync(folder).map(name => readFileSync(join(folder, name), 'utf8'))
  const modules = files.flatMap(text => coverageSchema.parse(JSON.parse(text)).result)
  let total = 0
  let taken = 0
  const texts = modules
    .filter(({ url }) => explored.test(url))
    .map(({ url, functions }) => {
      const source = readFileSync(fileURLToPath(url), 'utf8')
      const ranges = functions.flatMap(one => one.ranges)
      const never = ranges.filter(({ count }) => count === 0)
      total += ranges.length
      taken += ranges.length - never.length
      const lines = never.map(({ startOffset, endOffset }) => {
        const line = source.slice(0, startOffset).split('\n').length
        return `  ${line}: ${source.slice(startOffset, endOffset).replace(/\s+/g, ' ').slice(0, 90)}`
      })
      const [name] = explored.exec(url) ?? []
      return [`${name}: ${ranges.length - never.length} of ${ranges.length}`, ...lines].join('\n')
    })
  return [...texts, `${taken} of ${total} branches taken`]
}
