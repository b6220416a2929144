import type { Exchange } from '../exchange/exchange.ts'
import type { Service } from '../exchange/service.ts'
import type { JsonRpcRequest } from '../messages/jsonrpc.ts'

/**
 * A method that answers from memory.
 * @returns its result as JSON
 * @throws ProtocolError
 */
type QuickMethod = (request: JsonRpcRequest, exchange: Exchange, service: Service) => string

/**
 * Makes a method that is observed when it is served.
 * @param name under which it is observed
 */
export const timedMethod =
  (name: string, serve: QuickMethod): QuickMethod =>
  (request, exchange, service) => {
    const started = performance.now()
    let outcome: 'ok' | 'rpc_error' = 'rpc_error'
    try {
      const result = serve(request, exchange, service)
      outcome = 'ok'
      return result
    } finally {
      service.observe(name, outcome, (performance.now() - started) / 1000)
    }
  }

/**
 * Methods as entries of a table, each observed when it is served. tools/call is not among them: it is observed by tool,
 * in the code that runs tools.
 */
export const timedMethods = (methods: Readonly<Record<string, QuickMethod>>): [string, QuickMethod][] =>
  Object.entries(methods).map(([name, serve]) => [name, timedMethod(name, serve)])
