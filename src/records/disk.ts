import { appendFileSync, closeSync, constants, existsSync, fdatasyncSync, fstatSync } from 'node:fs'
import { fsyncSync, mkdirSync, mkdtempSync, openSync, readFileSync, truncateSync } from 'node:fs'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Disk } from '../runtime/outside.ts'

export const systemDisk: Disk = {
  read: path => {
    // Does not block: opening a FIFO must not hang the run.
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      if (!fstatSync(descriptor).isFile()) throw new Error('it is not a regular file')
      return readFileSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  },
  openForAppending: path => {
    createFolder(dirname(path))
    const descriptor = openSync(path, 'a')
    syncFolder(dirname(path))
    return {
      append: data => {
        appendFileSync(descriptor, data)
        fdatasyncSync(descriptor)
      },
      // Uses the path, because Windows cannot truncate through a handle opened for appending.
      truncate: bytes => {
        truncateSync(path, bytes)
      },
      close: () => {
        closeSync(descriptor)
      },
    }
  },
  makeFolder: folder => {
    createFolder(folder)
    return mkdtempSync(join(folder, 'notarization-'))
  },
  write: (path, text) => {
    writeFileSync(path, text)
  },
}

/** Creates a folder and those above it. Does not use `recursive`: where no folder can be created, such as below `/proc`, Node would try forever. */
function createFolder(path: string): void {
  if (existsSync(path) || dirname(path) === path) return
  createFolder(dirname(path))
  mkdirSync(path)
}

/** Makes the name of a new file durable, if the system can. */
function syncFolder(path: string): void {
  try {
    const descriptor = openSync(path, 'r')
    fsyncSync(descriptor)
    closeSync(descriptor)
  } catch {
    // Windows cannot open a folder.
  }
}
