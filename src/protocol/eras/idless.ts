import type { Exchange } from '../exchange/exchange.ts'
import type { Service } from '../exchange/service.ts'
import type { JsonRpcNotification } from '../messages/jsonrpc.ts'
import { legacyMethods } from './legacy/methods.ts'
import { modernMethods } from './modern/methods.ts'

/**
 * Tells of a request that came without an id. By JSON-RPC it is a notification, which nobody answers: whoever wrote its
 * client learns of it from the log alone.
 */
export function tellIdless(
  { method }: JsonRpcNotification,
  exchange: Exchange,
  service: Pick<Service, 'onIdless'>
): void {
  if (legacyMethods.has(method) || modernMethods.has(method)) service.onIdless(method, exchange)
}
