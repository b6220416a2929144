/**
 * Options of an LRUCache with at most so many entries. With its own `max`, it would allocate room for all of them when
 * it is created: that took most of the start time, and megabytes, which most services never fill.
 * @param ttlMs how long an entry is kept; default for ever
 * @param now clock in milliseconds
 */
export const atMost = (entries: number, ttlMs = 0, now: () => number = () => performance.now()) => ({
  maxSize: entries,
  sizeCalculation: () => 1,
  ttl: ttlMs,
  // With a resolution, it would cache the time with a timer of its own.
  ttlResolution: 0,
  perf: { now }
})
