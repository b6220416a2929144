/** Something that is closed at some time, such as a Fastify server. */
interface Closed {
  addHook(name: 'onClose', end: () => void): unknown
}

/**
 * Repeats work until a server closes. The timer alone does not keep the process alive.
 * @param ms milliseconds between two runs
 */
export function every(ms: number, server: Closed, work: () => void): void {
  const timer = setInterval(work, ms).unref()
  server.addHook('onClose', () => clearInterval(timer))
}
