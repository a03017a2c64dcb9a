/** Runs the unchanged steps of `examples/deploy.yml`, with the real `gh` and no network. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { runAction } from '../support/runner.ts'
import { sha256 } from '../support/samples.ts'
import { makeTemporaryFolder, makeWorkspace } from '../support/workspace.ts'
import { genuineRecords, trustedRoot, type Bypass, type Forgery } from './kinds.ts'

const deploy = readFileSync(join(import.meta.dirname, '../../examples/deploy.yml'), 'utf8')
const inputs = z.record(z.string(), z.coerce.string())
const steps = z.array(z.object({ run: z.string().optional(), with: inputs.optional() }))
const workflow = z.object({ jobs: z.object({ deploy: z.object({ steps }) }) })

const TAG = 'v1.0.0'
export const RECORDS = 'notarization-records.jsonl'
export const PLANTED = 'notarization-records-planted.jsonl'
const folder = makeTemporaryFolder()
const at = (name: string): string => join(folder, name)

/** Installs a script that stands in for GitHub and calls the `gh` on the PATH, or one that Go builds. */
export function installGh(): void {
  let gh = spawnSync('bash', ['-c', 'type -P gh'], { encoding: 'utf8' }).stdout.trim()
  if (gh === '') {
    gh = at('built-gh')
    const download = ['mod', 'download', '-json', 'github.com/cli/cli/v2@v2.96.0']
    const module: unknown = JSON.parse(execFileSync('go', download, { encoding: 'utf8' }))
    const { Dir } = z.object({ Dir: z.string() }).parse(module)
    execFileSync('go', ['build', '-C', Dir, '-o', gh, './cmd/gh'], { stdio: 'inherit' })
  }
  // The proxy does not exist, so any call that would leave this machine fails.
  const script = `#!/bin/bash
    case "$1 $2" in
      'release download') exec cp -r ../assets "$5" ;;
      'attestation trusted-root') exec cat ${trustedRoot} ;;
      'attestation verify') HTTPS_PROXY=http://127.0.0.1:9 exec ${gh} "$@" 2>> ../messages ;;
    esac
    exit 1`
  writeFileSync(at('gh'), script)
  chmodSync(at('gh'), 0o755)
}

/** Runs deploy.yml for a release of two files. With another name, the forgery is added to genuine records of one file. */
export async function runDeploy(forgery: Forgery, name: string, bypass: Bypass = ['\n', '\n']) {
  const assets = { '../assets/app': 'app', '../assets/evil': 'evil' }
  const workspace = makeWorkspace({ '../messages': '', ...assets })
  const add = (file: string, text: string, signed?: string): void => {
    workspace.write(`../assets/${file}`, text)
    if (signed !== undefined) workspace.write(`../assets/${file}.sigstore.json`, signed)
  }
  if (name !== RECORDS) add(RECORDS, genuineRecords.records, genuineRecords.bundle)
  add(name, forgery.records, forgery.bundle)
  if (!deploy.includes(bypass[0])) throw new Error(`deploy.yml has no ${bypass[0]}`)
  const all = workflow.parse(parse(deploy.replaceAll(...bypass))).jobs.deploy.steps
  const use = all.findIndex(step => step.run === undefined)
  const PATH = [folder, process.env['PATH']].join(delimiter)
  const env = { ...process.env, PATH, TAG, GH_REPO: 'octo/app', GH_TOKEN: 'none' }
  for (const { run = '' } of all.slice(0, use)) {
    const { status, stderr } = spawnSync('bash', ['-e', '-c', run], { cwd: workspace.root, env })
    if (status !== 0) throw new Error(`a step of deploy.yml failed: ${stderr.toString()}`)
  }
  const verify = { workspace, actionFile: 'verify/action.yml', inputs: all[use]?.with ?? {} }
  const { outputs } = await runAction(verify)
  const files = globSync('{release,trusted}/*', { cwd: workspace.root })
  return {
    verdict: outputs['verdict'],
    /** The files that the verify step can read. */
    texts: new Map(files.map(file => [file, workspace.read(file)])),
    messages: workspace.read('../messages').match(/(?<=^Error: ).*/gm) ?? [],
  }
}

/** Tries a forgery in place of the records and in addition to them. Returns whether it is rejected as expected. */
export async function tryForgery(forgery: Forgery): Promise<boolean> {
  const { name, bypass } = forgery
  const messages = new Set<string>()
  let isRefused = true
  for (const file of [RECORDS, PLANTED]) {
    const deployment = await runDeploy(forgery, file)
    const trusted = [...deployment.texts.keys()].filter(name => name.startsWith('trusted/')).join()
    const isLeft = [...deployment.texts.values()].some(text => text.includes(sha256('evil')))
    const expected = file === RECORDS ? ' stopped' : `trusted/${RECORDS} unknown`
    isRefused &&= `${trusted} ${deployment.verdict}` === expected && !isLeft
    for (const message of deployment.messages) messages.add(message)
  }
  console.log(`${isRefused ? 'refused' : 'ACCEPTED'}: ${name}: ${[...messages].join('; ')}`)
  if (bypass === undefined) return isRefused
  const isAccepted = (await runDeploy(forgery, PLANTED, bypass)).texts.has(`trusted/${PLANTED}`)
  console.log(`  ${isAccepted ? 'accepted' : 'REFUSED'} with "${bypass[1]}" for "${bypass[0]}"`)
  return isRefused && isAccepted
}
