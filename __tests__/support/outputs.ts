/** The outputs of both actions by the rules of README.md. */
import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { failureCodes } from '../../src/failure.ts'
import { file, jsonObject } from './record-lines.ts'

const fileMaybeUnread = { ...file, hash: file.hash.nullable() }
const json = z.string().transform((text): unknown => JSON.parse(text))
const emptyOr = <T extends z.ZodType>(list: T) =>
  z.union([z.literal('').transform(() => null), json.pipe(list)])
const count = z.string().regex(/^\d+$/).transform(Number)
const path = z.string().refine(isAbsolute)
const pathOrNone = z.union([z.literal(''), path])

const registeredSchema = z.strictObject({
  ...file,
  from: z.enum(['this-run', 'records-file']),
  record: jsonObject,
  verificationUrl: z.url({ protocol: /^https$/ }).optional(),
  maybeChargedAgain: z.literal(true).optional(),
})

const failureSchema = z.strictObject({
  ...fileMaybeUnread,
  code: z.enum(failureCodes),
  registered: z.enum(['no', 'unknown']),
  message: z.string().min(1),
})

const complete = ['registered', 'partial', 'failed'] as const

/** The verdicts of the main action. */
export const VERDICTS = [...complete, 'nothing-found', 'dry-run', 'stopped'] as const

/** Each output of the main action as documented; `records` is null if the output is empty. */
export const outputsSchema = z.strictObject({
  verdict: z.enum(VERDICTS),
  records: emptyOr(z.array(registeredSchema)),
  failures: json.pipe(z.array(failureSchema)),
  'records-path': path,
  'checksums-path': pathOrNone,
  'predicate-path': pathOrNone,
  'evidence-path': pathOrNone,
  'artifact-count': count,
  'registered-count': count,
  'newly-registered-count': count,
  'failed-count': count,
  'charge-count': count,
  'charge-count-max': count,
})

const states = ['matched', 'altered', 'unknown', 'missing'] as const

/** The verdicts of the verify action. */
export const VERIFY_VERDICTS = [...states, 'stopped'] as const

const { artifact, hash } = file
const place = { service: z.string().min(1), sha: z.string().nullable() }
const resultSchema = z.strictObject({
  ...fileMaybeUnread,
  state: z.enum(states),
  recorded: z.strictObject({ artifact, hash, ...place, record: jsonObject }).nullable(),
  message: z.string(),
})

/** Each output of the verify action as documented; `results` is null if the output is empty. */
export const verifyOutputsSchema = z.strictObject({
  verdict: z.enum(VERIFY_VERDICTS),
  results: emptyOr(z.array(resultSchema)),
  'matched-count': count,
  'altered-count': count,
  'unknown-count': count,
  'missing-count': count,
})
