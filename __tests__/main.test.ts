/** Both actions as a whole, in this process: what they make of a secret wherever it stands. */
import './support/realms.ts'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { systemClock } from '../src/clock.ts'
import { readEnvironment } from '../src/environment.ts'
import { Halt } from '../src/halt.ts'
import type { Host } from '../src/host.ts'
import { inputDefaults, type InputName } from '../src/inputs.ts'
import { run } from '../src/main.ts'
import type { Runner } from '../src/runner.ts'
import { Secrets } from '../src/secrets.ts'
import { verify, verifyDefaults } from '../src/verify/main.ts'
import { API_KEY, closeAll, startService, SUBSCRIPTION } from './service/support.ts'
import { cleanUp } from './support/clean-up.ts'
import { decodeHtml } from './support/html.ts'
import { makeLine, subscription, toJsonLines } from './support/samples.ts'
import { makeWorkspace, type Workspace } from './support/workspace.ts'

afterEach(closeAll)
afterAll(cleanUp)

const onPosix = process.platform === 'win32' ? it.skip : it

/** Longer than the longest word that a summary leaves whole, and with what becomes entities there. */
const SECRET = `QXZJKVWYQZ${'@vkq#zjx'.repeat(9)}WVQKXJZYWQ`
/** That a message may be cut within the secret. */
const padding = 'x'.repeat(60)

/** A host whose runner keeps all that it is given, and takes the secrets out as the real one does. */
function hostOf<Name extends string>(
  raw: Readonly<Record<Name, string>>,
  workspace: Workspace,
  env: Readonly<Record<string, string>>,
) {
  const secrets = new Secrets(() => undefined)
  const kept = { lines: [''], errors: [''].slice(1), outputs: [''], summary: '' }
  const say = (text: string): void => void kept.lines.push(secrets.redactText(text))
  const runner: Runner = {
    ...{ info: say, notice: say, warning: say, mask: () => undefined },
    error: text => {
      say(text)
      kept.errors.push(text)
    },
    setOutput: (name, value) => void kept.outputs.push(`${name}=${value}`),
    writeSummary: markdown => {
      kept.summary = secrets.redactText(markdown)
      return Promise.resolve()
    },
  }
  const places = { GITHUB_WORKSPACE: workspace.root, RUNNER_TEMP: workspace.temp, HOME: '/' }
  const host: Host<Name> = {
    ...{ raw, runner, secrets, clock: systemClock, random: Math.random, halt: new Halt() },
    environment: readEnvironment({ ...places, ...env }, workspace.root),
    workerFile: new URL('../src/artifacts/hash-worker.ts', import.meta.url),
  }
  return { host, kept }
}

type Kept = ReturnType<typeof hostOf>['kept']

/** All parts of the secret that are long enough to be of use, in a text as it is and as a page shows it. */
function partsIn(text: string): readonly string[] {
  const parts = Array.from({ length: SECRET.length - 7 }, (_, at) => SECRET.slice(at, at + 8))
  return parts.filter(part => text.includes(part) || decodeHtml(text).includes(part))
}

function expectNoPart({ lines, outputs, summary }: Kept, workspace: Workspace): void {
  for (const text of [lines.join('\n'), outputs.join('\n'), summary])
    expect(partsIn(text)).toEqual([])
  for (const folder of [workspace.root, workspace.temp]) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      expect(partsIn(readFileSync(`${entry.parentPath}/${entry.name}`, 'utf8'))).toEqual([])
    }
  }
}

/** The run is for a ref and a repository with the secret in them. */
const ofSecret = {
  ...{ GITHUB_REF: `refs/tags/v${SECRET}`, GITHUB_REPOSITORY: `octo/${SECRET}` },
  ...{ GITHUB_SERVER_URL: 'https://github.com', GITHUB_SHA: 'a'.repeat(40), GITHUB_RUN_ID: '7' },
}

