/**
 * Runs the action again and again under faults, signals and kills, until all is green, and checks the records file
 * against what the service saw. Run by `npm run chaos`, with kills alone by `npm run torture`.
 */
import { z } from 'zod'
import { runCampaign } from './chaos-campaign.ts'
import type { Campaign } from './chaos-campaign.ts'
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
  readonly onCampaign?: (figures: Figures) => void
}

/** Sums over all campaigns, and all that was wrong: nothing, if the action keeps its word. */
export type Figures = Campaign & { readonly runs: number; readonly campaigns: number }

/** Runs campaigns until that many runs were disturbed, or something is wrong. */
export async function wreakChaos(options: ChaosOptions): Promise<Figures> {
  const { runs, seed, onlyKills, onCampaign } = options
  let figures: Figures | undefined
  for (let nth = 0; (figures?.runs ?? 0) < runs; nth += 1) {
    const done = figures?.runs ?? 0
    const setup = planCampaign(nth, onlyKills)
    const count = Math.min(setup.disturbedRuns, runs - done)
    const moments = Array.from({ length: count }, (_, index) =>
      pickMoment(seed, done + index, onlyKills),
    )
    const campaign = await runCampaign(setup, Math.imul(seed, 65_537) + nth, moments)
    figures = add(figures, campaign)
    onCampaign?.(figures)
    if (figures.violations.length > 0) break
  }
  if (figures === undefined) throw new Error('there is nothing to do')
  return figures
}

function add(sum: Figures | undefined, campaign: Campaign): Figures {
  const runs = campaign.kills + campaign.signals + campaign.faultyRuns
  if (sum === undefined) return { ...campaign, runs, campaigns: 1 }
  const { violations, ...numbers } = campaign
  const added = Object.entries({ ...numbers, runs, campaigns: 1 }).map(
    ([name, number]) => [name, number + z.number().parse(Reflect.get(sum, name))] as const,
  )
  return { ...sum, ...Object.fromEntries(added), violations: [...sum.violations, ...violations] }
}

const WHAT: Readonly<Record<Exclude<keyof Figures, 'violations'>, string>> = {
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
  const figures = await wreakChaos({
    ...{ runs, seed, onlyKills },
    onCampaign: ({ runs: done }) => {
      console.error(`${done} of ${runs} runs`)
    },
  })
  console.log(['| what | number |', '|---|---|'].join('\n'))
  for (const [name, what] of Object.entries(WHAT)) {
    console.log(`| ${what} | ${String(Reflect.get(figures, name))} |`)
  }
  for (const violation of figures.violations)
    console.error(`VIOLATION (seed ${seed}): ${violation}`)
  const hitsEnough = !onlyKills || figures.killsInFlight * 2 >= figures.kills
  if (!hitsEnough) console.error('less than half of the kills hit completions in flight')
  return figures.violations.length === 0 && hitsEnough
}

if (import.meta.main) await runCommand(main)
