/**
 * The `gh` of the tests: what scripts of the examples call, with the flags, the order of calls, the clean-up and the exit
 * codes of cli/cli 2.83. A shim on the PATH passes its words to a server in the process of the tests.
 */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, dirname, join, resolve } from 'node:path'
import { matchesGlob } from 'node:path/posix'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { onCleanUp } from './clean-up.ts'
import type { FakeGitHub } from './github.ts'
import type { StoredRelease } from './github-memory.ts'
import { job } from './runner-environment.ts'
import { sha256 } from './samples.ts'

/** What goes wrong with a call of `gh` that changes something. */
export type GhFault =
  /** GitHub answers 500 to every try, and nothing happens. */
  | 'down'
  /** GitHub answers 502, although it happened. */
  | 'happened'
  /** The connection breaks in the middle of an upload. */
  | 'cut'

/** The artifacts of one run, by name. */
export interface StoredArtifact {
  readonly runId: string
  readonly name: string
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Uploaded by a run for a pull request from a fork. */
  readonly isForeign?: boolean
}

/** What `gh` works on. */
export interface GhWorld {
  readonly github: FakeGitHub
  readonly artifacts: StoredArtifact[]
  /** Target commits of releases by id; GitHub has `main` where none was given. */
  readonly targets: Map<number, string>
  /** Notes of releases by id. */
  readonly notes: Map<number, string>
  /** `verb file` of a call that changes something, such as `upload app.zip`, and what goes wrong with it. */
  faultOf: (call: string) => GhFault | undefined
  /** The permissions of the job that runs. */
  permissions: Readonly<Record<string, string>>
}

/** The shim: bash alone, as a process of Node for each call would take most of the time of these tests. */
export const shim = `#!/usr/bin/env bash
exec 3<>"/dev/tcp/127.0.0.1/$GH_STAND_IN"
printf '%s\\036' "$PWD" "$GH_TOKEN" "$GH_REPO$GITHUB_REPOSITORY" "$TAG" "$@" >&3; printf '\\004' >&3
IFS= read -r code <&3; IFS= read -r error <&3
test -z "$error" || printf '%s\\n' "$error" >&2
cat <&3
exit "$code"
`

