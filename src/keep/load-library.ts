import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import type * as library from './library.ts'

/** Loads the library; `path` is relative to the calling bundle. The bundler would replace a call of `import`. */
export function loadLibrary(path: string): typeof library {
  const loaded: unknown = createRequire(import.meta.url)(path)
  assert(isLibrary(loaded), 'dist/keep has another interface')
  return loaded
}

function isLibrary(value: unknown): value is typeof library {
  if (typeof value !== 'object' || value === null) return false
  return 'findRecords' in value && 'keepRecords' in value
}
