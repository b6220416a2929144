import { code, type JsonRpcRequest, ProtocolError } from './jsonrpc.ts'

/** No list here has a second page, so that no cursor was ever given out. @throws ProtocolError */
export function checkCursor({ cursor }: JsonRpcRequest['params']): void {
  if (cursor === undefined) return
  if (typeof cursor !== 'string') throw new ProtocolError(code.invalidParams, 'cursor must be a string.')
  throw new ProtocolError(code.invalidParams, 'Unknown cursor: the list comes as a whole, on one page.')
}
