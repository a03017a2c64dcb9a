import { once } from 'node:events'
import type { Server } from 'node:net'

/** Starts a server on a free port of 127.0.0.1 and returns the port. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('There is no port')
  return address.port
}
