/**
 * Options of an LRUCache for so many entries. By its own `max` it makes room for all of them when it is made: what most
 * services never fill took most of the time of their start, and megabytes.
 * @param ttlMs how long one is kept, default for ever @param now clock in milliseconds
 */
export const atMost = (entries: number, ttlMs = 0, now: () => number = () => performance.now()) => ({
  maxSize: entries,
  sizeCalculation: () => 1,
  ttl: ttlMs,
  // With one it would keep the time by a timer of its own.
  ttlResolution: 0,
  perf: { now }
})
