import { randomBytes } from 'node:crypto'

/**
 * A new JWT-shaped token (service-api.md 5: "the token is a JWT"); null for the seconds of its life makes one without
 * `exp`. Nothing signs it: a client cannot check that anyway.
 */
export function newToken(issuedAtSeconds: number, lifetimeSeconds: number | null): string {
  const claims = {
    iat: issuedAtSeconds,
    nbf: issuedAtSeconds,
    ...(lifetimeSeconds === null ? {} : { exp: issuedAtSeconds + lifetimeSeconds }),
  }
  const signature = randomBytes(32).toString('base64url')
  return [encode({ alg: 'HS256', typ: 'JWT' }), encode(claims), signature].join('.')
}

function encode(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
