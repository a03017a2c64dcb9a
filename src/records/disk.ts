import { appendFileSync, closeSync, constants, existsSync, fstatSync, mkdirSync } from 'node:fs'
import { mkdtempSync, openSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
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
  append: (path, data) => {
    createFolder(dirname(path))
    appendFileSync(path, data, { flush: true })
  },
  truncate: truncateSync,
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
