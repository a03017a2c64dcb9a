/** A body with more secrets says nothing. */
const maxSecrets = 1000

/**
 * Reads the body of an error; never throws. `said`: the message of a JSON object, or a plain text, not free of secrets;
 * empty for HTML, XML and damaged JSON. `secrets`: the values of all fields with the name of a secret, not only ours.
 */
export function readErrorBody(body: string): {
  readonly said: string
  readonly secrets: readonly string[]
} {
  try {
    const parsed: unknown = JSON.parse(body.trim())
    const secrets = secretsOf(parsed)
    return { said: secrets.length > maxSecrets ? '' : messageOf(parsed).trim(), secrets }
  } catch {
    const isText = !/<[a-z!?/]|^\s*[{["]|[\0\ufffd]/i.test(body)
    return { said: isText ? body.trim() : '', secrets: [] }
  }
}

// A word is no secret if it is short or has no digit: "token: expired" says something.
const value = String.raw`(?:(?=[^\s"',;&]*\d)[^\s"',;&]{6,}|[^\s"',;&]{16,})`
const name = String.raw`\w*(?:token|jwt|api[-_]?key|secret|passw(?:ord|d)?|authorization|cookie|session[-_]?id)`
const namedValue = new RegExp(
  String.raw`\b(${name}["']?\s*[:=]\s*["']?(?:Bearer |Basic )?)${value}`,
  'gi',
)
const credentials = /\b(Bearer|Basic) [\w.~+/=-]{16,}/gi

/** Hides values that a sentence names as secrets, as in `token=…` or `Authorization: Bearer …`. */
export function hideNamedSecrets(text: string): string {
  return text.replace(namedValue, '$1***').replace(credentials, '$1 ***')
}

function messageOf(parsed: unknown): string {
  const { message, error, detail, title } = fieldsOf(parsed)
  const candidates = [parsed, message, error, fieldsOf(error)['message'], detail, title]
  return candidates.find(candidate => typeof candidate === 'string') ?? ''
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** A part of the name of a field with a secret, in small letters without separators. */
const secretName =
  /token|jwt|apikey|secret|passw|pwd|passphrase|authorization|bearer|credential|cookie|session|customer|custumer|invoice|paymentmethod/

/** All texts and numbers in such fields, at any depth. */
function secretsOf(root: unknown): readonly string[] {
  const secrets: string[] = []
  const left = [{ value: root, isSecret: false }]
  for (const { value, isSecret } of left) {
    if (isSecret && (typeof value === 'string' || typeof value === 'number')) {
      secrets.push(String(value))
    }
    for (const [key, field] of Object.entries(fieldsOf(value))) {
      const word = key.toLowerCase().replaceAll(/[^a-z]/g, '')
      left.push({ value: field, isSecret: isSecret || secretName.test(word) })
    }
  }
  return secrets
}
