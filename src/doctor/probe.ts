import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import type { Reply } from '../upstream/answers/answer.ts'
import { ForgeError } from '../upstream/errors.ts'
import { plainHeaders } from '../upstream/plain-headers.ts'
import { exchange } from '../upstream/reading/exchange.ts'

const limits = { maxBytes: 64 * 1024, deadlineMs: 15_000 } as const

/** A connection that was opened for the request. */
export interface Connected {
  /** Host and port of the forge or a proxy. */
  readonly host: string
  readonly socket: Socket
}

/** The result of a request, made over the same connections as calls. */
export interface Probe {
  readonly reply?: Reply
  readonly fault?: ForgeError
  readonly connected: readonly Connected[]
  /** Milliseconds until the whole answer was there or the request failed, including the time to connect. */
  readonly tookMs: number
  /** The forge's clock minus this machine's, in milliseconds, if the forge tells its time. */
  readonly skewMs?: number | undefined
}

/** The body of a POST. */
export interface Posted {
  readonly type: string
  readonly text: string
}

/** The diagnostics channel where undici reports each connection. */
const CHANNEL = 'undici:client:connected'

/**
 * Makes one request to a forge.
 * @param url of an endpoint
 * @param token sent as Private-Token; empty for none
 * @param now clock of dates in milliseconds
 * @param body makes it a POST
 */
export async function probe(
  dispatcher: Dispatcher,
  url: string,
  token: string,
  now: () => number,
  body?: Posted
): Promise<Probe> {
  const { origin, pathname } = new URL(url)
  const connected: Connected[] = []
  const note = (message: unknown) => {
    const { connectParams, socket } = message as { connectParams: { host: string }; socket: Socket }
    connected.push({ host: connectParams.host, socket })
  }
  const headers = {
    ...plainHeaders('forge-tool-server doctor'),
    ...(body !== undefined && { 'content-type': body.type }),
    ...(token !== '' && { 'private-token': token })
  }
  const begun = performance.now()
  const tookMs = () => performance.now() - begun
  subscribe(CHANNEL, note)
  try {
    const reply = await exchange(
      dispatcher,
      {
        origin,
        path: pathname,
        method: body === undefined ? 'GET' : 'POST',
        headers,
        body: body?.text ?? null
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

/** The difference of the clocks. The Date header has whole seconds, and was written some time before it arrived. */
function skewOf({ headers: { date } }: Reply, now: number): number | undefined {
  const told = typeof date === 'string' ? Date.parse(date) : Number.NaN
  return Number.isNaN(told) ? undefined : told + 500 - now
}
