/**
 * Options of an LRUCache with a maximum number of entries. With the cache's own option `max`, it would allocate room
 * for all entries when it is created. That took most of the start time, and megabytes that most services never fill.
 * @param ttlMs how long an entry is kept; default for ever
 * @param now clock in milliseconds
 */
export const atMost = (entries: number, ttlMs = 0, now: () => number = () => performance.now()) => ({
  maxSize: entries,
  sizeCalculation: () => 1,
  ttl: ttlMs,
  // With a resolution, the cache would keep the time with a timer of its own.
  ttlResolution: 0,
  perf: { now }
})
