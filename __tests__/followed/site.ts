/** A repository whose runs are followed: a service, GitHub, workflow artifacts and runners in memory, with one fault. */
import { appendFileSync, rmSync, symlinkSync } from 'node:fs'
import { runNotarize } from '../../src/main.ts'
import { systemDisk } from '../../src/records/disk.ts'
import { readEnvironment } from '../../src/runtime/environment.ts'
import { Halt } from '../../src/runtime/halt.ts'
import type { GitHubClient, Host, Reply } from '../../src/runtime/outside.ts'
import { recordsName } from '../../src/text/names.ts'
import { hostIn } from '../artifacts/host.ts'
import { createKeeper, type Reported } from '../report/results.ts'
import { respond } from '../service/support.ts'
import { callOf, chunksOf, clientOf, errorOf, findRoute } from '../support/github.ts'
import { GitHubMemory, type AssetSeed, type Route } from '../support/github.ts'
import { makeRecord, readCall, sha256, subscription } from '../support/samples.ts'
import { makeWorkspace } from '../support/workspace.ts'

/** Each contains its name. */
const names = ['a.zip', 'b.zip', 'c.zip'] as const

export type Inputs = Readonly<Record<string, string>>
type Call = ReturnType<typeof readCall>

/** What the service does with a call: with `acts`, it charges for the hash and registers it, at once or later; `reply` is null for the right response. */
export interface Treatment {
  readonly reply: Reply | null
  readonly acts?: boolean | 'later'
  readonly cancels?: boolean
}

/** What makes a run fail. Each part lasts until what is wrong is put right. */
export interface Fault {
  /** Inputs of all runs, and those while the fault lasts. */
  readonly inputs?: Inputs
  readonly wrong?: Inputs
  /** Of login and retrieval: each; of the others: those for some files, by default the second one. */
  readonly service?: Readonly<Partial<Record<Call['kind'], Treatment>>>
  readonly hits?: readonly (typeof names)[number][]
  /** Whether the service has the second file, from elsewhere. It returns 409 then, and for all that it has. */
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
  readonly fault: Fault | null
  readonly inputs: Inputs
  /** Lines to begin with. */
  readonly records: string
}

/** A run that has ended. */
export interface Followed extends Reported {
  readonly plan: RunPlan
  /** The hash of each completion, and of each charge. */
  readonly sent: readonly string[]
  readonly charged: readonly string[]
  /** What the records file holds at the end. */
  readonly file: string
}

/** One for all runs, which follow each other. */
const workspace = makeWorkspace({ 'a.zip': 'a.zip', 'c.zip': 'c.zip' })

/** What lasts from run to run. */
export class Site {
  /** The hash of each completion, and of each charge. */
  readonly sent: string[] = []
  readonly charges: string[] = []
  /** What the service has, and whether it is registered, or only will be. */
  readonly held = new Map<string, boolean>()
  /** The records in workflow artifacts, by name. */
  readonly kept = new Map<string, string>()
  /** The records on the release, and on an earlier one. */
  readonly released: AssetSeed[] = []
  readonly releasedEarlier: AssetSeed[] = []
  /** Whether the service refuses what it has, instead of charging again. */
  refuses = false
  nowMs = Date.parse('2026-01-31T12:00:00.000Z')

  copy(): Site {
    return Object.assign(new Site(), structuredClone(this))
  }

