import { type LookupAddress, promises, type ResolverOptions } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { type HostFacts, HostFiles } from './host-files.ts'

/**
 * Time-outs of one query, in milliseconds, and its tries. If a name server answers other queries quickly, c-ares starts
 * with a quarter of a second and doubles it with each try, minus a random part of up to half. With two tries, names
 * that take a second were not found after many quick ones. The fifth try has at least a second and a half.
 */
const ASK = { timeout: 1_500, maxTimeout: 3_000, tries: 5 }

/**
 * Most addresses of a family that are used: no more are tried before a connection attempt is given up. An answer has
 * room for thousands, each of which would be kept, and checked at each connect.
 */
const MAX_ADDRESSES = 10

/** How long one address family waits for the other (RFC 8305 section 3), in milliseconds. */
const OTHER_FAMILY_MS = 50

/**
 * Codes for a name that does not exist, or has no address of the family: the next domain of the search list may have
 * it.
 */
const absent = new Set(['ENOTFOUND', 'ENODATA'])

type Resolver = Pick<promises.Resolver, 'resolve4' | 'resolve6' | 'getServers' | 'setServers'>

/** The query for the addresses of one family. */
type Query = 'resolve4' | 'resolve6'

/** Asks for the addresses of one family of a name. */
type Ask = (what: Query) => Promise<string[]>

/**
 * The code of an answer that cannot be parsed. It closes the connection over which it came, and counts as a failed try
 * of every query that waits there: so somebody with a name server of their own could make the queries of others fail.
 */
export const UNREADABLE = 'EBADRESP'

/** The name server of a resolver that has found no other. */
const LOOPBACK = '127.0.0.1'

/**
 * A resolver that asks the name servers itself. The system's resolver blocks a thread while a name server does not
 * answer, and Node gives it only two for the whole process; here an unanswered query costs only a datagram. Names are
 * resolved as the system does: /etc/hosts comes first, short names go through the search list (resolv.conf(5)),
 * localhost is this machine (RFC 6761 section 6.3). Other name services of the system, such as mDNS, are not asked.
 */
export function nameServerLookup(
  files: Pick<HostFiles, 'read'> = new HostFiles(),
  create: (how: ResolverOptions) => Resolver = how => new promises.Resolver(how)
): LookupFunction {
  const servers = new NameServers(files, create)
  return (hostname, options, callback) => {
    servers.find(hostname, familyOf(options.family)).then(
      found => {
        if (options.all) callback(null, found)
        else callback(null, found[0]!.address, found[0]!.family)
      },
      error => callback(error, '')
    )
  }
}

/** The name servers of this machine. */
class NameServers {
  readonly #files: Pick<HostFiles, 'read'>
  readonly #create: (how: ResolverOptions) => Resolver
  #made: { readonly resolver: Resolver; readonly of: string } | undefined

  constructor(files: Pick<HostFiles, 'read'>, create: (how: ResolverOptions) => Resolver) {
    this.#files = files
    this.#create = create
  }

  /** @param family 4, 6, or 0 for both @throws the error of the query that says most */
  async find(hostname: string, family: number): Promise<LookupAddress[]> {
    const name = hostname.toLowerCase()
    if (/(?:^|\.)localhost\.?$/.test(name)) return ofFamily(['127.0.0.1', '::1'], family)
    const facts = await this.#files.read()
    const own = ofFamily(facts.hosts.get(name.replace(/\.$/, '')) ?? [], family)
    if (own.length > 0) return own
    let last: unknown
    for (const candidate of candidates(name, facts)) {
      try {
        return await addressesOf(family, what => this.#ask(candidate, what, facts))
      } catch (error) {
        if (!absent.has(codeOf(error))) throw error
        last = error
      }
    }
    throw last
  }

  /** Asks once more with a resolver of its own, because the unreadable answer may have been that of another query. */
  async #ask(name: string, what: Query, facts: HostFacts): Promise<string[]> {
    try {
      return await this.#resolverFor(facts)[what](name)
    } catch (error) {
      if (codeOf(error) !== UNREADABLE) throw error
      return settled(this.#create(ASK))[what](name)
    }
  }

  #resolverFor({ resolver: of }: HostFacts): Resolver {
    if (this.#made === undefined || this.#made.of !== of)
      this.#made = { resolver: settled(this.#create(ASK)), of }
    return this.#made.resolver
  }
}

/**
 * If the only name server is on this machine, Node assumes that none was found. After a broken answer it then reads
 * resolv.conf(5) again with the next query, and all other queries under way fail. Setting the same server explicitly
 * prevents that; changes of resolv.conf are handled here.
 */
function settled(resolver: Resolver): Resolver {
  const servers = resolver.getServers()
  if (servers.length === 1 && servers[0] === LOOPBACK) resolver.setServers(servers)
  return resolver
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''

const familyOf = (family: string | number | undefined): number =>
  typeof family === 'string' ? Number(family.slice(-1)) : (family ?? 0)

const ofFamily = (addresses: readonly string[], family: number): LookupAddress[] =>
  addresses
    .map(address => ({ address, family: isIP(address) }))
    .filter(found => (family === 0 ? found.family !== 0 : found.family === family))

/** The full names to try, in order. */
function candidates(name: string, { search, ndots }: HostFacts): string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)]
  const within = search.map(domain => `${name}.${domain}`)
  return name.split('.').length - 1 >= ndots ? [name, ...within] : [...within, name]
}

async function addressesOf(family: number, ask: Ask): Promise<LookupAddress[]> {
  const asked = [
    ...(family === 6 ? [] : [ask('resolve4').then(some)]),
    ...(family === 4 ? [] : [ask('resolve6').then(some)])
  ]
  const answers = asked.map(answer => answer.catch(() => [] as string[]))
  try {
    await Promise.any(asked)
  } catch (error) {
    throw worst(error as AggregateError)
  }
  const late = setTimeout(OTHER_FAMILY_MS, [] as string[])
  const found = await Promise.all(answers.map(answer => Promise.race([answer, late])))
  return ofFamily(
    found.flatMap(addresses => addresses.slice(0, MAX_ADDRESSES)),
    family
  )
}

/**
 * An alias (CNAME) of a name without addresses gives an empty answer. When connecting with that, Node throws an error
 * that cannot be caught, so it is turned into one here.
 */
function some(addresses: string[]): string[] {
  if (addresses.length > 0) return addresses
  throw Object.assign(new Error('the name has no address'), { code: 'ENODATA', syscall: 'query' })
}

/** The error that says most: a name server that did not answer matters more than an absent family. */
const worst = ({ errors }: AggregateError): unknown =>
  errors.find(error => !absent.has(codeOf(error))) ?? errors[0]
