/** Makes every failure, does what its page says to do, and compares what is charged then with the numbers of the page. */
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { words } from '../../src/report/words.ts'
import { capitalize } from '../../src/text/phrases.ts'
import { toText } from '../support/html.ts'
import { sha256 } from '../support/samples.ts'
import { release, scenarios, stops, usualInputs } from './scenarios.ts'
import type { Remedy, Scenario } from './scenarios.ts'
import { hashes, Site, type Fault, type Followed, type RunPlan } from './site.ts'
import { responseOf } from './site.ts'

type Keeping = RunPlan['keeping']

/** How the records are kept, for each attempt up to the one that fails. */
const settings: readonly (readonly Keeping[])[] = [
  ['works'],
  ['no service'],
  ['off'],
  ['works', 'works'],
  ['works', 'fails'],
  ['fails', 'works'],
  ['released', 'works'],
  ['no service', 'no service'],
]

/** What an earlier attempt ended with: the first and the last file are registered. */
const earlier: Fault = { service: { completion: { reply: responseOf(402, '{}'), acts: false } } }

/** What is known after a scenario. */
interface Outcome {
  readonly scenario: Scenario
  /** Before the run. */
  readonly before: Site
  readonly site: Site
  readonly run: Followed
  readonly page: ReturnType<typeof readPage>
}

/** Plays a scenario: earlier attempts, and the run that fails. */
async function play(scenario: Scenario, keepings: readonly Keeping[]): Promise<Outcome> {
  const source = keepings[0] === 'released' ? release : {}
  const inputs = { ...usualInputs, ...source, ...scenario.inputs }
  const site = new Site()
  const plan = { id: 1, inputs, records: '' }
  for (const [index, keeping] of keepings.slice(0, -1).entries()) {
    await site.run({ ...plan, attempt: index + 1, keeping, fault: earlier })
  }
  const before = new Site(site)
  const keeping = keepings.at(-1) ?? 'works'
  const run = await site.run({ ...plan, attempt: keepings.length, keeping, fault: scenario })
  expect(run.exitCode).toBe(1)
  return { scenario, before, site, run, page: readPage(run.summary) }
}

/** What a page says about charges and about the next run. */
function readPage(summary: string) {
  const text = toText(summary)
  const steps = text.split('\n').filter(line => line.startsWith('- '))
  const again = steps.at(-1) ?? ''
  const [, least = '0', most = least] =
    /^Charged by .*?: (?:nothing|(\d+)(?: to (\d+))? registrations?)/m.exec(text) ?? []
  const next = /registers (at most )?(?:nothing|\d+ files? \((\d+) charges?\))/.exec(again)
  const without = /without these records registers .*?\((\d+) charges?\)/.exec(again)
  const second = /, (?:of which (\d+)|which) may be charged a second time/.exec(again)
  const charges = next === null ? null : Number(next[2] ?? 0)
  return {
    least: Number(least),
    most: Number(most),
    isRerun: again.startsWith('- Re-run the failed jobs.'),
    hasRecords: /start a new run with (?:these records|them|the records file)/i.test(again),
    isOnlyHere: /only in the (?:log|file)/.test(text),
    isLogAsked: again.includes('Save the record lines from the log'),
    isFileAsked: again.includes('the records file'),
    /** Null if the page cannot know. */
    charges,
    isAtMost: next?.[1] !== undefined,
    /** Null if the page does not say. */
    without: without === null ? null : Number(without[1]),
    second: second === null ? 0 : Number(second[1] ?? charges),
    kept: Array.from(text.matchAll(/https:\/\/github\.example\/(\S+)\]/g), ([, name = '']) => name),
    /** The hashes to look up: those that the steps ask for, and those that may be registered. */
    toConfirm: hashesIn(steps.filter(step => step.startsWith('- Look up'))),
    inDoubt: hashesIn(steps),
    isRefusedAgain: again.includes('fail again unless they are confirmed'),
  }
}

function hashesIn(steps: readonly string[]): readonly string[] {
  return steps.flatMap(step => step.match(/(?<=verification\/)[0-9a-f]{64}/g) ?? [])
}

/** The records that the page says to give to a new run. */
function recordsFor({ page, run, site }: Outcome): string {
  const lines = page.kept.map(name => site.kept.get(name) ?? '')
  if (page.isLogAsked) lines.push(...run.log.filter(line => line.startsWith('{')))
  if (page.isFileAsked || run.plan.keeping === 'off') lines.push(run.file)
  return lines.map(text => (text === '' ? '' : `${text.trimEnd()}\n`)).join('')
}

/** What puts the fault right. */
function endsBy({ scenario, run }: Outcome): Remedy {
  return run.plan.attempt > 1 ? (scenario.endsLater ?? scenario.ends) : scenario.ends
}

interface FollowOptions {
  /** False: the page says what that would cost. */
  readonly withRecords?: boolean
  /** The hashes that a person looks up; by default those that a step asks for. */
  readonly confirms?: readonly string[]
}

