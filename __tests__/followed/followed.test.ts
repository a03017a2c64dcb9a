/** Makes every failure, does what its page says, step by step, and compares what is charged then with the numbers of the page. */
import assert from 'node:assert'
import { describe, expect, it } from '@jest/globals'
import { words } from '../../src/report/words.ts'
import { recordsName } from '../../src/text/names.ts'
import { toText } from '../support/html.ts'
import { sha256 } from '../support/samples.ts'
import { refused, release, scenarios, stops, usualInputs, type Scenario } from './scenarios.ts'
import { Site, type Followed, type RunPlan } from './site.ts'

/** How the records are kept, for each attempt up to the one that fails. */
const settings: readonly (readonly RunPlan['keeping'][])[] = [
  ['works'],
  ['fails'],
  ['no service'],
  ['off'],
  ['works', 'works'],
  ['works', 'fails'],
  ['released', 'works'],
  ['no service', 'no service'],
]

/** What is known after a scenario. */
type Outcome = Awaited<ReturnType<typeof play>>

/** Plays a scenario: earlier attempts, and the `run` that fails. `isNamed` is whether the workflow names `confirmed-hashes`. */
async function play(
  scenario: Scenario,
  keepings: (typeof settings)[number],
  { isNamed = true, site = new Site() } = {},
) {
  const inputs: Record<string, string> = { ...usualInputs, ...scenario.inputs }
  if (keepings.includes('released')) Object.assign(inputs, release)
  if (isNamed) inputs['confirmed-hashes'] = ''
  const runs: Followed[] = []
  for (const [index, keeping] of keepings.entries()) {
    const attempt = index + 1
    const fault = attempt === keepings.length ? scenario : (scenario.earlier ?? refused)
    runs.push(await site.run({ id: 1, inputs, records: '', attempt, keeping, fault }))
  }
  const run = runs.at(-1)
  assert(run !== undefined)
  return { scenario, site, runs, run, page: readPage(run.summary) }
}

/** A number of charges, from the least to the most. */
type Range = readonly [least: number, most: number]

const nothing: Range = [0, 0]

/** Returns the numbers of charges in a text: `none`, `no charges`, `1 charge`, `0 or 1 charge`, `4 to 6 registrations`. */
function rangesIn(text: string): readonly Range[] {
  const pattern = /^none\b|\b(?:no|(\d+)(?: (?:or|to) (\d+))?) (?:charge|registration)s?\b/gi
  return Array.from(text.matchAll(pattern), ([, a = '0', b = a]) => [Number(a), Number(b)])
}

/** Returns the number in the first match: 1 if it is only a word, and 0 without a match. */
function countIn(text: string, pattern: RegExp): number {
  const match = pattern.exec(text)
  return match === null ? 0 : Number(match[1] ?? 1)
}

const hashesIn = (text: string): readonly string[] => [...new Set(text.match(/[0-9a-f]{64}/g))]
const isWarning = /^Do not re-run(?: yet)?(?=\.)/

/** Reads what a page says about charges, and what to do. */
function readPage(summary: string) {
  const text = toText(summary)
  const [, past = '', next = ''] = /^Cost: (.*)\nNext run: (.*)$/m.exec(text) ?? []
  const items = summary.matchAll(/^<li>(<b>(.*?)<\/b>.*)<\/li>$/gm)
  const steps = Array.from(items, ([, item = '', bold = '']) => {
    const [happened = '', ...rest] = toText(item).split(' / • ')
    const answers = new Map(rest.map(answer => [answer.replace(/:.*/s, ''), answer]))
    return { bold: toText(bold), happened, answers }
  })
  const [cost = nothing, costOfRun = [0, Infinity] as const] = rangesIn(past)
  const [charges = nothing, withoutFile = nothing] = rangesIn(next)
  const second = countIn(next, /(\d+) files? may be charged a second time/)
  return {
    text,
    steps,
    lookUps: steps.flatMap(({ happened, answers }) => {
      return answers.has('Registered') ? hashesIn(happened).map(hash => ({ hash, answers })) : []
    }),
    /** How to run again, after a run that failed. */
    again: steps.at(-1)?.bold ?? '',
    /** For how many files another button is charged again. */
    other: countIn(text, /again for the (?:(\d+) files|file) registered here/),
    kept: Array.from(text.matchAll(/https:\/\/github\.example\/(\S+)\]/g), ([, name = '']) => name),
    cost,
    costOfRun,
    twice: countIn(past, /(\d+) files? may have been charged twice/),
    warning: isWarning.exec(next)?.[0] ?? '',
    /** Of the next run; null if the page cannot know. */
    charges: next.includes('each file') ? null : charges,
    second: /no file is|may be/i.test(next) ? second : Infinity,
    withoutFile,
    secondWithoutFile: countIn(next, /(\d+) second charges?\)/),
  }
}

