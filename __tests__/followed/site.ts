/** A repository whose runs are followed: a service, GitHub, workflow artifacts and runners in memory, with one fault. */
import { readdirSync, rmSync, symlinkSync } from 'node:fs'
import { runNotarize } from '../../src/main.ts'
import { systemDisk } from '../../src/records/disk.ts'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { Halt } from '../../src/runtime/halt.ts'
import type { GitHubClient, Host, Reply } from '../../src/runtime/outside.ts'
import { recordsName } from '../../src/text/names.ts'
import { hostIn } from '../artifacts/host.ts'
import { createKeeper, type Reported } from '../report/results.ts'
import { callOf, chunksOf, errorOf, findRoute, GitHubMemory } from '../support/github.ts'
import type { AssetSeed, Route } from '../support/github.ts'
import { makeRecord, readCall, sha256, subscription } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'

/** The fault hits the second one; each contains its name. */
export const names = ['a.zip', 'b.zip', 'c.zip'] as const
export const hashes: ReadonlyMap<string, string> = new Map(names.map(name => [name, sha256(name)]))
const hit = sha256('b.zip')

export type Inputs = Readonly<Record<string, string>>
type Call = ReturnType<typeof readCall>

/** What the service does with a call: with `acts`, it registers the hash first; `reply` is null for the right response. */
export interface Treatment {
  readonly reply: Reply | null
  readonly acts?: boolean
  readonly cancels?: boolean
}

/** What makes a run fail. Each part lasts until what is wrong is put right. */
export interface Fault {
  /** Inputs of all runs. */
  readonly inputs?: Inputs
  /** Inputs while the fault lasts. */
  readonly wrong?: Inputs
  /** Of login and retrieval: each; of the others: those for the second file. A list is for one call after the other. */
  readonly service?: Readonly<Partial<Record<Call['kind'], Treatment | readonly Treatment[]>>>
  /** Whether the service has the second file, from elsewhere. */
  readonly isKnown?: boolean
  /** The target of a link, the name or the content of the second file; or another file. */
  readonly checkout?: (path: (name: string) => string) => void
  /** The single lines that the disk does not take; nothing after one. */
  readonly full?: RegExp
  readonly hasNoOutputs?: boolean
  readonly kept?: 'cannot be read' | 'is damaged'
  readonly github?: Readonly<Partial<Record<Route, number | 'cut'>>>
  readonly env?: Inputs
}

/** What one run is made of. */
export interface RunPlan {
  readonly id: number
  readonly attempt: number
  /** How the records are kept; `released`: also on the release. */
  readonly keeping: 'works' | 'fails' | 'no service' | 'off' | 'released'
  /** Null without one. */
  readonly fault: Fault | null
  readonly inputs: Inputs
  /** Lines to begin with. */
  readonly records: string
}

/** A run that has ended. */
export interface Followed extends Reported {
  readonly plan: RunPlan
  /** What the records file holds at the end. */
  readonly file: string
}

/** One for all runs, which follow each other: making folders takes longer than a run. */
const workspace = makeWorkspace({ 'a.zip': 'a.zip', 'c.zip': 'c.zip' })

/** Removes what a run has left, as on a new machine. */
function checkOut(): void {
  for (const name of readdirSync(workspace.root, { encoding: 'buffer' })) {
    if (!/^[ac]\.zip$/.test(name.toString()))
      rmSync(Buffer.concat([Buffer.from(`${workspace.root}/`), name]))
  }
  workspace.write('b.zip', 'b.zip')
}

const time = Date.parse('2026-01-31T12:00:00.000Z')

/** What lasts from run to run. */
export class Site {
  /** How often the service has charged for each hash. */
  readonly charged: Map<string, number>
  readonly registered: Set<string>
  /** The records in workflow artifacts, by name. */
  readonly kept: Map<string, string>
  /** The records on the release. */
  released: string
  #nowMs: number

  constructor(from: Site | null = null) {
    this.charged = new Map(from?.charged)
    this.registered = new Set(from?.registered)
    this.kept = new Map(from?.kept)
    this.released = from?.released ?? ''
    this.#nowMs = from === null ? time : from.#nowMs
  }

