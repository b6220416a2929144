import { ADDRCONFIG, lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { withoutBrackets } from '../../base/host-names.ts'
import { callersNames, documentNames, NameLane, type OnStale, operatorNames } from './lookup.ts'
import { nameServerLookup } from './name-servers.ts'

/** Who chose the names that a dispatcher connects to, besides the operator's own. */
type NamesOf = 'callers' | 'documents'

/** Where a host is. */
export interface FoundHost {
  /** Its addresses, or its name if a proxy resolves it. */
  readonly addresses: readonly string[]
  /** The resolver that found them and remembers them for a while, for the dispatcher of the host. */
  readonly lookup?: LookupFunction
}

/** A resolver that is told when none of the addresses that it has found accepts connections. */
export type HostLookup = LookupFunction & { doubt?(hostname: string): void }

const limitsOf = { callers: callersNames, documents: documentNames }

/**
 * How this service resolves hosts: the operator's through the system, all others without using the system's threads.
 */
export class HostNames {
  readonly #own: ReadonlySet<string>
  readonly #ownLane: NameLane
  readonly #servers: LookupFunction

  /** @param own host names of the operator's choice, as of `URL.hostname` */
  constructor(
    own: Iterable<string>,
    {
      system = systemLookup as LookupFunction,
      servers = nameServerLookup(),
      onStale
    }: { system?: LookupFunction; servers?: LookupFunction; onStale?: OnStale | undefined } = {}
  ) {
    this.#own = new Set(own)
    this.#ownLane = new NameLane(system, operatorNames, onStale)
    this.#servers = servers
  }

  /** A resolver for one dispatcher. It has its own answers, except for the operator's names. */
  lookup(of: NamesOf): HostLookup {
    const others = new NameLane(this.#servers, limitsOf[of])
    const lookup: LookupFunction = (hostname, options, callback) =>
      (this.#own.has(hostname) ? this.#ownLane : others).lookup(hostname, options, callback)
    return Object.assign(lookup, {
      // Any other answer stays in use for as long as `find` promises.
      doubt: (hostname: string) => {
        if (this.#own.has(hostname)) this.#ownLane.doubt(hostname)
      }
    })
  }

  /**
   * Finds the host of a forge that a caller names. A connection that is made with the resolver within half a minute
   * goes to one of these addresses.
   * @param hostname as of `URL.hostname`
   * @throws Error with the code of the look-up, as a rejection, if it has no addresses
   */
  find(hostname: string): Promise<FoundHost> {
    const lookup = this.lookup('callers')
    const bare = withoutBrackets(hostname)
    if (isIP(bare) !== 0) return Promise.resolve({ addresses: [bare], lookup })
    return new Promise((resolve, reject) =>
      // With the options that Node uses when it connects.
      lookup(hostname, { all: true, hints: ADDRCONFIG }, (error, found) => {
        if (error !== null) return reject(error)
        const addresses = typeof found === 'string' ? [found] : found.map(({ address }) => address)
        return resolve({ addresses, lookup })
      })
    )
  }
}
