/** Signs attestations as GitHub does, as far as `gh attestation verify` reads them, with the installed `openssl`. */
import { execFileSync } from 'node:child_process'
import { sign, X509Certificate } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeCertificate, type Certificate } from '../support/certificate.ts'
import { sha256, toJsonLines } from '../support/samples.ts'
import { makeTemporaryFolder } from '../support/workspace.ts'

const folder = makeTemporaryFolder()
const at = (name: string): string => join(folder, name)
const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { stdio: 'ignore' })
const base64 = (content: string | Uint8Array): string => Buffer.from(content).toString('base64')
const der = (file: string): string => base64(new X509Certificate(readFileSync(file)).raw)

writeFileSync(at('serial'), '01\n')
writeFileSync(
  at('settings'),
  `[req]\ndistinguished_name = none\n[none]\n[tsa]\nserial = ${at('serial')}
digests = sha256\nsigner_digest = sha256\ness_cert_id_alg = sha256\ndefault_policy = 1.2.3.4\n`,
)

/** Creates a certificate with extensions in the syntax of `openssl`. */
function certify(subject: string, names: string, extensions: readonly string[], by?: Certificate) {
  const added = extensions.flatMap(extension => ['-addext', extension])
  return makeCertificate(names, by, '-config', at('settings'), '-subj', subject, ...added)
}

/** Signs certificates. Its clock signs time stamps. */
export interface Authority {
  readonly ca: Certificate
  readonly clock: Certificate
}

/** `gh` selects its rules by the organization: `GitHub, Inc.`, or `sigstore.dev`, which has a public log. */
export function makeAuthority(organization: string): Authority {
  const ofCa = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign']
  const ca = certify(`/O=${organization}/CN=authority`, 'DNS:authority', ofCa)
  const ofClock = ['extendedKeyUsage=critical,timeStamping', 'keyUsage=critical,digitalSignature']
  return { ca, clock: certify(`/O=${organization}/CN=clock`, 'DNS:clock', ofClock, ca) }
}

/** Returns a trusted root as `gh attestation trusted-root` prints it: one line per group of authorities. */
export function makeTrustedRoot(...groups: readonly (readonly Authority[])[]): string {
  const chain = (...certificates: readonly Certificate[]) => ({
    certChain: { certificates: certificates.map(({ certFile }) => ({ rawBytes: der(certFile) })) },
  })
  const lines = groups.map(group => ({
    mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
    certificateAuthorities: group.map(({ ca }) => chain(ca)),
    timestampAuthorities: group.map(({ ca, clock }) => chain(clock, ca)),
  }))
  return toJsonLines(lines)
}

/** The claims of an attestation about a run, and who signs and stamps it. */
export interface Claims extends Authority {
  /** URL of the signing workflow, with its ref. */
  readonly signer: string
  /** URL of the repository of the run. */
  readonly repository: string
  readonly ref: string
  readonly runner: string
  readonly issuer: string
  readonly predicateType: string
  /** Days that the certificate is valid. */
  readonly days: string
}

/** Attests a file as `actions/attest` does and returns the bundle. */
export function attest(content: string, claims: Claims): string {
  const { signer, repository, predicateType, ca, clock } = claims
  const fields: Readonly<Record<string, string>> = {
    8: claims.issuer,
    9: signer,
    11: claims.runner,
    12: repository,
    14: claims.ref,
    16: repository.replace(/\/[^/]+$/, ''),
    18: signer,
  }
  const extensions = Object.entries(fields).map(([number, value]) => {
    return `1.3.6.1.4.1.57264.1.${number}=ASN1:UTF8String:${value}`
  })
  extensions.push('keyUsage=critical,digitalSignature', 'extendedKeyUsage=codeSigning')
  const leaf = certify('/CN=run', `URI:${signer}`, extensions)
  const by = ['-CA', ca.certFile, '-CAkey', ca.keyFile, '-set_serial', '1', '-days', claims.days]
  openssl('x509', '-in', leaf.certFile, ...by, '-out', at('leaf'))

  const payloadType = 'application/vnd.in-toto+json'
  const subject = [{ name: 'file', digest: { sha256: sha256(content) } }]
  const type = 'https://in-toto.io/Statement/v1'
  const payload = JSON.stringify({ _type: type, subject, predicateType, predicate: {} })
  const signed = `DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} ${payload}`
  const signature = sign('sha256', Buffer.from(signed), leaf.key)

  writeFileSync(at('data'), signature)
  openssl('ts', '-query', '-data', at('data'), '-sha256', '-cert', '-out', at('query'))
  const stamper = ['-section', 'tsa', '-signer', clock.certFile, '-inkey', clock.keyFile]
  const files = ['-config', at('settings'), '-queryfile', at('query'), '-out', at('stamp')]
  openssl('ts', '-reply', ...stamper, ...files)
  const stamps = [{ signedTimestamp: base64(readFileSync(at('stamp'))) }]
  return JSON.stringify({
    mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    verificationMaterial: {
      certificate: { rawBytes: der(at('leaf')) },
      timestampVerificationData: { rfc3161Timestamps: stamps },
    },
    dsseEnvelope: {
      payload: base64(payload),
      payloadType,
      signatures: [{ sig: base64(signature) }],
    },
  })
}