  /** Runs the action. */
  async run(plan: RunPlan): Promise<Followed> {
    const { fault } = plan
    const [sent, charges] = [this.sent.length, this.charges.length]
    if (fault?.isKnown === true) {
      this.held.set(sha256('b.zip'), true)
      this.refuses = true
    }
    // As on a new machine.
    for (const name of [recordsName, 'b.zip']) rmSync(workspace.path(name), { force: true })
    workspace.write('b.zip', 'b.zip')
    if (plan.records !== '') workspace.write(recordsName, plan.records)
    fault?.checkout?.(workspace.path)
    const sleep = (ms: number): Promise<void> => Promise.resolve(void (this.nowMs += ms))
    const clock = { now: () => ++this.nowMs, monotonic: () => this.nowMs, sleep }
    const halt = new Halt(clock)
    const env = {
      GITHUB_REPOSITORY: 'octo/app',
      GITHUB_SHA: '6dcb09b5b57875f334f61aebed695e2e4193db5e',
      GITHUB_REF: 'refs/heads/main',
      GITHUB_RUN_ID: `${plan.id}`,
      GITHUB_RUN_ATTEMPT: `${plan.attempt}`,
      ACTIONS_RESULTS_URL: 'https://results.example',
      ACTIONS_RUNTIME_TOKEN: plan.keeping === 'no service' ? '' : 'token',
      RUNNER_TEMP: workspace.temp,
      ...fault?.env,
    }
    const { runner, reported } = createKeeper(fault?.hasNoOutputs)
    const host: Host = {
      ...hostIn(workspace.root),
      runner,
      environment: readEnvironment(env, workspace.root),
      clock,
      halt,
      disk: diskWith(fault),
      createTransport: () => request =>
        Promise.resolve(this.#serve(readCall(request), fault, halt)),
      connectToGitHub: () => Promise.resolve(gitHubWith(fault, this)),
      workflowArtifacts: {
        keep: ({ records }) => this.#keep(records.toString(), plan),
        find: () => this.#find(plan),
      },
    }
    const keeping = { 'keep-records': String(plan.keeping !== 'off') }
    const inputs = { ...plan.inputs, ...keeping, ...fault?.wrong }
    const shown = reported(await runNotarize(host, inputs))
    const file = workspace.exists(recordsName) ? workspace.read(recordsName) : ''
    if (plan.keeping === 'released') this.released.push({ name: recordsName, content: file })
    const own = { sent: this.sent.slice(sent), charged: this.charges.slice(charges) }
    return { ...shown, ...own, plan, file }
  }

  #serve({ kind, hash }: Call, fault: Fault | null, halt: Halt): Reply {
    const { hits = ['b.zip'], service = {} } = fault ?? {}
    const isHit = hash === '' || hits.map(sha256).includes(hash)
    const { reply = null, acts = true, cancels = false } = (isHit ? service[kind] : null) ?? {}
    if (cancels) halt.cancel()
    if (kind === 'completion') this.sent.push(hash)
    if (kind === 'completion' && this.refuses && this.held.get(hash) === true) {
      return respond(409, '{"message":"exists"}')
    }
    if (kind === 'completion' && acts !== false) {
      this.charges.push(hash)
      this.held.set(hash, acts !== 'later')
    }
    if (reply === broken) throw new Error('boom')
    if (reply !== null) return reply
    const record = makeRecord(hash, { paymentId: subscription.id })
    const consent = { ...subscription, token: 'token-0123456789' }
    return respond(200, kind === 'completion' ? record : consent)
  }

  #keep(records: string, { id, attempt, keeping }: RunPlan) {
    if (keeping === 'fails') return Promise.reject(new Error('the artifact service returned 503'))
    const name = `${recordsName}-${id}-${attempt}`
    this.kept.set(name, records)
    return Promise.resolve({ name, url: `https://github.example/${name}` })
  }

  #find({ id, fault }: RunPlan) {
    if (fault?.kept === 'cannot be read') return Promise.reject(new Error('HTTP 503'))
    const start = fault?.kept === 'is damaged' ? 9 : 0
    const found = [...this.kept].map(([name, text]) => {
      return { name, url: `https://github.example/${name}`, bytes: Buffer.from(text.slice(start)) }
    })
    return Promise.resolve(found.filter(({ name }) => name.includes(`-${id}-`)))
  }
}

/** A reply that makes the transport reject, which it never does. */
export const broken: Reply = { kind: 'lost', detail: '' }

const noSpace = Object.assign(new Error('no space left'), { code: 'ENOSPC', syscall: 'write' })

/** The real disk without syncing, but for one line that it does not take. */
function diskWith(fault: Fault | null): Host['disk'] {
  let isFull = false
  const append: Host['disk']['append'] = (path, data) => {
    isFull ||= fault?.full?.test(Buffer.from(data).toString()) === true
    if (isFull) throw noSpace
    appendFileSync(path, data)
  }
  return { ...systemDisk, append }
}

/** A GitHub with a release of the files; the second one has no digest. */
function gitHubWith(fault: Fault | null, { released, releasedEarlier }: Site): GitHubClient {
  const files: AssetSeed[] = names.map(name => {
    return { name, content: name, digest: name === 'b.zip' ? null : `sha256:${sha256(name)}` }
  })
  const newer = { tag: 'v1', assets: [...files, ...released] }
  const releases = [newer, { tag: 'v0', assets: releasedEarlier }]
  const memory = new GitHubMemory({ releases, tags: { v1: { commit: 'c0ffee' } } })
  const request: GitHubClient['request'] = (route, parameters) => {
    const call = callOf(route, parameters)
    const { status, json, content } = memory.answer(call)
    const failure = fault?.github?.[findRoute(call).route] ?? status
    if (typeof failure === 'number' && failure >= 400) return Promise.reject(errorOf(call, failure))
    if (content === undefined) return Promise.resolve({ data: json })
    return Promise.resolve({ data: chunksOf(failure === 'cut' ? content.subarray(1) : content) })
  }
  return clientOf(request)
}

/** Makes the second file a link to one of the system. */
export const linkTo = (target: string) => (path: (name: string) => string) => {
  rmSync(path('b.zip'))
  symlinkSync(target, path('b.zip'))
}
