import { Agent, type Dispatcher } from 'undici'

/** Time-outs and sizes of upstream calls (DESIGN 6), in milliseconds and bytes. */
export const upstreamLimits = {
  connectMs: 5_000,
  headersMs: 30_000,
  idleMs: 30_000,
  totalMs: 60_000,
  /** For logs and archives, from the first hop to the last byte. */
  streamMs: 120_000,
  maxJsonBytes: 32 * 1024 * 1024,
  maxHeaderBytes: 64 * 1024,
  connections: 64
} as const

/** One keep-alive dispatcher for a forge. It follows no redirect and sends one request a connection at a time. */
export function createDispatcher(): Dispatcher {
  return new Agent({
    connect: { timeout: upstreamLimits.connectMs },
    connections: upstreamLimits.connections,
    headersTimeout: upstreamLimits.headersMs,
    bodyTimeout: upstreamLimits.idleMs,
    maxHeaderSize: upstreamLimits.maxHeaderBytes,
    pipelining: 1,
    allowH2: false
  })
}
