/**
 * A stand-in for the `gh` of cli/cli 2.83: its flags, order of calls, and cleanup, as far as the examples and pages use
 * them. A shim on the PATH passes its arguments to a server in the test process.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, dirname, join, resolve } from 'node:path'
import { matchesGlob } from 'node:path/posix'
import { parseArgs } from 'node:util'
import { describe } from '@jest/globals'
import { onCleanUp } from './clean-up.ts'
import type { FakeGitHub } from './github.ts'
import type { StoredRelease } from './github-memory.ts'
import { listen } from './listen.ts'
import { job } from './runner-environment.ts'
import { sha256 } from './samples.ts'

/** `happened`: GitHub answers 502 after the change. `cut`: the connection breaks during an upload. */
export type GhFault = 'happened' | 'cut'

export interface StoredArtifact {
  readonly runId: string
  readonly name: string
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Uploaded by a run for a pull request from a fork. */
  readonly isForeign?: boolean
}

/** The state that `gh` reads and changes. */
export interface GhWorld {
  readonly github: FakeGitHub
  readonly artifacts: StoredArtifact[]
  /** Release notes by release id. */
  readonly notes: Map<number, string>
  /** Called with each change as `verb file`, such as `upload app.zip`. */
  faultOf(call: string): GhFault | undefined
}

/** The script that stands in for `gh`. Starting Node for each call would take most of the test time. */
export const shim = `
exec 3<>"/dev/tcp/127.0.0.1/$GH_STAND_IN"
printf '%s\\036' "$PWD" "$GH_TOKEN" "$GH_REPO$GITHUB_REPOSITORY" "$@" >&3; printf '\\004' >&3
IFS= read -r error <&3
test -z "$error" || { printf '%s\\n' "$error" >&2; exit 1; }
while test $# -gt 0 -a "$1" != --jq; do shift; done
case $1 in --jq) jq -rc "$2" <&3 ;; *) cat <&3 ;; esac
`

/** Starts the server behind the shim and returns its port. */
export function startGh(world: GhWorld): Promise<number> {
  const server = createServer(socket => {
    let received = ''
    socket.setEncoding('utf8')
    socket.on('error', () => undefined)
    socket.on('data', (part: string) => {
      received += part
      if (received.endsWith('\u0004')) socket.end(answer(world, received.split('\u001e')))
    })
  })
  onCleanUp(() => server.close())
  return listen(server)
}

/** Returns the error message, or an empty line and the output. */
function answer(world: GhWorld, parts: readonly string[]): string {
  const [cwd = '', token = '', repository, ...words] = parts.slice(0, -1)
  try {
    const isOffline = words[0] === 'attestation' && words.includes('--bundle')
    if (token === '' && !isOffline) throw new Error('set the GH_TOKEN environment variable')
    if (!repository?.startsWith(job.repository)) throw new Error('no git remotes found')
    const command = commands.find(([name]) => `${words.join(' ')} `.startsWith(`${name} `))
    if (command === undefined) throw new Error(`The stand-in has no "${words.join(' ')}"`)
    const [name, flags, run] = command
    const output = run({ world, cwd, ...readFlags(words.slice(name.split(' ').length), flags) })
    return `\n${typeof output === 'string' ? output : JSON.stringify(output)}`
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return `${message.replaceAll('\n', ' ')}\n`
  }
}

interface Call {
  readonly world: GhWorld
  readonly cwd: string
  /** By name; `true` for a flag without a value. */
  readonly flags: Readonly<Record<string, string | undefined>>
  readonly words: readonly string[]
}

/** Each command with its flags; a flag with `=` takes a value. */
const commands: readonly (readonly [string, string, (call: Call) => unknown])[] = [
  ['api', 'method= paginate jq= raw-field=', api],
  ['release create', 'draft verify-tag target= generate-notes', createRelease],
  ['release upload', 'clobber', upload],
  ['release view', 'json= jq=', view],
  ['release download', 'pattern= dir= output=', download],
  ['release edit', 'draft= notes-file=', edit],
  ['release list', 'exclude-drafts limit= json= jq=', list],
  ['run download', 'name= dir=', downloadArtifact],
  ['attestation trusted-root', '', () => trustedRoot],
  [
    'attestation verify',
    'bundle= custom-trusted-root= repo= cert-identity= source-ref= deny-self-hosted-runners',
    verifyAttestation,
  ],
]

function readFlags(args: readonly string[], known: string): Pick<Call, 'flags' | 'words'> {
  const options: Record<string, { type: 'string' | 'boolean' }> = {}
  for (const flag of known.split(' ')) {
    options[flag.replace('=', '')] = { type: flag.endsWith('=') ? 'string' : 'boolean' }
  }
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const flags = Object.entries(values).map(([name, value]) => [name, String(value)] as const)
  return { flags: Object.fromEntries(flags), words: positionals }
}

const hasJq = spawnSync('jq', ['--version']).status === 0

/** Describes tests of scripts for `ubuntu-latest`; skips them on a machine that cannot run them. */
export const describeScripts = process.platform === 'linux' && hasJq ? describe : describe.skip

/** Returns the output of a change, or fails although the change was made. */
function endChange({ world }: Call, change: string): string {
  if (world.faultOf(change) === 'happened') throw new Error('HTTP 502: Bad Gateway')
  return 'https://github.example/octo/app\n'
}

