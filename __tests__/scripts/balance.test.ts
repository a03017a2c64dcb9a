import { expect, it } from '@jest/globals'
import { drawBalance } from '../../scripts/balance.ts'
import type { Books } from '../../scripts/balance.ts'
import { readRecordsText } from '../support/record-lines.ts'
import { makeLine, makeStateLine, sha256, toJsonLines } from '../support/samples.ts'

const service = 'https://notary.example'
const hash = sha256('a')
const sent = (second: number) =>
  makeStateLine(service, 'a', { at: `2026-01-01T00:00:0${second}.000Z` })
const settled = (second: number) => ({ ...sent(second), state: 'not-registered' })
const record = (unansweredTries?: number) =>
  makeLine(service, 'a', unansweredTries === undefined ? {} : { unansweredTries })

const read = { hash, isAnswered: true, isKilled: false }
const lost = { hash, isAnswered: false, isKilled: false }
const killed = { hash, isAnswered: true, isKilled: true }
const other = { hash: sha256('b'), isAnswered: false, isKilled: true }

const draw = (accepted: Books['accepted'], lines: readonly unknown[], more: Partial<Books> = {}) =>
  drawBalance(hash, {
    ...{ service, accepted: [...accepted, other], file: readRecordsText(toJsonLines(lines)) },
    ...{ recordedByHand: new Set<string>(), isAtMostOnce: false, ...more },
  })

const [one, two, three] = [sent(1), sent(2), sent(3)]

it.each<[string, Books['accepted'], readonly unknown[], object]>([
  ['nothing was sent', [], [], {}],
  ['nothing came of what was sent', [], [one, settled(1)], { open: 0 }],
  ['one answer was read', [read], [one, record()], { recorded: 1 }],
  ['one was lost, the next read', [lost, read], [one, two, record(1)], { lost: 1, recorded: 1 }],
  ['one was lost, and nothing read yet', [lost], [one], { lost: 1, open: 1 }],
  ['a killed process had not saved it', [killed], [one], { killed: 1, open: 1 }],
  ['a killed process had saved it', [killed], [one, record()], { killed: 0, recorded: 1 }],
  ['killed twice, then read', [killed, killed, read], [one, two, three, record(2)], { killed: 2 }],
  ['more tries than acted', [read], [one, two, record(1)], { unansweredTries: 1 }],
])('the books balance when %s', (_what, accepted, lines, expected) => {
  const balance = { accepted: accepted.length, violations: [], ...expected }
  expect(draw(accepted, lines)).toMatchObject(balance)
})

it.each<[string, Books['accepted'], readonly unknown[], string]>([
  ['a record is missing', [read], [one], 'no record'],
  ['a record stands twice', [read], [one, record(), record(1)], '2 records'],
  ['a record has no registration', [], [one, record()], 'no registration'],
  ['two answers were read', [read, read], [one, two, record(1)], '2 registrations whose answers'],
  ['a lost answer is forgotten', [lost, read], [one, two, record()], '1 answers lost'],
  ['a kill is forgotten', [killed, read], [one, two, record()], '1 killed'],
  ['it was sent without a line', [lost, read], [one, record(1)], '1 lines that say'],
  ['a line was settled that acted', [lost], [one, settled(1)], '0 lines that say'],
  ['a record answers nothing', [lost], [one, record(1)], 'nobody answered'],
])('the books do not balance when %s', (_what, accepted, lines, violation) => {
  expect(draw(accepted, lines).violations.join()).toContain(violation)
})

it('the books allow one registration at most once', () => {
  const twice = draw([lost, lost], [one, two], { isAtMostOnce: true })

  expect(twice.violations.join()).toContain('at most once')
  expect(draw([lost], [one], { isAtMostOnce: true }).violations).toEqual([])
})

it('the books take the record that a person wrote as an answer to what was lost', () => {
  const byHand = { recordedByHand: new Set([hash]) }

  expect(draw([lost], [one, record()], byHand)).toMatchObject({ recordedByHand: 1, violations: [] })
  expect(draw([read], [one, record()], byHand).violations.join()).toContain('no record')
})
