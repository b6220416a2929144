import { once } from 'node:events'
import { createServer } from 'node:net'
import { Agent } from 'undici'
import { type ListenAddress, listenFault } from '../config/listen-fault.ts'
import type { Config } from '../config/schema.ts'
import { addressFor, LOCALHOST } from '../server-address.ts'
import { type Finding, found } from './finding.ts'
import { bodyRecordOf } from './forge.ts'
import { probe } from './probe.ts'

/**
 * Checks whether the service could listen at its addresses, by listening there for a moment. This command is mostly run
 * where the service is running already and uses all of them.
 * @param now clock of dates in milliseconds
 */
export async function listeningFinding(
  { STREAMABLE_HTTP, HOST: host, PORT, METRICS_PORT }: Config,
  now: () => number
): Promise<Finding> {
  const say = (state: 'ok' | 'fail' | 'skip', says: string) => found(state, 'listening', says)
  if (!STREAMABLE_HTTP) return say('skip', 'over stdio there is nothing to listen at.')
  const places: ListenAddress[] = [{ host, port: PORT, variable: 'PORT' }]
  if (METRICS_PORT !== 0) places.push({ host, port: METRICS_PORT, variable: 'METRICS_PORT' })
  const inUse: number[] = []
  for (const place of places) {
    const fault = await faultAt(place)
    if (fault === undefined) continue
    const isOurs = fault.code === 'EADDRINUSE' && (inUse.length > 0 || (await isServedAt(places[0]!, now)))
    if (!isOurs) return say('fail', fault.message)
    inUse.push(place.port)
  }
  return inUse.length === 0
    ? say(
        'ok',
        `${host} can be listened at: ${places.map(({ variable, port }) => `${variable} ${port}`).join(', ')}.`
      )
    : say('skip', `${host} is listened at on port ${inUse.join(' and ')} by this server, which runs.`)
}

/** Whether the service answers at an address. */
async function isServedAt({ host, port }: ListenAddress, now: () => number): Promise<boolean> {
  const address = (await addressFor(host)) || LOCALHOST
  const dispatcher = new Agent()
  try {
    const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}/livez`
    const { reply } = await probe(dispatcher, url, '', now)
    return reply?.status === 200 && bodyRecordOf(reply)?.status === 'ok'
  } finally {
    await dispatcher.destroy()
  }
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
