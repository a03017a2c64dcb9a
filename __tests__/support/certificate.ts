/** Creates certificates with the installed `openssl`. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTemporaryFolder } from './workspace.ts'

/** A certificate and its key as PEM, and the files that contain them. */
export interface Certificate {
  readonly key: string
  readonly cert: string
  readonly keyFile: string
  /** For NODE_EXTRA_CA_CERTS. */
  readonly certFile: string
}

/**
 * Creates a certificate for comma-separated names (`DNS:…` or `IP:…`), signed by the authority or by itself. Additional
 * options for `openssl req` override the defaults.
 */
export function makeCertificate(
  names: string,
  authority?: Certificate,
  ...more: readonly string[]
): Certificate {
  const folder = makeTemporaryFolder()
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const about = ['-days', '2', '-subj', `/CN=${names}`, '-addext', `subjectAltName=${names}`]
  const signer =
    authority === undefined ? [] : ['-CA', authority.certFile, '-CAkey', authority.keyFile]
  const files = ['-keyout', keyFile, '-out', certFile]
  execFileSync('openssl', ['req', '-x509', ...kind, ...about, ...signer, ...files, ...more], {
    stdio: 'ignore',
  })
  const [key, cert] = [readFileSync(keyFile, 'utf8'), readFileSync(certFile, 'utf8')]
  return { key, cert, keyFile, certFile }
}
