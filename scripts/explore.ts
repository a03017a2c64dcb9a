/** Plays schedules of a simulated world with the code that registers, and checks its promises in each. */
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { z } from 'zod'
import { seededBugs } from '../__tests__/world/bugs.ts'
import type { Violation } from '../__tests__/world/explore.ts'
import { readCommandLine, runCommand, stopForUsage, wholeNumber } from './command.ts'

const HELP = `Plays schedules of runs that meet lost answers, kills, cancels and full disks.

Usage: npm run explore                     1,000,000 schedules, in two processes
       npm run explore -- NUMBER           the schedule with this number, told step by step
       npm run explore -- --bugs           how many schedules it takes to find each seeded bug

  --count N   number of schedules (default 1000000)
  --seed N    first seed of the random schedules (default 1)
  --alone     in one process
  --help      print this
`

const options = z.object({
  count: wholeNumber({ min: 1 }).prefault('1000000'),
  seed: wholeNumber().prefault('1'),
  bugs: z.boolean().default(false),
  alone: z.boolean().default(false),
  /** A bug to seed, by its place in the list. */
  bug: wholeNumber().optional(),
})

const { options: given, words } = readCommandLine(HELP, options, 1)
const [number] = words
if (number !== undefined && !/^\d+$/.test(number)) stopForUsage('NUMBER must have digits only')
if (given.bug !== undefined) seed(given.bug)

await runCommand(async () => {
  if (number !== undefined) return tell(BigInt(number))
  if (given.bugs) return findBugs()
  return given.alone ? exploreHere() : exploreInTwo()
})

/** Changes a file of `src` as it is loaded. */
function seed(index: number): void {
  const bug = seededBugs[index]
  if (bug === undefined) return stopForUsage(`there is no bug ${index}`)
  registerHooks({
    load: (url, context, next) => {
      if (!url.endsWith(`/src/${bug.file}`)) return next(url, context)
      let source = readFileSync(new URL(url), 'utf8')
      for (const [find, replace] of bug.changes) {
        if (!source.includes(find))
          throw new Error(`"${bug.name}" does not fit ${bug.file}: ${find}`)
        source = source.replace(find, () => replace)
      }
      return { format: 'module-typescript', source, shortCircuit: true }
    },
  })
}

async function tell(schedule: bigint): Promise<boolean> {
  const { play } = await import('../__tests__/world/run.ts')
  const { decideByNumber } = await import('../__tests__/world/schedule.ts')
  const { story, violations } = await play(decideByNumber(schedule))
  console.log([...story, ...violations.map(text => `VIOLATION ${text}`)].join('\n'))
  return violations.length === 0
}

async function exploreHere(): Promise<boolean> {
  const { explore } = await import('../__tests__/world/explore.ts')
  let isGood = true
  const onViolation = ({ number: schedule, violations, story, played }: Violation): boolean => {
    isGood = false
    console.log(`schedule ${schedule}, the ${played}th\n${story.join('\n')}`)
    for (const text of violations) console.log(`VIOLATION ${text}`)
    return false
  }
  const { count: limit, seed: first } = given
  const depth = first === 1 ? 3 : 0
  const { played, exhaustive, distinct } = await explore({ depth, limit, seed: first, onViolation })
  console.log(`${played} schedules (${exhaustive} exhaustive), ${distinct} distinct stories`)
  return isGood
}

/** One process plays all schedules with few deviations, then random ones; the other random ones alone. */
async function exploreInTwo(): Promise<boolean> {
  const half = Math.ceil(given.count / 2)
  const codes = [given.seed, given.seed + 1_000_000_000].map(first => {
    const words = ownArguments(['--alone', '--count', `${half}`, '--seed', `${first}`])
    const child = spawn(process.execPath, words, { stdio: 'inherit' })
    return new Promise<number | null>(resolve => child.once('exit', resolve))
  })
  return (await Promise.all(codes)).every(code => code === 0)
}

function ownArguments(words: readonly string[]): readonly string[] {
  return ['--disable-warning=ExperimentalWarning', import.meta.filename, ...words]
}

function findBugs(): boolean {
  let areAllFound = true
  for (const [index, { name }] of seededBugs.entries()) {
    const words = ownArguments(['--alone', '--bug', `${index}`, '--count', '100000'])
    const { stdout, stderr, status } = spawnSync(process.execPath, words, { encoding: 'utf8' })
    const [, played = ''] = /the (\d+)th/.exec(stdout) ?? []
    const [, what = stderr] = /VIOLATION (.*)/.exec(stdout) ?? []
    if (played === '') areAllFound = false
    console.log(
      `${played === '' ? `NOT FOUND (exit code ${status ?? '-'})` : `after ${played}`}: ${name}: ${what.trim()}`,
    )
  }
  return areAllFound
}
