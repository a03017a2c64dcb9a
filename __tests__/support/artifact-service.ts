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

/** Those of the API, and those of the storage. */
const api = ['CreateArtifact', 'FinalizeArtifact', 'ListArtifacts', 'GetSignedArtifactURL'] as const
const calls = z.enum([...api, 'PUT', 'GET'])
type ArtifactCall = z.infer<typeof calls>

interface StoredArtifact {
  /** Null until it is finalized, and so listed. */
  id: number | null
  zip: Buffer
  /** In bytes, as the uploader says. */
  size: number
}

type Reply = readonly [status: number, body: Buffer | object]

const prefix = '/twirp/github.actions.results.api.v1.ArtifactService/'
const signature = 'SignatureOfTheStorage0123456789'
const ids = { workflow_run_backend_id: 'run', workflow_job_run_backend_id: 'job' }
const claims = Buffer.from('{"scp":"Actions.Results:run:job"}').toString('base64url')

const requestSchema = z.object({
  name: z.string().default(''),
  size: z.coerce.number().default(0),
  id_filter: z.string().nullable().default(null),
  part: z.string().nullable().default(null),
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
  readonly #faults = new Map<ArtifactCall, { fault: number | 'silence'; left: number }>()
  #lastId = 0

  constructor(port: number) {
    this.#url = `http://127.0.0.1:${port}`
    this.env = { ACTIONS_RESULTS_URL: `${this.#url}/`, ACTIONS_RUNTIME_TOKEN: this.token }
  }

  /** Answers the next `count` of these calls with a status and the token, or not at all; nothing is carried out. */
  fail(call: ArtifactCall, fault: number | 'silence', count = 1): this {
    this.#faults.set(call, { fault, left: count })
    return this
  }

  /** Adds an artifact of another job; `size` is what is listed. */
  add(name: string, files: Readonly<Record<string, string>> | Buffer, size = 0): this {
    const zip = Buffer.isBuffer(files) ? files : makeZip(files)
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
    const isApi = pathname.startsWith(prefix)
    const call = calls.parse(isApi ? pathname.slice(prefix.length) : method)
    const isAllowed = isApi
      ? headers.authorization === `Bearer ${this.token}`
      : query.get('sig') === signature
    const ofStorage = { name: pathname.replace('/container/', ''), part: query.get('comp') }
    const asked: unknown = isApi ? JSON.parse(body.toString()) : ofStorage

    this.calls.push(call)
    const planned = this.#faults.get(call)
    const fault = planned !== undefined && planned.left-- > 0 ? planned.fault : undefined
    if (fault === 'silence') return
    let [status, content]: Reply = [401, {}]
    if (fault !== undefined) [status, content] = [fault, { msg: `no, ${this.token}` }]
    else if (isAllowed) [status, content] = this.#answer(call, requestSchema.parse(asked), body)
    const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content))
    // The library unzips what has the type of a zip, unless it is told not to.
    const type = bytes === content ? 'application/zip' : 'application/json'
    response.writeHead(status, { 'content-type': type, 'content-length': bytes.length })
    response.end(bytes)
  }

  #answer(call: ArtifactCall, request: z.infer<typeof requestSchema>, body: Buffer): Reply {
    const { name, size, part } = request
    const stored = this.#stored.get(name)
    const signedUrl = `${this.#url}/container/${name}?sig=${signature}`
    switch (call) {
      case 'CreateArtifact':
        if (stored !== undefined) return [409, { msg: 'the name is taken' }]
        this.block(name)
        return [200, { ok: true, signed_upload_url: signedUrl }]
      case 'FinalizeArtifact':
        if (stored === undefined) return [404, {}]
        this.#lastId += 1
        Object.assign(stored, { id: this.#lastId, size })
        return [200, { ok: true, artifact_id: String(stored.id) }]
      case 'GetSignedArtifactURL':
        return [200, { signed_url: signedUrl }]
      case 'ListArtifacts':
        return [200, { artifacts: this.#list(request.id_filter) }]
      // An upload is one block, because it is small, and then the list of its blocks.
      case 'PUT':
        if (stored !== undefined && part === 'block') stored.zip = body
        return [stored === undefined ? 404 : 201, {}]
      case 'GET':
        return stored === undefined ? [404, {}] : [200, stored.zip]
    }
  }

  #list(only: string | null): readonly object[] {
    return [...this.#stored].flatMap(([name, { id, zip, size }]) => {
      const database_id = String(id)
      if (id === null || (only ?? database_id) !== database_id) return []
      const digest = `sha256:${hash('sha256', zip)}`
      return { ...ids, database_id, name, size: String(size), digest }
    })
  }
}
