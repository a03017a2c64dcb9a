/** What makes one token. */
export type TokenParts = {
  readonly issuedAtSeconds: number
  /** null makes a token without an `exp` claim. */
  readonly lifetimeSeconds: number | null
  /** Third part of the token, base64url. Nothing signs: a client cannot check it anyway. */
  readonly signature: string
}

/** A JWT-shaped token (service-api.md 5: "the token is a JWT"); its claims are in epoch seconds. */
export function shapeToken({ issuedAtSeconds, lifetimeSeconds, signature }: TokenParts): string {
  const claims = {
    iat: issuedAtSeconds,
    nbf: issuedAtSeconds,
    ...(lifetimeSeconds === null ? {} : { exp: issuedAtSeconds + lifetimeSeconds }),
  }
  return [encode({ alg: 'HS256', typ: 'JWT' }), encode(claims), signature].join('.')
}

function encode(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
