import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** PEM texts. */
export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** Makes a self-signed certificate for this name, as `IP:127.0.0.1`, with openssl. */
export function makeCertificate(name: string): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'service-tls-'))
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const names = ['-subj', '/CN=test', '-addext', `subjectAltName=${name}`]
    const kind = ['-newkey', 'rsa:2048', '-nodes', '-days', '2']
    execFileSync('openssl', ['req', '-x509', ...kind, ...names, '-keyout', key, '-out', cert], {
      stdio: 'ignore',
    })
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