function assetsOf({ assets }: StoredRelease): readonly unknown[] {
  return assets.map(({ id, name, state, digest, size }) => ({ id, name, state, digest, size }))
}

function find({ world, words: [tag = ''] }: Call): StoredRelease {
  return world.github.release(tag)
}

function api(call: Call): unknown {
  const { world, words, flags } = call
  const path = (words[0] ?? '').replace(`repos/${job.repository}/`, '')
  if (path === 'releases') {
    return world.github.releases.map(release => {
      const { id, tag: tag_name, target: target_commitish, draft } = release
      return { id, tag_name, target_commitish, draft, assets: assetsOf(release) }
    })
  }
  if (path !== 'actions/artifacts') throw new Error(`The stand-in has no "api ${path}"`)
  const name = flags['raw-field']?.replace('name=', '')
  const artifacts = world.artifacts.filter(artifact => artifact.name === name)
  return {
    artifacts: artifacts.map(({ runId, isForeign = false }) => {
      const run = { id: Number(runId), repository_id: 1, head_repository_id: isForeign ? 2 : 1 }
      return { name, expired: false, workflow_run: run }
    }),
  }
}

function createRelease(call: Call): string {
  const { world, words, flags } = call
  const [tag = ''] = words
  world.github.addRelease({ tag, draft: 'draft' in flags, target: flags['target'] ?? 'main' })
  return endChange(call, 'create')
}

/** Uploads one file after the other. `gh` retries after a 5xx or a lost connection, but not after a 422. */
function upload(call: Call): string {
  const { world, cwd, words, flags } = call
  const [tag = '', ...files] = words
  const taken = find(call).assets.map(({ name }) => name)
  const contents = files.map(file => [basename(file), readFileSync(resolve(cwd, file))] as const)
  if (flags['clobber'] === undefined && contents.some(([name]) => taken.includes(name))) {
    throw new Error('asset under the same name already exists')
  }
  for (const [name, content] of contents) {
    const fault = world.faultOf(`upload ${name}`)
    if (taken.includes(name)) world.github.removeAsset(tag, name)
    const state = fault === 'cut' ? 'starter' : 'uploaded'
    world.github.addAsset(tag, { name, content, state })
    // The name is taken now, so the retry is refused.
    if (fault !== undefined) throw new Error('HTTP 422: ReleaseAsset.name already exists')
  }
  return ''
}

function view(call: Call): unknown {
  const release = find(call)
  return { assets: assetsOf(release), body: call.world.notes.get(release.id) ?? '' }
}

function download(call: Call): string {
  const { pattern = '*', output, dir = '.' } = call.flags
  const assets = find(call).assets.filter(({ name }) => matchesGlob(name, pattern))
  if (assets.length === 0) throw new Error('no assets match the file pattern')
  for (const { name, content, state } of assets) {
    if (state !== 'uploaded') throw new Error('HTTP 404: Not Found')
    save(resolve(call.cwd, output ?? join(dir, name)), content)
  }
  return ''
}

/** Fails if the file exists. */
function save(path: string, content: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content, { flag: 'wx' })
}

function edit(call: Call): string {
  const { world, cwd, flags } = call
  const release = find(call)
  if (flags['draft'] === 'false') world.github.publish(release.tag)
  const file = flags['notes-file']
  if (file !== undefined) world.notes.set(release.id, readFileSync(resolve(cwd, file), 'utf8'))
  return endChange(call, 'edit')
}

function list({ world, flags }: Call): unknown {
  const published = world.github.releases.filter(({ draft }) => !draft)
  return published
    .slice(0, Number(flags['limit']))
    .map(({ tag, immutable }) => ({ tagName: tag, isImmutable: immutable }))
}

function downloadArtifact({ world, cwd, words, flags: { name, dir = '.' } }: Call): string {
  const artifact = world.artifacts.find(stored => stored.runId === words[0] && stored.name === name)
  if (artifact === undefined) throw new Error('no artifact matches any of the names provided')
  for (const [file, content] of artifact.files) save(resolve(cwd, dir, file), content)
  return ''
}

const trustedRoot = '{"mediaType":"application/vnd.dev.sigstore.trustedroot+json;version=0.1"}\n'

/** Returns a bundle that attests these bytes for this workflow identity. */
export function makeBundle(content: string | Uint8Array, identity: string): string {
  const digest = sha256(content)
  return JSON.stringify({ digest, identity, signature: sha256(`key ${digest} ${identity}`) })
}

/** Returns the identity of a workflow file at a ref. */
export function identityOf(workflow: string, ref: string): string {
  return `https://github.com/${job.repository}/.github/workflows/${workflow}@${ref}`
}

function verifyAttestation({ cwd, words, flags }: Call): string {
  const read = (file = ''): string => readFileSync(resolve(cwd, file), 'utf8')
  const { bundle, repo, 'cert-identity': identity = '', 'source-ref': ref } = flags
  const isTrusted = read(flags['custom-trusted-root']) === trustedRoot
  const isSigned = read(bundle).trim() === makeBundle(read(words[0]), identity)
  const isOfRef = identity.endsWith(`@${ref}`)
  if (!isTrusted || !isSigned || !isOfRef || repo !== job.repository) {
    throw new Error('✗ Sigstore verification failed')
  }
  return '✓ Verification succeeded!\n'
}
