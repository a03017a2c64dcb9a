import { describe, expect, it } from '@jest/globals'
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

const draw = (accepted: Books['accepted'], lines: readonly unknown[], more: Partial<Books> = {}) =>
  drawBalance({
    ...{ service, hashes: [hash], accepted, file: readRecordsText(toJsonLines(lines)) },
    ...{ recordedByHand: new Set<string>(), isAtMostOnce: false },
    ...more,
  })

describe('the books', () => {
  it.each([
    ['nothing was sent', [], [], {}],
    ['nothing came of what was sent', [], [sent(1), settled(1)], {}],
    ['one answer was read', [read], [sent(1), record()], { recorded: 1 }],
    [
      'one was lost, the next read',
      [lost, read],
      [sent(1), sent(2), record(1)],
      { lost: 1, recorded: 1 },
    ],
    ['one was lost, and nothing read yet', [lost], [sent(1)], { lost: 1, open: 1 }],
    ['a killed process had not saved it', [killed], [sent(1)], { killed: 1, open: 1 }],
    ['a killed process had saved it', [killed], [sent(1), record()], { killed: 0, recorded: 1 }],
    [
      'killed twice, then read',
      [killed, killed, read],
      [sent(1), sent(2), sent(3), record(2)],
      { killed: 2 },
    ],
    ['more tries than acted', [read], [sent(1), sent(2), record(1)], { unansweredTries: 1 }],
  ])('balance when %s', (_what, accepted, lines, expected) => {
    expect(draw(accepted, lines)).toMatchObject({
      accepted: accepted.length,
      violations: [],
      ...expected,
    })
  })

  it.each([
    ['a record is missing', [read], [sent(1)], 'no record'],
    ['a record stands twice', [read], [sent(1), record(), record(1)], '2 records'],
    ['a record has no registration', [], [sent(1), record()], 'no registration'],
    [
      'two answers were read',
      [read, read],
      [sent(1), sent(2), record(1)],
      '2 registrations whose answers',
    ],
    ['a lost answer is forgotten', [lost, read], [sent(1), sent(2), record()], '1 answers lost'],
    ['a kill is forgotten', [killed, read], [sent(1), sent(2), record()], '1 killed'],
    ['it was sent without a line', [lost, read], [sent(1), record(1)], '1 lines that say'],
    ['a line was settled that acted', [lost], [sent(1), settled(1)], '0 lines that say'],
    ['a record answers nothing', [lost], [sent(1), record(1)], 'nobody answered'],
  ])('do not balance when %s', (_what, accepted, lines, violation) => {
    expect(draw(accepted, lines).violations.join()).toContain(violation)
  })

  it('allow one registration at most once', () => {
    const twice = draw([lost, lost], [sent(1), sent(2)], { isAtMostOnce: true })

    expect(twice.violations.join()).toContain('at most once')
    expect(draw([lost], [sent(1)], { isAtMostOnce: true }).violations).toEqual([])
  })

  it('take the record that a person wrote as an answer to what was lost', () => {
    const byHand = { recordedByHand: new Set([hash]) }

    expect(draw([lost], [sent(1), record()], byHand).violations).toEqual([])
    expect(draw([read], [sent(1), record()], byHand).violations.join()).toContain('no record')
  })
})
