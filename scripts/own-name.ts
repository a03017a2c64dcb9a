import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** Returns the name of the repository that publishes this action, from its `package.json`. */
export function readOwnName(root: string): string {
  const settings: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return z
    .object({ repository: z.string() })
    .parse(settings)
    .repository.replace(/^github:/, '')
}
