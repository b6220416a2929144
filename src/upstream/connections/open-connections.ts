import type { Duplex } from 'node:stream'
import type { buildConnector } from 'undici'
import { holderOf } from '../../base/holders.ts'
import type { RoomLimits } from '../../collections/shared-room.ts'
import { tooMuchHeld } from '../errors.ts'
import { ForgeQueues } from './forge-queues.ts'
import { bottomOf } from './layers.ts'

/**
 * The lowest limit of connections to one address (connectionsTo). All addresses together may have 1.5 times the limit
 * of one.
 */
const MIN_CONNECTIONS = 512

/** @param concurrency requests of one forge at once (FORGE_MAX_CONCURRENCY) */
export const connectionsTo = (concurrency: number): number => Math.max(MIN_CONNECTIONS, concurrency)

/** The error code of a connection that was closed to make room. Reads are retried after it (guard/retry.ts). */
export const TOO_MANY_CONNECTIONS = 'TOO_MANY_CONNECTIONS'

class GivenUpConnection extends Error {
  readonly code = TOO_MANY_CONNECTIONS
  constructor() {
    super('too many connections to forges were open')
    this.name = 'GivenUpConnection'
  }
}

/**
 * A socket with the methods that undici calls when the socket gets a request (`ref`) or no longer has one (`unref`).
 */
export interface Counted extends Duplex {
  /** Only TCP sockets of node:net have it. */
  resetAndDestroy?(): unknown
  ref?(): unknown
  unref?(): unknown
}

/**
 * What would be lost with a connection: nothing (0), a request that anybody can make (1), or one to a forge that has
 * served somebody (2).
 */
type Worth = 0 | 1 | 2

class Connection {
  readonly socket: Counted
  readonly link: LinkConnections
  inUse = true
  lost: GivenUpConnection | undefined

  constructor(socket: Counted, link: LinkConnections) {
    this.socket = socket
    this.link = link
    const { ref, unref } = socket
    resetAtEnd(socket)
    socket.ref = () => {
      this.inUse = true
      return ref?.call(socket)
    }
    socket.unref = () => {
      this.inUse = false
      return unref?.call(socket)
    }
  }

  get worth(): Worth {
    if (!this.inUse) return 0
    return this.link.hasServed() ? 2 : 1
  }

  lose(): void {
    this.lost = new GivenUpConnection()
    this.socket.destroy(this.lost)
  }
}

/**
 * Makes a connection end with a reset, however it ends. Otherwise the kernel would keep for minutes whatever the forge
 * has not accepted of its requests. The forge loses nothing by a reset, because no answer is awaited any more.
 */
function resetAtEnd(socket: Counted): void {
  const tcp: Counted = bottomOf(socket)
  const { _destroy: destroy } = tcp
  tcp._destroy = (error, done) => {
    // The socket is being destroyed already: this call only decides that it ends with a reset.
    tcp.resetAndDestroy?.()
    destroy.call(tcp, error, done)
  }
  // A socket that is being shut down cannot be reset.
  for (const one of [socket, tcp]) one._final = done => done()
}

/**
 * Bounds the connections, in use or idle, to hosts that the operator did not choose. With TLS each connection takes
 * about 60 KB outside the heap, and a forge that never answers, or has many names, could have thousands. To make room,
 * the address with the most connections loses its least valuable one. Among connections of equal value, the oldest one
 * of the link that has the most of them is closed, because anybody can open many links to somebody else's forge.
 */
export class OpenConnections {
  readonly #limits: Required<RoomLimits>
  /** By address, the oldest first. */
  readonly #addresses = new Map<string, Set<Connection>>()
  readonly #stopped: ForgeQueues
  #size = 0

  constructor(
    { all = Number.POSITIVE_INFINITY, each = Number.POSITIVE_INFINITY }: RoomLimits,
    stopped = new ForgeQueues()
  ) {
    this.#limits = { all, each }
    this.#stopped = stopped
  }

