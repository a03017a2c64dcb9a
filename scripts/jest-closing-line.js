import { writeSync } from 'node:fs'

/**
 * Jest reporter that lists skipped tests, and ends the output with a line `N passed, N failed, N skipped` for tools. A
 * test file that cannot be run counts as one failed test.
 */
export default class ClosingLine {
  #isWhole

  constructor({ testNamePattern }) {
    this.#isWhole = !testNamePattern
  }

  onRunComplete(_contexts, results) {
    const tests = results.testResults.flatMap(file => file.testResults)
    const skipped = tests.filter(({ status }) => status === 'pending' || status === 'todo')
    const names = this.#isWhole ? skipped.map(({ fullName }) => `skipped: ${fullName}\n`) : []
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites
    const counts = `${results.numPassedTests} passed, ${failed} failed, ${skipped.length} skipped\n`
    // Jest prints its own summary after the reporters have finished.
    process.once('exit', () => writeSync(1, names.join('') + counts))
  }
}
