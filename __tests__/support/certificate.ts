import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTemporaryFolder } from './workspace.ts'

/**
 * Creates a certificate for comma-separated names (`DNS:…` or `IP:…`) with the installed `openssl`. Returns it and its key
 * as PEM, and its file for NODE_EXTRA_CA_CERTS.
 */
export function makeCertificate(names: string) {
  const folder = makeTemporaryFolder()
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const about = ['-days', '2', '-subj', `/CN=${names}`, '-addext', `subjectAltName=${names}`]
  const files = ['-keyout', keyFile, '-out', certFile]
  execFileSync('openssl', ['req', '-x509', ...kind, ...about, ...files], { stdio: 'ignore' })
  return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8'), certFile }
}
