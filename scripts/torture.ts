/**
 * Kills the action with SIGKILL again and again while it registers, resumes it each time, and holds what is left on
 * disk against what the service saw. `npm run torture -- --kills N --seed S`; the same seed picks the same moments.
 */
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { DEFAULT_API_KEY, exampleSubscription, startSimulator } from '../simulator/index.ts'
import type { SeenRequest, Simulator } from '../simulator/index.ts'
import { startAction } from '../__tests__/support/runner.ts'
import type { ActionRun } from '../__tests__/support/runner.ts'
import { makeWorkspace } from '../__tests__/support/workspace.ts'
import type { Workspace } from '../__tests__/support/workspace.ts'

/** What to do. */
export interface TortureOptions {
  readonly kills: number
  /** Any integer; picks artifacts and moments. */
  readonly seed: number
  /** Told after each kill. */
  readonly onKill?: (figures: Figures) => void
}

/** What was done, and all that was wrong: nothing, if the action keeps its word. */
export interface Figures {
  readonly kills: number
  /** Kills at which the simulator counted at least one completion in flight. */
  readonly killsInFlight: number
  /** Times that a half-written line was put at the end of the file, as a crash of the machine leaves it. */
  readonly tornTails: number
  readonly artifacts: number
  /** Completions that were carried out twice, as a killed process could not tell of them. */
  readonly repeats: number
  /** How often the file was read and held to its rules. */
  readonly readings: number
  readonly violations: readonly string[]
}

const artifactsPerCampaign = 60
const concurrency = 4
const maxLatencyMs = 30
const recordsFile = 'notarization-records.jsonl'

