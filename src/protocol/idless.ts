import type { Exchange } from './exchange.ts'
import type { JsonRpcNotification } from './jsonrpc.ts'
import { legacyMethods } from './legacy/methods.ts'
import { modernMethods } from './modern/methods.ts'
import type { Service } from './service.ts'

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
