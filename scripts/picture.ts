/** Takes pictures of the job summary as GitHub shows it. Needs an installed Chromium and no network. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { renderPages } from '../__tests__/report/pages.ts'
import { startBrowser, takePicture } from './browser.ts'
import { readCommandLine, runCommand, stopForUsage } from './command.ts'
import { makePage } from './github-page.ts'

const help = `Takes pictures of the job summary as GitHub shows it.

Usage: npm run picture -- [options]

  (none)        a run in which all is registered, to docs/summary.png
  --all FOLDER  every outcome of both actions, light, dark and on a phone
  --case NAME   with --all: only this one; may be given more than once
  --help        print this

CHROMIUM names the program to use if it is not in a usual place.
`

const looks = [
  { name: 'light', theme: 'light', width: 1012, scale: 1, maxHeight: 2500 },
  { name: 'dark', theme: 'dark', width: 1012, scale: 1, maxHeight: 2500 },
  { name: 'phone', theme: 'light', width: 390, scale: 1.5, maxHeight: 2500 },
] as const

const schema = z.object({ all: z.string().optional(), case: z.array(z.string()).default([]) })

async function main(): Promise<boolean> {
  const { options } = readCommandLine(help, schema)
  const { all: folder, case: wanted } = options
  if (folder === undefined && wanted.length > 0) stopForUsage('--case needs --all')
  const pages = await renderPages()
  for (const name of wanted) {
    if (!pages.has(name)) stopForUsage(`--case must be one of ${[...pages.keys()].join(', ')}`)
  }
  const browser = await startBrowser()
  try {
    if (folder === undefined) {
      const page = makePage(pages.get('readme') ?? '')
      const { png } = await takePicture(browser, page, { ...looks[0], scale: 2 })
      writeFileSync(resolve(import.meta.dirname, '../docs/summary.png'), png)
      return true
    }
    mkdirSync(folder, { recursive: true })
    for (const [name, markdown] of pages) {
      if (wanted.length > 0 && !wanted.includes(name)) continue
      writeFileSync(join(folder, `${name}.md`), markdown)
      for (const look of looks) {
        const { png, height, hidden } = await takePicture(browser, makePage(markdown), look)
        writeFileSync(join(folder, `${name}-${look.name}.png`), png)
        console.log(`${name}, ${look.name}: ${height} px high, ${hidden} px of tables hidden`)
      }
    }
    return true
  } finally {
    await browser.close()
  }
}

await runCommand(main)
