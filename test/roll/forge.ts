import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

interface SlowForge {
  readonly url: string
  /** Requests that have been taken and not answered yet. */
  readonly underWay: number
  close(): void
}

/**
 * A forge whose answers take their time, so that calls are under way whenever something happens to a pod:
 * up to `usual` milliseconds, and every 40th one `long`, which is more than a pod needs to drain.
 */
export async function startSlowForge(usual: number, long: number): Promise<SlowForge> {
  let count = 0
  let underWay = 0
  const server = createServer(async (request, response) => {
    count++
    underWay++
    const delay = count % 40 === 0 ? long : (count * 37) % usual
    await sleep(delay)
    underWay--
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify([{ id: 1, iid: 1, title: request.url }]))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    get underWay() {
      return underWay
    },
    close() {
      server.close()
      server.closeAllConnections()
    }
  }
}