/** What a person does: as told, but for what this says. */
interface Doing {
  readonly looksUp?: boolean
  /** What is confirmed besides. */
  readonly confirms?: readonly string[]
  /** Whether the records file and lines of the log are saved. */
  readonly hasFile?: boolean
  /** `isFixed` is whether the workflow is put right though the button cannot do that. */
  readonly button?: 'as told' | 're-run' | 're-run all' | 'new run'
  readonly isFixed?: boolean
}

/** Does what the page says, or something else, in a copy of the world, and runs again. */
async function follow(outcome: Outcome, doing: Doing = {}) {
  const {
    looksUp = true,
    confirms = [],
    hasFile = true,
    button = 'as told',
    isFixed = false,
  } = doing
  const { scenario, run, page } = outcome
  const site = outcome.site.copy()
  const lookedUp = looksUp ? page.lookUps.filter(({ hash }) => site.held.has(hash)) : []
  const confirmed = [...lookedUp.map(({ hash }) => hash), ...confirms]
  // What is pending is registered when people look again later.
  for (const hash of confirmed) site.held.set(hash, true)
  const isIf = /\bif you confirm/i.test(page.again) && confirmed.length > 0
  const isToldNew = isIf || /^start a new run/i.test(page.again)
  const isNew = button === 'as told' ? isToldNew : button === 'new run'
  if (button === 're-run all' || !hasFile) site.kept.clear()
  const inputs = { ...run.plan.inputs }
  // A re-run does not read an input that is new.
  if (isNew || 'confirmed-hashes' in inputs) inputs['confirmed-hashes'] = confirmed.join(' ')
  const isStuck = scenario.ends === 'workflow' && !isNew && !isFixed
  const next = await site.run({
    id: isNew ? 2 : 1,
    attempt: isNew ? 1 : run.plan.attempt + 1,
    keeping: run.plan.keeping === 'fails' ? 'works' : run.plan.keeping,
    fault: isStuck || scenario.ends === 'confirm' ? scenario : null,
    inputs,
    records: isNew && button === 'as told' ? findGiven(outcome, hasFile) : '',
  })
  const second = next.charged.filter(hash => outcome.site.held.has(hash))
  return { ...next, isNew, second, page: readPage(next.summary) }
}

/** Returns the records that the last step says to give to a new run. */
function findGiven({ page, runs, run, site }: Outcome, hasFile: boolean): string {
  const { again, steps, kept } = page
  const saving = steps.find(({ bold }) => /lines?\b.* from the logs? of/.test(bold))?.happened ?? ''
  const logs = (saving.includes('earlier attempts') ? runs : [run]).flatMap(({ log }) => log)
  // Without records that cannot be read now, a person has none.
  const isSaved = saving !== '' && (hasFile || !page.text.includes('can be read'))
  const given: (string | undefined)[] = []
  if (/these records|workflow artifact/.test(again))
    given.push(...kept.map(name => site.kept.get(name)))
  if (isSaved && again.includes('lines')) given.push(...logs.filter(line => line.startsWith('{')))
  if (hasFile && again.includes('records file')) given.push(run.file)
  return given.map(text => `${text ?? ''}\n`).join('')
}

