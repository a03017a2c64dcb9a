/**
 * The `gh` of the tests: what scripts of the examples call, with the flags, the order of calls, the clean-up and the exit
 * codes of cli/cli 2.83. A shim on the PATH passes its words to a server in the process of the tests.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, dirname, join, resolve } from 'node:path'
import { matchesGlob } from 'node:path/posix'
import { createInterface } from 'node:readline'
import { describe } from '@jest/globals'
import { onCleanUp } from './clean-up.ts'
import type { FakeGitHub } from './github.ts'
import type { StoredRelease } from './github-memory.ts'
import { listen } from './listen.ts'
import { job } from './runner-environment.ts'
import { sha256 } from './samples.ts'

/** What goes wrong with a call of `gh` that changes something. */
export type GhFault =
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
  /** Notes of releases by id. */
  readonly notes: Map<number, string>
  /** `verb file` of a call that changes something, such as `upload app.zip`, and what goes wrong with it. */
  faultOf: (call: string) => GhFault | undefined
}

/** The shim: bash alone, as a process of Node for each call would take most of the time of these tests. */
export const shim = `
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
export function startGh(world: GhWorld): Promise<number> {
  const server = createServer(socket => {
    let received = ''
    socket.setEncoding('utf8')
    socket.on('error', () => undefined)
    socket.on('data', (part: string) => {
      received += part
      if (!received.endsWith('\u0004')) return
      const words = received.split('\u001e').slice(0, -1)
      void answer(world, words).then(text => socket.end(text))
    })
  })
  onCleanUp(() => server.close())
  return listen(server)
}

async function answer(world: GhWorld, given: readonly string[]): Promise<string> {
  const [cwd = '', token = '', repository, tag = '', ...words] = given
  try {
    const isOffline = words[0] === 'attestation' && words.includes('--bundle')
    if (token === '' && !isOffline) throw new GhError('set the GH_TOKEN environment variable', 4)
    if (!repository?.startsWith(job.repository)) throw new GhError('no git remotes found')
    const found = commands.find(([name]) => `${words.join(' ')} `.startsWith(`${name} `))
    if (found === undefined) throw new Error(`The gh of the tests has no "${words.join(' ')}"`)
    const [name, known, run] = found
    const call = { world, cwd, tag, ...readFlags(words.slice(name.split(' ').length), known) }
    return `0\n\n${await filter(run(call) ?? '', call)}`
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return `${error instanceof GhError ? error.exitCode : 1}\n${message.replaceAll('\n', ' ')}\n`
  }
}

interface Call {
  readonly world: GhWorld
  readonly cwd: string
  /** The variable TAG, which filters read. */
  readonly tag: string
  /** Given flags; `true` for one without a value. */
  readonly flags: Readonly<Record<string, string | undefined>>
  readonly words: readonly string[]
}

/** Words of a command, its flags, of which those with `=` take a value, and what it does. */
const commands: readonly (readonly [string, string, (call: Call) => unknown])[] = [
  ['api', 'method= paginate jq= raw-field=', api],
  ['release create', 'draft verify-tag target= generate-notes', createRelease],
  ['release upload', 'clobber', upload],
  ['release view', 'json= jq=', view],
  ['release download', 'pattern= dir= output=', download],
  ['release edit', 'draft notes-file=', edit],
  ['release list', 'exclude-drafts limit= json= jq=', list],
  ['run download', 'name= dir=', downloadArtifact],
  ['attestation trusted-root', '', () => `${trustedRoot}\n`],
  [
    'attestation verify',
    'bundle= custom-trusted-root= repo= cert-identity= source-ref= deny-self-hosted-runners',
    verifyAttestation,
  ],
]

function readFlags(given: readonly string[], known: string): Pick<Call, 'flags' | 'words'> {
  const flags: Record<string, string> = {}
  const words: string[] = []
  const rest = [...given]
  while (rest.length > 0) {
    const word = rest.shift() ?? ''
    const [, name = '', value] = /^--([\w-]+)(?:=(.*))?$/s.exec(word) ?? []
    if (name === '') words.push(word)
    else if (known.split(' ').includes(`${name}=`)) flags[name] = value ?? rest.shift() ?? ''
    else if (known.split(' ').includes(name)) flags[name] = value ?? 'true'
    else throw new GhError(`unknown flag: --${name}`)
  }
  return { flags, words }
}

/** Filters JSON as `--jq` does: texts as they are, everything else on one line. */
async function filter(value: unknown, { flags: { jq = '.' }, tag }: Call): Promise<string> {
  if (typeof value === 'string') return value
  const run = running.get(tag + jq) ?? startJq(jq, tag)
  running.set(tag + jq, run)
  run.stdin.write(`${JSON.stringify(value)}\n`)
  let output = ''
  for (;;) {
    const line = await run.lines.next()
    if (line.done === true) throw new GhError('jq failed')
    if (line.value === '\u0004') return output
    output += `${line.value}\n`
  }
}

const jqPath = spawnSync('bash', ['-c', 'type -P jq'], { encoding: 'utf8' }).stdout.trim()
const running = new Map<string, ReturnType<typeof startJq>>()

/** A jq that filters one value after the other: to start it takes longer than all else that a script does. */
function startJq(program: string, tag: string) {
  const args = ['--unbuffered', '-rc', `(try (${program}) catch halt_error), "\u0004"`]
  const { stdin, stdout } = spawn(jqPath, args, {
    env: { TAG: tag },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onCleanUp(() => stdin.end())
  return { stdin, lines: createInterface(stdout)[Symbol.asyncIterator]() }
}

/** For the scripts of the examples, which are for `ubuntu-latest`: skipped on a machine that cannot run them. */
export const describeScripts =
  process.platform === 'linux' && jqPath !== '' ? describe : describe.skip

/** Ends a change on GitHub, which may seem to have failed. */
function endChange({ world }: Call, call: string): string {
  if (world.faultOf(call) === 'happened') throw new GhError('HTTP 502: Bad Gateway')
  return 'https://github.example/octo/app\n'
}

/** All, as the REST API gives them. */
function releasesOf({ world }: Call): readonly unknown[] {
  return world.github.releases.map(release => ({
    id: release.id,
    tag_name: release.tag,
    target_commitish: release.target,
    draft: release.draft,
    assets: assetsOf(release),
  }))
}

function assetsOf({ assets }: StoredRelease): readonly unknown[] {
  return assets.map(({ id, name, state, digest, size }) => ({ id, name, state, digest, size }))
}

function find({ world, words }: Call): StoredRelease {
  const found = world.github.releases.find(({ tag }) => tag === words[0])
  if (found === undefined) throw new GhError('release not found')
  return found
}

function api(call: Call): unknown {
  const { world, words, flags } = call
  const path = (words[0] ?? '').replace(`repos/${job.repository}/`, '')
  if (path === 'releases') return releasesOf(call)
  if (path !== 'actions/artifacts') throw new Error(`The gh of the tests has no "api ${path}"`)
  const [, name] = /^name=(.*)$/s.exec(flags['raw-field'] ?? '') ?? []
  const found = world.artifacts.filter(artifact => artifact.name === name)
  const artifacts = found.map(({ runId, isForeign = false }) => {
    const run = { id: Number(runId), repository_id: 1, head_repository_id: isForeign ? 2 : 1 }
    return { name, expired: false, workflow_run: run }
  })
  return { artifacts }
}

function createRelease(call: Call): string {
  const { world, words, flags } = call
  const [tag = ''] = words
  world.github.addRelease({ tag, draft: 'draft' in flags, target: flags['target'] ?? 'main' })
  return endChange(call, 'create')
}

/** Uploads file after file; `gh` tries a 5xx and a lost connection three times more, and nothing after a 422. */
function upload(call: Call): undefined {
  const { world, cwd, words, flags } = call
  const [tag = '', ...files] = words
  const { assets } = find(call)
  const contents = files.map(file => [basename(file), readFileSync(resolve(cwd, file))] as const)
  const known = contents.filter(([name]) => assets.some(asset => asset.name === name))
  if (known.length > 0 && flags['clobber'] === undefined)
    throw new GhError('asset under the same name already exists')
  for (const [name, content] of contents) {
    const fault = world.faultOf(`upload ${name}`)
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
  const { pattern = '*', output, dir = '.' } = flags
  const wanted = find(call).assets.filter(({ name }) => matchesGlob(name, pattern))
  if (wanted.length === 0) throw new GhError('no assets match the file pattern')
  for (const { name, content, state } of wanted) {
    if (state !== 'uploaded') throw new GhError('HTTP 404: Not Found')
    save(resolve(cwd, output ?? join(dir, name)), content)
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
  if (flags['draft'] === 'false') world.github.publish(release.tag)
  const file = flags['notes-file']
  if (file !== undefined) world.notes.set(release.id, readFileSync(resolve(cwd, file), 'utf8'))
  return endChange(call, 'edit')
}

function list(call: Call): unknown {
  const published = call.world.github.releases.filter(({ draft }) => !draft)
  const shown = published.slice(0, Number(call.flags['limit']))
  return shown.map(({ tag, immutable }) => ({ tagName: tag, isImmutable: immutable }))
}

function downloadArtifact(call: Call): undefined {
  const { world, cwd, words, flags } = call
  const found = world.artifacts.find(
    ({ runId, name }) => runId === words[0] && name === flags['name'],
  )
  if (found === undefined) throw new GhError('no artifact matches any of the names provided')
  for (const [name, content] of found.files) save(resolve(cwd, flags['dir'] ?? '.', name), content)
  return undefined
}

const trustedRoot = '{"mediaType":"application/vnd.dev.sigstore.trustedroot+json;version=0.1"}'
const authority = 'a key that only the authority of these tests has'

/** A bundle as an authority signs it: for these bytes, by this workflow. */
export function makeBundle(content: string | Uint8Array, identity: string): string {
  const digest = sha256(content)
  const signature = sha256(`${authority} ${digest} ${identity}`)
  return JSON.stringify({ digest, identity, signature })
}

/** The identity of a workflow file, for a ref. */
export function identityOf(workflow: string, ref: string): string {
  return `https://github.com/${job.repository}/.github/workflows/${workflow}@${ref}`
}

function verifyAttestation({ cwd, words, flags }: Call): string {
  const read = (flag: string): string => readFileSync(resolve(cwd, flags[flag] ?? ''), 'utf8')
  const isTrusted = read('custom-trusted-root') === `${trustedRoot}\n`
  const wanted = makeBundle(
    readFileSync(resolve(cwd, words[0] ?? '')),
    flags['cert-identity'] ?? '',
  )
  const isSigned = JSON.stringify(JSON.parse(read('bundle'))) === wanted
  const isOfRef = flags['cert-identity']?.endsWith(`@${flags['source-ref']}`)
  if (!isTrusted || !isSigned || !isOfRef || flags['repo'] !== job.repository) {
    throw new GhError('✗ Sigstore verification failed')
  }
  return '✓ Verification succeeded!\n'
}