const lineSchema = z.object({
  artifact: z.string(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  problems: z.array(z.string()).length(0),
  record: z.looseObject({ hash: z.string(), status: z.literal('registered') }),
})

/** Gives numbers from 0 to 1, always the same ones for a seed (mulberry32). */
function makeRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Mutable = { -readonly [Name in keyof Figures]: Figures[Name] } & { violations: string[] }

/** Kills that often, and resumes until every artifact of each campaign is registered. */
export async function torture({ kills, seed, onKill }: TortureOptions): Promise<Figures> {
  const figures: Mutable = {
    ...{ kills: 0, killsInFlight: 0, tornTails: 0, artifacts: 0, repeats: 0, readings: 0 },
    violations: [],
  }
  for (let nth = 1; figures.kills < kills && figures.violations.length === 0; nth++) {
    await runCampaign({ nth, kills, seed, figures, onKill })
  }
  return figures
}

interface Campaign {
  readonly nth: number
  readonly kills: number
  readonly seed: number
  readonly figures: Mutable
  readonly onKill: TortureOptions['onKill']
}

/** Registers a set of artifacts through as many killed processes as it takes. */
async function runCampaign({ nth, kills, seed, figures, onKill }: Campaign): Promise<void> {
  const hashes = Array.from({ length: artifactsPerCampaign }, (_, index) =>
    createHash('sha256').update(`${seed} ${nth} ${index}`).digest('hex'),
  )
  const workspace = makeWorkspace({
    SHA256SUMS: hashes.map((hash, index) => `${hash}  artifact-${index}.bin\n`).join(''),
  })
  let watch: Watch = {}
  const service = await startSimulator({
    requested: 'any',
    repeat: 'accept',
    latencyMs: ({ endpoint, number }) =>
      endpoint === 'completion' ? (number * 7919) % maxLatencyMs : 0,
    faults: request => {
      watch.onArrival?.(request)
      return undefined
    },
    onFinished: request => {
      readRecords(workspace, figures)
      watch.onFinished?.(request)
    },
  })
  try {
    for (;;) {
      const known = new Set(readRecords(workspace, figures))
      const before = countCompletions(service)
      const seenBefore = service.requests.length
      const moment = pickMoment(seed, figures.kills)
      const mayKill = figures.kills < kills
      const run = await runOnce({ service, workspace, moment, figures, mayKill }, set => {
        watch = set
      })
      // What a killed process had sent is still carried out.
      await delay(maxLatencyMs + 20)
      const isOver = run.signal === null

      const sent = service.requests.slice(seenBefore).flatMap(({ hash }) => hash ?? [])
      const again = sent.filter(hash => known.has(hash))
      const kept = readRecords(workspace, figures)
      const lost = countCompletions(service) - before - (kept.length - known.size)
      const say = (text: string): void => void figures.violations.push(text)
      if (again.length > 0) say(`${again.length} hashes were sent whose line is in the file`)
      if (kept.length < known.size) say('lines that were in the file are gone')
      if (lost > (isOver ? 0 : concurrency)) say(`${lost} registrations are in no line`)
      if (kept.some(hash => !service.registered.has(hash))) say('a line has no registration')
      if (isOver) {
        checkEnd(run, { kept, hashes, say })
        figures.artifacts += hashes.length
        figures.repeats += countCompletions(service) - service.completionCounts.size
      }
      if (isOver || figures.violations.length > 0) return
      figures.kills += 1
      onKill?.(figures)
      if (moment.tear !== null) tearTail({ workspace, hashes, kept, tear: moment.tear, figures })
    }
  } finally {
    await service.close()
  }
}

function checkEnd(
  { exitCode, outputs }: ActionRun,
  {
    kept,
    hashes,
    say,
  }: {
    readonly kept: readonly string[]
    readonly hashes: readonly string[]
    readonly say: (text: string) => void
  },
): void {
  if (exitCode !== 0) say(`the last run ended with exit code ${exitCode}`)
  if (outputs['verdict'] !== 'registered') say(`the verdict is ${outputs['verdict']}`)
  if (outputs['registered-count'] !== String(hashes.length)) say('not every artifact is registered')
  const missing = hashes.filter(hash => !kept.includes(hash))
  if (missing.length > 0) say(`${missing.length} artifacts have no line`)
}

/** When a process is to die, and whether its last line is torn after it. */
interface Moment {
  /** While completions are under way, right after an answer (when its line is written), or whenever. */
  readonly kind: 'in-flight' | 'writing' | 'any-time'
  /** Counted from 1 in one process. */
  readonly atCompletion: number
  readonly afterMs: number
  /** Which part of a line is left at the end of the file, from 0 to 1; null for none. */
  readonly tear: number | null
}

/** Picks the nth moment; every second one is in flight. */
function pickMoment(seed: number, nth: number): Moment {
  const random = makeRandom(Math.imul(seed, 1_000_003) + nth)
  const draws = Array.from({ length: 5 }, random)
  const [which = 0, when = 0, after = 0, tears = 0, part = 0] = draws
  const kind = nth % 2 === 0 ? 'in-flight' : which < 0.6 ? 'writing' : 'any-time'
  const spreadMs = { 'in-flight': maxLatencyMs, writing: 4, 'any-time': 600 }[kind]
  return {
    kind,
    atCompletion: 1 + Math.floor(when * 12),
    afterMs: after * spreadMs,
    tear: tears < 0.25 ? part : null,
  }
}

/** What is told of requests while a process runs. */
interface Watch {
  readonly onArrival?: (request: SeenRequest) => void
  readonly onFinished?: (request: SeenRequest) => void
}

interface Once {
  readonly service: Simulator
  readonly workspace: Workspace
  readonly moment: Moment
  readonly figures: Mutable
  readonly mayKill: boolean
}

/** Runs the action once, to its end or to a moment that is picked for its death. */
async function runOnce(
  { service, workspace, moment, figures, mayKill }: Once,
  setWatch: (watch: Watch) => void,
): Promise<ActionRun> {
  const { child, finished } = startAction({
    workspace,
    inputs: {
      'api-key': DEFAULT_API_KEY,
      'base-url': service.url,
      subscription: JSON.stringify(exampleSubscription),
      checksums: 'SHA256SUMS',
      concurrency: String(concurrency),
    },
  })
  let isDead = false
  const kill = (): void => {
    if (isDead || child.exitCode !== null) return
    isDead = true
    if (service.inFlight > 0) figures.killsInFlight += 1
    child.kill('SIGKILL')
  }
  let arrived = 0
  let answered = 0
  const killInFlight = (): void => {
    if (service.inFlight > 0) kill()
  }
  const { kind, atCompletion, afterMs } = moment
  if (mayKill && kind === 'any-time') setTimeout(kill, afterMs).unref()
  if (mayKill && kind !== 'any-time') {
    setWatch({
      onArrival: ({ endpoint }) => {
        if (kind !== 'in-flight' || endpoint !== 'completion' || ++arrived < atCompletion) return
        setTimeout(killInFlight, afterMs).unref()
      },
      onFinished: ({ endpoint }) => {
        if (kind !== 'writing' || endpoint !== 'completion' || ++answered < atCompletion) return
        setTimeout(kill, afterMs).unref()
      },
    })
  }
  try {
    return await finished
  } finally {
    isDead = true
    setWatch({})
  }
}

function countCompletions({ completionCounts }: Simulator): number {
  return [...completionCounts.values()].reduce((sum, count) => sum + count, 0)
}

/** The hashes of all whole lines; notes every line that breaks the rules. Only the last one may be torn. */
function readRecords(workspace: Workspace, figures: Mutable): string[] {
  const file = workspace.path(recordsFile)
  if (!existsSync(file)) return []
  figures.readings += 1
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  const hashes = lines.flatMap((line, index) => {
    const parsed = lineSchema.safeParse(parseJson(line))
    if (parsed.success && parsed.data.hash === parsed.data.record.hash) return [parsed.data.hash]
    figures.violations.push(`line ${index + 1} of the records file is damaged`)
    return []
  })
  if (new Set(hashes).size !== hashes.length) figures.violations.push('a hash has two lines')
  return hashes
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface Tearing {
  readonly workspace: Workspace
  readonly hashes: readonly string[]
  readonly kept: readonly string[]
  /** From 0 to 1. */
  readonly tear: number
  readonly figures: Mutable
}

/** Leaves a part of a line at the end of the file, as a machine does that lost its power. */
function tearTail({ workspace, hashes, kept, tear, figures }: Tearing): void {
  const file = workspace.path(recordsFile)
  const old = kept[0]
  const next = hashes.find(hash => !kept.includes(hash))
  if (old === undefined || next === undefined) return
  const [line = ''] = readFileSync(file, 'utf8').split('\n')
  const unwritten = line.replaceAll(old, next)
  appendFileSync(file, unwritten.slice(0, 1 + Math.floor(tear * (unwritten.length - 2))))
  figures.tornTails += 1
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { kills: { type: 'string', default: '200' }, seed: { type: 'string' } },
  })
  const integer = z.coerce.number().int()
  const kills = integer.min(1).parse(values.kills)
  const seed = integer.parse(values.seed ?? Date.now() % 1_000_000)
  console.log(`torture: ${kills} kills, seed ${seed}`)
  const figures = await torture({
    kills,
    seed,
    onKill: ({ kills: done, killsInFlight }) => {
      if (done % 20 === 0) console.log(`${done} kills, ${killsInFlight} with completions in flight`)
    },
  })
  const { violations, ...numbers } = figures
  for (const [name, number] of Object.entries(numbers)) console.log(`${name}: ${number}`)
  const isBalanced = figures.killsInFlight * 2 >= figures.kills
  if (!isBalanced) console.error('less than half of the kills hit completions in flight')
  for (const violation of violations) console.error(`VIOLATION (seed ${seed}): ${violation}`)
  process.exitCode = violations.length === 0 && isBalanced ? 0 : 1
}

if (import.meta.main) await main()
