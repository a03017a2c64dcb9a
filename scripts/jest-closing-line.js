import { writeSync } from 'node:fs'

/**
 * Jest reporter that ends the output with `N passed, N failed, N skipped`, alone on a line, for tools that read it.
 * The numbers are tests; a test file that could not be run at all counts as one failed test, a test yet to be written
 * as a skipped one.
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
    const skipped = results.numPendingTests + results.numTodoTests
    this.#line = `${results.numPassedTests} passed, ${failed} failed, ${skipped} skipped`
  }
}
