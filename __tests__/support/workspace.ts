import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { onCleanUp } from './clean-up.ts'

/** The folders of a job. File names are relative to `root`. */
export interface Workspace {
  /** GITHUB_WORKSPACE, absolute and without links. */
  readonly root: string
  /** RUNNER_TEMP, next to `root`. */
  readonly temp: string
  path(...parts: readonly string[]): string
  /** Creates missing folders. */
  write(file: string, content: string | Uint8Array): void
  /** Throws if the file is missing. */
  read(file: string): string
  exists(file: string): boolean
}

/** Creates an empty folder, until {@link cleanUp}, and returns its path without links. */
export function makeTemporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'notarize-release-')))
  onCleanUp(() => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  })
  return folder
}

/** Creates a workspace with these files, until {@link cleanUp}. */
export function makeWorkspace(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Workspace {
  const folder = makeTemporaryFolder()
  const root = join(folder, 'work')
  const temp = join(folder, 'temp')
  mkdirSync(root)
  mkdirSync(temp)

  const path = (...parts: readonly string[]): string => resolve(root, ...parts)
  const workspace: Workspace = {
    root,
    temp,
    path,
    write: (file, content) => {
      mkdirSync(dirname(path(file)), { recursive: true })
      writeFileSync(path(file), content)
    },
    read: file => readFileSync(path(file), 'utf8'),
    exists: file => existsSync(path(file)),
  }
  for (const [file, content] of Object.entries(files)) workspace.write(file, content)
  return workspace
}
