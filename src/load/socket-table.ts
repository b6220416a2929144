import { closeSync, existsSync, openSync, read } from 'node:fs'
import { endianness } from 'node:os'
import ipaddr from 'ipaddr.js'

/** What the kernel holds of a connection, in bytes. */
export interface SocketQueue {
  /** The other side's address, as digitsOf returns it. */
  readonly address: string
  /** Both ports in one number, as portsOf returns it. */
  readonly ports: number
  /** Bytes that the other side has not acknowledged. */
  readonly unsent: number
  /** Bytes that this process has not read. */
  readonly unread: number
}

/** The tables of IPv4 and IPv6, for the network namespace of this process (proc_pid_net(5)). */
const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'] as const

/** The digits before an IPv4 address in the IPv6 table (RFC 4291, section 2.5.5.2). */
const MAPPED = '0000000000000000FFFF0000'

const [COLON, NEWLINE, ZERO] = [0x3a, 0x0a, 0x30] as const

export const portsOf = (local: number, remote: number): number => local * 0x1_0000 + remote

/**
 * @param address as a socket reports it
 * @returns the address in the form that the table has
 */
export function digitsOf(address: string): string {
  const [bare] = address.split('%', 1) as [string]
  const bytes = Buffer.from(ipaddr.process(bare).toByteArray())
  // The kernel prints each 32 bits as a number in its own byte order.
  return (endianness() === 'LE' ? bytes.swap32() : bytes).toString('hex').toUpperCase()
}

/**
 * Reads the complete lines of such a table. No objects are made for lines without anything queued, which are nearly
 * all.
 * @returns how many bytes these lines are
 */
export function eachQueue(table: Buffer, onQueue: (queue: SocketQueue) => void): number {
  for (let start = 0; ; ) {
    const end = table.indexOf(NEWLINE, start)
    if (end === -1) return start
    // The number before the colon gets longer in a large table. The heading has no colon.
    const at = table.indexOf(COLON, start) + 2
    const digits = table[at + 8] === COLON ? 8 : 32
    const queues = at + 2 * digits + 15
    if (at > 1 && queues + 17 <= end && !isEmpty(table, queues)) {
      const text = (from: number, length: number) => table.toString('latin1', at + from, at + from + length)
      const number = (from: number, length: number) => Number.parseInt(text(from, length), 16)
      const address = text(digits + 6, digits)
      onQueue({
        address: address.startsWith(MAPPED) ? address.slice(MAPPED.length) : address,
        ports: portsOf(number(digits + 1, 4), number(2 * digits + 7, 4)),
        unsent: number(2 * digits + 15, 8),
        unread: number(2 * digits + 24, 8)
      })
    }
    start = end + 1
  }
}

function isEmpty(table: Buffer, queues: number): boolean {
  for (let at = queues; at < queues + 17; at++) if (table[at] !== ZERO && table[at] !== COLON) return false
  return true
}

/**
 * Reads both tables, a page at a time, because the table of thousands of sockets is large.
 * @throws the error that says why there is no table, as on other systems; only the IPv6 table may be missing
 */
export async function readQueues(onQueue: (queue: SocketQueue) => void): Promise<void> {
  await readTable(openSync(TABLES[0], 'r'), onQueue)
  if (existsSync(TABLES[1])) await readTable(openSync(TABLES[1], 'r'), onQueue)
}

/**
 * @param ports as portsOf returns them
 * @param address the other side's, as a socket reports it
 */
export type QueueOf = (ports: number, address: string | undefined) => SocketQueue | undefined

/**
 * Reads the queues of all connections at once.
 * @returns a function (ports, address) that returns what the kernel held of that connection; undefined if nothing
 * @throws as readQueues
 */
export async function queuesNow(read: typeof readQueues = readQueues): Promise<QueueOf> {
  const found = new Map<number, SocketQueue[]>()
  await read(queue => {
    const same = found.get(queue.ports)
    if (same === undefined) found.set(queue.ports, [queue])
    else same.push(queue)
  })
  return (ports, address) => {
    const queues = found.get(ports)
    if (queues === undefined || address === undefined) return undefined
    const digits = digitsOf(address)
    return queues.find(queue => queue.address === digits)
  }
}

/** Uses callbacks, because promises would cost several objects for each page. */
function readTable(file: number, onQueue: (queue: SocketQueue) => void): Promise<void> {
  const buffer = Buffer.allocUnsafe(16 * 1024)
  let filled = 0
  return new Promise((resolve, reject) => {
    const next = () =>
      read(file, buffer, filled, buffer.length - filled, null, (error, count) => {
        if (error !== null || count === 0) {
          closeSync(file)
          return error === null ? resolve() : reject(error)
        }
        filled += count
        const used = eachQueue(buffer.subarray(0, filled), onQueue)
        buffer.copyWithin(0, used, filled)
        filled -= used
        next()
      })
    next()
  })
}
