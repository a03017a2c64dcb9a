/** Runs before the tests of each file. */
import { afterAll, jest } from '@jest/globals'
import { cleanUp } from './clean-up.ts'

/** Makes errors of Node `instanceof Error` in jest, as in production. Jest gives each test file its own globals. */
const ordinary = Function.prototype[Symbol.hasInstance]
Object.defineProperty(Error, Symbol.hasInstance, {
  configurable: true,
  value(this: unknown, candidate: unknown): boolean {
    const isNative = Object.prototype.toString.call(candidate) === '[object Error]'
    return (this === Error && isNative) || Reflect.apply(ordinary, this, [candidate])
  },
})

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
