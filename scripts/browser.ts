import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'
import { z } from 'zod'

/** Where Chromium, or a browser made of it, usually is. */
const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
] as const

const flags = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--hide-scrollbars'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
] as const

/** How to look at a page. */
export interface Look {
  readonly theme: 'light' | 'dark'
  /** CSS pixels. */
  readonly width: number
  /** Device pixels per CSS pixel. */
  readonly scale: number
  /** What lies below is cut off, in CSS pixels. */
  readonly maxHeight: number
}

/** A picture, with what cannot be seen on it; all in CSS pixels. */
export interface Picture {
  readonly png: Buffer
  /** Of the whole page, also of what was cut off. */
  readonly height: number
  /** How wide the content of each table is, and how much of that can be seen without scrolling. */
  readonly tables: readonly { readonly content: number; readonly shown: number }[]
}

const tablesSchema = z.array(z.object({ content: z.number(), shown: z.number() }))

/** Runs in the page. */
const measureTables = `Array.from(document.querySelectorAll('table'), table => ({
  content: table.scrollWidth,
  shown: table.clientWidth,
}))`

/** Starts an installed Chromium without a window, with a profile of its own. Throws if there is none. */
export async function startBrowser(): Promise<Browser> {
  const given = process.env['CHROMIUM'] ?? ''
  const executablePath = given === '' ? usualPlaces.find(place => existsSync(place)) : given
  if (executablePath === undefined) {
    throw new Error(
      'no Chromium was found in the usual places; install one (Debian: apt-get install chromium), or set CHROMIUM to the path of its program',
    )
  }
  if (!existsSync(executablePath)) throw new Error(`CHROMIUM is "${given}", which is not there`)
  return chromium.launch({ executablePath, headless: true, args: [...flags] })
}

/** Takes a picture of a page that needs nothing from elsewhere. */
export async function takePicture(browser: Browser, html: string, look: Look): Promise<Picture> {
  const { theme, width, scale, maxHeight } = look
  const context = await browser.newContext({
    colorScheme: theme,
    viewport: { width, height: 600 },
    deviceScaleFactor: scale,
    offline: true,
  })
  try {
    const page = await context.newPage()
    await page.setContent(html, { waitUntil: 'load' })
    const box = await page.locator('main').boundingBox()
    const height = Math.ceil(box?.height ?? 600)
    const tables = tablesSchema.parse(await page.evaluate(measureTables))
    // Not the full page: one of many thousand rows is too much for the browser.
    await page.setViewportSize({ width, height: Math.min(height, maxHeight) })
    return { png: await page.screenshot(), height, tables }
  } finally {
    await context.close()
  }
}
