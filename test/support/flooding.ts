import { createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

/**
 * A forge at 127.0.0.3 that sends a block again and again to every client.
 * @returns its origin
 */
export async function flooding(t: Test, head: string, block: string): Promise<string> {
  const bytes = Buffer.from(block)
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    const more = () => {
      while (!socket.destroyed && socket.write(bytes));
    }
    socket.on('error', () => {})
    socket.on('drain', more)
    socket.once('data', () => {
      socket.write(head)
      more()
    })
    socket.resume()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.3', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.3:${(server.address() as { port: number }).port}`
}
