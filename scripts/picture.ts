/** Takes screenshots of the job summary as GitHub shows it. Needs Chromium, but no network. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { sampleRecord } from '../__tests__/report/cases.ts'
import { reportEach } from '../__tests__/report/pages.ts'
import { endedWith, registeredAs, reportAll } from '../__tests__/report/results.ts'
import { renderMarkdown } from '../__tests__/support/github-page.ts'
import { readCommandLine, runCommand } from './command.ts'

const HELP = `Takes screenshots of the job summary as GitHub shows it.

Usage: npm run picture -- [FILE...] [options]

  (none)        a run that registered everything, to docs/summary.png
  --all FOLDER  every outcome of both actions and each Markdown FILE, such as .demo/1/notarization-evidence.md, on a
                phone (390 pixels) and on a desktop (1280 pixels)
  --help        print this

The environment variable CHROMIUM is the program to use (default: /usr/bin/chromium).`

const { options, words } = readCommandLine(HELP, { all: { type: 'string' } }, true)

/** Longer pages are cut off, because the browser cannot show many thousands of rows. */
const maxHeight = 2500

/** The run in the README. */
const readme = endedWith(
  { ...registeredAs('dist/app-1.2.3-linux-x64.tar.gz', sampleRecord), size: 18_734_112 },
  { ...registeredAs('dist/app-1.2.3-macos.dmg', sampleRecord), size: 23_068_201 },
  { ...registeredAs('dist/app-1.2.3.sbom.json', sampleRecord), size: 81_304 },
)

const styleSheet = fileURLToPath(import.meta.resolve('github-markdown-css/github-markdown.css'))

/** The page around a job summary. */
const frame = `
  body { margin: 0 }
  main { padding: 8px }
  .markdown-body { padding: 24px; border: 1px solid #d1d9e0; border-radius: 6px }
  @media (max-width: 600px) { .markdown-body { padding: 16px } }`

/** Returns a page without scripts or external resources that shows Markdown as a job summary. */
function makePage(markdown: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <style>${readFileSync(styleSheet, 'utf8')}${frame}</style></head>
    <body><main><article class="markdown-body">${renderMarkdown(markdown)}</article></main></body></html>`
}

await runCommand(async () => {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--hide-scrollbars'],
  })
  const context = await browser.newContext({ deviceScaleFactor: 2, offline: true })
  const page = await context.newPage()
  /** Saves a screenshot. The width is in CSS pixels. */
  const takePicture = async (markdown: string, width: number, file: string): Promise<void> => {
    await page.setViewportSize({ width, height: 600 })
    await page.setContent(makePage(markdown), { waitUntil: 'load' })
    const box = await page.locator('main').boundingBox()
    const height = Math.min(Math.ceil(box?.height ?? 600), maxHeight)
    await page.setViewportSize({ width, height })
    await page.screenshot({ path: file })
  }

  const { summary } = await reportAll(readme)
  const { all: folder } = options
  if (folder === undefined) {
    await takePicture(summary, 1012, join(import.meta.dirname, '../docs/summary.png'))
  } else {
    const pages = new Map([['readme', summary]])
    for (const [name, report] of await reportEach()) pages.set(name, report.summary)
    for (const file of words) pages.set(basename(file, '.md'), readFileSync(file, 'utf8'))
    mkdirSync(folder, { recursive: true })
    for (const [name, markdown] of pages) {
      writeFileSync(join(folder, `${name}.md`), markdown)
      await takePicture(markdown, 390, join(folder, `${name}-390.png`))
      await takePicture(markdown, 1280, join(folder, `${name}-1280.png`))
    }
  }
  await browser.close()
  return true
})
