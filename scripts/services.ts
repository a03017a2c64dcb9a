/** Runs the action against many generated services, and checks every run. Run by `npm run services`. */
import fc from 'fast-check'
import { z } from 'zod'
import { anyService } from '../__tests__/services/generate.ts'
import { findFaults } from '../__tests__/services/judge.ts'
import { play } from '../__tests__/services/run.ts'
import { readCommandLine, runCommand, wholeNumber } from './command.ts'

const HELP = `Runs the action against services that the specification permits, and some that break one of its rules.

Usage: npm run services -- [options]

  --count N   number of services (default: 10000)
  --seed N    selects the services (default: from the clock)
  --help      print this
`

const optionsSchema = z.object({
  count: wholeNumber({ min: 1 }).default(10_000),
  seed: wholeNumber({ max: 0x7fff_ffff }).default(Date.now() % 1_000_000),
})

await runCommand(async () => {
  const { count: numRuns, seed } = readCommandLine(HELP, optionsSchema).options
  console.log(`${numRuns} services, seed ${seed}`)
  let [played, green] = [0, 0]
  const property = fc.asyncProperty(anyService, async service => {
    const runs = await play(service)
    const faults = findFaults(service, runs)
    if (faults.length > 0) throw new Error(faults.join('\n'))
    played += 1
    green += Number(runs[0].exitCode === 0)
    if (played % 10_000 === 0) console.log(`${played} played`)
  })
  const result = await fc.check(property, { numRuns, seed })
  if (result.failed) {
    const { errorInstance, counterexample } = result
    console.error(errorInstance instanceof Error ? errorInstance.message : errorInstance)
    console.error(fc.stringify(counterexample))
  }
  console.log(`${played} played, ${green} green runs`)
  return !result.failed
})
