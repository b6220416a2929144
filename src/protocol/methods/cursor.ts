import { code, type JsonRpcRequest, plainError } from '../messages/jsonrpc.ts'

/**
 * Refuses any cursor: no list here has a second page, so no cursor was ever issued.
 * @throws ProtocolError
 */
export function checkCursor({ cursor }: JsonRpcRequest['params']): void {
  if (cursor === undefined) return
  if (typeof cursor !== 'string') throw plainError(code.invalidParams, 'cursor must be a string.')
  throw plainError(code.invalidParams, 'Unknown cursor: the list comes as a whole, on one page.')
}
