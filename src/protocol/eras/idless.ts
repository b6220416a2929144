import type { Exchange } from '../exchange/exchange.ts'
import type { Service } from '../exchange/service.ts'
import { isRequestId, type JsonRpcNotification } from '../messages/jsonrpc.ts'
import { legacyMethods } from './legacy/methods.ts'
import { modernMethods } from './modern/methods.ts'
import { notifications } from './notifications.ts'
import { MAX_NAME, nearName } from './unknown-method.ts'

const PREFIX = 'notifications/'
const CANCELLED = `${PREFIX}cancelled`

/** What a cancellation without it has left out, often for `id`. */
const cancelsBy = 'params.requestId, the id of the request'

/** JSON-RPC tells `7` from `"7"`, and some libraries make each id a string. */
const cancelsInType = 'params.requestId in the type of the id, which is a string or a number'

const known = new Set(notifications.map(name => `${PREFIX}${name}`))

/** What other protocols, and no few clients, call a cancellation. */
const cancellations = new Set(['$/cancelRequest', 'notifications/cancel', 'cancel'])

const requests = [...new Set([...legacyMethods.keys(), ...modernMethods.keys()])]

/**
 * Tells of a request that came without an id, of a notification whose name is nearly one of MCP, and of a cancellation
 * of nothing, or under an id of another type. By JSON-RPC nobody answers them: whoever wrote the client learns of it
 * from the log alone. Other unknown notifications are nobody's fault.
 */
export function tellIdless(
  { method, params }: JsonRpcNotification,
  exchange: Exchange,
  service: Pick<Service, 'onIdless' | 'onMisnamed' | 'inFlight'>
): void {
  // As nearly every one is: what a name is near to is looked for only where it is none.
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
  // The prefix is half of most names: with it, much would be near that is not.
  const near = name.startsWith(PREFIX)
    ? nearName(name.slice(PREFIX.length), notifications)
    : nearName(name, [...notifications, ...requests])
  return near !== undefined && notifications.includes(near) ? `${PREFIX}${near}` : near
}
