/** What must be true after the two main runs of the demo. */
import { DEFAULT_API_KEY, exampleSubscription } from '../simulator/index.ts'
import type { Simulator } from '../simulator/index.ts'
import type { ActionRun } from '../__tests__/support/runner.ts'
import type { Artifact } from './demo-release.ts'

/** What must be true after both runs, each with the sentence that says so. */
export function judge(
  artifacts: readonly Artifact[],
  service: Simulator,
  { first, second, sentByFirst, recordsAfterFirst, recordsAfterSecond }: BothRuns,
): readonly (readonly [isSo: boolean, sentence: string])[] {
  const count = String(artifacts.length)
  const hashes = artifacts.map(({ hash }) => hash)
  const kept = recordsAfterFirst.split('\n').filter(line => line.includes('"record":'))
  const isSaid = (run: ActionRun, newly: string): boolean =>
    run.exitCode === 0 &&
    run.outputs['verdict'] === 'registered' &&
    run.outputs['artifact-count'] === count &&
    run.outputs['registered-count'] === count &&
    run.outputs['newly-registered-count'] === newly
  const secrets = [
    DEFAULT_API_KEY,
    exampleSubscription.sessionId,
    exampleSubscription.customer ?? '',
    exampleSubscription.latestInvoice ?? '',
    ...service.tokens,
  ].filter(secret => secret !== '')
  const texts = [first, second].flatMap(run => [
    ...run.lines.filter(line => !line.startsWith('::add-mask::')),
    ...Object.values(run.outputs),
    run.summary,
  ])
  return [
    [isSaid(first, count), `the first run registered all ${count} artifacts`],
    [
      sentByFirst === 1 + artifacts.length && hashes.every(hash => service.registered.has(hash)),
      `it took one login and ${count} registrations`,
    ],
    [
      kept.length === hashes.length &&
        hashes.every(hash => kept.some(line => line.includes(`"hash":"${hash}"`))),
      'every record is in the records file, one line each',
    ],
    [
      [first, second].every(
        run => Object.keys(run.jobOutputs).length === Object.keys(run.outputs).length,
      ),
      'every output reaches the jobs that come after',
    ],
    [
      ![...texts, recordsAfterSecond].some(text => secrets.some(secret => text.includes(secret))),
      'no secret stands in log, outputs, summary or records file',
    ],
    [isSaid(second, '0'), `the second run found all ${count} artifacts registered`],
    [service.requests.length === sentByFirst, 'it sent nothing, not even a login'],
    [
      [...service.completionCounts.values()].every(times => times === 1),
      'nothing was registered twice',
    ],
    [recordsAfterSecond === recordsAfterFirst, 'it left the records file as it was'],
  ]
}

/** Both runs, and what they left. */
export interface BothRuns {
  readonly first: ActionRun
  readonly second: ActionRun
  /** Requests. */
  readonly sentByFirst: number
  readonly recordsAfterFirst: string
  readonly recordsAfterSecond: string
}