/** Does what the page says in a copy of the world, and runs again. */
async function follow(outcome: Outcome, options: FollowOptions = {}) {
  const { scenario, run, page } = outcome
  const { withRecords = true, confirms = page.toConfirm } = options
  const { plan } = run
  const site = new Site(outcome.site)
  const isRerun = page.isRerun && withRecords
  const ends = endsBy(outcome)
  const isFixed = ends !== 'confirm' && !(isRerun && ends === 'workflow')
  const confirmed = confirms.filter(hash => site.registered.has(hash))
  const next = await site.run({
    id: isRerun ? 1 : 2,
    attempt: isRerun ? plan.attempt + 1 : 1,
    keeping: plan.keeping === 'fails' ? 'works' : plan.keeping,
    fault: isFixed ? null : lasting(scenario),
    inputs: { ...plan.inputs, 'confirmed-hashes': confirmed.join(' ') },
    records: withRecords && page.hasRecords ? recordsFor(outcome) : '',
  })
  const charged = chargedBetween(outcome.site, site)
  const second = charged.filter(hash => outcome.site.registered.has(hash)).length
  return { exitCode: next.exitCode, charges: charged.length, second }
}

/** What lasts of a fault: of calls that differ, what the last one met. */
function lasting({ service = {}, ...rest }: Scenario): Scenario {
  const last = Object.entries(service).map(([kind, treatment]) => {
    return [kind, [treatment].flat().slice(-1)] as const
  })
  return { ...rest, service: Object.fromEntries(last) }
}

/** Returns the hash of each charge. */
function chargedBetween(before: Site, after: Site): readonly string[] {
  return [...hashes.values()].flatMap(hash => {
    const count = (after.charged.get(hash) ?? 0) - (before.charged.get(hash) ?? 0)
    return Array.from({ length: count }, () => hash)
  })
}

const failuresSchema = z.array(z.object({ artifact: z.string(), registered: z.string() }))

/** Compares what the page says with what the service counts. */
async function check(outcome: Outcome): Promise<void> {
  const { before, site, run, page } = outcome
  const sent = chargedBetween(before, site)
  expect(sent.length).toBeGreaterThanOrEqual(page.least)
  expect(sent.length).toBeLessThanOrEqual(page.most)
  const failures = failuresSchema.parse(JSON.parse(String(run.outputs['failures'] ?? '[]')))
  const untouched = failures.filter(({ registered }) => registered === 'no')
  expect(untouched.filter(({ artifact }) => sent.includes(sha256(artifact)))).toEqual([])

  expect(page.isRerun).toBe(endsBy(outcome) !== 'workflow' && !page.isOnlyHere)
  const after = await follow(outcome)
  expect(after.exitCode).toBe(0)
  if (page.charges === null) return
  const compare = (count: number, told: number): void => {
    if (page.isAtMost) expect(count).toBeLessThanOrEqual(told)
    else expect(count).toBe(told)
  }
  compare(after.charges, page.charges)
  expect(after.second).toBeLessThanOrEqual(page.second)
  if (page.without !== null) {
    compare((await follow(outcome, { withRecords: false })).charges, page.without)
  }
  if (page.inDoubt.length > page.toConfirm.length) {
    const lookedUp = await follow(outcome, { confirms: page.inDoubt })
    expect(lookedUp).toMatchObject({ exitCode: 0, second: Math.max(page.second - 1, 0) })
  }
  if (page.isRefusedAgain) {
    const { exitCode, charges } = await follow(outcome, { confirms: [] })
    expect([exitCode, charges]).toEqual([1, page.charges])
  }
}

it('every reason has a scenario', () => {
  expect(Object.keys(scenarios).sort()).toEqual(Object.keys(words).sort())
})

/** One reason for each way in which a run can be put right, and those that end a run. All reasons meet only the first setting. */
const typical =
  /^(?:unpaid|unavailable|already-registered|rejected|file-changed|not-saved|canceled|github-)/

describe.each(settings.map(setting => [setting.join(', then '), setting] as const))(
  'keeping %s',
  (_, setting) => {
    const isReleased = setting.includes('released')
    const isFirst = setting === settings[0]
    const reasons = Object.entries(words).filter(([name]) => isFirst || typical.test(name))
    it.each(reasons)('%s', async (name, { cause }) => {
      // A release has no files to change.
      const found = findScenarios(name).filter(
        ({ checkout }) => !isReleased || checkout === undefined,
      )
      for (const [index, scenario] of found.entries()) {
        const outcome = await play(scenario, setting)
        // On a release with records, GitHub may fail before.
        if (index === 0 && !isReleased) {
          expect(outcome.run.summary).toContain(`${capitalize(cause)}.`)
        }
        await check(outcome)
      }
    })
  },
)

describe.each(stops)('a stop by $input', ({ input, isLater = false, ...scenario }) => {
  const ways = settings.filter(setting => {
    const isEarlierKept = setting.join() === 'works,works'
    const isOther = setting.includes('released') ? scenario.inputs !== release : setting.length > 1
    return isEarlierKept || !(isOther || isLater)
  })
  it.each(ways.map(setting => [setting.join(', then '), setting] as const))(
    'keeping %s',
    async (_, setting) => {
      const outcome = await play(scenario, setting)
      expect(outcome.run.errors[0]).toContain(input === null ? 'https_proxy' : `"${input}"`)
      await check(outcome)
    },
  )
})

function findScenarios(name: string): readonly Scenario[] {
  return Object.entries(scenarios).find(([reason]) => reason === name)?.[1] ?? []
}
