/** Says where the records of a run are; pure. */
import { quote } from '../text/escape.ts'
import { evidenceName } from '../text/names.ts'
import { pluralize } from '../text/phrases.ts'
import type { Pointer } from './report.ts'
import type { CompletedRun, Job, RunEnd } from './run-end.ts'
import { countCharges, isNew } from './states.ts'
import { addressOf } from './words.ts'

/** The number of records that are only in the log. */
export function countOnlyInLog({ artifacts, recorded, place, unsaved }: CompletedRun): number {
  if (place.kind !== 'log') return unsaved.length
  // What an earlier step of the job has printed may be all.
  return countCharges(artifacts.filter(isNew)) || recorded.size
}

/** Says how many records are only in the log; empty if none are. */
export function describeOnlyInLog(end: CompletedRun): string {
  const count = countOnlyInLog(end)
  return count === 0 ? '' : `${pluralize(count, 'record is', 'records are')} only in the log`
}

/** Links the records, and says how to use the evidence page; nothing if there are no records. */
export function pointToRecords(end: RunEnd, { recordsPath, host }: Job): readonly Pointer[] {
  const { kind, workflowArtifacts } = end.place
  const none = { links: [], command: '' }
  const pointers: Pointer[] = []
  if (end.kind === 'completed') {
    const count = countOnlyInLog(end)
    if (count > 0)
      pointers.push({ ...none, text: `Records: ${count} only in the log of this step` })
    if (kind === 'release' && end.release !== null) {
      const { tag: name, url } = end.release
      pointers.push({ ...none, text: 'Records: release', links: [{ name, url }] })
    }
  }
  if (kind === 'file') {
    const docs = addressOf('records.md#where-it-is-kept', host)
    const text = `Records: only in the file "${quote(recordsPath)}" (${docs})`
    pointers.push({ ...none, text })
  }
  if (kind === 'none' || workflowArtifacts.length === 0) return pointers
  const isOfEarlier = kind === 'log' || kind === 'file'
  const hasPage = end.kind === 'completed' && end.hasEvidence && !isOfEarlier
  let what = hasPage ? 'Records and evidence page' : 'Records'
  if (isOfEarlier) what = 'Records of earlier attempts'
  // The newest comes first.
  const links = workflowArtifacts.toReversed()
  pointers.push({ ...none, text: `${what}: workflow artifact`, links })
  if (!hasPage) return pointers
  const text = `To compare downloaded files, put ${evidenceName} from there beside them, and run`
  const command = `sha256sum --ignore-missing -c ${evidenceName}`
  return [...pointers, { text, links: [], command }]
}
