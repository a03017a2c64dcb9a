import { hash } from 'node:crypto'
import { copyFile, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ArtifactNotFoundError, DefaultArtifactClient } from '@actions/artifact'
import * as core from '@actions/core'
import { evidenceName, recordsName } from '../artifacts/own-files.ts'
import { completeLines } from '../records/lines.ts'
import type { Environment } from '../runtime/environment.ts'
import { createRunner } from '../runtime/runner.ts'
import { describeError } from '../text/system-error.ts'
import { makeArtifactName } from './artifact-name.ts'
import { describeServiceError, withinLimits, type Limits } from './artifact-service.ts'

/** What to keep. */
export interface KeepTask extends Limits {
  /** Content of the records file. */
  readonly records: Buffer
  /** Absolute path of the evidence page; empty if there is none. */
  readonly evidencePath: string
  /** SHA-256 of the records file when the release had all its lines; empty if it never had. */
  readonly attached: string
  readonly runAttempt: string
  readonly environment: Environment
}

/** Keeps the records as a workflow artifact. If that fails, prints them, unless the release has them. Never rejects. */
export async function keepRecords(task: KeepTask): Promise<void> {
  const { records, attached, environment } = task
  const { artifactToken: token } = environment
  const runner = createRunner(text => (token === null ? text : text.replaceAll(token, '***')))
  const digest = hash('sha256', records)
  try {
    if (token === null) throw new Error('this server has no artifact service')
    // The library shows answers.
    core.setSecret(token)
    const artifactName = makeArtifactName(task.runAttempt, digest)
    const kept = await core.group('Keep the records', () =>
      withinLimits(uploadCopy(artifactName, task), task),
    )
    runner.info(`The records are kept in the workflow artifact ${kept}`)
  } catch (error) {
    const why = describeServiceError(error, token)
    const failure = `The records could not be kept as a workflow artifact (${why})`
    if (attached === digest) {
      runner.info(`${failure}, but the release has all of them`)
      return
    }
    runner.warning(
      `${failure}. Outside this machine, only this log has them, in the lines below: a later run that does not find these lines in its records file registers and charges again what they record`,
    )
    for (const line of completeLines(records)) runner.info(line.toString())
  }
}

/** Uploads a copy that nothing else can change. Returns the name of the artifact. */
async function uploadCopy(name: string, task: KeepTask): Promise<string> {
  // The runner empties its temporary folder.
  const folder = await mkdtemp(join(task.environment.tempFolder, 'notarization-'))
  const files = [join(folder, recordsName)]
  await writeFile(join(folder, recordsName), task.records)
  if (task.evidencePath !== '') {
    const page = join(folder, evidenceName)
    // The records matter more than the page.
    await copyFile(task.evidencePath, page).then(
      () => files.push(page),
      () => undefined,
    )
  }
  return upload(name, folder, files)
}

/** Uploads the files at the top of an artifact, under a second name if a broken upload blocks the first. */
async function upload(name: string, folder: string, files: string[]): Promise<string> {
  const client = new DefaultArtifactClient()
  let failure: unknown
  for (const candidate of [name, `${name}-1`]) {
    try {
      await client.uploadArtifact(candidate, files, folder)
      return candidate
    } catch (error) {
      // The same name means the same bytes, from another step or from this upload without its answer.
      if (await isListed(client, candidate)) return candidate
      failure = error
    }
  }
  throw new Error(describeError(failure))
}

async function isListed(client: DefaultArtifactClient, name: string): Promise<boolean> {
  try {
    await client.getArtifact(name)
    return true
  } catch (error) {
    if (error instanceof ArtifactNotFoundError) return false
    throw error
  }
}
