/** What the schedules of the world start from. */
import { readInputs, type NotarizeInputs } from '../../src/inputs/notarize-inputs.ts'
import { isBusy, isUnpaid, serviceUrl, type Effect } from './service.ts'

const subscription = '{"id":"sub_1"}'

function inputsOf(changes: Readonly<Record<string, string>>): NotarizeInputs {
  const common = { path: '*', 'api-key': 'key-0123456789', 'base-url': serviceUrl, subscription }
  return readInputs({ 'max-attempts': '3', ...common, ...changes }).inputs
}

/** How a run follows the one before. */
export const again = {
  does: 'a new run on the same machine',
  /** Whether it is the next attempt of the same run. */
  isRerun: false,
  /** Whether the disk is empty. */
  isNewMachine: false,
  /** Whether it sees what earlier attempts kept. */
  seesKept: false,
  /** Whether both run at the same time. */
  isBeside: false,
}
const elsewhere = { ...again, does: 'a new run on a new machine', isNewMachine: true }
const rerunHere = { ...again, does: 'a re-run on the same machine', isRerun: true, seesKept: true }
const rerun = { ...rerunHere, does: 'a re-run on a new machine', isNewMachine: true }
const rerunAll = { ...rerun, does: 'a re-run of all jobs on a new machine', seesKept: false }
export const beside = {
  ...elsewhere,
  does: 'another job of the run on another machine',
  isBeside: true,
}

const inTurn = inputsOf({ concurrency: '1' })
const keepsNothing = inputsOf({ concurrency: '1', 'keep-records': 'false' })
const forRelease = { 'release-tag': 'v1', 'github-token': 'token', path: '', concurrency: '1' }
const requests = { 'request-registration': 'true', concurrency: '1' }
const ordinary = {
  /** The last letter is the content. */
  artifacts: ['a', 'b', 'copy of a'],
  /** What the service does with each call for a hash; null if it does what is right, but for faults. */
  usual: null,
  /** Whether the service completes only what was requested, and accepts each request once. */
  requiresRequests: false,
  /** Whether the service completes nothing twice. */
  refusesRepeats: false,
  /** Whether the service registers nothing at once. */
  isSlow: false,
  /** Whether the server has an artifact service. */
  hasArtifacts: true,
  /** Whether the second run is another job of the first. */
  hasTwoJobs: false,
  next: [again, rerun],
}
const outage = {
  ...ordinary,
  artifacts: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
  inputs: ['1', '2'].map(concurrency => inputsOf({ 'max-attempts': '2', concurrency })),
}
const reruns = { ...ordinary, inputs: [inTurn], next: [rerun, rerunAll, rerunHere, again] }

export interface Scenario extends Omit<typeof ordinary, 'usual'> {
  readonly name: string
  readonly usual: null | ((right: Effect) => readonly Effect[])
  /** Each run has one of these, usually the first. */
  readonly inputs: readonly NotarizeInputs[]
}

/** What all runs of a schedule have. */
export const scenarios: readonly Scenario[] = [
  { ...ordinary, name: 'artifacts', inputs: [inputsOf({}), inTurn] },
  {
    ...ordinary,
    name: 'a release',
    artifacts: ['a', 'b'],
    inputs: [inputsOf(forRelease)],
    next: [again, elsewhere, rerun],
  },
  {
    ...ordinary,
    name: 'requests',
    artifacts: ['a', 'b'],
    requiresRequests: true,
    inputs: ['', subscription, 'active'].map(data => inputsOf({ ...requests, subscription: data })),
  },
  { ...outage, name: 'an outage after records', usual: right => [right, isUnpaid, isBusy] },
  { ...outage, name: 'a used up subscription', usual: right => [isUnpaid, right, isBusy] },
  { ...ordinary, name: 'pending', isSlow: true, inputs: [inTurn] },
  { ...reruns, name: 're-runs' },
  { ...ordinary, name: 'keeping nothing', inputs: [keepsNothing], next: [rerunHere, rerun] },
  { ...ordinary, name: 'no repeats', refusesRepeats: true, inputs: [inTurn] },
  { ...reruns, name: 'two jobs', hasTwoJobs: true },
  { ...reruns, name: 'two jobs, and no repeats', hasTwoJobs: true, refusesRepeats: true },
  { ...ordinary, name: 'no artifact service', hasArtifacts: false, inputs: [inTurn] },
]
