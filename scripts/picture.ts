/** Takes screenshots of the job summary as GitHub shows it. Needs Chromium, but no network. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser } from 'playwright-core'
import { entryOf } from '../__tests__/records/entries.ts'
import { failing, sampleRecord } from '../__tests__/report/cases.ts'
import { reportEach } from '../__tests__/report/pages.ts'
import { endedWith, registeredAs, reportAll } from '../__tests__/report/results.ts'
import { renderMarkdown } from '../__tests__/support/github-page.ts'
import { renderEvidence } from '../src/records/evidence.ts'
import { readCommandLine, runCommand } from './command.ts'

const HELP = `Takes screenshots of the job summary as GitHub shows it.

Usage: npm run picture -- [options]

  (none)        a run that registered everything, to docs/summary.png
  --all FOLDER  every outcome of both actions, on a phone (390 pixels) and on a desktop (1280 pixels)
  --dark        the dark theme
  --help        print this

The environment variable CHROMIUM is the program to use (default: /usr/bin/chromium).
`

const { options } = readCommandLine(HELP, {
  all: { type: 'string' },
  dark: { type: 'boolean', default: false },
})
const { all: folder, dark } = options

/** Longer pages are cut off, because the browser cannot show many thousands of rows. */
const maxHeight = 2500

/** The summary in the README. */
const readme = endedWith(
  { ...registeredAs('dist/app-1.2.3-linux-x64.tar.gz', sampleRecord), size: 18_734_112 },
  { ...registeredAs('dist/app-1.2.3-macos.dmg', sampleRecord), size: 23_068_201 },
  { ...registeredAs('dist/app-1.2.3.sbom.json', sampleRecord), size: 81_304 },
)
const many = Array.from({ length: 297 }, (_, index) => registeredAs(`${index}.zip`, sampleRecord))
const oneOf300 = endedWith(...failing('unpaid').artifacts, ...many)
const evidence = [
  entryOf(1, { artifact: 'app-1.2.3-linux-x64.tar.gz' }),
  entryOf(2, { artifact: 'app.msi', maybeChargedAgain: true }),
]

/** Returns the Markdown of the README's page, or of all pages that a person should look at, by name. */
async function renderPages(hasAll: boolean): Promise<ReadonlyMap<string, string>> {
  const pages = new Map([['readme', (await reportAll(readme)).summary]])
  if (!hasAll) return pages
  for (const [name, { summary }] of await reportEach()) pages.set(name, summary)
  pages.set('one-of-300', (await reportAll(oneOf300)).summary)
  const checksums = evidence.map(({ artifact: name, hash }) => ({ name, hash }))
  return pages.set('evidence-page', renderEvidence(evidence, checksums) ?? '')
}

const styleSheet = 'github-markdown-css/github-markdown.css'

/** The page around a job summary, in the colors of GitHub's light and dark themes. */
const frame = `
  :root { --page: #ffffff; --line: #d1d9e0; color-scheme: light dark }
  @media (prefers-color-scheme: dark) { :root { --page: #0d1117; --line: #3d444d } }
  html, body { margin: 0; background: var(--page) }
  main { padding: 8px }
  .markdown-body { padding: 24px; border: 1px solid var(--line); border-radius: 6px }
  @media (max-width: 600px) { .markdown-body { padding: 16px } }
`

/** Returns a page without scripts or external resources that shows Markdown as a job summary. */
function makePage(markdown: string): string {
  const css = readFileSync(fileURLToPath(import.meta.resolve(styleSheet)), 'utf8')
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<style>${css}${frame}</style></head>`,
    `<body><main><article class="markdown-body">${renderMarkdown(markdown)}</article></main></body></html>`,
  ].join('\n')
}

/** Saves a screenshot of a page, offline. The width is in CSS pixels. */
async function takePicture(browser: Browser, markdown: string, file: string, width: number) {
  const context = await browser.newContext({
    colorScheme: dark ? 'dark' : 'light',
    viewport: { width, height: 600 },
    deviceScaleFactor: 2,
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
  const pages = await renderPages(folder !== undefined)
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--hide-scrollbars'],
  })
  if (folder === undefined) {
    const file = resolve(import.meta.dirname, '../docs/summary.png')
    await takePicture(browser, pages.get('readme') ?? '', file, 1012)
  } else {
    mkdirSync(folder, { recursive: true })
    for (const [name, markdown] of pages) {
      writeFileSync(join(folder, `${name}.md`), markdown)
      for (const width of [390, 1280]) {
        await takePicture(browser, markdown, join(folder, `${name}-${width}.png`), width)
      }
    }
  }
  await browser.close()
  return true
})