  /** @param concurrency requests of one forge at once (FORGE_MAX_CONCURRENCY) */
  static for(concurrency: number): OpenConnections {
    const each = connectionsTo(concurrency)
    return new OpenConnections({ each, all: 1.5 * each })
  }

  /** The connections of one link. @param hasServed whether its forge has served anybody lately */
  link(hasServed: () => boolean): LinkConnections {
    return new LinkConnections(this, hasServed)
  }

  /**
   * Resets connections for which the kernel holds too many bytes of answers, or for which the kernel and this process
   * hold too many bytes of requests. Call it about twice a second.
   * @param onCut called for each of these connections, with the holder that it was counted for
   */
  look(onCut: (holder: string) => void): Promise<void> {
    const open = [...this.#addresses].flatMap(([holder, there]) =>
      [...there].map(({ socket }) => {
        const lose = () => {
          onCut(holder)
          socket.destroy(tooMuchHeld())
        }
        return { socket, holder, lose }
      })
    )
    return this.#stopped.look(open)
  }

  /** Called by LinkConnections. */
  add(socket: Counted, address: string, link: LinkConnections): GivenUpConnection | undefined {
    const connection = new Connection(socket, link)
    const there = this.#addresses.get(address) ?? new Set()
    this.#addresses.set(address, there.add(connection))
    this.#size++
    socket.once('close', () => this.#remove(connection, address))
    if (there.size > this.#limits.each) this.#makeRoom(address)
    while (this.#size > this.#limits.all) this.#makeRoom(this.#fullest())
    return connection.lost
  }

  #remove(connection: Connection, address: string): void {
    const there = this.#addresses.get(address)
    if (!there?.delete(connection)) return
    this.#size--
    if (there.size === 0) this.#addresses.delete(address)
  }

  #makeRoom(address: string): void {
    const loser = leastMissed(this.#addresses.get(address)!)
    this.#remove(loser, address)
    loser.lose()
  }

  /** The address with the most connections among those that have an idle one, or else among all. */
  #fullest(): string {
    let found = ''
    let most = -1
    for (const [address, there] of this.#addresses) {
      const keeps = [...there].some(({ inUse }) => !inUse)
      const size = keeps ? there.size + this.#size : there.size
      if (size <= most) continue
      most = size
      found = address
    }
    return found
  }
}

/**
 * The oldest of the least valuable connections, taken from the link that has the most of these.
 * @param connections at least one, the oldest first
 */
function leastMissed(connections: Iterable<Connection>): Connection {
  const byLink = new Map<LinkConnections, Connection[]>()
  let least = Number.POSITIVE_INFINITY
  for (const connection of connections) {
    const { link, worth } = connection
    if (worth > least) continue
    if (worth < least) byLink.clear()
    least = worth
    const own = byLink.get(link)
    if (own === undefined) byLink.set(link, [connection])
    else own.push(connection)
  }
  return [...byLink.values()].reduce((most, own) => (own.length > most.length ? own : most))[0]!
}

/** The connections of one API URL, at any addresses. */
export class LinkConnections {
  readonly hasServed: () => boolean
  readonly #open: OpenConnections

  constructor(open: OpenConnections, hasServed: () => boolean) {
    this.#open = open
    this.hasServed = hasServed
  }

  /**
   * A connector whose connections are counted as soon as they are open, before TLS is established.
   * @param holder default: the address that is connected to
   */
  connector(connect: buildConnector.connector, holder?: string): buildConnector.connector {
    return (target, callback) =>
      connect(target, (...[error, socket]) => {
        if (error !== null) return callback(error, null)
        const lost = this.add(socket, holder ?? holderOf(socket.remoteAddress))
        if (lost === undefined) callback(null, socket)
        else callback(lost, null)
      })
  }

  /**
   * Counts a connection until it is closed.
   * @returns the error that the connection was closed with, if it was itself closed to make room
   */
  add(socket: Counted, holder: string): GivenUpConnection | undefined {
    return this.#open.add(socket, holder, this)
  }
}
