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

/** Creates an empty folder, until {@link cleanUp}, and returns its path without links. */
export function makeTemporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'notarize-release-')))
  onCleanUp(() => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  })
  return folder
}

/** The folders of a job, until {@link cleanUp}. File names are relative to `root`. */
export class Workspace {
  /** GITHUB_WORKSPACE, absolute and without links. */
  readonly root: string
  /** RUNNER_TEMP, next to `root`. */
  readonly temp: string

  constructor(files: Readonly<Record<string, string | Uint8Array>>) {
    const folder = makeTemporaryFolder()
    this.root = join(folder, 'work')
    this.temp = join(folder, 'temp')
    for (const path of [this.root, this.temp]) mkdirSync(path)
    for (const [file, content] of Object.entries(files)) this.write(file, content)
  }

  path(...parts: readonly string[]): string {
    return resolve(this.root, ...parts)
  }

  /** Creates missing folders. */
  write(file: string, content: string | Uint8Array): void {
    mkdirSync(dirname(this.path(file)), { recursive: true })
    writeFileSync(this.path(file), content)
  }

  /** Throws if the file is missing. */
  read(file: string): string {
    return readFileSync(this.path(file), 'utf8')
  }

  exists(file: string): boolean {
    return existsSync(this.path(file))
  }
}

/** Creates a workspace with these files. */
export function makeWorkspace(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Workspace {
  return new Workspace(files)
}
