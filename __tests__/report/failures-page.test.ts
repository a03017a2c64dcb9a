/** docs/failures.md has the words of the reports. */
import { expect, it } from '@jest/globals'
import { failureCodes } from '../../src/failure.ts'
import { tellAgain } from '../../src/report/run-again.ts'
import { toSentence } from '../../src/text/phrases.ts'
import { hostIn } from '../artifacts/host.ts'
import { readPage, section } from '../docs/page.ts'
import { failing, places } from './cases.ts'

const page = 'docs/failures.md'

it('the page says how to run again as the reports do', () => {
  const rows = places.map(place => {
    const ends = (['nothing', 'workflow'] as const).map(needs => {
      const end = { ...failing('unavailable'), place }
      const { next } = tellAgain(end, [{ needs }], hostIn('/'))
      return toSentence(next.replace(/: \S+\.md#.*/, ''))
    })
    return `${ends.join(' | ')} |`
  })
  for (const row of rows) expect(section(page, '## How to run again')).toContain(`| ${row}\n`)
  expect(readPage(page).match(/^\| .* \| .*new run.* \|$/gm)).toHaveLength(new Set(rows).size)
})

it('the page lists exactly the failure codes', () => {
  const codes = section(page, '## Codes').match(/(?<=^\| `)[\w-]+/gm)
  expect(codes).toEqual([...failureCodes])
})
