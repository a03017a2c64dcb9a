/**
 * Takes pictures of the job summary as GitHub shows it. Run by `npm run picture`; needs an installed Chromium and no
 * network.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Browser } from 'playwright-core'
import { z } from 'zod'
import { startBrowser, takePicture } from './browser.ts'
import { readCommandLine, runCommand } from './command.ts'
import { makePage } from './github-page.ts'
import { makeCases } from './summary-cases.ts'
import type { Program } from './summary-cases.ts'

const HELP = `Takes pictures of the job summary as GitHub shows it.

Usage: npm run picture -- [options]

  (none)        the summary of the demo's main run, to docs/summary.png
  --all FOLDER  every way in which a run can end, light and dark, wide and on a phone, to look at
  --case NAME   with --all: only this one; may be given more than once
  --source      with --all: run src/ as it stands, not the bundle in dist/
  --help        print this

CHROMIUM names the program to use, where it is not in a usual place.
`

const REPOSITORY = resolve(import.meta.dirname, '..')
const DEMO_PICTURE = join(REPOSITORY, 'docs', 'summary.png')
const MAX_DEMO_BYTES = 300_000
const WIDTHS = { wide: 1200, phone: 390 } as const
const THEMES = ['light', 'dark'] as const

const bundle: Program = { main: {}, verify: { actionFile: 'verify/action.yml' } }
const source: Program = {
  main: { actionFolder: REPOSITORY, entry: 'src/index.ts' },
  verify: {
    ...{ actionFolder: REPOSITORY, actionFile: 'verify/action.yml' },
    entry: 'src/verify/main.ts',
  },
}

const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

/** The summary of the demo's main run, cut out of what the demo prints. */
function readDemoSummary(): string {
  const demo = spawnSync(process.execPath, [join(REPOSITORY, 'scripts', 'demo.ts')], {
    cwd: REPOSITORY,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (demo.status !== 0) {
    throw new Error(`the demo failed; run "npm run demo" to see why (${demo.stderr.trim()})`)
  }
  const [, section] = /\n=== 7\. The job summary[^\n]*\n\n(.*?)\n\n=== 8\./s.exec(demo.stdout) ?? []
  if (section === undefined) throw new Error('the demo has no section 7 with the job summary')
  return section.replaceAll(/^ {4}/gm, '')
}

async function pictureDemo(browser: Browser): Promise<void> {
  const page = makePage(readDemoSummary())
  // GitHub shows a README at most 1012 px wide.
  const look = { theme: 'light', width: 1012, maxHeight: 2000 } as const
  for (const scale of [2, 1.5, 1]) {
    const { png } = await takePicture(browser, page, { ...look, scale })
    if (png.length > MAX_DEMO_BYTES) continue
    writeFileSync(DEMO_PICTURE, png)
    say(`docs/summary.png: ${png.length} bytes, at ${scale} pixels per pixel`)
    return
  }
  throw new Error(`the picture would have more than ${MAX_DEMO_BYTES} bytes`)
}

async function pictureAll(
  browser: Browser,
  folder: string,
  { program, wanted }: { readonly program: Program; readonly wanted: readonly string[] },
): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for await (const { name, markdown } of makeCases(program, wanted)) {
    writeFileSync(join(folder, `${name}.md`), markdown)
    const page = makePage(markdown)
    for (const theme of THEMES) {
      for (const [place, width] of Object.entries(WIDTHS)) {
        const look = { theme, width, scale: 1.5, maxHeight: 2500 }
        const { png, height, tables } = await takePicture(browser, page, look)
        writeFileSync(join(folder, `${name}-${place}-${theme}.png`), png)
        if (theme === 'light') say(describe({ name: `${name}, ${place}`, height, tables }))
      }
    }
  }
}

function describe({
  name,
  height,
  tables,
}: {
  readonly name: string
  readonly height: number
  readonly tables: readonly { readonly content: number; readonly shown: number }[]
}): string {
  const cut = tables
    .filter(({ content, shown }) => content > shown)
    .map(({ content, shown }) => `, ${shown} of ${content} px of the table can be seen`)
  return `${name}: ${height} px high${cut.join('')}`
}

const optionsSchema = z.object({
  all: z.string().optional(),
  case: z.array(z.string()).default([]),
  source: z.boolean().default(false),
})

async function main(): Promise<boolean> {
  const { options } = readCommandLine(HELP, optionsSchema)
  const browser = await startBrowser()
  try {
    if (options.all === undefined) await pictureDemo(browser)
    else {
      const program = options.source ? source : bundle
      await pictureAll(browser, resolve(options.all), { program, wanted: options.case })
    }
    return true
  } finally {
    await browser.close()
  }
}

await runCommand(main)
