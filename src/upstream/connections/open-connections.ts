import type { Duplex } from 'node:stream'
import type { buildConnector } from 'undici'
import { holderOf } from '../../edge/address.ts'
import { type RoomLimits, SharedRoom } from '../../shared-room.ts'

/** As many as one forge's requests have by default; of all addresses half as many again. */
const LEAST = 512

/** The code of a connection that had to make room. A read is asked again after it (guard/retry.ts). */
export const TOO_MANY_CONNECTIONS = 'TOO_MANY_CONNECTIONS'

class GivenUpConnection extends Error {
  readonly code = TOO_MANY_CONNECTIONS
  constructor() {
    super('too many connections to forges were open')
    this.name = 'GivenUpConnection'
  }
}

/**
 * Bounds the connections to hosts that somebody else has chosen, in use or kept: with TLS each takes some 60 KB that no
 * heap shows, and a forge that never answers, or one of many names, would have thousands. Of whoever has most the oldest
 * goes.
 */
export class OpenConnections {
  readonly #room: SharedRoom

  constructor(limits: RoomLimits) {
    this.#room = new SharedRoom(limits)
  }

  /** @param concurrency requests of one forge at once (FORGE_MAX_CONCURRENCY) */
  static for(concurrency: number): OpenConnections {
    const each = Math.max(LEAST, concurrency)
    return new OpenConnections({ each, all: 1.5 * each })
  }

  /**
   * A connector whose connections count from the moment when they are there, before they are secure.
   * @param holder default the address that is connected to
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

  /** Counts one until it is closed. @returns why it is, where it was itself the one to go */
  add(socket: Duplex, holder: string): GivenUpConnection | undefined {
    let lost: GivenUpConnection | undefined
    const place = this.#room.take(holder, 1, () => {
      lost = new GivenUpConnection()
      socket.destroy(lost)
    })
    socket.once('close', () => place.leave())
    return lost
  }
}
