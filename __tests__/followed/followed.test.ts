/** Makes every outcome, does what its report says to do, and compares what is charged then with what the report said. */
import { afterAll, describe, expect, it } from '@jest/globals'
import { isFailed, type Artifact } from '../../src/outcome.ts'
import * as judge from '../../src/report/judge.ts'
import { tellAgain, type RunAgain } from '../../src/report/run-again.ts'
import { words } from '../../src/report/words.ts'
import { recordsName } from '../../src/text/names.ts'
import { cleanUp } from '../support/clean-up.ts'
import { scenarios, stops, usualInputs, type Remedy, type Scenario } from './scenarios.ts'
import { hashes, Site, type Fault, type Followed, type RunPlan } from './site.ts'
import { responseOf } from './site.ts'
import '../support/realms.ts'

afterAll(cleanUp)

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

/** An outcome, and what its report says. */
class Outcome {
  readonly #scenario: Scenario
  readonly site: Site
  readonly run: Followed
  /** What was charged before the run. */
  readonly before: Site
  readonly findings: readonly judge.Finding[]
  readonly again: RunAgain

  constructor(scenario: Scenario, run: Followed, sites: { before: Site; after: Site }) {
    this.#scenario = scenario
    this.run = run
    this.before = sites.before
    this.site = sites.after
    const { end, job } = run
    const isStopped = end.kind === 'stopped'
    const { unsaved = [], outputsError = null, isEarlierMissing = false } = isStopped ? {} : end
    const ofRun = judge.explainRun(job.host, { unsaved, outputsError, cost: '' })
    this.findings = isStopped
      ? [...judge.explainProblems(end.problems), ...ofRun]
      : judge.explainAll(judge.rankArtifacts(end.artifacts), ofRun, job)
    const again = tellAgain(this.findings, end.place, isEarlierMissing)
    if (again === null) throw new Error('the run did not fail')
    this.again = again
  }

  static async make(scenario: Scenario, keepings: readonly Keeping[]): Promise<Outcome> {
    const inputs = { ...usualInputs, ...scenario.inputs }
    const after = new Site()
    const plan = { id: 1, inputs, records: '' }
    for (const [index, keeping] of keepings.slice(0, -1).entries()) {
      await after.run({ ...plan, attempt: index + 1, keeping, fault: earlier })
    }
    const before = new Site(after)
    const keeping = keepings.at(-1) ?? 'works'
    const last = { ...plan, attempt: keepings.length, keeping, fault: scenario }
    return new Outcome(scenario, await after.run(last), { before, after })
  }

  /** What the steps change. */
  get steps(): ReadonlySet<Remedy> {
    const needs = this.findings.map(finding => finding.needs)
    const steps = new Set<Remedy>(['time'])
    if (needs.includes('workflow')) steps.add('workflow')
    if (this.findings.some(isLasting)) steps.add('repair')
    return steps
  }

  /** The hashes that the service has of those that the report says to look up. */
  get found(): ReadonlySet<string> {
    const asked = this.findings.filter(({ docs }) => docs === judge.confirmHash)
    const artifacts = asked.flatMap(finding => [...finding.artifacts])
    const ofThem = artifacts.flatMap(({ hash }) => hash ?? [])
    return new Set(ofThem.filter(hash => this.site.registered.has(hash)))
  }

  /** The ways to run again; where the post step could not keep the records, its lines are given to a new run. */
  get ways(): readonly Way[] {
    const { end, plan } = this.run
    const name = `${recordsName}-${plan.id}-${plan.attempt}`
    const isLeft = end.place.kind === 'post-step' && !this.site.kept.has(name)
    return isLeft ? ['new-run-with-records'] : this.again.ways
  }

