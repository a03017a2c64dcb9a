/**
 * Compares what a step of this action did with what a workflow expects, and fails if anything differs:
 *
 *     env:
 *       STEP: ${{ toJSON(steps.ID) }}
 *     run: node .github/scripts/expect.mjs NAME=VALUE...
 *
 * NAME is an output of the step, or one of these:
 * - outcome: of the step, before its `continue-on-error` has a say
 * - artifacts: names in the output `records`, in their order, with commas
 * - codes, certainty: `code` and `registered` in the output `failures`, each once, sorted, with commas
 * - recorded: record lines of the file that the output `records-path` names, 0 without that file
 * - logins, requests, completions: calls in the log of the simulator that the variable SIMULATOR_LOG names
 *
 * Runs on the Node of the runner, without dependencies.
 */
import { existsSync, readFileSync } from 'node:fs'

const { outcome, outputs } = JSON.parse(process.env.STEP)

const listOf = name => JSON.parse(outputs[name])
const distinct = values => [...new Set(values)].sort().join(',')
const linesOf = file => readFileSync(file, 'utf8').split('\n').slice(0, -1)
const countCalls = path =>
  linesOf(process.env.SIMULATOR_LOG).filter(line => path.test(line.split(' ')[2] ?? '')).length

const facts = {
  outcome: () => outcome,
  artifacts: () =>
    listOf('records')
      .map(({ artifact }) => artifact)
      .join(','),
  codes: () => distinct(listOf('failures').map(({ code }) => code)),
  certainty: () => distinct(listOf('failures').map(({ registered }) => registered)),
  recorded: () =>
    existsSync(outputs['records-path'])
      ? linesOf(outputs['records-path']).filter(line => 'record' in JSON.parse(line)).length
      : 0,
  logins: () => countCalls(/\/auth\/login$/),
  requests: () => countCalls(/\/registration\/\?subscription=true$/),
  completions: () => countCalls(/\/forfait$/),
}

function read(name) {
  try {
    return String(name in facts ? facts[name]() : outputs[name])
  } catch (error) {
    return `(${error.message})`
  }
}

const expectations = process.argv.slice(2)
if (expectations.length === 0) throw new Error('give at least one NAME=VALUE')
for (const expectation of expectations) {
  const [name, ...rest] = expectation.split('=')
  const wanted = rest.join('=')
  const got = read(name)
  const isMet = got === wanted
  console.log(
    `${isMet ? 'ok    ' : 'NOT OK'} ${name}=${wanted}${isMet ? '' : `, but it is ${got}`}`,
  )
  if (!isMet) process.exitCode = 1
}
