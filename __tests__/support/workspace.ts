import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { onCleanUp } from './clean-up.ts'

/** Creates an empty folder, until {@link cleanUp}, and returns its path without links. */
export function makeTemporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'notarize-release-')))
  onCleanUp(() => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  })
  return folder
}

/** The folders of a job, until {@link cleanUp}. File names are relative to `root`. */
export interface Workspace {
  /** GITHUB_WORKSPACE, absolute and without links. */
  readonly root: string
  /** RUNNER_TEMP, next to `root`. */
  readonly temp: string
  readonly path: (...parts: readonly string[]) => string
  /** Creates missing folders. */
  readonly write: (file: string, content: string | Uint8Array) => void
  /** Throws if the file is missing. */
  readonly read: (file: string) => string
  readonly exists: (file: string) => boolean
}

/** Creates a workspace with these files. */
export function makeWorkspace(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Workspace {
  const folder = makeTemporaryFolder()
  const [root, temp] = [join(folder, 'work'), join(folder, 'temp')]
  for (const made of [root, temp]) mkdirSync(made)
  const path = (...parts: readonly string[]): string => resolve(root, ...parts)
  const write = (file: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(path(file)), { recursive: true })
    writeFileSync(path(file), content)
  }
  for (const [file, content] of Object.entries(files)) write(file, content)
  const read = (file: string): string => readFileSync(path(file), 'utf8')
  const exists = (file: string): boolean => existsSync(path(file))
  return { root, temp, path, write, read, exists }
}
