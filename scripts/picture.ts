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
import type { Picture } from './browser.ts'
import { readCommandLine, runCommand, stopForUsage } from './command.ts'
import { makePage } from './github-page.ts'
import { caseNames, summarize } from './summary-cases.ts'

const HELP = `Takes pictures of the job summary as GitHub shows it.

Usage: npm run picture -- [options]

  (none)        the summary of the demo's main run, to docs/summary.png
  --all FOLDER  every way in which a run can end, light and dark, wide and on a phone, to look at
  --case NAME   with --all: only this one; may be given more than once
  --help        print this

CHROMIUM names the program to use, where it is not in a usual place.
`

const REPOSITORY = resolve(import.meta.dirname, '..')
const DEMO_PICTURE = join(REPOSITORY, 'docs', 'summary.png')
const MAX_DEMO_BYTES = 300_000
const WIDTHS = { wide: 1200, phone: 390 } as const
const THEMES = ['light', 'dark'] as const

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
    console.log(`docs/summary.png: ${png.length} bytes, at ${scale} pixels per pixel`)
    return
  }
  throw new Error(`the picture would have more than ${MAX_DEMO_BYTES} bytes`)
}

async function pictureAll(
  browser: Browser,
  folder: string,
  names: readonly string[],
): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (const name of names) {
    const markdown = await summarize(name)
    writeFileSync(join(folder, `${name}.md`), markdown)
    const page = makePage(markdown)
    for (const theme of THEMES) {
      for (const [place, width] of Object.entries(WIDTHS)) {
        const look = { theme, width, scale: 1.5, maxHeight: 2500 }
        const { png, height, tables } = await takePicture(browser, page, look)
        writeFileSync(join(folder, `${name}-${place}-${theme}.png`), png)
        if (theme === 'light')
          console.log(`${name}, ${place}: ${height} px high${cutTables(tables)}`)
      }
    }
  }
}

/** What of the tables cannot be seen without scrolling. */
function cutTables(tables: Picture['tables']): string {
  return tables
    .filter(({ content, shown }) => content > shown)
    .map(({ content, shown }) => `, ${shown} of ${content} px of the table can be seen`)
    .join('')
}

const optionsSchema = z.object({
  all: z.string().optional(),
  case: z.array(z.enum(caseNames, `must be one of ${caseNames.join(', ')}`)).default([]),
})

async function main(): Promise<boolean> {
  const { options } = readCommandLine(HELP, optionsSchema)
  const { all: folder, case: wanted } = options
  if (folder === undefined && wanted.length > 0) stopForUsage('--case needs --all')
  const browser = await startBrowser()
  try {
    if (folder === undefined) await pictureDemo(browser)
    else await pictureAll(browser, resolve(folder), wanted.length > 0 ? wanted : caseNames)
    return true
  } finally {
    await browser.close()
  }
}

await runCommand(main)
