/** Keeps the last bytes of a stream that is read once. It uses at most twice the memory of those bytes. */
export class ByteTail {
  readonly #wanted: number
  #buffer = Buffer.alloc(64 * 1024)
  #used = 0
  #total = 0

  /** @param wanted number of bytes to keep */
  constructor(wanted: number) {
    this.#wanted = wanted
  }

  /** As in StreamReader. */
  get heldBytes(): number {
    return this.#buffer.length
  }

  /** Number of bytes of the stream so far. */
  get total(): number {
    return this.#total
  }

  push(chunk: Uint8Array): void {
    this.#total += chunk.length
    const last = chunk.length > this.#wanted ? chunk.subarray(chunk.length - this.#wanted) : chunk
    if (this.#used + last.length > this.#buffer.length) this.#makeRoom(last.length)
    this.#buffer.set(last, this.#used)
    this.#used += last.length
  }

  bytes(): Buffer {
    return this.#buffer.subarray(Math.max(0, this.#used - this.#wanted), this.#used)
  }

  #makeRoom(size: number): void {
    const kept = this.bytes()
    const most = 2 * this.#wanted
    const next =
      this.#buffer.length < most
        ? Buffer.alloc(Math.min(most, Math.max(2 * this.#buffer.length, kept.length + size)))
        : this.#buffer
    kept.copy(next)
    this.#buffer = next
    this.#used = kept.length
  }
}
