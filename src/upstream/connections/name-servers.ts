import { type LookupAddress, promises, type ResolverOptions } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { type HostFacts, HostFiles } from './host-files.ts'

/**
 * Of one question, in milliseconds. Where a name server answers others at once, it is given a quarter of a second, and twice
 * as long with each try, less up to half of it by chance: with two tries, whoever asked for many quick names had names that
 * take a second not found. The fifth has a second and a half at least.
 */
const ASK = { timeout: 1_500, maxTimeout: 3_000, tries: 5 }

/**
 * So many addresses of a family are taken: no more are tried before a connection is given up. An answer has room for
 * thousands, each of which would be kept, and checked at each connect.
 */
const MOST_ADDRESSES = 10

/** How long one family of addresses waits for the other (RFC 8305 section 3), in milliseconds. */
const OTHER_FAMILY_MS = 50

/** There is no such name, or it has no address of the family: the next domain of the search list may have it. */
const absent = new Set(['ENOTFOUND', 'ENODATA'])

type Resolver = Pick<promises.Resolver, 'resolve4' | 'resolve6' | 'getServers' | 'setServers'>

/** Asks for the addresses of one family of a name. */
type Ask = (what: 'resolve4' | 'resolve6') => Promise<string[]>

/**
 * An answer that cannot be read. It ends the connection over which it came, and counts as a try of every question that waits
 * there, so that whoever has a name server of his own fails what others ask.
 */
export const UNREADABLE = 'EBADRESP'

/** Of a resolver that has found no other. */
const LOOPBACK = '127.0.0.1'

/**
 * A resolver that asks the name servers itself. The system's own one blocks a thread for as long as a name server
 * keeps silent, and Node gives it two for the whole process; here a question that is not answered costs a datagram.
 * Names mean what they mean to the system: /etc/hosts comes first, short names go through the search list
 * (resolv.conf(5)), localhost is this machine (RFC 6761 section 6.3). Other name services of the system, such as
 * mDNS, are not asked.
 */
export function nameServerLookup(
  files: Pick<HostFiles, 'read'> = new HostFiles(),
  create: (how: ResolverOptions) => Resolver = how => new promises.Resolver(how)
): LookupFunction {
  let made: { readonly resolver: Resolver; readonly of: string } | undefined
  const resolverFor = ({ resolver: of }: HostFacts): Resolver => {
    if (made === undefined || made.of !== of) made = { resolver: settled(create(ASK)), of }
    return made.resolver
  }

  /** Asks once more, away from all others, where the answer that could not be read may have been another's. */
  const asker =
    (name: string, facts: HostFacts): Ask =>
    async what => {
      try {
        return await resolverFor(facts)[what](name)
      } catch (error) {
        if (codeOf(error) !== UNREADABLE) throw error
        return settled(create(ASK))[what](name)
      }
    }

  const find = async (hostname: string, family: number): Promise<LookupAddress[]> => {
    const name = hostname.toLowerCase()
    if (/(?:^|\.)localhost\.?$/.test(name)) return ofFamily(['127.0.0.1', '::1'], family)
    const facts = await files.read()
    const own = ofFamily(facts.hosts.get(name.replace(/\.$/, '')) ?? [], family)
    if (own.length > 0) return own
    let last: unknown
    for (const candidate of candidates(name, facts)) {
      try {
        return await addressesOf(family, asker(candidate, facts))
      } catch (error) {
        if (!absent.has(codeOf(error))) throw error
        last = error
      }
    }
    throw last
  }

  return (hostname, options, callback) => {
    find(hostname, familyOf(options.family)).then(
      found => {
        if (options.all) callback(null, found)
        else callback(null, found[0]!.address, found[0]!.family)
      },
      error => callback(error, '')
    )
  }
}

/**
 * Where the only name server is this machine's, Node takes it for one that was not found: after an answer that broke off it
 * reads resolv.conf(5) again with the next question, and whatever others have asked meanwhile fails. To be told of the
 * same server keeps it from that; resolv.conf is looked after here.
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

/** Full names in the order in which they are tried. */
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
    found.flatMap(addresses => addresses.slice(0, MOST_ADDRESSES)),
    family
  )
}

/** Another name for one without addresses comes as an answer of none: to connect by that, Node throws where nobody catches. */
function some(addresses: string[]): string[] {
  if (addresses.length > 0) return addresses
  throw Object.assign(new Error('the name has no address'), { code: 'ENODATA', syscall: 'query' })
}

/** That a name server was silent says more than that the other family is absent. */
const worst = ({ errors }: AggregateError): unknown =>
  errors.find(error => !absent.has(codeOf(error))) ?? errors[0]