/** Returns the hashes whose records can be read in the file, in workflow artifacts, or in the logs of these runs. */
function findRecorded({ scenario, run, site }: Outcome, runs: readonly Followed[]) {
  const texts = [run.file, ...runs.flatMap(({ log }) => log)]
  if (scenario.kept === undefined) texts.push(...site.kept.values())
  const found = texts.join('\n').matchAll(/^\{.*?"hash":"([0-9a-f]{64})".*?"record":/gm)
  return new Set(Array.from(found, ([, hash = '']) => hash))
}

function expectWithin({ length: count }: readonly string[], [least, most]: Range): void {
  expect(count).toBeGreaterThanOrEqual(least)
  expect(count).toBeLessThanOrEqual(most)
}

/** A step is one sentence, and nothing but the last one says how to run again. */
function checkForm({ page, run }: Outcome): void {
  const { steps, again, text } = page
  const sentences = steps.map(({ bold }) => bold.replace(isWarning, '').replace(/^\. /, ''))
  expect(sentences.filter(sentence => !/^(?:[^.!?]|[.!?](?! ))+[.!?]$/.test(sentence))).toEqual([])
  const said = [...text.split('\n'), ...run.log, ...run.warnings, String(run.outputs['failures'])]
  const others = said.filter(line => !line.includes(again)).join('\n')
  expect(others).not.toMatch(/(?<!do not |the )re-run (?:the|all|this|it)|start a new run/i)
}

/** Compares what the page says with what the service counts. */
async function check(outcome: Outcome): Promise<void> {
  const { scenario, site, runs, run, page } = outcome
  expect(run.exitCode).toBe(1)
  checkForm(outcome)

  // What was charged.
  expectWithin(run.charged, page.cost)
  expectWithin(site.charges, page.costOfRun)
  const [, charged = 'none'] = /charged: (.*)/i.exec(run.errors[0] ?? '') ?? []
  expect(rangesIn(charged)[0] ?? nothing).toEqual(page.cost)
  const untouched = /"artifact":"([^"]*)"[^}]*?"registered":"no"/g
  for (const [, name = ''] of String(run.outputs['failures']).matchAll(untouched)) {
    expect(run.charged).not.toContain(sha256(name))
  }

  // As told; another button would not do.
  const told = await follow(outcome)
  expect(told.exitCode).toBe(0)
  const rerun = told.isNew ? await follow(outcome, { button: 're-run' }) : told
  const plain = { button: 're-run', looksUp: false, isFixed: true } as const
  const { sent } = told.isNew ? await follow(outcome, plain) : told
  const recorded = findRecorded(outcome, run.plan.keeping === 'no service' ? runs : [run])
  let warning = [...site.held.values()].includes(false) ? 'Do not re-run yet' : ''
  if (sent.some(hash => recorded.has(hash))) warning = 'Do not re-run'
  // Where all files are to be confirmed, the input that is missing is added.
  const isAdded = !('confirmed-hashes' in run.plan.inputs) && page.text.includes('NOT CONFIRMED')
  const isStuck = rerun.exitCode === 1 || rerun.second.length > 0
  expect(told.isNew).toBe(isStuck || isAdded || warning === 'Do not re-run')
  if (page.other > 0 && !told.isNew) expect(page.again).toContain('not all jobs')
  if (page.charges === null) return
  expect(page.warning).toBe(warning)
  expectWithin(told.charged, page.charges)
  if (page.second < Infinity) expect(told.second).toEqual([])
  for (const { hash, answers } of page.lookUps) {
    const answer = site.held.has(hash) ? 'Registered' : 'Not registered, or not found'
    const [range = [0, 1] as const] = rangesIn(answers.get(answer) ?? '')
    const ofHash = told.charged.filter(other => other === hash)
    expectWithin(ofHash, range)
    const isPending = site.held.get(hash) === false
    expect(answers.get('Still pending') ?? '').toMatch(isPending ? /again later/ : /^$/)
    expect(answers.has('Skipped')).toBe(!isPending)
  }

  // Without the look-ups. Doubts that were kept flag each second charge.
  if (page.lookUps.length > 0) {
    const skipped = await follow(outcome, { looksUp: false })
    const isRefused = site.refuses && /• Skipped:[^•]* fails/.test(page.text)
    expect(skipped.exitCode).toBe(isRefused || scenario.ends === 'confirm' ? 1 : 0)
    expectWithin(skipped.charged, page.charges)
    expectWithin(skipped.second, [0, page.second])
    const isFlagged = skipped.exitCode === 0 && run.plan.keeping === 'works'
    if (isFlagged) expectWithin(skipped.second, [0, skipped.page.twice])
  }

  // Without the records file.
  if (page.withoutFile !== nothing) {
    const lost = await follow(outcome, { looksUp: false, hasFile: false })
    expectWithin(lost.charged, [site.refuses ? 0 : page.withoutFile[0], page.withoutFile[1]])
    expectWithin(lost.second, [0, page.secondWithoutFile])
    const confirms = hashesIn(page.text).filter(hash => recorded.has(hash))
    const confirmed = await follow(outcome, { hasFile: false, confirms })
    expectWithin(confirmed.charged, page.charges)
    if (confirms.length > 0) expect(confirmed).toMatchObject({ exitCode: 0, second: [] })
  }
  await checkOtherButton(outcome)
}

