/**
 * Runs the action again and again under faults, signals and kills, until all is green, and checks the records file
 * against what the service saw. Run by `npm run chaos`, with kills alone by `npm run torture`.
 */
import { z } from 'zod'
import { runCampaign, startTally } from './chaos-campaign.ts'
import type { Tally } from './chaos-campaign.ts'
import { pickMoment, planCampaign } from './chaos-plan.ts'
import { readCommandLine, runCommand, wholeNumber } from './command.ts'

const HELP = `Disturbs runs of the action by faults, signals and kills, then runs it until all is green, and draws up the balance.

Usage: npm run chaos -- [options]

  --runs N      runs that are disturbed (default: 100)
  --seed S      picks what goes wrong; the same seed picks the same (default: by the clock)
  --only-kills  no faults and no other signals; a half-written line is left now and then
  --help        print this
`

/** What to do. */
export interface ChaosOptions {
  /** Runs that are disturbed. */
  readonly runs: number
  /** Any whole number; picks faults and moments. */
  readonly seed: number
  readonly onlyKills: boolean
  /** Called after each campaign. */
  readonly onCampaign?: (tally: Tally) => void
}

/** Runs campaigns until that many runs were disturbed, or something is wrong. */
export async function wreakChaos(options: ChaosOptions): Promise<Tally> {
  const { runs, seed, onlyKills, onCampaign } = options
  const tally = startTally()
  while (tally.runs < runs && tally.violations.size === 0) {
    const setup = planCampaign(tally.campaigns, seed, onlyKills)
    const count = Math.min(setup.disturbedRuns, runs - tally.runs)
    const moments = Array.from({ length: count }, (_, index) =>
      pickMoment(tally.runs + index, seed, onlyKills),
    )
    await runCampaign(setup, moments, tally)
    onCampaign?.(tally)
  }
  return tally
}

const WHAT: Readonly<Record<Exclude<keyof Tally, 'violations'>, string>> = {
  campaigns: 'campaigns',
  artifacts: 'artifacts',
  runs: 'runs that were disturbed',
  kills: '... by SIGKILL',
  killsInFlight: '... with completions in flight',
  signals: '... by SIGTERM or SIGINT',
  faultyRuns: '... by faults alone',
  calmRuns: 'runs until green',
  faults: 'faults',
  incompleteLines: 'lines left half-written',
  accepted: 'completions that the service accepted',
  recorded: '= recorded',
  lost: '+ answer lost',
  killed: '+ process killed before it was saved',
  recordedByHand: 'records written by hand, for answers that were lost',
  unansweredTries: 'tries without an answer, by the records',
  open: 'hashes that are still open',
  settledByHand: 'hashes settled by hand',
  readings: 'times that the file was read and checked',
}

async function main(): Promise<boolean> {
  const { options } = readCommandLine(
    HELP,
    z.object({
      runs: wholeNumber({ min: 1 }).default(100),
      seed: wholeNumber().default(Date.now() % 1_000_000),
      'only-kills': z.boolean().default(false),
    }),
  )
  const { runs, seed, 'only-kills': onlyKills } = options
  console.log(`${runs} runs, seed ${seed}`)
  const tally = await wreakChaos({
    ...{ runs, seed, onlyKills },
    onCampaign: ({ runs: done }) => {
      console.error(`${done} of ${runs} runs`)
    },
  })
  console.log('| what | number |\n|---|---|')
  for (const [name, what] of Object.entries(WHAT)) {
    console.log(`| ${what} | ${String(Reflect.get(tally, name))} |`)
  }
  for (const violation of tally.violations) console.error(`VIOLATION (seed ${seed}): ${violation}`)
  const hitsEnough = !onlyKills || tally.killsInFlight * 2 >= tally.kills
  if (!hitsEnough) console.error('less than half of the kills hit completions in flight')
  return tally.violations.size === 0 && hitsEnough
}

if (import.meta.main) await runCommand(main)
