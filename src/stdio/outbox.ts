import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_MS = 20

/** Most bytes of a piece. */
const PIECE = 16 * 1024

/**
 * The lines for a client that may read slowly. They are handed to its pipe in pieces, one after another. All at once,
 * they would be a single write, and nobody could tell whether the client has already taken a part of it.
 */
export class Outbox {
  readonly #output: Writable
  readonly #waiting: Buffer[] = []
  #isFull = false
  #isGone = false
  /** Number of pieces that were handed to the pipe. */
  #handed = 0

  /**
   * @param onRoom called when all lines have been handed over after `send` returned false, and when the client has gone
   */
  constructor(output: Writable, onRoom: () => void) {
    this.#output = output
    output.on('drain', () => {
      this.#isFull = false
      while (!this.#isFull && this.#waiting.length > 0) this.#hand(this.#waiting.shift()!)
      if (!this.#isFull) onRoom()
    })
    // A client that has gone reads nothing.
    const gone = () => {
      this.#isGone = true
      this.#waiting.length = 0
      onRoom()
    }
    output.on('error', gone).on('close', gone)
  }

  /** Whether there is room for more lines. A client that has gone needs none. */
  get hasRoom(): boolean {
    return this.#isGone || !this.#isFull
  }

  /** @returns whether there is room for more lines */
  send(line: string): boolean {
    if (this.#isGone) return true
    const bytes = Buffer.from(line)
    for (let at = 0; at < bytes.length; at += PIECE) {
      const piece = bytes.subarray(at, at + PIECE)
      if (this.#isFull) this.#waiting.push(piece)
      else this.#hand(piece)
    }
    return this.hasRoom
  }

  /**
   * Waits until the client has taken everything, has gone, or no longer takes anything. When the process ends, the rest
   * is lost, and the line that is being sent is cut.
   * @param patienceMs milliseconds in which a client that is still there takes a piece
   */
  async taken(patienceMs: number): Promise<void> {
    let handed = this.#handed
    let since = performance.now()
    while (!this.#isGone && this.#output.writableLength > 0 && performance.now() - since < patienceMs) {
      await sleep(LOOK_MS)
      if (this.#handed > handed) since = performance.now()
      handed = this.#handed
    }
  }

  #hand(piece: Buffer): void {
    this.#handed++
    this.#isFull = !this.#output.write(piece)
  }
}
