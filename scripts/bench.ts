/**
 * Compares the action with its peers, each in the same run: ratios, never times. Run by `npm run bench`; prints a Markdown
 * table and writes a JSON file. Every run of ours is the committed bundle as a child process in the environment of the
 * runner. Ours and its peers take turns; a ratio is the median of the ratios of the turns.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { cleanUp } from '../__tests__/support/clean-up.ts'
import { cases, profileAll, sizesOf } from './bench-cases.ts'
import type { Row } from './bench-cases.ts'
import { readCommandLine, runCommand } from './command.ts'

const HELP = `Compares the action with its peers and prints a table of ratios.

Usage: npm run bench -- [options]

  --quick           small sizes and few rounds, for a try
  --only NAME       only these rows (hash-4, hash-1, hash-many, start, register, scale, memory, bundle);
                    may be given more than once
  --out FILE        where the JSON goes (default: .bench/result.json)
  --profile FOLDER  no table: run the three main cases once each with --cpu-prof, profiles to FOLDER
  --help            print this
`

const { options: args } = readCommandLine(
  HELP,
  z.object({
    quick: z.boolean().default(false),
    only: z.array(z.enum(Object.keys(cases), 'must name a row')).default([]),
    out: z.string().default(join(import.meta.dirname, '..', '.bench', 'result.json')),
    profile: z.string().optional(),
  }),
)
const sizes = sizesOf[args.quick ? 'small' : 'full']

const say = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2
}

/** The median of the ratios turn by turn, or of ours alone where there is no peer. */
function figureOf({ ours, peers }: Row): number {
  if (peers.length === 0) return median(ours)
  return median(ours.map((one, index) => one / (peers[index] ?? NaN)))
}

function format(value: number, unit: Row['unit']): string {
  switch (unit) {
    case 'ms':
      return value >= 1000 ? `${(value / 1000).toFixed(2)} s` : `${value.toFixed(0)} ms`
    case 'ms each':
      return `${value.toFixed(3)} ms`
    case 'MiB':
      return `${value.toFixed(0)} MiB`
    case 'MB':
      return `${value.toFixed(2)} MB`
  }
}

function tableRow(row: Row): string {
  const { what, peer, unit, ours, peers, atMost, aim } = row
  const figure = figureOf(row)
  const isRatio = peers.length > 0
  const limit = (value: number | null): string => {
    if (value === null) return ''
    return isRatio ? value.toFixed(2) : `${value} ${unit}`
  }
  const cells = [
    what,
    format(median(ours), unit),
    isRatio ? `${peer.replaceAll('|', '\\|')}: ${format(median(peers), unit)}` : '',
    isRatio ? figure.toFixed(2) : '',
    limit(atMost),
    limit(aim),
    judge(figure, atMost, aim),
  ]
  return `| ${cells.join(' | ')} |`
}

function judge(figure: number, atMost: number | null, aim: number | null): string {
  if (atMost === null) return ''
  // The limits hold for the full sizes: in small ones the start weighs more.
  if (args.quick) return '(quick)'
  if (figure > atMost) return 'NO'
  return aim === null ? 'yes' : figure <= aim ? 'yes, aim met' : 'yes'
}

function loads(): readonly number[] {
  return loadavg().map(load => Math.round(load * 100) / 100)
}

async function measureAll(): Promise<void> {
  const before = loads()
  const rows: Row[] = []
  for (const [name, measure] of Object.entries(cases)) {
    if (args.only.length > 0 && !args.only.includes(name)) continue
    say(`bench: ${name}`)
    rows.push(...(await measure(sizes)))
    cleanUp()
  }
  const table = [
    '| what | ours | peer | ratio | at most | aim | ok |',
    '|---|---|---|---|---|---|---|',
    ...rows.map(tableRow),
  ]
  console.log(table.join('\n'))
  const cores = availableParallelism()
  const result = {
    ...{ isQuick: args.quick, node: process.version, platform: process.platform, cores },
    ...{ loadBefore: before, loadAfter: loads() },
    rows: rows.map(row => ({ ...row, figure: figureOf(row) })),
  }
  mkdirSync(dirname(resolve(args.out)), { recursive: true })
  writeFileSync(args.out, `${JSON.stringify(result, null, 2)}\n`)
  say(`bench: written to ${args.out}`)
  if ((before[0] ?? 0) > cores * 0.75) {
    say(
      `bench: the load was ${before[0] ?? 0} on ${cores} cores before the start; run it again on a machine at rest`,
    )
  }
}

await runCommand(async () => {
  if (args.profile === undefined) await measureAll()
  else await profileAll(args.profile, sizes)
  return true
})
