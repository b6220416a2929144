/*
 * Loaded into a server with --import and --expose-gc: each second it writes the heap in use after a collection,
 * in bytes. Not on a signal, because the server has its own use for those.
 */
const { gc } = globalThis as { gc?: () => void }
if (gc === undefined) throw new Error('run with --expose-gc')

setInterval(() => {
  gc()
  process.stderr.write(`heap after collection: ${process.memoryUsage().heapUsed}\n`)
}, 1000).unref()
