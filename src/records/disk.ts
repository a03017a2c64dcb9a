import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { mkdir, open, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '../text/system-error.ts'

/** The file system as the records file uses it; each call throws a system error. Tests have one of their own. */
export interface Disk {
  /** The bytes of a regular file. */
  readonly read: (path: string) => Buffer
  /** Creates a folder and those above it, unless they exist. */
  readonly createFolder: (path: string) => Promise<void>
  /** Cuts a file to so many bytes. */
  readonly truncate: (path: string, bytes: number) => Promise<void>
  /** Opens a file for appending, and creates it if it is missing. */
  readonly openForAppending: (path: string) => Promise<AppendedFile>
  /** Makes the names in a folder as durable as its files, where the system can. */
  readonly syncFolder: (path: string) => Promise<void>
}

/** A file that is open for appending. */
export interface AppendedFile {
  readonly append: (data: string | Uint8Array) => Promise<void>
  /** Resolves when all that was appended is on disk. */
  readonly sync: () => Promise<void>
  /** Bytes. */
  readonly size: () => Promise<number>
  readonly close: () => Promise<void>
}

/** The bytes of a regular file; empty if there is none. Throws a system error. */
export function readIfThere(path: string, disk: Disk): Buffer {
  try {
    return disk.read(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}

/** The bytes of a regular file. Throws a system error, and for anything but a regular file, such as a FIFO. */
export function readRegularFile(path: string): Buffer {
  // Without blocking, as opening a FIFO would hang the run.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error('it is not a regular file')
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** The disk of the machine. */
export const systemDisk: Disk = {
  read: readRegularFile,
  createFolder,
  // By path: Windows cannot truncate through a handle that appends.
  truncate,
  openForAppending: async path => {
    const handle = await open(path, 'a')
    return {
      append: data => handle.appendFile(data),
      sync: () => handle.datasync(),
      size: async () => (await handle.stat()).size,
      close: () => handle.close(),
    }
  },
  syncFolder: async path => {
    const handle = await open(path, 'r').catch(() => null)
    if (handle === null) return
    await handle.sync().catch(() => undefined)
    await handle.close()
  },
}

/** Not `recursive`: where no folder can be made, as below `/proc`, Node would try for ever. */
async function createFolder(path: string): Promise<void> {
  if (existsSync(path) || dirname(path) === path) return
  await createFolder(dirname(path))
  // Another run on this machine may have made it meanwhile.
  await mkdir(path).catch((error: unknown) => {
    if (!existsSync(path)) throw error
  })
}