  /** The records that a new run can be given. */
  get #records(): string {
    const { run, site } = this
    const { place } = run.end
    const inLog = run.log.filter(line => line.startsWith('{')).map(line => `${line}\n`)
    const kept = [...site.kept.values()]
    const hasLines = this.findings.some(({ docs }) => docs === linesInLog)
    switch (place.kind) {
      case 'artifact':
        return place.artifacts.map(({ name }) => site.kept.get(name) ?? '').join('')
      case 'file':
        return hasLines ? [run.file, ...inLog].join('') : run.file
      case 'log':
      case 'post-step':
        return [...kept, ...inLog].join('')
      case 'unreadable':
        return kept.join('')
      case 'none':
      case 'release':
      case 'unknown':
        return ''
    }
  }

  /** Runs again, after the steps, as a copy of the world: with the hashes that a person confirms. */
  async follow(
    way: Way,
    steps: ReadonlySet<Remedy>,
    confirmed: ReadonlySet<string>,
  ): Promise<{ readonly site: Site; readonly run: Followed }> {
    const site = new Site(this.site)
    const { plan } = this.run
    const isRerun = way === 're-run'
    const { ends } = this.#scenario
    const isFixed = steps.has(ends) && !(isRerun && ends === 'workflow') && ends !== 'confirm'
    const keeping = plan.keeping === 'fails' ? 'works' : plan.keeping
    const next: RunPlan = {
      id: isRerun ? 1 : 2,
      attempt: isRerun ? plan.attempt + 1 : 1,
      keeping,
      fault: isFixed ? null : this.#scenario,
      inputs: { ...plan.inputs, 'confirmed-hashes': [...confirmed].join(' ') },
      records: way === 'new-run-with-records' ? this.#records : '',
    }
    const run = await site.run(next)
    if (run.end.place.kind !== 'unreadable') return { site, run }
    site.kept.clear()
    return { site, run: await site.run({ ...next, attempt: next.attempt + 1 }) }
  }
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
  const { run, site, before, again, steps, found, findings } = outcome
  const [told = 're-run'] = again.ways
  expect({ told, next: again.next }).toEqual({ told, next: expect.stringMatching(asked[told]) })
  expect(again.hint.includes('ends the same way')).toBe(findings.some(isLasting))
  expect([run.exitCode, run.summary.includes('<ol>')]).toEqual([1, true])
  const failures = run.end.kind === 'completed' ? run.end.artifacts.filter(isFailed) : []
  const surely = failures.filter(artifact => artifact.outcome.failure.registered === 'no')
  const untouched = surely.map(({ name }) => name)
  const sent = chargedBetween(before, site)
  expect({ untouched: untouched.filter(name => sent.includes(name)) }).toEqual({ untouched: [] })
  const [, count = '0'] = /charged for (?:at least )?(\d+)/.exec(run.errors.join()) ?? []
  const certain = sent.filter(text => !failures.some(({ name }) => text.startsWith(name)))
  expect({ certain: certain.length }).toEqual({ certain: Number(count) })

  const registered = namesOf(site.registered)
  const left = [...hashes.keys()].filter(name => !registered.includes(name))
  const isEarlierAtRisk = again.risks.includes('earlier') || run.end.place.kind === 'unreadable'
  const atRisk = isEarlierAtRisk ? namesOf(before.registered) : []
  const isRerun = !steps.has('workflow') && !/^(log|file)$/.test(run.end.place.kind)
  expect(told === 're-run').toBe(isRerun)
  for (const way of outcome.ways) {
    const after = await outcome.follow(way, steps, found)
    const charged = chargedBetween(site, after.site).filter(name => !atRisk.includes(name))
    expect({ way, exit: after.run.exitCode, charged }).toEqual({ way, exit: 0, charged: left })
  }
  const [way = 're-run'] = outcome.ways
  if (again.risks.includes('unsure')) {
    const after = await outcome.follow(way, steps, new Set())
    const unsure = failures.filter(artifact => !surely.includes(artifact)).map(({ name }) => name)
    const charged = chargedBetween(site, after.site)
    const others = charged.filter(name => !unsure.includes(name) && !atRisk.includes(name))
    expect({ exit: after.run.exitCode, others }).toEqual({
      exit: 0,
      others: left.filter(name => !unsure.includes(name)),
    })
  }
  const isKnown = registered.some(name => !left.includes(name) && !namesOf(found).includes(name))
  if (way === 'new-run-with-records' && isKnown) {
    // The report says that the records save money.
    const after = await outcome.follow('new-run', steps, found)
    expect(chargedBetween(site, after.site)).not.toEqual(left)
    const isNew = run.end.kind === 'completed' && run.end.artifacts.some(isNewlyRegistered)
    if (isNew && (run.end.place.kind === 'log' || run.end.place.kind === 'file')) {
      const rerun = await outcome.follow('re-run', new Set(['time', 'repair', 'workflow']), found)
      expect(chargedBetween(site, rerun.site)).not.toEqual(left)
    }
  }
  if (way === 're-run' && findings.every(isLasting)) {
    const same = await outcome.follow(way, new Set(['time']), new Set())
    expect({ exit: same.run.exitCode, place: same.run.end.kind }).toEqual({
      exit: 1,
      place: run.end.kind,
    })
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
        const outcome = await Outcome.make(scenario, setting)
        expect(outcome.findings.map(finding => finding.reason)).toContain(reason)
        await check(outcome)
      }
    })
    it.each(stops)('a stop by $input', async ({ input, ...scenario }) => {
      if (scenario.isLater === true && setting.join() !== 'works,works') return
      const outcome = await Outcome.make(scenario, setting)
      const { end } = outcome.run
      expect(end.kind === 'stopped' && end.problems.map(problem => problem.input)).toEqual([input])
      await check(outcome)
    })
  },
)
