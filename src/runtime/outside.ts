/** Everything outside this process that a run uses. `main.ts` makes it; tests replace it here, and nowhere else. */
import type { Reason } from '../failure.ts'
import type { Clock } from './clock.ts'
import type { Environment } from './environment.ts'
import type { Halt } from './halt.ts'
import type { Runner } from './runner.ts'
import type { Secrets } from './secrets.ts'

/** The files that a run writes, and reads again. The methods throw system errors. */
export interface Disk {
  /** Returns the bytes of a regular file. */
  readonly read: (path: string) => Buffer
  /** Appends to a file, which is created with its folders if it is missing. Returns when everything is on disk. */
  readonly append: (path: string, data: Uint8Array) => void
  readonly truncate: (path: string, bytes: number) => void
  /** Creates a new folder below `folder`, which is created if it is missing. Returns its absolute path. */
  readonly makeFolder: (folder: string) => string
  readonly write: (path: string, text: string) => void
}

export interface HttpRequest {
  readonly url: URL
  /** JSON, which makes it a POST; null for a GET. */
  readonly body: string | null
  /** Sent as `Authorization`; null if none. */
  readonly token: string | null
}

export interface HttpResponse {
  readonly kind: 'response'
  readonly status: number
  /** The wait that `Retry-After` asks for; null if none. */
  readonly retryAfterMs: number | null
  /** Unpacked; null if over 1 MiB. */
  readonly body: string | null
}

/** No complete response. The service may have the request if its response was `lost`, or if the run was `canceled`; else nothing was sent. */
export interface NoResponse {
  readonly kind:
    | Extract<Reason, 'unreachable' | 'not-the-service' | 'proxy' | `certificate${string}`>
    | 'lost'
    | 'canceled'
  /** Why, if more is known. After `protocol`, waiting does not help. */
  readonly reason?: Extract<Reason, 'timeout' | 'protocol'>
  /** What a call got if its response was lost, such as `no response within 60 s`; the error if unreachable; empty if canceled; else a sentence. */
  readonly detail: string
}

export type Reply = HttpResponse | NoResponse

/**
 * Sends a request over a connection of its own. Honors `https_proxy` and `no_proxy`; follows no redirects. Never rejects. When
 * `signal` aborts, the request has ended.
 */
export type Transmit = (request: HttpRequest, signal: AbortSignal) => Promise<Reply>

type GitHubCall<T> = (route: string, parameters: Readonly<Record<string, unknown>>) => T

/** What is used of octokit. Rejects with its errors. */
export interface GitHubClient {
  readonly request: GitHubCall<Promise<{ readonly data: unknown }>>
  /** The pages of a list. */
  readonly pages: GitHubCall<AsyncIterable<{ readonly data: unknown }>>
}

/** A records file, and the evidence page if its path is not empty, to keep as a workflow artifact. */
export interface KeptFiles {
  readonly records: Buffer
  readonly evidencePath: string
}

export interface WorkflowArtifact {
  readonly name: string
  /** For a browser; null if unknown. */
  readonly url: string | null
}

/** A records file that a job of this run kept as a workflow artifact. */
export interface KeptRecords extends WorkflowArtifact {
  /** Null if the artifact is damaged, or too large to be read. */
  readonly bytes: Buffer | null
}

/** A call to the artifact service, which ends when the signal aborts. */
export interface ArtifactCall {
  readonly host: Host
  readonly signal: AbortSignal
}

/** The methods reject with an error whose message is a clause without secrets. The server must have an artifact service. */
export interface WorkflowArtifacts {
  readonly keep: (files: KeptFiles, call: ArtifactCall) => Promise<WorkflowArtifact>
  /** Reads what jobs of this run kept, the newest last. */
  readonly find: (call: ArtifactCall) => Promise<readonly KeptRecords[]>
}

export interface Outside {
  readonly clock: Clock
  /** Returns a number from 0 to 1. */
  readonly random: () => number
  readonly disk: Disk
  readonly createTransport: (timeoutMs: number) => Transmit
  readonly connectToGitHub: (host: Host, token: string) => Promise<GitHubClient>
  readonly workflowArtifacts: WorkflowArtifacts
}

/** Everything that a run needs, except its inputs. */
export interface Host extends Outside {
  readonly environment: Environment
  readonly runner: Runner
  readonly secrets: Secrets
  readonly halt: Halt
}
