/** Runs campaigns of faults, signals and kills. Run by `npm run chaos`. */
import { z } from 'zod'
import { runChaos } from '../__tests__/chaos/campaign.ts'
import { readCommandLine, runCommand, wholeNumber } from './command.ts'

const HELP = `Disturbs runs of the action with faults, signals and kills, then runs it until all is green, and accounts for
every completion that the service accepted.

Usage: npm run chaos -- [options]

  --runs N      runs that are disturbed (default: 100)
  --seed S      picks what goes wrong (default: by the clock)
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
