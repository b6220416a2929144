import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import type { Reply } from '../upstream/answers/answer.ts'
import { exchange } from '../upstream/answers/exchange.ts'
import { ForgeError } from '../upstream/errors.ts'

const limits = { maxBytes: 64 * 1024, deadlineMs: 15_000 } as const

/** A connection that was made on the way. */
export interface Connected {
  /** With its port, of the forge or of a proxy. */
  readonly host: string
  readonly socket: Socket
}

/** What came of a request, over the very connections that calls go. */
export interface Probe {
  readonly reply?: Reply
  readonly fault?: ForgeError
  readonly connected: readonly Connected[]
  /** Milliseconds until the whole answer was there, or none would come; with those for the connection. */
  readonly tookMs: number
  /** The forge's clock less this one's, in milliseconds, as far as it tells. */
  readonly skewMs?: number | undefined
}

/** undici tells of each connection here. */
const CHANNEL = 'undici:client:connected'

/**
 * Asks a forge once.
 * @param url of an endpoint @param token sent as Private-Token; empty for none
 * @param now clock of dates in milliseconds
 */
export async function probe(
  dispatcher: Dispatcher,
  url: string,
  token: string,
  now: () => number
): Promise<Probe> {
  const { origin, pathname } = new URL(url)
  const connected: Connected[] = []
  const note = (message: unknown) => {
    const { connectParams, socket } = message as { connectParams: { host: string }; socket: Socket }
    connected.push({ host: connectParams.host, socket })
  }
  const headers = { accept: 'application/json', 'user-agent': 'forge-tool-server doctor' }
  const begun = performance.now()
  const tookMs = () => performance.now() - begun
  subscribe(CHANNEL, note)
  try {
    const reply = await exchange(
      dispatcher,
      {
        origin,
        path: pathname,
        method: 'GET',
        headers: token === '' ? headers : { ...headers, 'private-token': token }
      },
      limits
    )
    return { reply, connected, tookMs: tookMs(), skewMs: skewOf(reply, now()) }
  } catch (error) {
    if (error instanceof ForgeError) return { fault: error, connected, tookMs: tookMs() }
    throw error
  } finally {
    unsubscribe(CHANNEL, note)
  }
}

/** Date has whole seconds, and was written some time before it came. */
function skewOf({ headers: { date } }: Reply, now: number): number | undefined {
  const told = typeof date === 'string' ? Date.parse(date) : Number.NaN
  return Number.isNaN(told) ? undefined : told + 500 - now
}
