import { writeSync } from 'node:fs'

/**
 * Jest reporter that names each skipped test, and ends the output with `N passed, N failed, N skipped`, alone on a line,
 * for tools that read it.
 * The numbers are tests; a test file that could not be run at all counts as one failed test, a test yet to be written
 * as a skipped one.
 */
export default class ClosingLine {
  #lines = []
  #isWhole

  constructor({ testNamePattern }) {
    // With a pattern the others are left out by intent.
    this.#isWhole = !testNamePattern
    // Jest prints its own summary after the reporters are through, so the lines wait for the end of the process.
    process.once('exit', () => {
      for (const line of this.#lines) writeSync(1, `${line}\n`)
    })
  }

  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites
    const skipped = results.numPendingTests + results.numTodoTests
    this.#lines = [
      ...results.testResults
        .flatMap(file => file.testResults)
        .filter(({ status }) => this.#isWhole && (status === 'pending' || status === 'todo'))
        .map(({ fullName }) => `skipped: ${fullName}`),
      `${results.numPassedTests} passed, ${failed} failed, ${skipped} skipped`,
    ]
  }
}
