/** docs/failures.md has what the reports say. */
import { expect, it } from '@jest/globals'
import { failureCodes } from '../../src/failure.ts'
import { section } from '../docs/page.ts'
import { failing, failureOf, places } from './cases.ts'
import { recordsAt, reportAll } from './results.ts'

const page = 'docs/failures.md'

it('the page says how to run again as the reports do', async () => {
  const rows = section(page, '## How to run again').match(/^\| (?:There|In|Only) .*$/gm) ?? []
  const told = places.slice(1).map(async (place, index) => {
    const cells = rows[index]?.split(' | ').slice(1) ?? []
    for (const [at, reason] of (['unpaid', 'file-changed'] as const).entries()) {
      const { summary } = await reportAll(recordsAt(place, failing(failureOf(reason))))
      const [, last = ''] = /.*<li><b>(.*?)(?:, not a re-run)?\.<\/b>/s.exec(summary) ?? []
      const cell =
        cells[at]?.replace(/^Save the lines, and s/, 'S').replace(/\.(?: \|)?$/, '') ?? ''
      expect([place, last.replace('the saved lines', 'them')]).toEqual([place, cell])
    }
  })
  await Promise.all(told)
  expect(rows).toHaveLength(told.length)
})

it('the page lists exactly the failure codes', () => {
  const codes = section(page, '## Codes').match(/(?<=^\| `)[\w-]+/gm)
  expect(codes).toEqual([...failureCodes])
})
