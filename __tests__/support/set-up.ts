/** Runs before the tests of each file. */
import { afterAll, jest } from '@jest/globals'
import { cleanUp } from './clean-up.ts'
import './realms.ts'

// @actions/glob logs each folder that it searches.
const write = process.stdout.write.bind(process.stdout)
const log = jest.spyOn(process.stdout, 'write').mockImplementation(text => {
  return String(text).startsWith('::debug::') || write(text)
})

afterAll(() => {
  log.mockRestore()
  cleanUp()
})
