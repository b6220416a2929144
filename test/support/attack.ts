import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import type { Test } from 'tap'
import { modernHeaders, modernRequest } from './modern.ts'

/*
 * What tests of attacks share: raw sockets that behave as no real client does. The tenant who must not notice is in
 * tenants.ts.
 */

/** A heap as the chart gives a container of 768Mi, or a little less, and the image's settings for giving memory back. */
export const chartHeap = {
  NODE_OPTIONS: '--max-old-space-size=358 --max-semi-space-size=8 --v8-pool-size=1',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '131072'
}

/**
 * POST /mcp as it goes over the wire.
 * @param more further header lines
 */
export const rawPost = (token: string, body: unknown, accept = 'application/json', more = ''): string => {
  const text = JSON.stringify(body)
  return `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: ${accept}\r\nPrivate-Token: ${token}\r\n${more}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}

const LISTEN = 'subscriptions/listen'

/**
 * The same for a request that subscribes to changes, for as long as its connection lasts.
 * @param more further header lines
 */
export const rawSubscription = (token: string, more = ''): string =>
  rawPost(
    token,
    modernRequest(LISTEN, { notifications: { toolsListChanged: true } }),
    'application/json, text/event-stream',
    Object.entries(modernHeaders(LISTEN)).reduce(
      (lines, [name, value]) => `${lines}${name}: ${value}\r\n`,
      more
    )
  )

/** A token that no forge has issued. */
export const madeUp = (at: number | string): string => `glpat-made-up-${at}-`.padEnd(24, 'x')

/**
 * Opens connections from one address. Each sends a text and then never reads.
 * @param from 127.0.0.1 or any other loopback address, to look like another machine
 */
export async function mute(t: Test, url: string, texts: readonly string[], from = '127.0.0.2') {
  const { port } = new URL(url)
  const sockets: Socket[] = []
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })
  await Promise.all(
    texts.map(
      text =>
        new Promise<void>(resolve => {
          const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: from })
          sockets.push(socket)
          socket.pause()
          socket.on('error', () => resolve())
          socket.on('close', () => resolve())
          socket.once('connect', () => socket.write(text, () => resolve()))
        })
    )
  )
  return {
    sockets,
    /**
     * How many connections the server has not closed. A socket that never reads does not see the end, so the kernel is
     * asked.
     */
    open(): number {
      const established = establishedWith(Number(port))
      return sockets.filter(({ localAddress, localPort }) => established.has(endOf(localAddress, localPort)))
        .length
    }
  }
}

/**
 * Addresses and ports whose connections are open at the server's end (proc(5): state 01 of /proc/net/tcp). The address
 * is included, as another one may have the same port.
 */
function establishedWith(serverPort: number): Set<string> {
  const port = serverPort.toString(16).toUpperCase().padStart(4, '0')
  const rows = readFileSync('/proc/net/tcp', 'utf8').matchAll(/:(\w{4}) (\w{8}):(\w{4}) 01 /g)
  return new Set(
    [...rows]
      .filter(([, local]) => local === port)
      .map(([, , address, remote]) =>
        endOf(Buffer.from(address!, 'hex').reverse().join('.'), Number.parseInt(remote!, 16))
      )
  )
}

const endOf = (address: string | undefined, port: number | undefined): string => `${address}:${port}`
