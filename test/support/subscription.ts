import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { messages } from './events.ts'
import { modernHeaders, modernRequest } from './modern.ts'
import { TOKEN } from './server.ts'

const LISTEN = 'subscriptions/listen'

/**
 * Makes a server listen, and gives a function that opens subscriptions. They end with the test, or when the controller
 * aborts.
 */
export async function subscriber(t: Test, server: FastifyInstance) {
  await server.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/mcp`
  const controller = new AbortController()
  t.teardown(() => controller.abort())
  const listen = async (notifications: unknown, id: string | number = 'sub', meta: object = {}) =>
    messages(
      await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'private-token': TOKEN,
          ...modernHeaders(LISTEN)
        },
        body: JSON.stringify(modernRequest(LISTEN, { notifications }, meta, id)),
        signal: controller.signal
      })
    )
  return { url, listen, controller }
}
