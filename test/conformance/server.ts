import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { diagnostics, type Served } from './diagnostics.ts'
import { prompts, readers, resources } from './offers.ts'

const TOKEN = 'glpat-conformance-conformance'

/** Writes of the log what went wrong alone, without notes on the settings: what the suite says is what is read. */
const failures = {
  write(line: string) {
    if (JSON.parse(line).level >= 50) process.stderr.write(line)
  }
}

/** The build, imported by names that are only there once it is made. */
const built = (path: string) => import(new URL(`../../dist/src/${path}`, import.meta.url).href)

/**
 * The built server with the suite's diagnostic tools, prompts and resources, behind a proxy that adds the credential, as the suite sends none.
 * @returns its address, and what ends it
 */
export async function startServer(): Promise<{ url: string; close: () => Promise<void> }> {
  const { createServer: create } = await built('server.js')
  const { CallProblem } = (await built('results/problem.js')) as Pick<Served, 'CallProblem'>
  const settings = {
    LOG_LEVEL: 'error',
    FORGE_API_URL: 'http://127.0.0.1:9',
    PORT: '0',
    DRAIN_SECONDS: '0',
    MCP_REQUIRE_PARAM_HEADERS: 'true',
    // The suite reads the first resource of the list, and there is no forge.
    FORGE_DENIED_TOOLS_REGEX: '^whats_on_my_plate$',
    MAX_REQUESTS_PER_MINUTE: '0',
    MAX_EVENT_LOOP_DELAY_MS: '0'
  }
  const server: FastifyInstance = await create(settings, failures)
  const rows = diagnostics({ CallProblem, changed: list => server.mcp.changes.changed(list) })
  for (const row of [...rows, ...readers]) server.catalog.addTool(row)
  for (const row of prompts) server.prompts?.add(row)
  for (const row of resources) server.resources?.add(row)
  await server.listen({ host: '127.0.0.1', port: 0 })
  const proxy = withCredential((server.server.address() as AddressInfo).port)
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    url: `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`,
    async close() {
      proxy.closeAllConnections()
      proxy.close()
      await server.close()
    }
  }
}

/** Host and Origin stay what they are: the suite asks about them. */
const withCredential = (port: number): Server =>
  createServer((incoming, answer) => {
    const { method, url, headers } = incoming
    const onward = request(
      { host: '127.0.0.1', port, method, path: url, headers: { ...headers, 'private-token': TOKEN } },
      response => {
        answer.writeHead(response.statusCode!, response.headers)
        answer.flushHeaders()
        response.pipe(answer)
      }
    )
    onward.on('error', () => answer.destroy())
    answer.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
