import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { Server } from 'node:net'
import { onCleanUp } from './clean-up.ts'

/** Starts a server on a free port of 127.0.0.1 and returns the port. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('There is no port')
  return address.port
}

/** Starts an HTTP server until {@link cleanUp}, and returns its port. */
export async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  onCleanUp(() => {
    server.close()
    server.closeAllConnections()
  })
  return listen(server)
}
