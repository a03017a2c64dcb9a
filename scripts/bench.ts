/** Compares the committed bundle with its peers. Run by `npm run bench`. */
import { availableParallelism, loadavg } from 'node:os'
import { z } from 'zod'
import { cleanUp } from '../__tests__/support/clean-up.ts'
import { cases, type Row } from './bench-cases.ts'
import { readCommandLine, runCommand } from './command.ts'

const HELP = `Compares the action with its peers and prints a table in Markdown.

Usage: npm run bench -- [options]

  --quick      a tenth of the size and few rounds; the limits apply to the full size
  --only NAME  run only this case (${Object.keys(cases).join(', ')});
               can be repeated
  --help       print this
`

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? NaN
}

function tableRow({ what, unit, ours, atMost, peer }: Row): string {
  const format = (value: number): string => `${value.toFixed(unit === 'MB' ? 2 : 0)} ${unit}`
  const cells = [what, format(median(ours))]
  let figure = median(ours)
  if (peer === undefined) cells.push('', '', format(atMost))
  else {
    const { name, figures } = peer
    figure = median(ours.map((value, index) => value / (figures[index] ?? NaN)))
    cells.push(`${name.replaceAll('|', '\\|')}: ${format(median(figures))}`)
    cells.push(figure.toFixed(2), atMost.toFixed(2))
  }
  return `| ${cells.join(' | ')} | ${figure <= atMost ? 'yes' : 'NO'} |`
}

const optionsSchema = z.object({
  quick: z.boolean().default(false),
  only: z.array(z.enum(Object.keys(cases), 'must name a case')).default([]),
})

await runCommand(async () => {
  const { quick, only } = readCommandLine(HELP, optionsSchema).options
  const [load = 0] = loadavg()
  if (load > availableParallelism() / 2) {
    console.error(`bench: the load is ${load.toFixed(1)}; run it again on an idle machine`)
  }
  console.log('| what | ours | peer | ratio | at most | met |\n|---|---|---|---|---|---|')
  for (const [name, measure] of Object.entries(cases)) {
    if (only.length > 0 && !only.includes(name)) continue
    const rows = await measure(quick ? 0.1 : 1, quick ? 2 : 7)
    for (const row of rows) console.log(tableRow(row))
    cleanUp()
  }
  return true
})
