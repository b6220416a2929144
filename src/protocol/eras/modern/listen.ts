import { CancelledError } from '../../../base/cancellation.ts'
import { isRecord } from '../../../results/is-record.ts'
import { principalOf } from '../../../session/credential.ts'
import { ClientLog } from '../../exchange/client-log.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { changedMethod, type ListName, lists } from '../../exchange/list-changes.ts'
import type { Service } from '../../exchange/service.ts'
import { code, type JsonRpcRequest, notificationText, plainError } from '../../messages/jsonrpc.ts'
import { MAX_NAME, methodWordsOf } from '../unknown-method.ts'
import { metaKey } from './envelope.ts'

/** Most memory of the request's body, in bytes: the body is held as long as the subscription. */
const MAX_BYTES = 8 * 1024

/** The key of a subscription's filter for a list. */
const filterKey = (list: ListName): string => `${list}ListChanged`

/** The keys of a filter, as text for an error. */
const keysOf = (offered: readonly ListName[]): string => offered.map(filterKey).join(', ')

/**
 * Serves subscriptions/listen. The request is acknowledged first, then notified of the requested changes as far as they
 * are supported, and answered when the subscription ends. Its messages use the request's own stream; over stdio, they
 * are sent among all others.
 * @returns the `_meta` of its result, which has no other fields
 * @throws ProtocolError for an invalid filter, for a large body, and for a client that does not accept a stream
 * @throws CancelledError if the client has ended the subscription
 */
export async function serveSubscription(
  { id, params }: JsonRpcRequest,
  exchange: Exchange,
  { changes, lists: offered, subscriptions, observe }: Service
): Promise<Readonly<Record<string, unknown>>> {
  const wanted = readFilter(params.notifications, offered)
  if (!exchange.streams)
    throw plainError(
      code.invalidRequest,
      'subscriptions/listen is answered by a stream: accept text/event-stream by name.'
    )
  if ((exchange.bodyBytes ?? 0) > MAX_BYTES)
    throw plainError(
      code.invalidParams,
      `subscriptions/listen takes ${MAX_BYTES} bytes at most: notifications and _meta are all that it needs.`
    )
  const meta = { [metaKey.subscription]: id }
  const honoured = offered.filter(list => wanted.has(list))
  const tell = (method: string, more: object = {}) =>
    exchange.notify(notificationText(method, { _meta: meta, ...more }))
  tell('notifications/subscriptions/acknowledged', {
    notifications: Object.fromEntries(honoured.map(list => [filterKey(list), true]))
  })
  const { logLevel } = exchange.session
  // The revision allows a filter without any served kind, as when all its kinds are unknown here.
  if (honoured.length === 0 && logLevel !== undefined)
    new ClientLog(logLevel, exchange.notify, { _meta: meta }).log(
      'warning',
      `None of the kinds in notifications is served here; these are: ${keysOf(offered)}.`
    )
  observe('subscriptions/listen', 'ok', 0)
  const unwatch = changes.watch(list => {
    if (honoured.includes(list)) tell(changedMethod(list))
  })
  try {
    await subscriptions.hold(principalOf(exchange.session.credential), exchange.holder, exchange.signal)
  } finally {
    unwatch()
  }
  if (exchange.signal?.aborted) throw new CancelledError()
  return meta
}

/** Most keys of a filter that are examined. */
const MAX_KEYS = 20

/**
 * The key that a wrong key was meant to be. Both must consist of the same words: a merely similar key may name a kind
 * of another revision or of an extension, and such kinds are ignored (MCP 2026-07-28, subscriptions/listen).
 */
const meantBy = (key: string): string | undefined => {
  const words = methodWordsOf(key.slice(0, MAX_NAME))
  return lists.map(filterKey).find(known => known !== key && methodWordsOf(known) === words)
}

/**
 * @param offered the lists that are served here
 * @throws ProtocolError
 */
function readFilter(filter: unknown, offered: readonly ListName[]): ReadonlySet<ListName> {
  if (!isRecord(filter))
    throw plainError(
      code.invalidParams,
      `subscriptions/listen needs notifications, an object in which ${keysOf(offered)} may be true.`
    )
  const wrong = lists
    .map(filterKey)
    .find(key => filter[key] !== undefined && typeof filter[key] !== 'boolean')
  if (wrong !== undefined) throw plainError(code.invalidParams, `notifications.${wrong} must be a boolean.`)
  const meant = Object.keys(filter)
    .slice(0, MAX_KEYS)
    .map(meantBy)
    .find(key => key !== undefined)
  if (meant !== undefined)
    throw plainError(
      code.invalidParams,
      `notifications has no such key as it was sent. Did you mean ${meant}?`
    )
  return new Set(lists.filter(list => filter[filterKey(list)] === true))
}
