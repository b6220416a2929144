import { once } from 'node:events'
import { createServer } from 'node:net'
import { type ListenAddress, listenFault } from '../base/listen-fault.ts'
import type { Config } from '../config/schema.ts'
import { addressFor } from '../server-address.ts'
import { type Finding, found } from './finding.ts'

/** Checks whether the service could listen at its addresses, by listening there for a moment. */
export async function listeningFinding({
  STREAMABLE_HTTP,
  HOST: host,
  PORT,
  METRICS_PORT
}: Config): Promise<Finding> {
  const say = (state: 'ok' | 'fail' | 'skip', says: string) => found(state, 'listening', says)
  if (!STREAMABLE_HTTP) return say('skip', 'over stdio there is nothing to listen at.')
  const places: ListenAddress[] = [{ host, port: PORT, variable: 'PORT' }]
  if (METRICS_PORT !== 0) places.push({ host, port: METRICS_PORT, variable: 'METRICS_PORT' })
  const inUse: number[] = []
  for (const place of places) {
    const fault = await faultAt(place)
    // This command is mostly run where the service is already running.
    if (fault?.code === 'EADDRINUSE') inUse.push(place.port)
    else if (fault !== undefined) return say('fail', fault.message)
  }
  return inUse.length === 0
    ? say('ok', `${host} and ${places.map(({ variable }) => variable).join(', ')} can be listened at.`)
    : say(
        'skip',
        `${host} is listened at on port ${inUse.join(' and ')}: by this server where it runs, else by another program.`
      )
}

async function faultAt(place: ListenAddress): Promise<NodeJS.ErrnoException | undefined> {
  const server = createServer(socket => void socket.destroy())
  try {
    server.listen({ host: await addressFor(place.host), port: place.port })
    await once(server, 'listening')
    return undefined
  } catch (error) {
    return listenFault(error, place) as NodeJS.ErrnoException
  } finally {
    server.close()
  }
}
