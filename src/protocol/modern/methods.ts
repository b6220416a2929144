import { EVERY_TOOLSET } from '../../catalog/toolset-id.ts'
import type { JsonRpcRequest } from '../jsonrpc.ts'
import { type Exchange, type Service, viewOf } from '../service.ts'
import { timed } from '../timed.ts'
import { callTool, checkCursor } from '../tools.ts'
import { allVersions } from '../versions.ts'

/** A method of 2026-07-28: gives the fields of its result as JSON, without the braces. @throws ProtocolError */
type Method = (request: JsonRpcRequest, exchange: Exchange, service: Service) => string | Promise<string>

/** Lists rarely change while a replica runs, but differ by caller: private, a minute. */
const cacheHints = '"ttlMs":60000,"cacheScope":"private"'

export const modernMethods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ...timed({
    'server/discover': (_request, _exchange, { instructions }) =>
      `${JSON.stringify({ supportedVersions: allVersions, capabilities: { tools: {} }, instructions }).slice(1, -1)},${cacheHints}`,
    'tools/list': ({ params }, exchange, { catalog }) => {
      checkCursor(params)
      return `"tools":${catalog.list(viewOf(exchange))},${cacheHints}`
    }
  }),
  [
    'tools/call',
    async (request, exchange, service) =>
      (await callTool(request, withEveryToolset(exchange), service)).slice(1, -1)
  ]
])

/**
 * Without a session there is nothing to activate a toolset in, and lists must not change by what was called:
 * discover_tools tells what there is, and all of it that policy allows can be called.
 */
const withEveryToolset = (exchange: Exchange): Exchange => ({
  ...exchange,
  view: { ...exchange.view, toolsets: EVERY_TOOLSET }
})
