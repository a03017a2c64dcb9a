/** Runs campaigns of faults, signals and kills. Run by `npm run chaos`. */
import { z } from 'zod'
import { runChaos } from '../__tests__/chaos/campaign.ts'
import { readCommandLine, runCommand, wholeNumber } from './command.ts'

const HELP = `Disturbs runs of the action with faults, signals and kills, then runs it undisturbed until a run is green, and
checks that every completion that the service accepted is accounted for.

Usage: npm run chaos -- [options]

  --runs N      number of disturbed runs (default: 100)
  --seed S      selects what goes wrong (default: from the clock)
  --help        print this
`

const optionsSchema = z.object({
  runs: wholeNumber({ min: 1 }).default(100),
  seed: wholeNumber().default(Date.now() % 1_000_000),
})

await runCommand(async () => {
  const { runs, seed } = readCommandLine(HELP, optionsSchema).options
  console.log(`${runs} runs, seed ${seed}`)
  const { violations, ...numbers } = await runChaos(runs, seed)
  console.table(numbers)
  for (const violation of violations) console.error(`VIOLATION (seed ${seed}): ${violation}`)
  return violations.size === 0
})
