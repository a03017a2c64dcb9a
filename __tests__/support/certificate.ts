import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTemporaryFolder } from './workspace.ts'

const authority = `[ca]\ndefault_ca = own\n[own]\ndatabase = index\nnew_certs_dir = .\nrand_serial = yes
default_md = sha256\npolicy = any\ncopy_extensions = copy\n[any]\ncommonName = supplied\n`

/**
 * Creates a certificate for comma-separated names (`DNS:…` or `IP:…`) with the installed `openssl`, valid from the first
 * year to the second. Returns it and its key as PEM, and its file for NODE_EXTRA_CA_CERTS.
 */
export function makeCertificate(names: string, years: readonly [number, number] = [2020, 2049]) {
  const folder = makeTemporaryFolder()
  const run = (args: string): void => {
    execFileSync('openssl', args.split(' '), { cwd: folder, stdio: 'ignore' })
  }
  writeFileSync(join(folder, 'ca.cnf'), authority)
  writeFileSync(join(folder, 'index'), '')
  const about = `-subj /CN=test -addext subjectAltName=${names}`
  run(`req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes ${about} -keyout key -out csr`)
  const dates = `-startdate ${years[0]}0101000000Z -enddate ${years[1]}0101000000Z`
  run(`ca -selfsign -batch -notext -config ca.cnf -keyfile key -in csr -out cert.pem ${dates}`)
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
  return { key: read('key'), cert: read('cert.pem'), certFile: join(folder, 'cert.pem') }
}
