import type { LookupFunction } from 'node:net'
import { isIP, Socket } from 'node:net'

/*
 * Loaded before every test file (package.json, tap). It refuses every connection beyond this machine, whoever opens it.
 * It does not apply to processes that a test starts. nock is not used for this: where nothing is scripted, it passes
 * connections on through a stand-in, and tests of slow, cut and half-closed connections need real ones.
 */

type Connect = typeof Socket.prototype.connect

/** The arguments as Node takes them apart. Node's own callers pass one list of all arguments. */
type Given = readonly [
  { host?: string; path?: string | null; lookup?: LookupFunction } | number | string,
  unknown?
]

const isOfThisMachine = (address: string): boolean =>
  /^(127\.|::1$|::ffff:127\.|0\.0\.0\.0$|::$)/.test(address)

const closed = (host: string): Error =>
  Object.assign(new Error(`tests do not go to the network: ${host}`), { code: 'ENETUNREACH' })

/** The lookup of a name may be scripted, and give addresses of this machine. */
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
