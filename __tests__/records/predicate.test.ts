import { expect, it } from '@jest/globals'
import type { Evidence } from '../../src/records/evidence.ts'
import type { RecordEntry } from '../../src/records/lines.ts'
import { renderPredicate } from '../../src/records/predicate.ts'
import { parseJsonObject } from '../../src/text/json.ts'
import { hashOf, source } from '../support/samples.ts'
import { AT, entryOf, SERVICE } from './entries.ts'

/** An artifact whose record was made under another name. */
function artifactOf(
  number: number,
  changes: Partial<RecordEntry> = {},
  verificationUrl: string | null = null,
): Evidence {
  const entry = entryOf(number, changes)
  const ofFile = { name: 'a', size: null, hash: hashOf(number), verificationUrl }
  return { ...ofFile, entry, maybeChargedAgain: false }
}

function predicateOf(...artifacts: readonly Evidence[]): string {
  return renderPredicate(artifacts, { service: SERVICE, source })
}

it('states the service, the run, and the record of each artifact under its name in this run', () => {
  const verificationUrl = 'https://notary.example/1'
  const record = parseJsonObject('{"creationDate":12345678901234567890.10}') ?? {}
  const text = predicateOf(
    artifactOf(1, { record }, verificationUrl),
    artifactOf(2, { record, confirmed: true }),
  )
  const head = { artifact: 'a', size: null }
  const line = `${JSON.stringify({
    service: SERVICE,
    source,
    records: [
      { ...head, hash: hashOf(1), at: AT, record: 0, verificationUrl },
      { ...head, hash: hashOf(2), at: AT, record: 0, confirmed: true, verificationUrl: null },
    ],
  })}\n`
  expect(text).toBe(
    line.replaceAll('"record":0', '"record":{"creationDate":12345678901234567890.10}'),
  )
})

it('is empty above 16,000,000 bytes', () => {
  const withText = (length: number): string =>
    predicateOf(artifactOf(1, { record: { description: 'é'.repeat(length) } }))
  const rest = Buffer.byteLength(withText(0))
  expect(Buffer.byteLength(withText((16_000_000 - rest) >> 1))).toBeGreaterThan(15_999_998)
  expect(withText(8_000_000 - (rest >> 1) + 1)).toBe('')
})
