import type { Exchange } from '../exchange/exchange.ts'
import type { Service } from '../exchange/service.ts'
import { isRequestId, type JsonRpcNotification } from '../messages/jsonrpc.ts'
import { legacyMethods } from './legacy/methods.ts'
import { modernMethods } from './modern/methods.ts'
import { notifications } from './notifications.ts'
import { MAX_NAME, nearName } from './unknown-method.ts'

const PREFIX = 'notifications/'
const CANCELLED = `${PREFIX}cancelled`

/** The field that a cancellation lacks, often because it has `id` instead. */
const cancelsBy = 'params.requestId, the id of the request'

/** JSON-RPC distinguishes `7` from `"7"`, and some libraries turn each id into a string. */
const cancelsInType = 'params.requestId in the type of the id, which is a string or a number'

const known = new Set(notifications.map(name => `${PREFIX}${name}`))

/** Names that other protocols, and quite a few clients, use for a cancellation. */
const cancellations = new Set(['$/cancelRequest', 'notifications/cancel', 'cancel'])

const requests = [...new Set([...legacyMethods.keys(), ...modernMethods.keys()])]

/**
 * Reports three mistakes of clients: a request without an id, a notification whose name is nearly one of MCP, and a
 * cancellation that names no request or an id of another type. JSON-RPC allows no answer to them, so the author of a
 * client only learns about the mistake from the log. Any other unknown notification is no mistake.
 */
export function tellIdless(
  { method, params }: JsonRpcNotification,
  exchange: Exchange,
  service: Pick<Service, 'onIdless' | 'onMisnamed' | 'inFlight'>
): void {
  // Most notifications are known. A near name is only looked for if the name is unknown.
  if (known.has(method)) {
    const meant = method === CANCELLED ? meantToCancel(params.requestId, exchange, service) : undefined
    if (meant !== undefined) service.onMisnamed(method, meant, exchange)
    return
  }
  if (requests.includes(method)) service.onIdless(method, exchange)
  else {
    const name = method.slice(0, MAX_NAME)
    const meant = meantBy(name)
    if (meant !== undefined) service.onMisnamed(name, meant, exchange)
  }
}

function meantToCancel(
  id: unknown,
  { sessionKey }: Exchange,
  { inFlight }: Pick<Service, 'inFlight'>
): string | undefined {
  if (!isRequestId(id)) return cancelsBy
  return sessionKey !== undefined && inFlight.hasOtherType(sessionKey, id) ? cancelsInType : undefined
}

function meantBy(name: string): string | undefined {
  if (cancellations.has(name)) return CANCELLED
  // The prefix is half of most names. If it were compared, many unrelated names would be near.
  const near = name.startsWith(PREFIX)
    ? nearName(name.slice(PREFIX.length), notifications)
    : nearName(name, [...notifications, ...requests])
  return near !== undefined && notifications.includes(near) ? `${PREFIX}${near}` : near
}
