/**
 * Options of an LRUCache for so many entries. By its own `max` it makes room for all of them when it is made: what most
 * services never fill took most of the time of their start, and megabytes.
 */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
