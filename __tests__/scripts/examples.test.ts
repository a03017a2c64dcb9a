/** The examples are copied as they are: what each must have, and must not have. What they do is replayed elsewhere. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { ownName, parseWorkflow } from '../support/workflow.ts'
import type { Step } from '../support/workflow.ts'

const root = resolve(import.meta.dirname, '../..')
const names = readdirSync(join(root, 'examples'))
const read = (name: string): string => readFileSync(join(root, 'examples', name), 'utf8')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

const isOurs = ({ uses = '' }: Step): boolean => uses.startsWith(ownName)
const registers = ({ uses, with: inputs }: Step): boolean =>
  uses === `${ownName}@v1` && inputs?.['dry-run'] !== true

describe('the examples', () => {
  it('are all in the table of the README, and nothing else is', () => {
    const listed = [...readme.matchAll(/^\| \[`([\w-]+\.yml)`\]\(examples\/\1\)/gm)]
    expect(listed.map(([, name]) => name).toSorted()).toEqual(names.toSorted())
  })

  it('use each action of others in one version, pinned to a commit', () => {
    const uses = names.flatMap(name =>
      [...read(name).matchAll(/uses: (\S+)@(\S+)(.*)/g)].map(match => match.slice(1, 4)),
    )
    const others = uses.filter(([action = '']) => !action.startsWith(ownName))
    const isPinned = (version: string, comment: string): boolean =>
      /^[0-9a-f]{40}$/.test(version) && /^ # v\d+\.\d+\.\d+$/.test(comment)
    expect(others.filter(([, version = '', comment = '']) => !isPinned(version, comment))).toEqual(
      [],
    )
    const [versions, actions] = [
      new Set(others.map(one => one.join('@'))),
      new Set(others.map(([action]) => action)),
    ]
    expect(versions.size).toBe(actions.size)
  })
})

describe.each(names)('%s', name => {
  const text = read(name)
  const workflow = parseWorkflow(text)
  const jobs = Object.entries(workflow.jobs)
  const steps = jobs.flatMap(([, job]) => job.steps)

  it('says first what it is and when to use it', () => {
    const [comment = ''] = /^(?:# .*\n)+/.exec(text) ?? []

    expect(comment.replaceAll('\n# ', ' ')).toMatch(/\bUse it\b/)
    expect(comment.split('\n').length).toBeLessThanOrEqual(5)
  })

  it('gives no right by default, and to each job what it needs', () => {
    expect(workflow.permissions).toEqual({})
    expect(workflow).toHaveProperty('concurrency')
    for (const [job, { permissions, steps: own }] of jobs) {
      const uses = (action: string): boolean => own.some(step => step.uses?.startsWith(action))
      const runs = (script: RegExp): boolean => own.some(({ run = '' }) => script.test(run))
      const writes =
        own.some(step => isOurs(step) && step.with?.['attach-to-release'] !== undefined) ||
        runs(/\bgh release (create|edit|upload)\b/) ||
        uses('goreleaser/')
      const reads =
        uses('actions/checkout@') ||
        runs(/\bgh /) ||
        own.some(({ with: inputs = {} }) => 'release-tag' in inputs)
      const asksForOtherAttempts = own.some(({ with: inputs = {} }) => 'run-id' in inputs)
      const wanted = {
        ...(writes ? { contents: 'write' } : reads ? { contents: 'read' } : {}),
        ...(asksForOtherAttempts ? { actions: 'read' } : {}),
        ...(uses('actions/attest@') ? { 'id-token': 'write', attestations: 'write' } : {}),
        ...(runs(/\bgh attestation /) ? { attestations: 'read' } : {}),
        ...(runs(/\bdocker login ghcr\.io\b/) ? { packages: 'write' } : {}),
      }
      expect([job, permissions]).toEqual([job, wanted])
    }
  })

  it('lets no expression into a script, and no token of checkout stay', () => {
    expect(steps.flatMap(({ run = '' }) => run).filter(run => run.includes('${{'))).toEqual([])
    expect(Object.keys(workflow.on)).not.toContain('pull_request_target')
    for (const { uses = '', with: inputs } of steps) {
      if (uses.startsWith('actions/checkout@')) expect(inputs?.['persist-credentials']).toBe(false)
    }
  })

  it('has secrets only where something is registered, and only as inputs', () => {
    const secrets = steps.filter(step => JSON.stringify(step).includes('secrets.'))

    expect(secrets).toEqual(steps.filter(registers))
    for (const { with: inputs = {} } of secrets) {
      expect(inputs['api-key']).toBe('${{ secrets.NOTARIZATION_API_KEY }}')
      expect(inputs['subscription'] ?? inputs['request-registration']).toBe(
        name === 'key-alone.yml' ? true : '${{ secrets.NOTARIZATION_SUBSCRIPTION }}',
      )
    }
  })

  it('builds in one job, and registers in another', () => {
    const builds = ({ run = '', uses = '' }: Step): boolean =>
      /\b(make dist|docker buildx)\b/.test(run) || uses.startsWith('goreleaser/')
    for (const [, { steps: own }] of jobs) {
      expect(own.some(builds) && own.some(registers)).toBe(false)
    }
  })
})
