import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'
import { z } from 'zod'

/** Where Chromium, or a browser made of it, usually is. */
const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
] as const

const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--hide-scrollbars'] as const

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

/** A picture; all lengths in CSS pixels. */
export interface Picture {
  readonly png: Buffer
  /** Of the whole page, also of what was cut off. */
  readonly height: number
  /** How much of the widest table cannot be seen without scrolling. */
  readonly hidden: number
}

/** Runs in the page. */
const measureHidden = `Math.max(0, ...Array.from(document.querySelectorAll('table'),
  table => table.scrollWidth - table.clientWidth))`

/** Starts an installed Chromium without a window. Throws if there is none. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? usualPlaces.find(place => existsSync(place))
  if (executablePath === undefined) {
    throw new Error('no Chromium was found; install one, or set CHROMIUM to its program')
  }
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
    const hidden = z.number().parse(await page.evaluate(measureHidden))
    // Not the full page: one of many thousand rows is too much for the browser.
    await page.setViewportSize({ width, height: Math.min(height, maxHeight) })
    return { png: await page.screenshot(), height, hidden }
  } finally {
    await context.close()
  }
}
