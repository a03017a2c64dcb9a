import { writeSync } from 'node:fs'

/**
 * Jest reporter that lists skipped tests, and ends the output with a line `N passed, N failed, N skipped` for tools. A
 * test file that cannot be run counts as one failed test.
 */
export default class ClosingLine {
  #lines = []
  #isWhole

  constructor({ testNamePattern }) {
    this.#isWhole = !testNamePattern
    // Jest prints its own summary after the reporters have finished, so the lines wait for the end of the process.
    process.once('exit', () => writeSync(1, this.#lines.join('')))
  }

  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites
    const skipped = results.numPendingTests + results.numTodoTests
    for (const { status, fullName } of results.testResults.flatMap(file => file.testResults)) {
      const isSkipped = status === 'pending' || status === 'todo'
      if (isSkipped && this.#isWhole) this.#lines.push(`skipped: ${fullName}\n`)
    }
    this.#lines.push(`${results.numPassedTests} passed, ${failed} failed, ${skipped} skipped\n`)
  }
}
