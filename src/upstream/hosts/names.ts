import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { callersNames, documentNames, NameLane, type OnStale, ownNames } from './lookup.ts'
import { nameServerLookup } from './name-servers.ts'

/** Who chose the names that a dispatcher connects to, besides the operator's own. */
export type NamesOf = 'callers' | 'documents'

/**
 * How this service resolves hosts: the operator's through the system, all others without using the system's threads.
 */
export class Names {
  readonly #own: ReadonlySet<string>
  readonly #ownLane: NameLane
  readonly #lanes: Readonly<Record<NamesOf, NameLane>>

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
    this.#ownLane = new NameLane(system, ownNames, Date.now, onStale)
    this.#lanes = {
      callers: new NameLane(servers, callersNames),
      documents: new NameLane(servers, documentNames)
    }
  }

  /** A resolver for one dispatcher. */
  lookup(of: NamesOf): LookupFunction {
    const own = this.#ownLane.lookup()
    const others = this.#lanes[of].lookup()
    return (hostname, options, callback) =>
      (this.#own.has(hostname) ? own : others)(hostname, options, callback)
  }

  /**
   * The addresses of a name that a caller has chosen, as a connection to it will resolve them.
   * @throws if there are none
   */
  addressesOf(hostname: string): Promise<readonly string[]> {
    const bare = hostname.replace(/^\[(.*)\]$/, '$1')
    if (isIP(bare) !== 0) return Promise.resolve([bare])
    return new Promise((resolve, reject) =>
      this.lookup('callers')(hostname, { all: true }, (error, found) => {
        if (error !== null) return reject(error)
        return resolve(typeof found === 'string' ? [found] : found.map(({ address }) => address))
      })
    )
  }
}
