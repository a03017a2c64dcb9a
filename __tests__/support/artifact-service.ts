/**
 * The artifact service of one workflow run, in memory and on a loopback port: the calls of `@actions/artifact`, and the
 * storage behind them, with faults.
 */
import { hash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { serve } from './listen.ts'
import { makeZip, readZipEntry } from './zip.ts'

const uploadCalls = ['CreateArtifact', 'FinalizeArtifact'] as const
const apiCalls = z.enum([...uploadCalls, 'ListArtifacts', 'GetSignedArtifactURL'])
const storageCalls = z.enum(['PUT', 'GET'])

type ApiCall = z.infer<typeof apiCalls>
type ArtifactCall = ApiCall | z.infer<typeof storageCalls>

/** A status, whose answer shows the token, or silence. */
type ArtifactFault = number | 'silence'

interface StoredArtifact {
  /** Null until it is finalized, and so listed. */
  id: number | null
  zip: Buffer
  /** In bytes, as the uploader says. */
  size: number
}

interface Reply {
  readonly status: number
  readonly body: Buffer | object
}

const prefix = '/twirp/github.actions.results.api.v1.ArtifactService/'
const signature = 'SignatureOfTheStorage0123456789'
const ids = { workflow_run_backend_id: 'run', workflow_job_run_backend_id: 'job' }
const claims = Buffer.from('{"scp":"Actions.Results:run:job"}').toString('base64url')

const requestSchema = z.object({
  name: z.string().default(''),
  size: z.coerce.number().default(0),
  id_filter: z.string().nullable().default(null),
})

/** Starts a service without artifacts; `cleanUp` stops it. */
export async function startArtifactService(): Promise<ArtifactService> {
  const port = await serve((request, response) => void service.serve(request, response))
  const service = new ArtifactService(port)
  return service
}

export class ArtifactService {
  readonly token = `eyJhbGciOiJub25lIn0.${claims}.c2lnbmF0dXJl`
  /** What a runner passes to each step. */
  readonly env: Readonly<Record<string, string>>
  readonly calls: ArtifactCall[] = []
  readonly #url: string
  readonly #stored = new Map<string, StoredArtifact>()
  readonly #faults = new Map<ArtifactCall, { readonly fault: ArtifactFault; left: number }>()
  #lastId = 0

  constructor(port: number) {
    this.#url = `http://127.0.0.1:${port}`
    this.env = { ACTIONS_RESULTS_URL: `${this.#url}/`, ACTIONS_RUNTIME_TOKEN: this.token }
  }

  /** Makes the next `count` of these calls fail; nothing is carried out. */
  fail(call: ArtifactCall, fault: ArtifactFault, count = 1): this {
    this.#faults.set(call, { fault, left: count })
    return this
  }

  /** Adds an artifact of another job; `size` is what is listed. */
  add(name: string, files: Readonly<Record<string, string>>, size = 0): this {
    const zip = makeZip(files)
    this.#lastId += 1
    this.#stored.set(name, { id: this.#lastId, zip, size })
    return this
  }

  /** Occupies a name, as an upload that broke off does. */
  block(name: string): this {
    this.#stored.set(name, { id: null, zip: Buffer.alloc(0), size: 0 })
    return this
  }

  /** A file of each listed artifact, by the name of that. */
  kept(file: string): Readonly<Record<string, string>> {
    const listed = [...this.#stored].filter(([, { id }]) => id !== null)
    return Object.fromEntries(listed.map(([name, { zip }]) => [name, readZipEntry(zip, file)]))
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '', headers } = request
    const { pathname, searchParams: query } = new URL(url, this.#url)
    const body = await buffer(request)
    if (pathname.startsWith(prefix)) {
      const call = apiCalls.parse(pathname.slice(prefix.length))
      const isAllowed = headers.authorization === `Bearer ${this.token}`
      const data: unknown = JSON.parse(body.toString())
      this.#send(response, call, () => isAllowed && this.#answer(call, requestSchema.parse(data)))
    } else {
      const isAllowed = query.get('sig') === signature
      const name = pathname.replace('/container/', '')
      const call = storageCalls.parse(method)
      this.#send(response, call, () => isAllowed && this.#store(name, query, body))
    }
  }

  /** Carries out a call, unless it fails, and answers it. */
  #send(response: ServerResponse, call: ArtifactCall, carryOut: () => Reply | false): void {
    this.calls.push(call)
    const planned = this.#faults.get(call)
    const fault = planned !== undefined && planned.left-- > 0 ? planned.fault : undefined
    if (fault === 'silence') return
    const failed = { status: Number(fault), body: { msg: `no, ${this.token}` } }
    const refused = { status: 401, body: {} }
    const reply: Reply = typeof fault === 'number' ? failed : carryOut() || refused
    const { status, body } = reply
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
    // The library unzips what has the type of a zip, unless it is told not to.
    const type = Buffer.isBuffer(body) ? 'application/zip' : 'application/json'
    response.writeHead(status, { 'content-type': type, 'content-length': bytes.length })
    response.end(bytes)
  }

  #answer(call: ApiCall, request: z.infer<typeof requestSchema>): Reply {
    const { name, size } = request
    const stored = this.#stored.get(name)
    const signedUrl = `${this.#url}/container/${name}?sig=${signature}`
    switch (call) {
      case 'CreateArtifact':
        if (stored !== undefined) return { status: 409, body: { msg: 'the name is taken' } }
        this.block(name)
        return { status: 200, body: { ok: true, signed_upload_url: signedUrl } }
      case 'FinalizeArtifact':
        if (stored === undefined) return { status: 404, body: {} }
        this.#lastId += 1
        Object.assign(stored, { id: this.#lastId, size })
        return { status: 200, body: { ok: true, artifact_id: String(stored.id) } }
      case 'GetSignedArtifactURL':
        return { status: 200, body: { signed_url: signedUrl } }
      case 'ListArtifacts':
        return { status: 200, body: { artifacts: this.#list(request) } }
    }
  }

  #list({ id_filter }: z.infer<typeof requestSchema>): readonly object[] {
    return [...this.#stored].flatMap(([name, { id, zip, size }]) => {
      const database_id = String(id)
      if (id === null || (id_filter ?? database_id) !== database_id) return []
      const digest = `sha256:${hash('sha256', zip)}`
      return { ...ids, database_id, name, size: String(size), digest }
    })
  }

  /** An upload is one block, because it is small, and then the list of its blocks. */
  #store(name: string, query: URLSearchParams, body: Buffer): Reply {
    const stored = this.#stored.get(name)
    if (stored === undefined) return { status: 404, body: {} }
    const part = query.get('comp')
    if (part === null) return { status: 200, body: stored.zip }
    if (part === 'block') stored.zip = body
    return { status: 201, body: {} }
  }
}
