/** Runs before the tests of each file. */
import { afterAll, jest } from '@jest/globals'
import { cleanUp } from './clean-up.ts'
import './realms.ts'

// @actions/glob logs each folder that it searches.
const write = process.stdout.write.bind(process.stdout)
const log = jest.spyOn(process.stdout, 'write').mockImplementation(text => {
  return String(text).startsWith('::debug::') || write(text)
})

// Tests that find files change it to folders that are removed.
const workingFolder = process.cwd()

afterAll(() => {
  process.chdir(workingFolder)
  log.mockRestore()
  cleanUp()
})
