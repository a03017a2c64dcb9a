/** The examples are copied as they are: what each must have, and must not have. What they do is replayed elsewhere. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { evaluateExpression, fillExpressions } from '../support/expressions.ts'
import { parseWorkflow } from '../support/workflow.ts'
import type { Step } from '../support/workflow.ts'

const folder = resolve(import.meta.dirname, '../../examples')
const names = readdirSync(folder)
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')

const actions: readonly string[] = [
  'OWNER/REPO/verify@v1',
  'OWNER/REPO@v1',
  'actions/attest@v4',
  'actions/cache/restore@v6',
  'actions/cache/save@v6',
  'actions/checkout@v7',
  'actions/download-artifact@v8',
  'actions/upload-artifact@v7',
  'goreleaser/goreleaser-action@v7',
]

const isOurs = ({ uses = '' }: Step): boolean => uses.startsWith('OWNER/REPO')
const registers = ({ uses, with: inputs }: Step): boolean =>
  uses === 'OWNER/REPO@v1' && inputs?.['dry-run'] !== true

describe('the examples', () => {
  it('are there for each case', () => {
    const cases = [
      'attest.yml',
      'backfill.yml',
      'build-matrix.yml',
      'draft-release.yml',
      'finish-deferred.yml',
      'goreleaser.yml',
      'pull-request.yml',
      'release.yml',
      'shards.yml',
    ]
    expect(cases.filter(name => !names.includes(name))).toEqual([])
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

  it('uses this action, and others in their current versions', () => {
    expect(steps.filter(isOurs)).not.toEqual([])
    expect(steps.flatMap(({ uses = [] }) => uses).filter(uses => !actions.includes(uses))).toEqual(
      [],
    )
  })

  it('gives no right by default, and to each job what it needs', () => {
    expect(workflow.permissions).toEqual({})
    for (const [job, { permissions, steps: own }] of jobs) {
      const writes =
        own.some(step => isOurs(step) && step.with?.['attach-to-release'] !== undefined) ||
        own.some(({ run = '' }) => /\bgh release (create|edit|upload)\b/.test(run)) ||
        own.some(({ uses = '' }) => uses.startsWith('goreleaser/'))
      const reads = own.some(
        ({ uses = '', run = '', with: inputs = {} }) =>
          uses.startsWith('actions/checkout@') || /\bgh /.test(run) || 'release-tag' in inputs,
      )
      const wanted = writes ? 'write' : reads ? 'read' : undefined
      expect([job, permissions['contents']]).toEqual([job, wanted])
      const attests = own.some(({ uses = '' }) => uses.startsWith('actions/attest@'))
      const checks = own.some(({ run = '' }) => run.includes('gh attestation '))
      const others = Object.fromEntries(
        Object.entries(permissions).filter(([key]) => key !== 'contents'),
      )
      expect([job, others]).toEqual([
        job,
        attests
          ? { 'id-token': 'write', attestations: 'write' }
          : checks
            ? { attestations: 'read' }
            : {},
      ])
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
      expect(inputs).toMatchObject({
        'api-key': '${{ secrets.NOTARIZATION_API_KEY }}',
        subscription: '${{ secrets.NOTARIZATION_SUBSCRIPTION }}',
      })
    }
  })

  it('keeps the records file for the next attempt, whatever happens', () => {
    for (const [, { steps: own }] of jobs) {
      const at = own.findIndex(registers)
      if (at === -1) continue
      const path = own[at]?.with?.['records-path'] ?? 'notarization-records.jsonl'
      const [before, after] = [own[at - 1], own[at + 1]]
      const key = String(after?.with?.['key'])

      expect(before).toMatchObject({ uses: 'actions/cache/restore@v6', with: { path, key } })
      expect(after).toMatchObject({ if: 'always()', uses: 'actions/cache/save@v6', with: { path } })
      expect(key).toMatch(/\$\{\{ github\.run_id \}\}-.*\$\{\{ github\.run_attempt \}\}$/)
      expect(`${String(before?.with?.['restore-keys'])}\${{ github.run_attempt }}`).toBe(key)
    }
  })
})

describe('the evaluator of expressions', () => {
  const contexts = {
    values: { a: { 'b-c': 'text', no: false, list: ['x', 'y'] }, empty: {} },
    functions: { always: () => true, join: (...parts: readonly unknown[]) => parts.join('+') },
  }

  it.each<[string, unknown]>([
    ['a.b-c', 'text'],
    ["a['b-c'] == 'text'", true],
    ['a.missing', null],
    ['empty.deep.er', null],
    ["a.list[1] != 'x'", true],
    ["a.no || 'default'", 'default'],
    ["a.no && 'never' || 'else'", 'else'],
    ["!a.no && !(1 == '2')", true],
    ["join('it''s', a.b-c, 3)", "it's+text+3"],
    ['always()', true],
  ])('%s', (text, value) => {
    expect(evaluateExpression(text, contexts)).toEqual(value)
  })

  it('keeps the type of what is nothing but an expression, and writes text into text', () => {
    expect(fillExpressions('${{ a.list }}', contexts)).toEqual(['x', 'y'])
    expect(fillExpressions('${{ a.no }}-${{ a.b-c }}', contexts)).toBe('false-text')
  })

  it.each(['b.c', 'unknown()', 'a.', "a == 'open", '(a', 'a b'])('refuses %s', text => {
    expect(() => evaluateExpression(text, contexts)).toThrow(/Un|Exp/)
  })
})
