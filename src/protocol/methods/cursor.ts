import { code, type JsonRpcRequest, ProtocolError } from '../messages/jsonrpc.ts'

/** Refuses any cursor: no list here has a second page, so none was ever issued. @throws ProtocolError */
export function checkCursor({ cursor }: JsonRpcRequest['params']): void {
  if (cursor === undefined) return
  if (typeof cursor !== 'string') throw new ProtocolError(code.invalidParams, 'cursor must be a string.')
  throw new ProtocolError(code.invalidParams, 'Unknown cursor: the list comes as a whole, on one page.')
}
