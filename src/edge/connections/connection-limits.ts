import { MIB } from '../../base/units.ts'
import { turnShares } from '../../fairness/turn-shares.ts'

/** What callers may hold through their connections. `each` is per client address; sizes are in bytes. */
export const connectionLimits = {
  /** Open connections. Those of proxies are not counted, because proxies open as many as their callers need. */
  open: { all: 4096, each: 1024 },
  /**
   * Connections that begin. `atOnce` is enough for a browser, or for a few agents behind one address. `burst`, which
   * begin in turns, are as many as an address may have open. `perSecond` connections take two fifths of the time; a
   * proxy that is not named and keeps no connections open needs that many. Connections of named proxies do not wait.
   */
  arriving: { atOnce: 64, burst: 1024, perSecond: 1000, waiting: { all: 2048, each: 1024 } },
  /** Requests on one connection that are not completely answered. MCP clients and proxies have one. */
  pipelined: 4,
  /** Memory of the headers of requests that are not completely answered. */
  heads: { all: 64 * MIB, each: 16 * MIB },
  /**
   * Requests, or other data of the same cost, that are read in one turn of the event loop. For proxies, only large
   * bodies count.
   */
  reads: 16,
  /**
   * Most pieces of a body, in addition to one for each `bytesEach` bytes of it: one-byte chunks cost a thousand times
   * their size.
   */
  pieces: { most: 2000, bytesEach: 32 },
  turns: turnShares.requests,
  /** Bytes of answers that their callers have not received yet. */
  unread: { all: 32 * MIB, each: 16 * MIB },
  /** How long an answer may wait to be received, in milliseconds. */
  unreadMs: 30_000,
  /**
   * Bytes that the kernel holds for connections, both answers and requests. On Linux, a connection's buffer for answers
   * grows to 4 MiB if its client once read quickly.
   */
  queued: { all: 64 * MIB, each: 16 * MIB },
  /** How many bytes may have been added to that before the kernel is asked again. */
  queuedUnseen: 4 * MIB,
  /** How many bytes of a connection may be left to the kernel when it is closed. */
  queuedAtEnd: 64 * 1024,
  /** How long a connection may be silent while the server shuts down, in milliseconds. */
  silentMs: 250,
  /**
   * How long a request that has begun to arrive may take until its last header while the server shuts down, in
   * milliseconds.
   */
  headersMs: 5_000,
  /** How long a request may take until its last byte, in milliseconds. */
  requestMs: 30_000
}

export type ConnectionLimits = Readonly<typeof connectionLimits>

/**
 * Connections that the kernel keeps until the process takes them, up to the kernel's own limit (net.core.somaxconn,
 * 4,096 on Linux). Beyond it the kernel drops connection attempts, which clients repeat after a second.
 */
export const BACKLOG = 4096

/** Why a connection was cut, for the metrics. */
export const cutReasons = [
  'pipelined',
  'heads',
  'crumbs',
  'unread',
  'slow',
  'queued',
  'crowded',
  'rate',
  // An answer of a caller's forge.
  'answers'
] as const
export type CutReason = (typeof cutReasons)[number]

/**
 * The limits for a process that may open so few files that connections could use them all. At most half of the files
 * are connections, a quarter those of one address, and half as many connections wait. The rest is for forges and files.
 * @param files how many files the process may open
 */
export function limitsWithin(files: number): ConnectionLimits {
  const { open, arriving } = connectionLimits
  const part = (most: number, divisor: number) => Math.min(most, Math.max(1, Math.floor(files / divisor)))
  return {
    ...connectionLimits,
    open: { all: part(open.all, 2), each: part(open.each, 4) },
    arriving: {
      ...arriving,
      burst: part(arriving.burst, 4),
      waiting: { all: part(arriving.waiting.all, 4), each: part(arriving.waiting.each, 8) }
    }
  }
}