describe('a run that notarizes', () => {
  async function notarize(inputs: Partial<Record<InputName, string>>) {
    const service = await startService({ apiKeys: [SECRET] })
    const workspace = makeWorkspace({ 'dist/a': 'a' })
    const raw = {
      ...{ ...inputDefaults, path: 'dist', 'base-url': service.url, 'api-key': SECRET },
      ...{ subscription: SUBSCRIPTION, ...inputs },
    }
    const { host, kept } = hostOf(raw, workspace, ofSecret)
    return { exitCode: await run(host), kept, service, workspace }
  }

  it('keeps the secrets out of the source of its lines, and out of the summary', async () => {
    const { exitCode, kept, workspace } = await notarize({})
    expect(exitCode).toBe(0)
    const lines = workspace.read('notarization-records.jsonl').trimEnd().split('\n')
    expect(lines).toHaveLength(2)
    for (const line of lines) {
      expect(JSON.parse(line)).toMatchObject({
        source: {
          ...{ ref: 'refs/tags/v***', repository: 'octo/***' },
          commitUrl: `https://github.com/octo/***/commit/${'a'.repeat(40)}`,
          runUrl: 'https://github.com/octo/***/actions/runs/7',
        },
      })
    }
    expect(kept.summary).toMatch(/✅ NOTARIZED.*<code>v&#42;&#42;&#42;<\/code>/s)
    expectNoPart(kept, workspace)
  })

  it('keeps what belongs to the record, also where a secret equals it', async () => {
    const data = { ...subscription, customer: subscription.id }
    const { exitCode, kept } = await notarize({ subscription: JSON.stringify(data) })
    expect(exitCode).toBe(0)
    expect(kept.outputs.join()).toContain(`"paymentId":"${subscription.id}"`)
  })

  it.each<[InputName, string]>([
    ['base-url', `https://${padding}.example/${SECRET}`],
    ['path', `${padding.repeat(4)}${SECRET}`],
    ['checksums', `${padding.repeat(4)}${SECRET}`],
    ['records-path', `${SECRET}.jsonl`],
    ['verification-url', `https://x.example/${SECRET}/{hash}`],
    ['description', SECRET],
    ['release-tag', `${padding}${SECRET}`],
    ['concurrency', `${padding}${SECRET}`],
    ['if-no-files-found', SECRET],
    ['dry-run', SECRET],
  ])('stops without showing any part of a secret in %s', async (input, value) => {
    const { exitCode, kept, service, workspace } = await notarize({ [input]: value })
    expect({ exitCode, requests: service.requests }).toEqual({ exitCode: 1, requests: [] })
    expect(kept.outputs).toContain('verdict=stopped')
    const error = new RegExp(`^input "${input}" contains the value of a secret [^"]*$`)
    expect(kept.errors).toEqual([expect.stringMatching(error)])
    expectNoPart(kept, workspace)
  })
})

describe('a bug of ours', () => {
  async function runUntil(isBroken: (sent: number) => boolean) {
    const service = await startService()
    const workspace = makeWorkspace({ 'dist/a': 'a', 'dist/b': 'b' })
    const raw = {
      ...{ ...inputDefaults, path: 'dist', 'base-url': service.url, concurrency: '1' },
      ...{ 'api-key': API_KEY, subscription: SUBSCRIPTION },
    }
    const { host, kept } = hostOf(raw, workspace, {})
    const monotonic = (): number => {
      if (isBroken(service.registered.size)) throw new Error('time is out of joint')
      return performance.now()
    }
    expect(await run({ ...host, clock: { ...systemClock, monotonic } })).toBe(1)
    expect(kept.errors).toEqual([expect.stringMatching(/internal-error: .*out of joint; please/)])
    return { kept, service }
  }

  it('that shows before anything was sent stops the run', async () => {
    const { kept, service } = await runUntil(() => true)
    expect(service.requests).toEqual([])
    expect(kept.outputs).toContain('verdict=stopped')
    expect(kept.summary).toMatch(/stopped before anything was sent.*out of joint/s)
  })

  it('that shows after something was sent is a failure of all that was to be sent', async () => {
    const { kept } = await runUntil(sent => sent > 0)
    expect(kept.errors).toEqual([expect.stringMatching(/^2 of 2 /)])
    expect(kept.outputs).toEqual(expect.arrayContaining(['verdict=failed', 'failed-count=2']))
    expect(kept.outputs.join()).toMatch(/"code":"internal-error","registered":"unknown"/)
    expect(kept.summary).toMatch(/^## ❌ NOT NOTARIZED: 0 of 2/)
  })
})

describe('a run that verifies', () => {
  const proxy = { ...ofSecret, https_proxy: `http://u:${SECRET}@127.0.0.1:9` }
  async function verifyAt(workspace: Workspace, inputs: object) {
    const { host, kept } = hostOf({ ...verifyDefaults, ...inputs }, workspace, proxy)
    return { exitCode: await verify(host), kept }
  }

  onPosix('keeps the secrets out of names, warnings and the summary', async () => {
    const service = `https://notary.example/${SECRET}`
    const [a, c] = ['a', 'c'].map(name => makeLine(service, name))
    const blockchainType = SECRET
    const line = { ...a, artifact: SECRET, record: { ...a?.record, blockchainType } }
    const problems = [SECRET]
    const workspace = makeWorkspace({
      ...{ [`dist/b-${SECRET}`]: 'b', [`dist/a-${SECRET}`]: 'a', [`dist/c-${SECRET}`]: 'c' },
      'records.jsonl': toJsonLines([line, { ...c, problems }]),
    })
    execFileSync('mkfifo', [workspace.path(`records-${SECRET}`)])
    const { exitCode, kept } = await verifyAt(workspace, { path: 'dist', records: 'records*' })
    expect(exitCode).toBe(1)
    expect(kept.summary).toMatch(/1 of 3 artifacts match; 0 altered, 2 unknown/)
    for (const text of ['records-***', 'another name, "***"', 'problems: ***', 'example/***"']) {
      expect(decodeHtml(kept.summary)).toContain(text)
    }
    const { lines, outputs, summary } = kept
    for (const text of [...lines, ...outputs, summary]) expect(partsIn(text)).toEqual([])
  })

  it.each(['path', 'checksums', 'records', 'base-url', 'sha'])(
    'stops without showing any part of a secret in %s',
    async input => {
      const workspace = makeWorkspace({ a: 'a' })
      const inputs = { path: 'a', [input]: `${padding.repeat(4)}${SECRET}` }
      const { exitCode, kept } = await verifyAt(workspace, inputs)
      expect(exitCode).toBe(1)
      expect(kept.lines.at(-1)).toContain(`input "${input}" contains the value of a secret`)
      expectNoPart(kept, workspace)
    },
  )
})