/** Presses another button: the page says for how many files with records that is charged again. */
async function checkOtherButton(outcome: Outcome): Promise<void> {
  const { page, run, runs } = outcome
  let button: Doing['button'] = 'new run'
  if (page.text.includes('Any re-run of this job')) button = 're-run'
  if (page.text.includes('Re-running all jobs')) button = 're-run all'
  const { sent, second } = await follow(outcome, { button, looksUp: false, isFixed: true })
  const recorded = findRecorded(outcome, [run])
  const again = sent.filter(hash => recorded.has(hash)).length
  expect(again).toBeGreaterThanOrEqual(page.other)
  // Beside the file, the page counts on lines that are saved from the log.
  if (page.withoutFile === nothing) expect(again).toBe(page.other)
  const all = findRecorded(outcome, runs)
  const others = second.filter(hash => !all.has(hash))
  expectWithin(others, [0, page.second])
}

/** One for each way in which a run can be put right, and those that end a run. All others meet only the first setting, or the one that they need. */
const typical =
  /^(?:unpaid|unavailable|already-reg|rejected$|not-yet|file-changed|not-saved|cancel|max-|records-|keep-)/
const causes = new Map(Object.entries(words).map(([name, { cause }]) => [name, cause] as const))

for (const setting of settings) {
  describe(`keeping ${setting.join(', then ')}`, () => {
    const isReleased = setting.includes('released')
    const all = Object.entries({ ...scenarios, ...stops }).filter(([name]) => {
      const isOfRelease = isReleased && /^(?:github|release-tag)/.test(name)
      return setting === settings[0] || typical.test(name) || isOfRelease
    })
    it.each(all)('%s', async (name, found) => {
      const usable = found.filter(({ inputs, checkout, earlier, hits, full, kept }) => {
        // A release has no files to change; a later attempt has only the second file left.
        if (isReleased && (checkout ?? inputs) !== undefined) return inputs === release
        if (kept !== undefined && setting.includes('no service')) return false
        return setting.length === 1 ? earlier === undefined : (hits ?? full) === undefined
      })
      for (const scenario of usable) {
        const outcome = await play(scenario, setting)
        const pattern = `${causes.get(name) ?? name}|: ${name}`.replace(/[-()]/g, '.')
        // On a release with records, GitHub fails before.
        if (scenario === found[0] && !isReleased)
          expect(outcome.page.text).toMatch(new RegExp(pattern, 'i'))
        await check(outcome)
        if (outcome.page.lookUps.length > 0)
          await check(await play(scenario, setting, { isNamed: false }))
      }
    })

    it('a good run and a dry run say what the next run is charged', async () => {
      const good = await play({ ends: 'time' }, setting)
      const dry = await play({ ends: 'time', wrong: { 'dry-run': 'true' } }, setting)
      expect([good.run.exitCode, dry.run.exitCode]).toEqual([0, 0])
      expect(good.page.text).toContain('Next run: not needed.')
      await checkOtherButton(good)
      expectWithin((await follow(dry, { button: 're-run' })).charged, dry.page.charges ?? nothing)
    })
  })
}

it.each([true, false])('a 409 ends by confirming, or by a release: %s', async isReleased => {
  const site = new Site()
  const plan = { id: 9, attempt: 1, keeping: 'off', fault: null, records: '' } as const
  const { file } = await site.run({ ...plan, inputs: { ...usualInputs, path: 'b.zip' } })
  if (isReleased) site.releasedEarlier.push({ name: recordsName, content: file })
  const outcome = await play({ ends: 'time', isKnown: true }, ['works'], { site })
  await check(outcome)
  expect(outcome.page.text).toMatch(/• Skipped:.* release.*\(The next release/)
  // As the linked section says.
  const inputs = { ...usualInputs, 'earlier-releases': 'true', 'github-token': 'token' }
  const records = [...site.kept.values()].join('')
  const { exitCode, charged } = await site.run({ ...plan, id: 2, inputs, records })
  expect([exitCode, charged]).toEqual([isReleased ? 0 : 1, []])
})
