import { expect, it } from '@jest/globals'
import { fillVerificationUrl } from '../../src/text/verification-url.ts'

const hash = 'ab'.repeat(32)
const strange = ['{hash}$&/../"', '@evil.example', '\\evil', '\r\n\ud800']

it.each<[txId: unknown, part: string | null]>([
  ...strange.map((txId): [string, string] => [txId, encodeURIComponent(txId.toWellFormed())]),
  ...[null, '', 7, 'with ***'].map((txId): [unknown, null] => [txId, null]),
])('a verification URL needs the transaction %j only if the template names it', (txId, part) => {
  const fill = (template: string) => fillVerificationUrl(template, { hash, record: { txId } })
  const url = part === null ? null : `https://notary.example/tx/${part}?of=${hash}&again=${part}`
  expect(fill('https://notary.example/tx/{txId}?of={hash}&again={txId}')).toBe(url)
  expect(fill('https://n.example/{hash}/{hash}')).toBe(`https://n.example/${hash}/${hash}`)
})
