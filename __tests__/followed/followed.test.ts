/** Makes every outcome, does what its report says to do, and compares what is charged then with what the report said. */
import { describe, expect, it } from '@jest/globals'
import { isFailed, type Artifact } from '../../src/outcome.ts'
import * as judge from '../../src/report/judge.ts'
import { tellAgain, type RunAgain } from '../../src/report/run-again.ts'
import { words } from '../../src/report/words.ts'
import { scenarios, stops, usualInputs, type Remedy, type Scenario } from './scenarios.ts'
import { hashes, Site, type Fault, type Followed, type RunPlan } from './site.ts'
import { responseOf } from './site.ts'

const linesInLog = 'records.md#save-lines-from-the-log'

type Keeping = RunPlan['keeping']
type Way = RunAgain['ways'][number]

/** How the records are kept, for each attempt up to the one that fails. */
const settings: readonly (readonly Keeping[])[] = [
  ['works'],
  ['no service'],
  ['works', 'works'],
  ['works', 'fails'],
  ['fails', 'works'],
  ['no service', 'no service'],
  ['off', 'off'],
]

/** What an earlier attempt ended with: the first and the last file are registered. */
const earlier: Fault = { service: { completion: { reply: responseOf(402, '{}'), acts: false } } }

type Outcome = Awaited<ReturnType<typeof play>>

/** Plays a scenario: what was charged before the run, the run, and what its report says. */
async function play(scenario: Scenario, keepings: readonly Keeping[]) {
  const inputs = { ...usualInputs, ...scenario.inputs }
  const site = new Site()
  const plan = { id: 1, inputs, records: '' }
  for (const [index, keeping] of keepings.slice(0, -1).entries()) {
    await site.run({ ...plan, attempt: index + 1, keeping, fault: earlier })
  }
  const before = new Site(site)
  const keeping = keepings.at(-1) ?? 'works'
  const run = await site.run({ ...plan, attempt: keepings.length, keeping, fault: scenario })
  const { end, job } = run
  const isStopped = end.kind === 'stopped'
  const { unsaved = [], outputsError = null } = isStopped ? {} : end
  const ofRun = judge.explainRun(job.host, { unsaved, outputsError, cost: '' })
  const findings = isStopped
    ? [...judge.explainProblems(end.problems), ...ofRun]
    : judge.explainAll(judge.rankArtifacts(end.artifacts), ofRun, job)
  const again = tellAgain(findings, end.place, unsaved.length > 0)
  if (again === null) throw new Error('the run did not fail')
  return { scenario, site, before, run, findings, again }
}

/** What the steps change. */
function remediesIn({ findings }: Outcome): ReadonlySet<Remedy> {
  const remedies = new Set<Remedy>(['time'])
  if (findings.some(({ needs }) => needs === 'workflow')) remedies.add('workflow')
  if (findings.some(isLasting)) remedies.add('repair')
  return remedies
}

/** The hashes that the service has of those that the report says to look up. */
function foundIn({ findings, site }: Outcome): ReadonlySet<string> {
  const asked = findings.filter(({ docs }) => docs === judge.confirmHash)
  const artifacts = asked.flatMap(finding => finding.artifacts)
  const known = artifacts.flatMap(({ hash }) => hash ?? [])
  return new Set(known.filter(hash => site.registered.has(hash)))
}

/** The records that a new run can be given. */
function recordsIn({ run, site, findings }: Outcome): string {
  const { place } = run.end
  const inLog = run.log.filter(line => line.startsWith('{')).map(line => `${line}\n`)
  const kept = [...site.kept.values()]
  const lines = findings.some(({ docs }) => docs === linesInLog) ? inLog : []
  switch (place.kind) {
    case 'workflow-artifact':
      return place.workflowArtifacts
        .map(({ name }) => site.kept.get(name) ?? '')
        .concat(lines)
        .join('')
    case 'file':
      return [run.file, ...lines].join('')
    case 'log':
      return [...kept, ...inLog].join('')
    case 'none':
    case 'release':
      return lines.join('')
  }
}

/** Runs again, after the steps, as a copy of the world: with the hashes that a person confirms. */
async function follow(
  outcome: Outcome,
  way: Way,
  remedies: ReadonlySet<Remedy>,
  confirmed: ReadonlySet<string> = new Set(),
): Promise<{ readonly site: Site; readonly run: Followed }> {
  const site = new Site(outcome.site)
  const { scenario } = outcome
  const { plan } = outcome.run
  let { ends } = scenario
  if (plan.attempt > 1) ends = scenario.endsLater ?? ends
  const isRerun = way === 're-run'
  const isFixed = remedies.has(ends) && !(isRerun && ends === 'workflow') && ends !== 'confirm'
  const next: RunPlan = {
    id: isRerun ? 1 : 2,
    attempt: isRerun ? plan.attempt + 1 : 1,
    keeping: plan.keeping === 'fails' ? 'works' : plan.keeping,
    fault: isFixed ? null : scenario,
    inputs: { ...plan.inputs, 'confirmed-hashes': [...confirmed].join(' ') },
    records: way === 'new-run-with-records' ? recordsIn(outcome) : '',
  }
  const run = await site.run(next)
  return { site, run }
}

/** Returns the names that are charged for once more or several times more than before. */
function chargedBetween(before: Site, after: Site): readonly string[] {
  const more = [...hashes].map(([name, hash]) => {
    const count = (after.charged.get(hash) ?? 0) - (before.charged.get(hash) ?? 0)
    return count > 1 ? `${name} ${count} times` : name.repeat(count)
  })
  return more.filter(text => text !== '')
}

