import { resultJson } from '../results/result.ts'
import type { Asker } from './asker.ts'
import { withMeta } from './call-meta.ts'
import { code, type JsonRpcRequest, ProtocolError } from './jsonrpc.ts'
import type { Exchange, Service } from './service.ts'

/**
 * tools/call, the same in both eras.
 * @returns the CallToolResult as JSON
 * @throws ProtocolError when params are wrong
 */
export function callTool(
  request: JsonRpcRequest,
  exchange: Exchange,
  service: Service,
  asker: Asker
): Promise<string> {
  const { name, arguments: args } = request.params
  if (typeof name !== 'string')
    throw new ProtocolError(code.invalidParams, 'tools/call needs name, a string.')
  if (args === undefined) checkNoneAstray(name, request.params, service)
  return withMeta(request, exchange, meta => service.callTool(name, args, exchange, { ...meta, asker })).then(
    resultJson
  )
}

/** @throws ProtocolError where arguments of a tool were put beside its name, and would not be read */
function checkNoneAstray(name: string, params: JsonRpcRequest['params'], { catalog }: Service): void {
  const inputs = catalog.find(name)?.inputs
  if (inputs === undefined) return
  const astray = Object.keys(params).find(key => key !== 'name' && inputs.has(key))
  if (astray !== undefined)
    throw new ProtocolError(
      code.invalidParams,
      `${astray} belongs in params.arguments, which stands beside params.name.`
    )
}
