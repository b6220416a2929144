import type { LookupFunction } from 'node:net'
import { isIP, Socket } from 'node:net'

/*
 * Loaded before every test file (package.json, tap): no connection leaves this machine, whoever opens it. Processes that
 * a test starts are not under it. Not by nock: where nothing is scripted it passes connections on through a stand-in,
 * which is not what tests of slow, cut and half-closed ones are about.
 */

type Connect = typeof Socket.prototype.connect

/** As Node takes them apart: its own callers hand over one list of all arguments. */
type Given = readonly [
  { host?: string; path?: string | null; lookup?: LookupFunction } | number | string,
  unknown?
]

const isOfThisMachine = (address: string): boolean =>
  /^(127\.|::1$|::ffff:127\.|0\.0\.0\.0$|::$)/.test(address)

const closed = (host: string): Error =>
  Object.assign(new Error(`tests do not go to the network: ${host}`), { code: 'ENETUNREACH' })

/** What a name is may be scripted, and lead to this machine. */
const guarded =
  (lookup: LookupFunction): LookupFunction =>
  (host, options, callback) =>
    lookup(host, options, (error, found, family) => {
      const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found]
      const beyond = error === null && addresses.find(address => !isOfThisMachine(address))
      if (beyond) callback(closed(`${host} (${beyond})`), [])
      else callback(error, found, family)
    })

const connect: Connect = Socket.prototype.connect
Socket.prototype.connect = function (this: Socket, ...given: unknown[]) {
  const [options, second] = (Array.isArray(given[0]) ? given[0] : given) as unknown as Given
  const { host, path, lookup } =
    typeof options === 'object'
      ? options
      : { host: typeof second === 'string' ? second : undefined, path: undefined, lookup: undefined }
  if (typeof path === 'string' || host === undefined || host === 'localhost' || isOfThisMachine(host))
    return connect.apply(this, given as unknown as Parameters<Connect>)
  if (isIP(host) !== 0 || lookup === undefined || typeof options !== 'object') {
    process.nextTick(() => this.destroy(closed(host)))
    return this
  }
  options.lookup = guarded(lookup)
  return connect.apply(this, given as unknown as Parameters<Connect>)
} as Connect
