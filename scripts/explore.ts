/** Plays schedules in a simulated world with the code that registers and keeps, and checks its promises. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { readSeededBugs, seedBug } from '../__tests__/world/bugs.ts'
import { readCommandLine, runCommand } from './command.ts'

const HELP = `Plays schedules of runs with lost responses, kills, cancellations, full disks, re-runs and other jobs.

Usage: npm run explore               1,000,000 schedules, in two processes
       npm run explore -- NUMBER     the schedule with this number, step by step
       npm run explore -- --bugs     how many schedules it takes to find each seeded bug

  --count N   number of schedules (default: 1000000)
  --seed N    first seed of the random schedules (default: 1)
  --depth N   first play every schedule in which at most N things go wrong (default: 2)
  --alone     use one process
  --bug N     seed this bug, and use one process
  --help      print this`

const known = {
  count: { type: 'string', default: '1000000' },
  seed: { type: 'string', default: '1' },
  depth: { type: 'string', default: '2' },
  alone: { type: 'boolean', default: false },
  bug: { type: 'string' },
  bugs: { type: 'boolean', default: false },
} as const
const { options, words } = readCommandLine(HELP, known, true)
const [limit, seed, depth] = [Number(options.count), Number(options.seed), Number(options.depth)]
if (options.bug !== undefined) seedBug(Number(options.bug))

await runCommand(() => {
  if (words[0] !== undefined) return showSchedule(BigInt(words[0]))
  if (options.bugs) return findBugs()
  return options.alone || options.bug !== undefined ? exploreHere() : exploreInTwo()
})

// The world is imported after the bug is seeded.
async function showSchedule(schedule: bigint): Promise<boolean> {
  const { play } = await import('../__tests__/world/run.ts')
  const { decideByNumber } = await import('../__tests__/world/schedule.ts')
  const { story, violations } = await play(decideByNumber(schedule))
  console.log([...story, ...violations.map(what => `VIOLATION ${what}`)].join('\n'))
  return violations.length === 0
}

async function exploreHere(): Promise<boolean> {
  const { explore } = await import('../__tests__/world/explore.ts')
  const { played, distinct, unknown, violation } = await explore({ depth, limit, seed })
  const causes = Object.entries(unknown).map(([cause, count]) => `, ${count} ${cause}`)
  console.log(
    `${played} schedules, ${distinct} distinct stories; charges that a run could not find${causes.join('')}`,
  )
  if (violation === null) return true
  console.log(`schedule ${violation.number}`)
  return showSchedule(violation.number)
}

/** One process plays all schedules with few deviations, then random ones; the other only random ones. */
async function exploreInTwo(): Promise<boolean> {
  const count = Math.ceil(limit / 2)
  const start = performance.now()
  const both = [`--seed=${seed} --depth=${depth}`, `--seed=${seed + 1_000_000_000} --depth=0`]
  const outputs = await Promise.all(both.map(flags => exploreApart(`--count=${count} ${flags}`)))
  console.log(`${outputs.join('')}${Math.round((performance.now() - start) / 1000)} s`)
  return outputs.every(output => /^\d+ schedules, .*\n$/.test(output))
}

/** Explores in a separate process, and returns its output. */
function exploreApart(flags: string): Promise<string> {
  const script = ['--disable-warning=ExperimentalWarning', import.meta.filename, '--alone']
  const child = spawn(process.execPath, [...script, ...flags.split(' ')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return text(child.stdout)
}

async function findBugs(): Promise<boolean> {
  let areAllFound = true
  const bugs = readSeededBugs().entries()
  const findNext = async (): Promise<void> => {
    for (const [index, { name }] of bugs) {
      const output = await exploreApart(`--bug=${index} --count=100000 --depth=1`)
      const [played = ''] = output.split(' ')
      const [, what] = /VIOLATION (.*)/.exec(output) ?? []
      areAllFound &&= what !== undefined
      console.log(`${what === undefined ? 'NOT FOUND' : 'found'} after ${played}: ${name}: ${what}`)
    }
  }
  await Promise.all([findNext(), findNext()])
  return areAllFound
}
