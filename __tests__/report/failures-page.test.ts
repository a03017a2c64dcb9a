/** docs/failures.md is made from the words of the reports. */
import { expect, it } from '@jest/globals'
import { failureCodes, type Reason } from '../../src/failure.ts'
import { readInputs } from '../../src/inputs/notarize-inputs.ts'
import { explainAll, states, type Finding } from '../../src/report/judge.ts'
import { tellAgain } from '../../src/report/run-again.ts'
import { sections } from '../../src/report/words.ts'
import { toSentence } from '../../src/text/phrases.ts'
import { hostIn } from '../artifacts/host.ts'
import { readPage, section } from '../docs/page.ts'
import { places } from './cases.ts'
import { failedAs } from './results.ts'

const page = 'docs/failures.md'

/** After these, the service may have registered the file: each try must have been refused or not sent to rule that out. */
const doubtful =
  'unavailable long-wait proxy-refused unexpected-response redirect wrong-redirect canceled bug'

/** A person has to look these up. */
const toConfirm = ['record-mismatch', 'already-registered']

function costOf(reason: string): string {
  if (reason === 'record-mismatch') return states.contradicted.cost
  if (reason === 'already-registered') return states.known.cost
  if (reason === 'outputs-not-written') return 'what is registered stays registered'
  const { cost } = states.failed
  if (!doubtful.split(' ').includes(reason)) return cost
  return `\`no\`: ${cost}. \`unknown\`: ${states.unsure.cost}`
}

const context = { inputs: readInputs({}, 0).inputs, host: hostIn('/') }

function findingOf(reason: Reason): readonly Finding[] {
  return explainAll([failedAs('a', { reason })], [], context)
}

type Table = (typeof sections)[keyof typeof sections]

function renderReasons(table: Table): string {
  const hints = findingOf('already-registered').map(({ hint }) => toSentence(hint))
  const rows = Object.entries(table).map(([reason, { cause, next }]) => {
    const todo = [toSentence(next.replace('{reportTo}', 'the address in the message'))]
    if (toConfirm.includes(reason)) todo.push(...hints)
    return [toSentence(cause), toSentence(costOf(reason)), todo.join(' ')]
  })
  return renderTable(['what happened', 'what it costs', 'what to do'], rows)
}

function renderPlaces(): string {
  const rows = Object.entries(places).map(([records, place]) => {
    const cells = (['unavailable', 'file-changed'] as const).map(reason => {
      const { next, hint } = tellAgain(findingOf(reason), place) ?? {}
      return `${next} ${hint}`
    })
    return [records, ...cells]
  })
  return renderTable(
    ['where the records are', 'if nothing changes', 'if the workflow or commit changes'],
    rows,
  )
}

function renderTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [titles, titles.map(() => '---'), ...rows]
  return `<!-- prettier-ignore -->\n${all.map(cells => `| ${cells.join(' | ')} |\n`).join('')}`
}

it.each(Object.entries(sections))('%s has a row for each reason', (heading, table) => {
  expect(section(page, `## ${heading}`)).toContain(`\n${renderReasons(table)}`)
})

it('the page says how to run again as the reports do', () => {
  expect(readPage(page)).toContain(`\n${renderPlaces()}`)
})

it('the page lists exactly the failure codes', () => {
  const codes = section(page, '## Codes').match(/(?<=^\| `)[\w-]+/gm)
  expect(codes).toEqual([...failureCodes])
})
