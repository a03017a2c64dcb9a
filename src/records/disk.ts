import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Disk } from '../runtime/outside.ts'

export const systemDisk: Disk = {
  read: path => {
    // Reading a FIFO would hang the run.
    if (!statSync(path).isFile()) throw new Error('it is not a regular file')
    return readFileSync(path)
  },
  append: (path, data) => {
    createFolder(dirname(path))
    appendFileSync(path, data, { flush: true })
  },
  truncate: truncateSync,
  makeFolder: folder => {
    createFolder(folder)
    return mkdtempSync(resolve(folder, 'notarization-'))
  },
  write: writeFileSync,
}

/** Creates a folder and those above it. Does not use `recursive`: where no folder can be created, such as below `/proc`, Node would try forever. */
function createFolder(path: string): void {
  if (existsSync(path) || dirname(path) === path) return
  createFolder(dirname(path))
  mkdirSync(path)
}
