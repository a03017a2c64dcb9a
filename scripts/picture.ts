/** Takes screenshots of the job summary as GitHub shows it. Needs Chromium, but no network. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import { renderPages } from '../__tests__/report/pages.ts'
import { readCommandLine, runCommand } from './command.ts'
import { makePage } from '../__tests__/support/github-page.ts'

const help = `Takes screenshots of the job summary as GitHub shows it.

Usage: npm run picture -- [options]

  (none)        a run that registered everything, to docs/summary.png
  --all FOLDER  every outcome of both actions: light, dark and on a phone
  --help        print this

The environment variable CHROMIUM is the program to use (default: /usr/bin/chromium).
`

/** How to show a page, and where to save the screenshot. `width` is in CSS pixels, each of `scale` device pixels. */
interface Look {
  readonly theme: 'light' | 'dark'
  readonly width: number
  readonly scale: number
  readonly file: string
}

const looks = [
  { look: 'light', theme: 'light', width: 1012, scale: 1 },
  { look: 'dark', theme: 'dark', width: 1012, scale: 1 },
  { look: 'phone', theme: 'light', width: 390, scale: 1.5 },
] as const

/** Longer pages are cut off, because the browser cannot show many thousands of rows. */
const maxHeight = 2500

/** Saves a screenshot of a page, offline. */
async function takePicture(browser: Browser, markdown: string, look: Look): Promise<void> {
  const { theme, width, scale, file } = look
  const context = await browser.newContext({
    colorScheme: theme,
    viewport: { width, height: 600 },
    deviceScaleFactor: scale,
    offline: true,
  })
  const page = await context.newPage()
  await page.setContent(makePage(markdown), { waitUntil: 'load' })
  const box = await page.locator('main').boundingBox()
  const height = Math.min(Math.ceil(box?.height ?? 600), maxHeight)
  await page.setViewportSize({ width, height })
  await page.screenshot({ path: file })
  await context.close()
}

await runCommand(async () => {
  const { all: folder } = readCommandLine(help, { all: { type: 'string' } }).options
  const pages = await renderPages()
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--hide-scrollbars'],
  })
  try {
    if (folder === undefined) {
      const file = resolve(import.meta.dirname, '../docs/summary.png')
      const look = { theme: 'light', width: 1012, scale: 2, file } as const
      await takePicture(browser, pages.get('readme') ?? '', look)
      return true
    }
    mkdirSync(folder, { recursive: true })
    for (const [name, markdown] of pages) {
      writeFileSync(join(folder, `${name}.md`), markdown)
      for (const { look, ...rest } of looks) {
        await takePicture(browser, markdown, { ...rest, file: join(folder, `${name}-${look}.png`) })
      }
    }
    return true
  } finally {
    await browser.close()
  }
})