/** What `gh` ends with other than success. */
class GhError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Starts the server behind the shim, until {@link cleanUp}; gives its port. */
export async function startGh(world: GhWorld): Promise<number> {
  const server = createServer(socket => {
    let received = ''
    socket.setEncoding('utf8')
    socket.on('error', () => undefined)
    socket.on('data', (part: string) => {
      received += part
      if (received.endsWith('\u0004'))
        socket.end(answer(world, received.split('\u001e').slice(0, -1)))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onCleanUp(() => server.close())
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('There is no port')
  return address.port
}

function answer(world: GhWorld, [cwd = '', token = '', repository, tag = '', ...words]: string[]) {
  try {
    const isOffline = words[0] === 'attestation' && words.includes('--bundle')
    if (token === '' && !isOffline) throw new GhError('set the GH_TOKEN environment variable', 4)
    if (!repository?.startsWith(job.repository)) throw new GhError('no git remotes found')
    const found = commands.find(
      ({ name }) => words.slice(0, name.length).join(' ') === name.join(' '),
    )
    if (found === undefined) throw new Error(`The gh of the tests has no "${words.join(' ')}"`)
    const args = words.slice(found.name.length)
    const { options } = found
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const call = { world, cwd, tag, flags: flagsSchema.parse(values), words: positionals }
    return `0\n\n${filter(found.run(call) ?? '', call)}`
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return `${error instanceof GhError ? error.exitCode : 1}\n${message.replaceAll('\n', ' ')}\n`
  }
}

const one = { type: 'string' } as const
const many = { type: 'string', multiple: true } as const
const yes = { type: 'boolean' } as const

const flagsSchema = z.object({
  jq: z.string().optional(),
  json: z.string().optional(),
  'raw-field': z.array(z.string()).default([]),
  target: z.string().default('main'),
  draft: z.union([z.boolean(), z.string()]).default(false),
  'verify-tag': z.boolean().default(false),
  clobber: z.boolean().default(false),
  pattern: z.array(z.string()).default([]),
  dir: z.string().default('.'),
  output: z.string().optional(),
  limit: z.string().default('30'),
  name: z.string().default(''),
  'notes-file': z.string().optional(),
  bundle: z.string().default(''),
  'custom-trusted-root': z.string().default(''),
  'cert-identity': z.string().default(''),
  repo: z.string().default(''),
})

interface Call {
  readonly world: GhWorld
  readonly cwd: string
  /** The variable TAG, which filters read. */
  readonly tag: string
  readonly flags: z.infer<typeof flagsSchema>
  readonly words: readonly string[]
}

const commands = [
  { name: ['api'], options: { method: one, paginate: yes, jq: one, 'raw-field': many }, run: api },
  {
    name: ['release', 'create'],
    options: { draft: yes, 'verify-tag': yes, target: one, 'generate-notes': yes },
    run: createRelease,
  },
  { name: ['release', 'upload'], options: { clobber: yes }, run: upload },
  { name: ['release', 'view'], options: { json: one, jq: one }, run: view },
  {
    name: ['release', 'download'],
    options: { pattern: many, dir: one, output: one },
    run: download,
  },
  { name: ['release', 'edit'], options: { draft: one, 'notes-file': one }, run: edit },
  {
    name: ['release', 'list'],
    options: { 'exclude-drafts': yes, limit: one, json: one, jq: one },
    run: list,
  },
  { name: ['run', 'download'], options: { name: one, dir: one }, run: downloadArtifact },
  { name: ['attestation', 'trusted-root'], options: {}, run: () => `${trustedRoot}\n` },
  {
    name: ['attestation', 'verify'],
    options: {
      bundle: one,
      'custom-trusted-root': one,
      repo: one,
      'cert-identity': one,
      'deny-self-hosted-runners': yes,
    },
    run: verifyAttestation,
  },
] as const

/** Filters JSON as `--jq` does: texts as they are, everything else on one line. */
function filter(value: unknown, { flags, tag }: Call): string {
  if (typeof value === 'string') return value
  const options = { input: JSON.stringify(value), encoding: 'utf8', env: { TAG: tag } } as const
  const run = spawnSync(jqPath, ['-rc', flags.jq ?? '.'], options)
  if (run.status !== 0) throw new GhError(run.stderr)
  return run.stdout
}

const jqPath = spawnSync('bash', ['-c', 'type -P jq'], { encoding: 'utf8' }).stdout.trim()

/** Whether the scripts of the examples, which are for `ubuntu-latest`, can run on this machine. */
export const canRunScripts = process.platform === 'linux' && jqPath !== ''

function need({ world }: Call, right: string, level: string): void {
  const given = world.permissions[right]
  if (given !== 'write' && given !== level) {
    throw new GhError('HTTP 403: Resource not accessible by integration')
  }
}

/** A change on GitHub, which may fail, or seem to. */
function change({ world }: Call, call: string, act: () => void): void {
  const fault = world.faultOf(call)
  if (fault === 'down') throw new GhError('HTTP 500: Internal Server Error')
  act()
  if (fault === 'happened') throw new GhError('HTTP 502: Bad Gateway')
}

/** Those that the token may see, as the REST API gives them. */
function releasesOf({ world }: Call): readonly unknown[] {
  const visible = world.github
    .releases()
    .filter(({ draft }) => !draft || world.permissions['contents'] === 'write')
  return visible.map(release => ({
    id: release.id,
    tag_name: release.tag,
    target_commitish: world.targets.get(release.id) ?? 'main',
    draft: release.draft,
    assets: assetsOf(release),
  }))
}

function assetsOf({ assets }: StoredRelease): readonly unknown[] {
  return assets.map(({ id, name, state, digest, size }) => ({ id, name, state, digest, size }))
}

function find(call: Call): StoredRelease {
  const { world, words } = call
  need(call, 'contents', 'read')
  const found = world.github
    .releases()
    .find(
      ({ tag, draft }) => tag === words[0] && (!draft || world.permissions['contents'] === 'write'),
    )
  if (found === undefined) throw new GhError('release not found')
  return found
}

function api(call: Call): unknown {
  const { world, words, flags } = call
  const path = (words[0] ?? '').replace(`repos/${job.repository}/`, '')
  if (path === 'releases') {
    need(call, 'contents', 'read')
    return releasesOf(call)
  }
  if (path !== 'actions/artifacts') throw new Error(`The gh of the tests has no "api ${path}"`)
  need(call, 'actions', 'read')
  const [, name] = /^name=(.*)$/s.exec(flags['raw-field'][0] ?? '') ?? []
  const artifacts = world.artifacts.filter(artifact => artifact.name === name)
  return {
    artifacts: artifacts.map(({ runId, isForeign = false }) => ({
      name,
      expired: false,
      workflow_run: { id: Number(runId), repository_id: 1, head_repository_id: isForeign ? 2 : 1 },
    })),
  }
}

function createRelease(call: Call): string {
  const { world, words, flags } = call
  const [tag = ''] = words
  need(call, 'contents', 'write')
  if (flags.draft !== true || words.length > 1) throw new Error('Only drafts without files here')
  change(call, 'create', () => {
    world.github.addRelease({ tag, draft: true })
    const [release] = world.github.releases()
    if (release !== undefined) world.targets.set(release.id, flags.target)
  })
  return `https://github.example/${tag}\n`
}

/** Uploads file after file; `gh` tries a 5xx and a lost connection three times more, and nothing after a 422. */
function upload(call: Call): undefined {
  const { world, cwd, words, flags } = call
  const [tag = '', ...files] = words
  need(call, 'contents', 'write')
  const { assets } = find(call)
  const contents = files.map(file => [basename(file), readFileSync(resolve(cwd, file))] as const)
  const known = contents.filter(([name]) => assets.some(asset => asset.name === name))
  if (known.length > 0 && !flags.clobber)
    throw new GhError('asset under the same name already exists')
  for (const [name, content] of contents) {
    const fault = world.faultOf(`upload ${name}`)
    if (fault === 'down') throw new GhError('HTTP 500: Internal Server Error')
    if (known.some(([other]) => other === name)) world.github.removeAsset(tag, name)
    const state = fault === 'cut' ? 'starter' : 'uploaded'
    world.github.addAsset(tag, { name, content, state })
    // The name is taken now, so that the next try is refused.
    if (fault !== undefined) throw new GhError('HTTP 422: ReleaseAsset.name already exists')
  }
  return undefined
}

function view(call: Call): unknown {
  const release = find(call)
  const { draft: isDraft, id } = release
  return { assets: assetsOf(release), isDraft, body: call.world.notes.get(id) ?? '' }
}

function download(call: Call): undefined {
  const { cwd, flags } = call
  const wanted = find(call).assets.filter(
    ({ name }) => flags.pattern.length === 0 || flags.pattern.some(one => matchesGlob(name, one)),
  )
  if (wanted.length === 0) throw new GhError('no assets match the file pattern')
  if (wanted.length > 1 && flags.output !== undefined) throw new GhError('more than one asset')
  for (const { name, content, state } of wanted) {
    if ('zeros' in content || state !== 'uploaded') throw new GhError('HTTP 404: Not Found')
    save(resolve(cwd, flags.output ?? join(flags.dir, name)), content)
  }
  return undefined
}

function save(path: string, content: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content, { flag: 'wx' })
}

function edit(call: Call): string {
  const { world, cwd, flags } = call
  const release = find(call)
  need(call, 'contents', 'write')
  change(call, 'edit', () => {
    if (flags.draft === 'false') world.github.publish(release.tag)
    const file = flags['notes-file']
    if (file !== undefined) world.notes.set(release.id, readFileSync(resolve(cwd, file), 'utf8'))
  })
  return `https://github.example/${release.tag}\n`
}

function list(call: Call): unknown {
  need(call, 'contents', 'read')
  const published = call.world.github.releases().filter(({ draft }) => !draft)
  const shown = published.slice(0, Number(call.flags.limit))
  return shown.map(({ tag, immutable }) => ({ tagName: tag, isImmutable: immutable }))
}

function downloadArtifact(call: Call): undefined {
  const { world, cwd, words, flags } = call
  need(call, 'actions', 'read')
  const found = world.artifacts.find(({ runId, name }) => runId === words[0] && name === flags.name)
  if (found === undefined) throw new GhError('no artifact matches any of the names provided')
  for (const [name, content] of found.files) save(resolve(cwd, flags.dir, name), content)
  return undefined
}

const trustedRoot = '{"mediaType":"application/vnd.dev.sigstore.trustedroot+json;version=0.1"}'
const authority = 'a key that only the authority of these tests has'

/** A bundle as an authority signs it: for these bytes, by this workflow. */
export function makeBundle(content: string | Uint8Array, identity: string): string {
  const digest = sha256(content)
  return JSON.stringify({
    digest,
    identity,
    signature: sha256(`${authority} ${digest} ${identity}`),
  })
}

/** The identity of a workflow file, for a ref. */
export function identityOf(workflow: string, ref: string): string {
  return `https://github.com/${job.repository}/.github/workflows/${workflow}@${ref}`
}

function verifyAttestation({ cwd, words, flags }: Call): string {
  const read = (file: string): string => readFileSync(resolve(cwd, file), 'utf8')
  const isTrusted = read(flags['custom-trusted-root']) === `${trustedRoot}\n`
  const wanted = makeBundle(readFileSync(resolve(cwd, words[0] ?? '')), flags['cert-identity'])
  const isSigned = JSON.stringify(JSON.parse(read(flags.bundle))) === wanted
  if (!isTrusted || !isSigned || flags.repo !== job.repository) {
    throw new GhError('✗ Sigstore verification failed')
  }
  return '✓ Verification succeeded!\n'
}
