/** What this process and the child process that loads `@actions/artifact` tell each other. */
import { isJsonObject } from '../text/json.ts'

/** Of the artifacts that hold records: the run attempt, and the first 12 digits of the SHA-256 of the records. */
export const nameForm = /^notarization-records-\d+-([0-9a-f]{12})(?:-1)?$/

/** For all records together. */
export const maxKeptBytes = 64 * 1024 * 1024

/** Their size exceeds {@link maxKeptBytes}. */
export const whyTooLarge = 'they exceed 64 MiB together'

interface TaskParts {
  /** An empty folder that only this task uses. */
  readonly folder: string
  /** What must not be in the log. */
  readonly secrets: readonly string[]
}

export interface UploadTask extends TaskParts {
  readonly kind: 'upload'
  readonly name: string
  /** Absolute paths of files in the folder. */
  readonly files: readonly string[]
}

export interface DownloadTask extends TaskParts {
  readonly kind: 'download'
  /** For the GitHub API; null for the artifact service. */
  readonly findBy: {
    readonly token: string
    readonly workflowRunId: number
    readonly repositoryOwner: string
    readonly repositoryName: string
  } | null
}

export type ChildTask = UploadTask | DownloadTask

export interface UploadedArtifact {
  readonly kind: 'uploaded'
  readonly name: string
  readonly id: number
}

export interface DownloadedArtifacts {
  readonly kind: 'downloaded'
  readonly artifacts: readonly {
    readonly name: string
    readonly id: number
    /** Of its zip. */
    readonly path: string
  }[]
}

export interface FailedTask {
  readonly kind: 'failed'
  /** A clause without secrets. */
  readonly why: string
  /** `refused` if GitHub refused to list the artifacts, with a status of 400 to 499. */
  readonly cause: 'refused' | 'too-large' | 'other'
}

export type ChildReply = UploadedArtifact | DownloadedArtifacts | FailedTask

/** Both processes are ours, so their messages are trusted. */
export function isTask(message: unknown): message is ChildTask {
  return isJsonObject(message) && 'folder' in message
}

export function isReply(message: unknown): message is ChildReply {
  return isJsonObject(message) && !isTask(message)
}
