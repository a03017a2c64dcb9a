/** The workflow artifacts of a run, through a child process: whatever happens in it, this process goes on. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { hash } from 'node:crypto'
import { copyFile, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeError, errorCode } from '../failure.ts'
import type {
  ArtifactCall,
  KeptFiles,
  KeptRecords,
  WorkflowArtifact,
  WorkflowArtifacts,
} from '../runtime/outside.ts'
import { proxyProblem } from '../service/proxy.ts'
import { evidenceName, recordsName } from '../text/names.ts'
import {
  isReply,
  maxKeptBytes,
  nameForm,
  whyTooLarge,
  type ChildReply,
  type ChildTask,
  type DownloadTask,
  type DownloadedArtifacts,
} from './messages.ts'
import { readZipEntry } from './zip-entry.ts'

/** How long to wait for the child process; the library waits up to 15 minutes for a silent service. */
const patienceMs = 120_000

/** Creates the port; `childFile` is the script of the child process. */
export function createWorkflowArtifacts(childFile: URL): WorkflowArtifacts {
  return {
    keep: (files, call) => keepFiles(files, call, childFile),
    find: (token, call) => findRecords(token, call, childFile),
  }
}

/** Uploads a copy that nothing else can change. */
async function keepFiles(
  { records, evidencePath }: KeptFiles,
  call: ArtifactCall,
  childFile: URL,
): Promise<WorkflowArtifact> {
  const { artifactService, proxies } = call.environment
  const problem = artifactService && proxyProblem(artifactService.url, proxies)
  if (problem !== null) throw new Error(problem.message)
  const folder = await makeFolder(call)
  const files = [join(folder, recordsName)]
  await writeFile(join(folder, recordsName), records)
  if (evidencePath !== '') {
    const page = join(folder, evidenceName)
    // The records matter more than the page.
    await copyFile(evidencePath, page).then(
      () => files.push(page),
      () => undefined,
    )
  }
  const digits = hash('sha256', records).slice(0, 12)
  const name = `notarization-records-${call.environment.attempt}-${digits}`
  const title = 'Keep the records as a workflow artifact'
  const task = { kind: 'upload', folder, secrets: secretsOf(call), name, files } as const
  const reply = await runChild({ childFile, title, task }, call)
  if (reply.kind !== 'uploaded') throw new Error(whyOf(reply))
  return { name: reply.name, url: urlOf(reply.id, call) }
}

/** Reads what jobs of this run kept: from the artifact service, or else through the GitHub API. */
async function findRecords(
  token: string,
  call: ArtifactCall,
  childFile: URL,
): Promise<readonly KeptRecords[]> {
  const ask = async (findBy: DownloadTask['findBy'], by = ''): Promise<ChildReply> => {
    const folder = await makeFolder(call)
    const title = `Find the records of earlier attempts${by}`
    const secrets = secretsOf(call, token)
    const task = { kind: 'download', folder, secrets, findBy } as const
    return runChild({ childFile, title, task }, call)
  }
  const findBy = findByOf(token, call)
  const first = await ask(null)
  const isFinal = first.kind === 'failed' && first.cause === 'too-large'
  const hasFound = first.kind === 'downloaded' && first.artifacts.length > 0
  if (findBy === null || isFinal || hasFound) return readAll(first, call)
  const second = await ask(findBy, ' through the GitHub API')
  if (second.kind === 'downloaded') return readAll(second, call)
  // The token need not have a permission where nothing was kept.
  if (first.kind === 'downloaded' && second.kind === 'failed' && second.cause === 'refused')
    return []
  const why = `through the GitHub API: ${whyOf(second)}`
  if (first.kind !== 'failed') throw new Error(why)
  throw new Error(`${first.why}; ${why}`)
}

/** Returns how to find the workflow artifacts of the run through the GitHub API; null without what that needs. */
function findByOf(token: string, { environment }: ArtifactCall): DownloadTask['findBy'] {
  if (token === '' || proxyProblem(environment.apiUrl, environment.proxies) !== null) return null
  const { repository, runId } = environment.source
  const [repositoryOwner, repositoryName] = repository?.split('/') ?? []
  if (runId === null || repositoryOwner === undefined || repositoryName === undefined) return null
  return { token, workflowRunId: Number(runId), repositoryOwner, repositoryName }
}

