import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that went through. */
interface Passed {
  readonly method: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** Of its answer, once there is one. */
  status?: number
  /** The session id in its answer. */
  sid?: string | undefined
}

interface Held {
  arrived: number
  waiting: number
}

/** Something between a caller and a server that sees what passes. */
export interface Relay {
  /** http://127.0.0.1:PORT */
  readonly url: string
  readonly passed: readonly Passed[]
  /** Of what is held back by a name: how many requests arrived, and how many of their callers still wait. */
  held(name: string): Readonly<Held>
  /** Sends what comes from now on to another server. */
  to(target: string): void
  close(): void
}

/**
 * Starts one on loopback.
 * @param holds the name by which what is asked at a path is held back, without an answer; undefined for most paths
 */
export async function startRelay(
  target: string,
  holds: (path: string) => string | undefined = () => undefined
): Promise<Relay> {
  const passed: Passed[] = []
  const all = new Map<string, Held>()
  const held = (name: string): Held => {
    const known = all.get(name) ?? { arrived: 0, waiting: 0 }
    all.set(name, known)
    return known
  }
  const server = createServer(async (incoming, answer) => {
    const { method = '', headers, url = '' } = incoming
    const body = await bodyOf(incoming)
    const name = holds(url)
    if (name !== undefined) {
      const one = held(name)
      one.arrived++
      one.waiting++
      answer.on('close', () => one.waiting--)
      return
    }
    const pass: Passed = { method, headers, body: body.toString() }
    passed.push(pass)
    forward(`${target}${url}`, incoming, body, answer, pass)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    held,
    to: other => {
      target = other
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

/** A server itself in the place of a relay: nothing is seen of what passes. */
export const unwatched = (url: string): Relay => ({
  url,
  passed: [],
  held: () => ({ arrived: 0, waiting: 0 }),
  to: () => undefined,
  close: () => undefined
})

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part)
  return Buffer.concat(parts)
}

function forward(
  url: string,
  { method, headers }: IncomingMessage,
  body: Buffer,
  answer: ServerResponse,
  pass: Passed
): void {
  const onward = request(url, { method: method!, headers }, response => {
    pass.status = response.statusCode!
    pass.sid = response.headers['mcp-session-id'] as string | undefined
    answer.writeHead(response.statusCode!, response.headers)
    answer.flushHeaders()
    response.pipe(answer)
  })
  onward.on('error', () => answer.destroy())
  answer.on('close', () => onward.destroy())
  onward.end(body)
}
