/** Plays schedules in a simulated world with the code that registers and attaches, and checks its promises. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { readSeededBugs, seedBug } from '../__tests__/world/bugs.ts'
import type { Played } from '../__tests__/world/run.ts'
import { readCommandLine, runCommand, stopForUsage, wholeNumber } from './command.ts'

const HELP = `Plays schedules of runs with lost answers, kills, cancellations, full disks and other jobs.

Usage: npm run explore               1,000,000 schedules, in two processes
       npm run explore -- NUMBER     the schedule with this number, step by step
       npm run explore -- --bugs     how many schedules it takes to find each seeded bug

  --count N   number of schedules (default: 1000000)
  --seed N    first seed of the random schedules (default: 1)
  --depth N   first play all schedules with up to this many deviations (default: 2)
  --alone     use one process
  --help      print this

To see which branches they cover: npm test -- __tests__/world --coverage --coverageProvider=v8 \\
  --collectCoverageFrom='src/{plan,register/*,records/*,release/*,service/**/*}.ts'
`

const options = z.object({
  count: wholeNumber({ min: 1 }).prefault('1000000'),
  seed: wholeNumber().prefault('1'),
  depth: wholeNumber().prefault('2'),
  bugs: z.boolean().default(false),
  alone: z.boolean().default(false),
  /** The index of a bug to seed. */
  bug: wholeNumber().optional(),
})

const { options: selected, words } = readCommandLine(HELP, options, 1)
const [number] = words
if (number !== undefined && !/^\d+$/.test(number)) stopForUsage('NUMBER must be a whole number')
if (selected.bug !== undefined) seedBug(selected.bug)

await runCommand(async () => {
  if (number !== undefined) return showSchedule(BigInt(number))
  if (selected.bugs) return findBugs()
  return selected.alone ? exploreHere() : exploreInTwo()
})

async function showSchedule(schedule: bigint): Promise<boolean> {
  const { play } = await import('../__tests__/world/run.ts')
  const { decideByNumber } = await import('../__tests__/world/schedule.ts')
  const played = await play(decideByNumber(schedule))
  show(played)
  return played.violations.length === 0
}

function show({ story, violations }: Played): void {
  console.log([...story, ...violations.map(what => `VIOLATION ${what}`)].join('\n'))
}

async function exploreHere(): Promise<boolean> {
  const { explore } = await import('../__tests__/world/explore.ts')
  const limit = selected.count
  const { played, distinct, violation } = await explore({ ...selected, limit })
  console.log(`${played} schedules, ${distinct} distinct stories`)
  if (violation === null) return true
  console.log(`schedule ${violation.number}`)
  show(violation)
  return false
}

/** One process plays all schedules with few deviations, then random ones; the other only random ones. */
async function exploreInTwo(): Promise<boolean> {
  const count = Math.ceil(selected.count / 2)
  const start = performance.now()
  const { seed: first, depth } = selected
  const second = { count, seed: first + 1_000_000_000, depth: 0 }
  const both = [exploreApart({ count, seed: first, depth }), exploreApart(second)]
  const outputs = await Promise.all(both)
  console.log(`${outputs.join('')}${Math.round((performance.now() - start) / 1000)} s`)
  return outputs.every(output => !output.includes('VIOLATION'))
}

type Numbers = Readonly<Record<string, number>>

/** Explores in a separate process with these options, and returns its output. */
async function exploreApart(numbers: Numbers): Promise<string> {
  const flags = Object.entries(numbers).flatMap(([name, value]) => [`--${name}`, `${value}`])
  const script = ['--disable-warning=ExperimentalWarning', import.meta.filename, '--alone']
  const child = spawn(process.execPath, [...script, ...flags])
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (errors !== '') throw new Error(errors.trim())
  return output
}

async function findBugs(): Promise<boolean> {
  let areAllFound = true
  const bugs = readSeededBugs().entries()
  const findNext = async (): Promise<void> => {
    for (const [index, { name }] of bugs) {
      const output = await exploreApart({ bug: index, count: 100_000, depth: 1 })
      const [, played = ''] = /^(\d+)/.exec(output) ?? []
      const [, what] = /VIOLATION (.*)/.exec(output) ?? []
      if (what === undefined) areAllFound = false
      console.log(`${what === undefined ? 'NOT FOUND' : 'found'} after ${played}: ${name}: ${what}`)
    }
  }
  await Promise.all([findNext(), findNext()])
  return areAllFound
}