/** Reads what was downloaded. Every job of the run can upload such artifacts, so their content is untrusted. */
async function readAll(reply: ChildReply, call: ArtifactCall): Promise<readonly KeptRecords[]> {
  if (reply.kind !== 'downloaded') throw new Error(whyOf(reply))
  const all: KeptRecords[] = []
  let left = maxKeptBytes
  for (const artifact of reply.artifacts) {
    const bytes = await readRecords(artifact, left)
    left -= bytes.length
    all.push({ name: artifact.name, url: urlOf(artifact.id, call), bytes })
  }
  return all.sort(compareAge)
}

/** Compares by the attempt in the name. Of one attempt, the longer file is newer, because steps only append to it. */
function compareAge(a: KeptRecords, b: KeptRecords): number {
  const attemptOf = ({ name }: KeptRecords): number => Number(name.split('-')[2])
  return attemptOf(a) - attemptOf(b) || a.bytes.length - b.bytes.length
}

/** Returns the records of a downloaded artifact. Rejects if they are not what its name promises. */
async function readRecords(
  { name, path }: DownloadedArtifacts['artifacts'][number],
  maxBytes: number,
): Promise<Buffer> {
  if ((await stat(path)).size > maxBytes) throw new Error(whyTooLarge)
  try {
    const bytes = readZipEntry(await readFile(path), recordsName, maxBytes)
    const [, digits] = nameForm.exec(name) ?? []
    if (hash('sha256', bytes).slice(0, 12) === digits) return bytes
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') throw new Error(whyTooLarge)
    throw new Error(`${name} is damaged: ${describeError(error)}`)
  }
  throw new Error(`${name} is damaged: its records do not have the SHA-256 of its name`)
}

/** Runs a task in a child process, within a group of the log. Rejects with the reason of the signal. */
async function runChild(
  { childFile, title, task }: { childFile: URL; title: string; task: ChildTask },
  { clock, signal }: ArtifactCall,
): Promise<ChildReply> {
  signal.throwIfAborted()
  process.stdout.write(`::group::${title}\n`)
  // The runner sees what the library logs. A stack trace of a crash would tell users nothing.
  const stdio = ['ignore', 'inherit', 'ignore', 'ipc'] as const
  const child = fork(childFile, { execArgv: [], stdio: [...stdio] })
  const replies: ChildReply[] = []
  child.on('message', message => {
    if (isReply(message)) replies.push(message)
  })
  const ended = new AbortController()
  let why = 'its process ended early'
  void clock.sleep(patienceMs, AbortSignal.any([signal, ended.signal])).then(() => {
    why = 'it took more than 2 minutes'
    child.kill('SIGKILL')
  })
  try {
    child.send(task, () => undefined)
    // After the last message.
    await once(child, 'close')
  } finally {
    ended.abort()
    process.stdout.write('::endgroup::\n')
  }
  const [reply] = replies
  if (reply !== undefined) return reply
  signal.throwIfAborted()
  return { kind: 'failed', why, cause: 'other' }
}

function whyOf(reply: ChildReply): string {
  if (reply.kind === 'failed') return reply.why
  return 'its process sent an unexpected reply'
}

function secretsOf({ environment }: ArtifactCall, token = ''): readonly string[] {
  return [environment.artifactService?.token ?? '', token].filter(text => text !== '')
}

/** Makes a folder, which the runner removes with its temporary folder. */
function makeFolder({ environment: { tempFolder } }: ArtifactCall): Promise<string> {
  return mkdtemp(join(tempFolder, 'notarization-'))
}

/** Returns the page of a workflow artifact. */
function urlOf(id: number, { environment }: ArtifactCall): string | null {
  const { serverUrl, source } = environment
  const { repository, runId } = source
  return repository && runId && `${serverUrl}/${repository}/actions/runs/${runId}/artifacts/${id}`
}
