/** Static checks of the examples. e2e/examples.test.ts replays them. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { readPage, root } from '../docs/page.ts'
import { ownName, parseWorkflow, type Step } from '../support/workflow.ts'

const names = readdirSync(join(root, 'examples'))
const read = (name: string): string => readPage(`examples/${name}`)

const registers = ({ uses, with: inputs }: Step): boolean =>
  uses.startsWith(`${ownName}@`) && inputs['dry-run'] !== 'true'

const all = names.map(name => ({ name, workflow: parseWorkflow(read(name)) }))
const jobsOf = ({ workflow }: (typeof all)[number]) => Object.values(workflow.jobs)
const registering = all.filter(example =>
  jobsOf(example).some(({ steps }) => steps.some(registers)),
)

describe('the examples', () => {
  it('are exactly those in the README', () => {
    const listed = [...readPage('README.md').matchAll(/^- \[`([\w-]+\.yml)`\]\(examples\/\1\)/gm)]
    expect(listed.map(([, name]) => name).toSorted()).toEqual(names.toSorted())
  })

  it('use one version of each third-party action, pinned to a commit', () => {
    const texts = [...names.map(read), readPage('README.md'), readPage('docs/recipes.md')]
    const uses = texts.flatMap(text => [...text.matchAll(/uses: (\S+@\S+.*)/g)])
    const thirdParty = uses.map(([, use = '']) => use).filter(use => !use.startsWith(ownName))
    expect(thirdParty.filter(use => !/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(use))).toEqual(
      [],
    )
    const distinct = [...new Set(thirdParty)].map(use => use.replace(/@.*/, ''))
    expect(distinct.length).toBe(new Set(distinct).size)
  })

  it('keep the records right after the step that registers, and share the other steps of its job', () => {
    expect(registering).toHaveLength(5)
    const jobs = registering.flatMap(jobsOf).filter(({ steps }) => steps.some(registers))
    const shared = jobs.map(({ steps }) => {
      const at = steps.findIndex(registers)
      return [steps[at - 1], ...steps.slice(at + 1, at + 4)]
    })
    expect(shared[0]?.[1]?.if).toBe('always()')
    expect(shared.map(steps => JSON.stringify(steps))).toEqual(
      shared.map(() => JSON.stringify(shared[0])),
    )
  })

  // Therefore, the replays of release.yml cover these too.
  it('for several machines and for npm reuse the job of release.yml', () => {
    const releaseOf = (name: string) => {
      const job = all.find(example => example.name === name)?.workflow.jobs['release']
      return { ...job, steps: job?.steps ?? [] }
    }
    expect(releaseOf('release.yml').steps).toHaveLength(8)
    expect(releaseOf('matrix.yml')).toEqual(releaseOf('release.yml'))
    const { steps, ...job } = releaseOf('npm.yml')
    // It also sets up Node and publishes the package.
    expect({ ...job, steps: steps.toSpliced(-3, 2) }).toEqual(releaseOf('release.yml'))
  })

  it('that change a release run one at a time for each tag, in the same concurrency group', () => {
    const ref = /\$\{\{ github\.ref \}\}|refs\/tags\/\$\{\{ (?:inputs|matrix)\.tag \}\}/
    const group = RegExp(`group: release-(?:${ref.source})\n +cancel-in-progress: false\n`)
    const alone = names.filter(name => group.test(read(name)))
    expect(alone).toEqual(names.filter(name => name !== 'pull-request.yml'))
  })
})

describe.each(all)('$name', ({ workflow }) => {
  const jobs = Object.values(workflow.jobs)
  const steps = jobs.flatMap(job => job.steps)

  it('gives each job exactly the permissions that its steps need', () => {
    for (const { permissions, steps: own } of jobs) {
      const text = JSON.stringify(own)
      const has = (pattern: RegExp): boolean => pattern.test(text)
      const needed: Record<string, string> = {}
      if (has(/actions\/checkout@|release-tag|\bgh (api|release) /)) needed['contents'] = 'read'
      if (has(/attach-to-release|gh release (create|edit|upload)|goreleaser-action/))
        needed['contents'] = 'write'
      if (has(/actions\/artifacts/)) needed['actions'] = 'read'
      if (has(/actions\/attest@/))
        Object.assign(needed, { attestations: 'write', 'id-token': 'write' })
      expect(permissions).toEqual(needed)
    }
  })

  it('has no expression in a script, and does not persist the token of checkout', () => {
    expect(steps.map(({ run }) => run).filter(run => run.includes('${{'))).toEqual([])
    expect(Object.keys(workflow.on)).not.toContain('pull_request_target')
    for (const { uses, with: inputs } of steps) {
      if (uses.startsWith('actions/checkout@')) expect(inputs['persist-credentials']).toBe('false')
    }
  })

  it('gives the secret only to the step that registers, and builds in another job', () => {
    expect(steps.filter(step => JSON.stringify(step).includes('secrets.'))).toEqual(
      steps.filter(registers),
    )
    for (const { steps: own } of jobs) {
      const builds = own.some(({ run, uses }) => /make dist|npm ci/.test(run + uses))
      expect(builds && own.some(registers)).toBe(false)
    }
  })
})
