import type { LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { type AddressPolicy, checkHost, guardedLookup } from '../hosts/addresses.ts'
import { shortReads } from './forge-queues.ts'
import type { AskedBounds, Handshakes } from './handshakes.ts'
import type { LinkConnections } from './open-connections.ts'
import { secureConnector } from './secure-connector.ts'

/** Limits of one link's connections to hosts that the operator did not choose. */
export interface StrangersBounds extends AskedBounds {
  readonly handshakes: Handshakes
  readonly open: LinkConnections
}

/**
 * The `connect` of an undici dispatcher that dials only allowed addresses, checked anew at each connect. It cannot see
 * what a forward proxy dials: check hosts with `checkHost` before handing them to one.
 * @param options of undici's own connector, such as its time-out and TLS settings
 * @param bounds limits for hosts that the operator did not choose
 */
export function guardedConnector(
  policy: AddressPolicy,
  options: buildConnector.BuildOptions = {},
  lookup?: LookupFunction,
  bounds?: StrangersBounds
): buildConnector.connector {
  const dial = buildConnector({
    ...options,
    ...(bounds && shortReads),
    lookup: guardedLookup(policy, lookup)
  })
  const connect =
    bounds?.handshakes.connector(bounds.open.connector(dial), secureConnector(options), bounds) ?? dial
  return (target, callback) => {
    try {
      checkHost(target.hostname, policy)
    } catch (refused) {
      return callback(refused as Error, null)
    }
    connect(target, callback)
  }
}
