import type { Server } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Most turns of the event loop to wait for: clients may keep connecting. */
const MAX_TURNS = 100

/**
 * Resolves in a turn of the event loop that has taken no connection. If the server closes at once, the kernel resets
 * the connections that it has accepted and the process has not taken: their requests would be lost.
 */
export async function queueTaken(server: Server): Promise<void> {
  let isTaken = false
  const note = () => {
    isTaken = false
  }
  server.on('connection', note)
  for (let turn = 0; turn < MAX_TURNS && !isTaken; turn++) {
    isTaken = true
    await nextTurn()
  }
  server.off('connection', note)
}
