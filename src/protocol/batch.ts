import { classify } from './jsonrpc.ts'

/** Most messages of a batch. */
export const MAX_BATCH = 50

/** How many requests of a batch want an answer; none when it is refused for its length. */
export const requestsIn = (batch: readonly unknown[]): number =>
  batch.length > MAX_BATCH ? 0 : batch.filter(item => classify(item).kind === 'request').length
