/** What is closed some time, such as a server of Fastify. */
interface Closed {
  addHook(name: 'onClose', end: () => void): unknown
}

/**
 * Does work again and again until a server closes; that alone keeps no process alive.
 * @param ms milliseconds from one time to the next
 */
export function every(ms: number, server: Closed, work: () => void): void {
  const timer = setInterval(work, ms).unref()
  server.addHook('onClose', () => clearInterval(timer))
}
