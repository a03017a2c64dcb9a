/** Judges what runs say of charges. Uses no code of `src` but what it judges. */
import { mayBeRegistered } from '../../src/outcome.ts'
import type { RunEnd } from '../../src/report/report.ts'
import { findBroken, select, type Line } from './oracle.ts'
import type { Run } from './run.ts'
import type { Charge } from './service.ts'

/** Compares what all runs say with what the service charged. Returns why runs did not know of charges that they do not tell, too. */
export function judgeMoney(runs: readonly Run[], charges: readonly Charge[]) {
  const broken: string[] = []
  const unknown: string[] = []
  for (const [index, run] of runs.entries()) {
    const { end, lines, source } = run
    if (end === null) continue
    const made = charges.filter(charge => runs.indexOf(charge.run) <= index)
    const own = made.filter(charge => charge.run === run)
    const isKnown = (charge: Charge): boolean =>
      own.includes(charge) || findLines(charge).some(text => lines.includes(text))
    const known = made.filter(isKnown)
    const ofRun = known.filter(charge => charge.run.source.runId === source.runId)
    const isInside = (count: number, { least, most }: RunEnd['charges']): boolean =>
      least <= count && count <= most
    broken.push(
      ...findBroken({
        'a step is charged what it says': isInside(own.length, end.charges),
        'a run is charged what it says, as far as it is known':
          run.stop !== null || isInside(ofRun.length, end.runCharges),
      }),
    )
    for (const { hash, outcome } of new Map(run.results.map(one => [one.hash, one])).values()) {
      const ofHash = made.filter(charge => charge.hash === hash)
      const count = ofHash.filter(isKnown).length
      const isNo = outcome.state === 'failed' && !mayBeRegistered(outcome)
      const isOnce = outcome.state === 'registered' && outcome.otherCharge === null
      const promises = {
        'what failed for certain is not charged': !isNo || count === 0,
        'a second charge whose line is found is told': !isOnce || count < 2,
      }
      broken.push(...findBroken(promises))
      const others = ofHash.filter(charge => !isKnown(charge))
      if (isOnce && ofHash.length > 1) unknown.push(...others.map(explainUnknown))
    }
  }
  if (unknown.includes('')) broken.push('a run that is not killed writes a line for each charge')
  return { broken, unknown }
}

/** The lines of a charge that its run has written. */
function findLines({ run, hash }: Charge): readonly string[] {
  const isOfCharge = (line: Line): boolean =>
    line.hash === hash && run.hasWritten(line) && !('confirmed' in line)
  return select(run.lines, isOfCharge)
}

/** Says why a later run did not find the line of a charge; nothing if there is no good cause. */
function explainUnknown(charge: Charge): string {
  const { run } = charge
  const [line] = findLines(charge)
  if (line === undefined) return run.end === null ? 'killed before its line was written' : ''
  if (run.kept.includes(line)) return 'in a workflow artifact out of reach'
  return run.printed.includes(line) ? 'only in a log' : 'on another machine'
}