function namesOf(of: ReadonlySet<string>): readonly string[] {
  return [...hashes].flatMap(([name, hash]) => (of.has(hash) ? name : []))
}

/** Follows everything that a report says, and everything that it says about other ways. */
async function check(outcome: Outcome): Promise<void> {
  const { run, site, before, again, findings } = outcome
  const { end } = run
  const [told = 're-run'] = again.ways
  expect({ told, next: again.next }).toEqual({ told, next: expect.stringMatching(asked[told]) })
  const last = `${again.next} ${again.hint}`
  expect(run.log.join('\n')).toContain(`. ${last}`.trim())
  const isToConfirm = findings.some(({ docs }) => docs === judge.confirmHash)
  expect(last.includes('"confirmed-hashes"')).toBe(isToConfirm)
  const isTwofold = isToConfirm && told === 're-run'
  expect([again.ways.length, again.hint.startsWith('If not, ')]).toEqual([
    isTwofold ? 2 : 1,
    isTwofold,
  ])
  expect(again.hint.includes('ends the same way')).toBe(findings.some(isLasting))
  expect([run.exitCode, run.summary.includes('<ol>')]).toEqual([1, true])

  const artifacts = end.kind === 'completed' ? end.artifacts : []
  const [surely = [], maybe = []] = ['no', 'unknown']
    .map(registered => {
      const failed = artifacts.filter(isFailed)
      return failed.filter(({ outcome: { failure } }) => failure.registered === registered)
    })
    .map(group => group.map(({ name }) => name))
  const sent = chargedBetween(before, site)
  expect({ untouched: surely.filter(name => sent.includes(name)) }).toEqual({ untouched: [] })
  const [, count = '0'] = /charged for (?:at least )?(\d+)/.exec(run.errors.join()) ?? []
  const certain = sent.filter(text => !maybe.some(name => text.startsWith(name)))
  expect({ certain: certain.length }).toEqual({ certain: Number(count) })

  const remedies = remediesIn(outcome)
  const hasUnsaved = end.kind === 'completed' && end.unsaved.length > 0
  const isInLogOrFile = hasUnsaved || end.place.kind === 'log' || end.place.kind === 'file'
  expect(told === 're-run').toBe(!remedies.has('workflow') && !isInLogOrFile)
  const found = foundIn(outcome)
  const registered = namesOf(site.registered)
  const left = [...hashes.keys()].filter(name => !registered.includes(name))
  const isEarlierAtRisk = again.risks.includes('earlier')
  const atRisk = isEarlierAtRisk ? namesOf(before.registered) : []
  for (const way of outcome.again.ways) {
    const after = await follow(outcome, way, remedies, found)
    const charged = chargedBetween(site, after.site).filter(name => !atRisk.includes(name))
    expect({ way, exit: after.run.exitCode, charged }).toEqual({ way, exit: 0, charged: left })
  }
  const [way = 're-run'] = outcome.again.ways
  if (again.risks.includes('unsure')) {
    const after = await follow(outcome, way, remedies)
    const isOther = (name: string): boolean => ![...maybe, ...atRisk].includes(name)
    const others = chargedBetween(site, after.site).filter(isOther)
    expect([after.run.exitCode, others]).toEqual([0, left.filter(name => !maybe.includes(name))])
  }
  const isKnown = registered.some(name => !namesOf(found).includes(name))
  if (way === 'new-run-with-records' && isKnown) {
    // The report says that the records save money.
    const after = await follow(outcome, 'new-run', remedies, found)
    expect(chargedBetween(site, after.site)).not.toEqual(left)
    if (isInLogOrFile && artifacts.some(isNewlyRegistered)) {
      const rerun = await follow(outcome, 're-run', new Set(['time', 'repair', 'workflow']), found)
      expect(chargedBetween(site, rerun.site)).not.toEqual(left)
    }
  }
  if (way === 're-run' && findings.every(isLasting)) {
    const same = await follow(outcome, way, new Set(['time']))
    expect([same.run.exitCode, same.run.end.kind]).toEqual([1, end.kind])
  }
}

/** What a step asks for, by the way that it tells. */
const asked: Readonly<Record<Way, RegExp>> = {
  're-run': /re-run the failed jobs/i,
  'new-run': /^Start a new run/,
  'new-run-with-records': /give .* to a new run/i,
}

function isLasting({ needs }: judge.Finding): boolean {
  return needs === 'secret' || needs === 'person'
}

function isNewlyRegistered({ outcome }: Artifact): boolean {
  return outcome.state === 'registered' && outcome.from === 'this-run'
}

const reasons = Object.entries(scenarios)

it('every reason has a scenario', () => {
  expect(Object.keys(scenarios).sort()).toEqual(Object.keys(words).sort())
})

describe.each(settings.map(setting => [setting.join(', then '), setting] as const))(
  'keeping %s',
  (_, setting) => {
    it.each(reasons)('%s', async (reason, made) => {
      expect(made.length).toBeGreaterThan(0)
      for (const scenario of made) {
        const outcome = await play(scenario, setting)
        expect(outcome.findings.map(finding => finding.reason)).toContain(reason)
        await check(outcome)
      }
    })
    it.each(stops)('a stop by $input', async ({ input, ...scenario }) => {
      if (scenario.isLater === true && setting.join() !== 'works,works') return
      const outcome = await play(scenario, setting)
      const { end } = outcome.run
      expect(end.kind === 'stopped' && end.problems.map(problem => problem.input)).toEqual([input])
      await check(outcome)
    })
  },
)
