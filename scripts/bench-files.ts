/** The files and the runs that the benchmark measures. */
import { randomFillSync } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { makeWorkspace } from '../__tests__/support/workspace.ts'
import type { Workspace } from '../__tests__/support/workspace.ts'
import { DEFAULT_API_KEY, exampleSubscription } from '../simulator/index.ts'
import type { ActionRun } from './bench-run.ts'

const MIB = 1024 * 1024

/** Registrations in flight at most. */
export const concurrency = 8

/** Fills a file with bytes that cannot be guessed, and has them on disk, so that nothing is written while we measure. */
function fill(file: string, mebibytes: number): void {
  const block = randomFillSync(Buffer.alloc(MIB))
  const descriptor = openSync(file, 'w')
  for (let done = 0; done < mebibytes; done += 1) {
    block.writeUInt32LE(done)
    writeSync(descriptor, block)
  }
  fsyncSync(descriptor)
  closeSync(descriptor)
}

export function makeBigFiles(count: number, mebibytes: number): Workspace {
  const workspace = makeWorkspace()
  mkdirSync(workspace.path('big'))
  for (let index = 0; index < count; index += 1) {
    fill(workspace.path('big', `file-${index}.bin`), mebibytes)
  }
  return workspace
}

/** Files of 4 to 12 KiB, or of some bytes, a hundred in each folder. */
export function makeSmallFiles(count: number, hasSomeKib: boolean): Workspace {
  const workspace = makeWorkspace()
  const noise = randomFillSync(Buffer.alloc(12 * 1024))
  for (let index = 0; index < count; index += 1) {
    noise.writeUInt32LE(index)
    const bytes = hasSomeKib ? 4096 + ((index * 2663) % 8193) : 64
    const name = `small/${String(Math.floor(index / 100))}/file-${index}.bin`
    workspace.write(name, noise.subarray(0, bytes))
  }
  return workspace
}

/** A dry run over a path. */
export function dryRun(workspace: Workspace, path: string, artifacts: number): ActionRun {
  const inputs = { path, 'dry-run': 'true', 'max-registrations': '1000000' }
  return { workspace, inputs, expected: { verdict: 'dry-run', artifacts } }
}

/** A run that registers what {@link makeSmallFiles} made. */
export function registerRun(workspace: Workspace, url: string, artifacts: number): ActionRun {
  const inputs = {
    'api-key': DEFAULT_API_KEY,
    'base-url': url,
    subscription: JSON.stringify(exampleSubscription),
    path: 'small',
    concurrency: String(concurrency),
    'max-registrations': '1000000',
  }
  return { workspace, inputs, expected: { verdict: 'registered', artifacts } }
}
