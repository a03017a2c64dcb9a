import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** The name under which this action is published: `package.json` is the one place that code reads it from. */
export function readOwnName(root: string): string {
  const settings: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return z
    .object({ repository: z.string() })
    .parse(settings)
    .repository.replace(/^github:/, '')
}
