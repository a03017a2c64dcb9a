import { writeSync } from 'node:fs'

/**
 * Jest reporter that ends the output with `N passed, N failed`, alone on a line, for tools that read it.
 * The numbers are tests; a test file that could not be run at all counts as one failed test.
 */
export default class ClosingLine {
  #line

  constructor() {
    // Jest prints its own summary after the reporters are through, so the line waits for the end of the process.
    process.once('exit', () => {
      if (this.#line !== undefined) writeSync(1, `${this.#line}\n`)
    })
  }

  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites
    this.#line = `${results.numPassedTests} passed, ${failed} failed`
  }
}
