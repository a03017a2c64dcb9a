/** Takes screenshots of the job summary as GitHub shows it. Needs Chromium, but no network. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import { renderPages } from '../__tests__/report/pages.ts'
import { makePage } from '../__tests__/support/github-page.ts'
import { readCommandLine, runCommand, wholeNumber } from './command.ts'

const HELP = `Takes screenshots of the job summary as GitHub shows it.

Usage: npm run picture -- [options]

  (none)        a run that registered everything, to docs/summary.png
  --all FOLDER  every outcome of both actions, on a phone (390 pixels) and on a desktop (1280 pixels)
  --page TEXT   with --all: only the pages that have TEXT in their names
  --width N     with --all: only this width, in CSS pixels
  --dark        with --all: the dark theme
  --help        print this

The environment variable CHROMIUM is the program to use (default: /usr/bin/chromium).
`

const { options } = readCommandLine(HELP, {
  all: { type: 'string' },
  page: { type: 'string', default: '' },
  width: { type: 'string' },
  dark: { type: 'boolean', default: false },
})
const { all: folder, width } = options
const widths = width === undefined ? [390, 1280] : [wholeNumber('width', width, { min: 100 })]

/** Longer pages are cut off, because the browser cannot show many thousands of rows. */
const maxHeight = 2500

/** Saves a screenshot of a page, offline. The width is in CSS pixels. */
async function takePicture(browser: Browser, markdown: string, file: string, width: number) {
  const context = await browser.newContext({
    colorScheme: options.dark ? 'dark' : 'light',
    viewport: { width, height: 600 },
    deviceScaleFactor: folder === undefined ? 2 : 1.5,
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
  const pages = await renderPages()
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--hide-scrollbars'],
  })
  try {
    if (folder === undefined) {
      const file = resolve(import.meta.dirname, '../docs/summary.png')
      await takePicture(browser, pages.get('readme') ?? '', file, 1012)
      return true
    }
    mkdirSync(folder, { recursive: true })
    const wanted = [...pages].filter(([name]) => name.includes(options.page))
    for (const [name, markdown] of wanted) {
      writeFileSync(join(folder, `${name}.md`), markdown)
      for (const each of widths) {
        await takePicture(browser, markdown, join(folder, `${name}-${each}.png`), each)
      }
    }
    return wanted.length > 0
  } finally {
    await browser.close()
  }
})
