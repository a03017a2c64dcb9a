import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, open, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Disk } from '../runtime/outside.ts'
import { errorCode } from '../text/system-error.ts'

/** Returns the bytes of a regular file; empty if there is no such file. Throws a system error. */
export function readIfThere(path: string, disk: Disk): Buffer {
  try {
    return disk.read(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}

/** Returns the bytes of a regular file. Throws a system error, or an error for anything else, such as a FIFO. */
export function readRegularFile(path: string): Buffer {
  // Does not block: opening a FIFO must not hang the run.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error('it is not a regular file')
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

export const systemDisk: Disk = {
  read: readRegularFile,
  openForAppending: async path => {
    await createFolder(dirname(path))
    const handle = await open(path, 'a')
    // Makes the name of a new file durable, if the system can.
    const folder = await open(dirname(path), 'r').catch(() => null)
    await folder?.sync().catch(() => undefined)
    await folder?.close()
    return {
      append: data => handle.appendFile(data),
      // Uses the path, because Windows cannot truncate through a handle opened for appending.
      truncate: bytes => truncate(path, bytes),
      sync: () => handle.datasync(),
      close: () => handle.close(),
    }
  },
  writeNew: async (folder, name, text) => {
    const path = join(await mkdtemp(join(folder, 'notarization-')), name)
    await writeFile(path, text)
    return path
  },
}

/** Creates a folder and those above it. Does not use `recursive`: where no folder can be created, such as below `/proc`, Node would try forever. */
async function createFolder(path: string): Promise<void> {
  if (existsSync(path) || dirname(path) === path) return
  await createFolder(dirname(path))
  await mkdir(path)
}
