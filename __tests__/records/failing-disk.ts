import { systemDisk, type Disk } from '../../src/records/disk.ts'

/** The real disk, except that it is full after 30 bytes of the nth line, from 1, and has space again later. */
export function failingDisk(nth: number): Disk {
  let lines = 0
  return {
    ...systemDisk,
    openForAppending: async path => {
      const file = await systemDisk.openForAppending(path)
      const append = async (data: string | Uint8Array): Promise<void> => {
        if (data.length === 0 || ++lines !== nth) return file.append(data)
        await file.append(data.slice(0, 30))
        throw Object.assign(new Error('no'), { code: 'ENOSPC' })
      }
      return { ...file, append }
    },
  }
}
