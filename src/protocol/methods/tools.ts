import { resultJson } from '../../results/result.ts'
import { withMeta } from '../exchange/call-meta.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Service } from '../exchange/service.ts'
import { code, type JsonRpcRequest, plainError, thrownByCall } from '../messages/jsonrpc.ts'
import type { Asker } from '../questions/asker.ts'
import { checkNoneMisplaced } from './misplaced-arguments.ts'

/**
 * tools/call, the same in both eras.
 * @returns the CallToolResult as JSON
 * @throws ProtocolError if params are invalid
 */
export function callTool(
  request: JsonRpcRequest,
  exchange: Exchange,
  service: Service,
  asker: Asker
): Promise<string> {
  const { name, arguments: args } = request.params
  if (typeof name !== 'string')
    throw plainError(code.invalidParams, `tools/call needs name, a string${whereNameIs(request.params)}.`)
  checkNoneMisplaced(request.params, () => service.catalog.find(name)?.inputs)
  return withMeta(request, exchange, meta => service.callTool(name, args, exchange, { ...meta, asker })).then(
    resultJson,
    thrownByCall
  )
}

/** The fields in which other interfaces have the name of a tool. */
const elsewhere = ['tool', 'tool_name', 'toolName', 'function']

/** Says which field has the name of the tool instead, as the end of the error's sentence. */
function whereNameIs(params: JsonRpcRequest['params']): string {
  const key = elsewhere.find(key => typeof params[key] === 'string')
  return key === undefined ? '' : `: what is in params.${key} belongs in params.name`
}