  /** Runs the action. */
  async run(plan: RunPlan): Promise<Followed> {
    const { fault } = plan
    if (fault?.isKnown === true) this.registered.add(hit)
    checkOut()
    if (plan.records !== '') workspace.write(recordsName, plan.records)
    fault?.checkout?.(workspace.path)
    const sleep = (ms: number): Promise<void> => Promise.resolve(void (this.#nowMs += ms))
    const clock = { now: () => ++this.#nowMs, monotonic: () => this.#nowMs, sleep }
    const halt = new Halt(clock)
    const environment = readEnvironment(
      { ...envOf(plan), RUNNER_TEMP: workspace.temp },
      workspace.root,
    )
    const { runner, reported } = createKeeper(fault?.hasNoOutputs)
    const treatments = new Map(
      Object.entries(fault?.service ?? {}).map(([kind, treatment]) => [kind, [treatment].flat()]),
    )
    const host: Host = {
      ...hostIn(workspace.root),
      runner,
      environment,
      clock,
      halt,
      disk: diskWith(fault),
      createTransport: () => ({
        send: request => Promise.resolve(this.#serve(readCall(request), treatments, halt)),
        close: () => undefined,
      }),
      connectToGitHub: () => Promise.resolve(gitHubWith(fault, this.released)),
      workflowArtifacts: {
        keep: ({ records }) => this.#keep(records.toString(), plan),
        find: () => this.#find(plan),
      },
    }
    const keeping = { 'keep-records': String(plan.keeping !== 'off') }
    const inputs = { ...plan.inputs, ...keeping, ...fault?.wrong }
    const shown = reported(await runNotarize(host, inputs))
    const file = workspace.exists(recordsName) ? workspace.read(recordsName) : ''
    if (plan.keeping === 'released') this.released += file
    return { ...shown, plan, file }
  }

  #serve({ kind, hash }: Call, treatments: Map<string, Treatment[]>, halt: Halt): Reply {
    const isHit = hash === '' || hash === hit
    const [treatment, ...others] = (isHit ? treatments.get(kind) : undefined) ?? []
    if (others.length > 0) treatments.set(kind, others)
    const { reply = null, acts = true, cancels = false } = treatment ?? {}
    if (cancels) halt.cancel()
    if (reply === broken) throw new Error('boom')
    if (kind === 'completion' && (acts || reply === null)) {
      this.charged.set(hash, (this.charged.get(hash) ?? 0) + 1)
      this.registered.add(hash)
    }
    if (reply !== null) return reply
    const record = makeRecord(hash, { paymentId: subscription.id })
    const consent = { ...subscription, token: 'token-0123456789' }
    return responseOf(200, kind === 'completion' ? record : consent)
  }

  #keep(records: string, { id, attempt, keeping }: RunPlan) {
    if (keeping === 'fails') return Promise.reject(new Error('the artifact service returned 503'))
    const name = `${recordsName}-${id}-${attempt}`
    this.kept.set(name, records)
    return Promise.resolve({ name, url: `https://github.example/${name}`, isUploaded: true })
  }

  #find({ id, fault }: RunPlan) {
    if (fault?.kept === 'cannot be read') return Promise.reject(new Error('HTTP 503'))
    const ofRun = [...this.kept].filter(([name]) => name.startsWith(`${recordsName}-${id}-`))
    return Promise.resolve(
      ofRun.map(([name, text]) => {
        const bytes = Buffer.from(fault?.kept === 'is damaged' ? text.slice(9) : text)
        return { name, url: `https://github.example/${name}`, bytes }
      }),
    )
  }
}

/** A reply that makes the transport reject, which it never does. */
export const broken: Reply = { kind: 'lost', detail: '' }

export function responseOf(
  status: number,
  body: unknown,
  retryAfterMs: number | null = null,
): Reply {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { kind: 'response', status, retryAfterMs, body: text }
}

function envOf({ id, attempt, keeping, fault }: RunPlan): Inputs {
  const env = {
    GITHUB_REPOSITORY: 'octo/app',
    GITHUB_SHA: '6dcb09b5b57875f334f61aebed695e2e4193db5e',
    GITHUB_REF: 'refs/heads/main',
    GITHUB_RUN_ID: `${id}`,
    GITHUB_RUN_ATTEMPT: `${attempt}`,
    ...fault?.env,
  }
  if (keeping === 'no service') return env
  return { ...env, ACTIONS_RESULTS_URL: 'https://results.example', ACTIONS_RUNTIME_TOKEN: 'token' }
}

const noSpace = Object.assign(new Error('no space left'), { code: 'ENOSPC', syscall: 'write' })

/** The real disk, but for one line that it does not take. */
function diskWith(fault: Fault | null): Host['disk'] {
  let isFull = false
  const append: Host['disk']['append'] = (path, data) => {
    isFull ||= fault?.full?.test(Buffer.from(data).toString()) === true
    if (isFull) throw noSpace
    systemDisk.append(path, data)
  }
  return { ...systemDisk, append }
}

/** A GitHub with a release of the files; the second one has no digest. */
function gitHubWith(fault: Fault | null, released: string): GitHubClient {
  const assets: AssetSeed[] = names.map(name => {
    return { name, content: name, digest: name === 'b.zip' ? null : `sha256:${sha256(name)}` }
  })
  if (released !== '') {
    assets.push({ name: `notarization-records-1-1.jsonl`, content: released, digest: null })
  }
  const tags = { v1: { commit: 'c0ffee' } }
  const memory = new GitHubMemory({ releases: [{ tag: 'v1', assets }], tags })
  const request: GitHubClient['request'] = (route, parameters) => {
    const call = callOf(route, parameters)
    const { status, json, content } = memory.answer(call)
    const failure = fault?.github?.[findRoute(call).route] ?? status
    if (typeof failure === 'number' && failure >= 400) return Promise.reject(errorOf(call, failure))
    if (content === undefined) return Promise.resolve({ data: json })
    return Promise.resolve({ data: chunksOf(failure === 'cut' ? content.subarray(1) : content) })
  }
  return {
    request,
    pages: async function* (route, parameters) {
      yield await request(route, parameters)
    },
  }
}

/** Makes the second file a link to one of the system. */
export const linkTo = (target: string) => (path: (name: string) => string) => {
  rmSync(path('b.zip'))
  symlinkSync(target, path('b.zip'))
}
